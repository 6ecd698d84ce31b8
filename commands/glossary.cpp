#include "commands/glossary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "commands/wrapped.h"
#include "engine/base/embedded.h"
#include "engine/base/error.h"
#include "engine/base/text.h"

namespace tpulab {

std::span<const EmbeddedFile> embedded_words();

namespace {

// "Duty_cycle" and "`duty cycle`" are one word.
std::string plain(std::string_view typed) {
  std::string text = lowered(typed);
  std::erase_if(text, [](char c) { return c == '`' || c == '"' || c == '\''; });
  std::ranges::replace(text, '_', ' ');
  return std::string(trimmed(text));
}

GlossaryWord headed(const std::string& line) {
  const auto bar = line.find(" | ");
  GlossaryWord word;
  word.name = trimmed(line.substr(0, bar));
  if (bar == std::string::npos) return word;
  for (const std::string& other : split(line.substr(bar + 3), ',')) {
    word.others.emplace_back(trimmed(other));
  }
  return word;
}

void take_line(GlossaryWord& word, std::string_view line) {
  const auto after = [&line](std::string_view start) {
    return line.starts_with(start) ? std::string(trimmed(line.substr(start.size())))
                                   : std::string();
  };
  if (std::string formula = after("= "); !formula.empty()) {
    word.formula = std::move(formula);
  } else if (std::string now = after("now "); !now.empty()) {
    word.now = std::move(now);
  } else if (std::string lesson = after("lesson "); !lesson.empty()) {
    word.lesson = std::move(lesson);
  } else {
    word.text += (word.text.empty() ? "" : " ") + std::string(line);
  }
}

std::vector<GlossaryWord> parsed_words() {
  std::vector<GlossaryWord> words;
  for (const EmbeddedFile& file : embedded_words()) {
    for (const std::string& line : split(file.text, '\n')) {
      if (line.empty() || line.front() == '#') continue;
      if (line.front() != ' ') {
        words.push_back(headed(line));
      } else {
        expects(!words.empty(), "a word stands before its text");
        take_line(words.back(), trimmed(line));
      }
    }
  }
  return words;
}

// "before step s" and "after tpu time to accuracy s" are figures of runs side by side, "now hbm
// bytes" and "then compute s" of two estimates.
std::string without_side(std::string word) {
  for (const std::string_view side : {"before ", "after ", "now ", "then "}) {
    if (!word.starts_with(side)) continue;
    word.erase(0, side.size());
    if (word.ends_with(" s")) word.resize(word.size() - 2);
    return word.substr(0, word.find(" to "));
  }
  return word;
}

// "1 after the first" is a count, "f32[32,64]" an array of the type "f32[]".
std::string without_figures(const std::string& word) {
  const auto bracket = word.find('[');
  if (bracket != std::string::npos) return word.substr(0, bracket) + "[]";
  std::string kept;
  for (const std::string_view part : words_in(word)) {
    if (!is_digit(part.front())) kept += (kept.empty() ? "" : " ") + std::string(part);
  }
  return kept;
}

using Index = std::map<std::string, const GlossaryWord*, std::less<>>;

// A name counts more than another word's alias.
Index indexed() {
  Index index;
  for (const GlossaryWord& word : glossary()) index.emplace(plain(word.name), &word);
  for (const GlossaryWord& word : glossary()) {
    for (const std::string& other : word.others) index.emplace(plain(other), &word);
  }
  return index;
}

std::string known(double value, const std::string& text) {
  return std::isfinite(value) && value > 0 ? text : std::string();
}

// Of the first core that works.
std::string figure_of_core(const std::string& name, const Snapshot& now) {
  const auto core = std::ranges::find(now.cores, true, &CoreView::used);
  if (core == now.cores.end() || now.run.step == 0) return {};
  if (name == "duty") return text_of_share(core->duty_cycle);
  if (name == "useful") return text_of_share(core->utilisation);
  if (name == "hbm") {
    return fmt::format("{} of {}", text_of(core->hbm_used), text_of(core->hbm_limit));
  }
  for (int share = 0; share < share_count; ++share) {
    if (name_of(static_cast<Share>(share)) != name) continue;
    return fmt::format("{} of the last {}",
                       text_of_share(core->shares[static_cast<std::size_t>(share)]),
                       count_with(now.run.recent_steps, "step"));
  }
  return {};
}

std::string figure_of_run(const std::string& name, const Snapshot& now) {
  const RunView& run = now.run;
  if (run.state == RunState::none) return {};
  if (name == "tpu_time") return text_of(run.tpu_time);
  if (name == "wall") return fmt::format("{:.2f} s", run.wall_seconds);
  if (name == "step") return known(in_seconds(run.step_time), text_of(run.step_time));
  if (name == "rate") {
    return known(run.tpu_rate_steady, text_of_count(run.tpu_rate_steady) + " samples/s");
  }
  if (name == "bound") return run.bound.text();
  if (name == "loss") return known(run.loss, fmt::format("{:.4f}", run.loss));
  if (name == "accuracy") return known(run.test_accuracy, fmt::format("{:.3f}", run.test_accuracy));
  if (name == "epoch") return std::to_string(run.epoch);
  if (name == "cores") return run.devices;
  if (name == "batch") return run.batch;
  if (name == "state") return fmt::format("run {} {}", run.number, name_of(run.state));
  if (name == "parameters") return text_with_commas(run.parameters);
  if (name == "compiles") return text_with_commas(now.compiles.compiled);
  if (name == "cached") return text_with_commas(now.compiles.cached);
  return figure_of_core(name, now);
}

}  // namespace

const std::vector<GlossaryWord>& glossary() {
  static const std::vector<GlossaryWord> words = parsed_words();
  return words;
}

const GlossaryWord* find_word(std::string_view typed) {
  static const Index index = indexed();
  auto found = index.find(plain(typed));
  if (found == index.end()) found = index.find(without_side(plain(typed)));
  if (found == index.end()) found = index.find(without_figures(plain(typed)));
  return found == index.end() ? nullptr : found->second;
}

std::vector<std::string> page_of(const GlossaryWord& word) {
  std::vector<std::string> lines{"word: " + word.name};
  append_wrapped(lines, "", word.text, 0);
  if (!word.formula.empty()) append_wrapped(lines, "  = ", word.formula, 4);
  if (!word.lesson.empty()) lines.push_back("lesson " + word.lesson);
  return lines;
}

std::string live_figure(const GlossaryWord& word, const Snapshot& now, const Settings& settings) {
  constexpr std::string_view of_settings = "setting ";
  if (word.now.empty()) return {};
  if (word.now.starts_with(of_settings)) {
    return "now " + setting_named(word.now.substr(of_settings.size())).show(settings);
  }
  const std::string figure = figure_of_run(word.now, now);
  return figure.empty() ? figure : "now " + figure;
}

}  // namespace tpulab

// Completion and hints, from the same tables that run the commands.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <iterator>

#include "commands/candidates.h"
#include "commands/command.h"
#include "commands/file_candidates.h"
#include "commands/lessons/player.h"
#include "commands/trainer_call.h"
#include "commands/words.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

struct Typed {
  std::vector<std::string> before;  // whole words of the command being typed
  std::string word;                 // the one being typed, maybe empty
};

Typed typed_so_far(std::string_view line) {
  const std::string command = parts_of(line, ';').back();
  Typed typed;
  typed.before = typed_words(command);
  const bool new_word = line.empty() || line.back() == ' ' || line.back() == '\t';
  if (!typed.before.empty() && !new_word) {
    typed.word = std::move(typed.before.back());
    typed.before.pop_back();
  }
  return typed;
}

// Values of a name come once it is there: "model=resnet50" not beside "model=".
std::vector<std::string> matching(std::vector<std::string> candidates, std::string_view word) {
  candidates = with_other_names(std::move(candidates), word);
  std::erase_if(candidates, [&](const std::string& one) { return !one.starts_with(word); });
  std::ranges::sort(candidates);
  const auto repeated = std::ranges::unique(candidates);
  candidates.erase(repeated.begin(), repeated.end());
  if (word.find('=') != std::string_view::npos) {
    if (candidates.size() > 1 && word.ends_with('=')) std::erase(candidates, word);
    return candidates;
  }
  std::vector<std::string> names;
  std::ranges::copy_if(candidates, std::back_inserter(names), [&](const std::string& one) {
    const std::size_t equals = one.find('=');
    return equals >= one.size() - 1 ||
           !std::ranges::binary_search(candidates, one.substr(0, equals + 1));
  });
  return names;
}

// Whether the word behind these may name a file. Of model, data and lesson it is once something is
// typed: their names come first.
bool takes_a_file(std::string_view first, Arguments before, bool begun) {
  static constexpr std::array<std::string_view, 8> alone{
      "load", "save", "source", "analyse", "handout", "checkpoint", "resume", "script"};
  if (std::ranges::find(alone, first) != alone.end()) return before.empty();
  if (first == "marks") {
    const bool writes = !before.empty() && before.front() == "write";
    return !writes || before.size() == 1;
  }
  if (before.empty()) return begun && (first == "model" || first == "data" || first == "lesson");
  const std::string& second = before.front();
  if (first == "set") return takes_a_file(second, before.subspan(1), begun);
  if (first == "metrics") return second == "compare" && before.size() <= 2;
  const bool of_lesson = second == "new" || second == "check" || second == "run";
  return before.size() == 1 && (first == "export" || (first == "lesson" && of_lesson));
}

std::vector<std::string> with_files(std::vector<std::string> candidates, const Typed& typed) {
  const Arguments before(typed.before.begin() + 1, typed.before.end());
  if (takes_a_file(typed.before.front(), before, !typed.word.empty())) {
    std::ranges::move(file_candidates(typed.word), std::back_inserter(candidates));
  }
  return candidates;
}

std::vector<std::string> first_words() {
  std::vector<std::string> words = setting_names();
  for (const Command* command : all_commands()) words.emplace_back(command->name);
  words.emplace_back("Trainer(");
  words.emplace_back("trainer.fit(model)");
  return words;
}

// A value as Python writes it: numbers and lists bare, the rest quoted.
std::string python_value(const std::string& value) {
  const bool bare =
      value.front() == '[' || value.find_first_not_of("0123456789") == std::string::npos;
  return bare ? value : fmt::format("\"{}\"", value);
}

std::vector<std::string> trainer_candidates(const Settings& settings) {
  std::vector<std::string> candidates;
  for (const std::string& name : trainer_settings()) {
    candidates.push_back(name + "=");
    for (const std::string& value : value_candidates(name, settings)) {
      candidates.push_back(fmt::format("{}={}", name, python_value(value)));
    }
  }
  return candidates;
}

// The argument being typed inside Trainer(...: behind the last ( or , that no bracket encloses.
std::string_view open_argument(std::string_view line) {
  std::size_t start = line.size();
  int closed = 0;
  while (start > 0) {
    const char c = line[start - 1];
    if (c == ')' || c == ']') ++closed;
    if ((c == '(' || c == '[') && --closed < 0) break;
    if (c == ',' && closed == 0) break;
    --start;
  }
  return trimmed(line.substr(start));
}

const SettingRow* setting_being_typed(const Typed& typed) {
  const bool by_verb =
      !typed.before.empty() && (typed.before.front() == "set" || typed.before.front() == "show");
  if (const Assignment pair = name_and_value(typed.word); !pair.name.empty()) {
    return find_setting(pair.name);
  }
  const std::size_t at = by_verb ? 1 : 0;
  const std::string& name = typed.before.size() > at ? typed.before[at] : typed.word;
  return find_setting(name);
}

std::string setting_hint(const SettingRow& row, const Settings& settings) {
  return fmt::format("{} (now {}): {}; {}", row.name, row.show(settings), row.values,
                     words_of(row.effect));
}

// The names that what is typed could become, as long as they fit a line.
std::string possible_names(std::string_view word) {
  constexpr std::size_t most = 8;
  std::vector<std::string> names = matching(first_words(), word);
  if (names.empty() || names.size() > most) return {};
  return fmt::format("{}", fmt::join(names, "  "));
}

std::vector<std::string> offered_behind(std::string_view line, const CommandContext& context) {
  if (without_comment(line).size() != line.size()) return {};
  const std::string command = parts_of(line, ';').back();
  if (is_trainer_call(command)) {
    const std::string_view argument = open_argument(command);
    return matching(trainer_candidates(context.settings), argument);
  }
  const Typed typed = typed_so_far(line);
  if (typed.before.empty()) {
    const bool assigns = typed.word.find('=') != std::string::npos;
    return matching(assigns ? assignment_candidates(context.settings) : first_words(), typed.word);
  }
  const std::string& first = typed.before.front();
  const Arguments arguments(typed.before.begin() + 1, typed.before.end());
  if (const Command* verb = find_command(first)) {
    std::vector<std::string> offered;
    if (verb->complete != nullptr) offered = verb->complete(arguments, context);
    return matching(with_files(std::move(offered), typed), typed.word);
  }
  if (!name_and_value(first).name.empty()) {
    return matching(assignment_candidates(context.settings), typed.word);
  }
  if (!arguments.empty()) return {};
  return matching(with_files(value_candidates(first, context.settings), typed), typed.word);
}

}  // namespace

// What cannot be looked up is not offered: nobody behind readline catches an exception.
std::vector<std::string> completions(std::string_view line_before_cursor,
                                     const CommandContext& context) {
  try {
    return offered_behind(line_before_cursor, context);
  } catch (const std::exception&) {
    return {};
  }
}

std::string hint(std::string_view line, const CommandContext& context) {
  const std::string_view code = without_comment(line);
  const std::string command = parts_of(code, ';').back();
  if (command.empty()) return context.lesson ? context.lesson->next_key() : std::string();
  if (is_trainer_call(command))
    return "Trainer(accelerator=, devices=, strategy=, precision=, ...)";
  const Typed typed = typed_so_far(code);
  if (const SettingRow* row = setting_being_typed(typed)) {
    return setting_hint(*row, context.settings);
  }
  const std::string& first = typed.before.empty() ? typed.word : typed.before.front();
  if (const Command* verb = find_command(first)) {
    return fmt::format("{}: {}", verb->usage, verb->summary);
  }
  return typed.before.empty() ? possible_names(typed.word) : std::string();
}

}  // namespace tpulab

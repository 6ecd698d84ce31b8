#include "commands/handouts/handout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "commands/handouts/bars.h"
#include "commands/handouts/curve.h"
#include "commands/lessons/facts.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/session/answers/machine_words.h"
#include "engine/session/answers/software_words.h"

namespace tpulab {

namespace {

using Kind = HandoutBlock::Kind;

constexpr std::size_t most_lines = 30;  // of one answer

void add(Document& page, Kind kind, std::string text) {
  page.blocks.push_back({.kind = kind, .text = std::move(text)});
}

void add_list(Document& page, std::vector<std::string> items) {
  page.blocks.push_back({.kind = Kind::list, .items = std::move(items)});
}

void add_code(Document& page, std::vector<std::string> lines) {
  if (lines.size() > most_lines) {
    const std::size_t more = lines.size() - most_lines;
    lines.resize(most_lines);
    lines.push_back(
        fmt::format("... and {} more", count_with(static_cast<std::int64_t>(more), "line")));
  }
  page.blocks.push_back({.kind = Kind::code, .items = std::move(lines)});
}

void add_bars(Document& page, std::string_view title, const std::vector<Bar>& bars) {
  if (bars.size() > 1) add(page, Kind::figure, svg_of(title, bars));
}

// Rows of one kind as bars: the label is the row's first field.
void add_figures(Document& page, const std::vector<OutputLine>& rows) {
  std::vector<Bar> parts;
  std::vector<Bar> steps;
  for (const OutputLine& row : rows) {
    Facts facts;
    facts.add(row);
    const bool is_row = row.event == "sweep" || row.event == "compare";
    const auto length = facts.find(is_row ? "step_seconds" : "seconds");
    if (!length || (!is_row && row.event != "step_part")) continue;
    const Bar bar{text_of(value_of(row.fields.front())), number_of(*length).number,
                  text_of(*length)};
    (is_row ? steps : parts).push_back(bar);
  }
  add_bars(page, "what a step is made of, TPU time (estimated)", parts);
  add_bars(page, "time of a step, TPU time (estimated)", steps);
}

void add_constants(Document& page, const Settings& settings) {
  add(page, Kind::heading, "What the times rest on");
  HandoutBlock table{.kind = Kind::table, .rows = {{"constant", "value", "mark", "source"}}};
  for (const Described& described :
       {generation_in_words(generation_of_slice(settings.slice)), host_in_words(settings.host),
        stack_in_words(settings.stack)}) {
    for (const NamedConstant& one : described.constants) {
      table.rows.push_back({std::string(one.name), fmt::format("{:.4g}", one.constant.value),
                            std::string(name_of(one.constant.mark)),
                            std::string(one.constant.source)});
    }
  }
  page.blocks.push_back(std::move(table));
}

class LessonHandout {
 public:
  explicit LessonHandout(const Lesson& lesson) {
    handout_.page.title = lesson.title;
    handout_.key.title = lesson.title + ": answers";
    add(handout_.page, Kind::text, lesson.about + ".");
    for (const std::string& sentence : lesson.page) add(handout_.page, Kind::quote, sentence);
  }

  Handout of(const Lesson& lesson, const PlayedLesson& played) && {
    for (const PlayedStep& step : played.steps) take(step);
    add(handout_.page, Kind::heading, "What this hides");
    add(handout_.page, Kind::text, lesson.hides);
    add_constants(handout_.page, {});
    add(handout_.page, Kind::text,
        fmt::format("Played by tpulab {}; `lesson {}` plays it again.", TPULAB_VERSION,
                    lesson.name));
    return std::move(handout_);
  }

 private:
  void ask(const std::string& question) {
    ++number_;
    add(handout_.page, Kind::heading, fmt::format("Question {}", number_));
    add(handout_.page, Kind::text, question);
    add(handout_.key, Kind::heading, fmt::format("Question {}", number_));
    add(handout_.key, Kind::text, question);
  }

  void take(const PlayedStep& played) {
    switch (played.step.word) {
      case StepWord::say:
        return add(told(), Kind::text, played.text);
      case StepWord::command:
        return take_command(played);
      case StepWord::predict:
        ask(played.text);
        add(handout_.page, Kind::text, "Guess before you try it: ______________________");
        return add(handout_.key, Kind::text, "It is " + played.answer + ".");
      case StepWord::choose:
        return take_choice(played);
      case StepWord::task:
        ask(played.text);
        return add(handout_.page, Kind::text, "You typed: ______________________");
      case StepWord::solve:
        return add(handout_.key, Kind::text, fmt::format("`{}`", played.step.text));
      default:
        for (const std::string& line : played.lines) add(handout_.key, Kind::text, line);
    }
  }

  // From the first question on, what comes of a command and is said of it gives answers away.
  Document& told() { return number_ == 0 ? handout_.page : handout_.key; }

  void take_command(const PlayedStep& played) {
    std::vector<std::string> lines{"> " + played.step.text};
    if (number_ > 0) add_code(handout_.page, lines);
    lines.insert(lines.end(), played.lines.begin(), played.lines.end());
    add_code(told(), std::move(lines));
    add_figures(told(), played.rows);
  }

  void take_choice(const PlayedStep& played) {
    ask(played.text);
    std::vector<std::string> items;
    for (std::size_t i = 0; i < played.choices.size(); ++i) {
      items.push_back(
          fmt::format("{}: {}", static_cast<char>('a' + static_cast<int>(i)), played.choices[i]));
    }
    add(handout_.key, Kind::text, items[played.step.right.value_or(0)]);
    add_list(handout_.page, std::move(items));
  }

  Handout handout_;
  int number_ = 0;
};

// From the newest run's first line on.
std::vector<OutputLine> lines_of_newest_run(const Engine& engine) {
  std::vector<OutputLine> lines = engine.output_since(0);
  const auto last = std::find_if(lines.rbegin(), lines.rend(),
                                 [](const OutputLine& line) { return line.event == "run"; });
  if (last != lines.rend()) lines.erase(lines.begin(), std::prev(last.base()));
  return lines;
}

std::string command_of(const Settings& settings, const Settings& defaults) {
  std::string command = "run";
  for (const SettingRow& row : setting_rows()) {
    const std::string value = row.show(settings);
    if (row.name == "batch.global" || row.name == "pace" || value == row.show(defaults)) continue;
    command += fmt::format(" {}={}", row.name, value);
  }
  return command;
}

// What ran before, each in a line.
void add_table_of(Document& page, const std::vector<RunRecord>& runs) {
  HandoutBlock table{.kind = Kind::table,
                     .rows = {{"run", "model", "on", "batch", "steps", "step, TPU time (est.)",
                               "samples/s", "loss", "bound"}}};
  for (const RunRecord& run : runs) {
    const RunView& view = run.view;
    table.rows.push_back(
        {fmt::format("{}", view.number), view.model, view.machine, view.batch,
         text_with_commas(view.step), text_of(view.step_time), text_of_count(view.tpu_rate_steady),
         std::isfinite(view.loss) && view.numbers ? fmt::format("{:.4f}", view.loss) : "",
         view.bound.text()});
  }
  page.blocks.push_back(std::move(table));
}

}  // namespace

Handout handout_of(const Lesson& lesson, const PlayedLesson& played) {
  return LessonHandout(lesson).of(lesson, played);
}

Handout handout_of_run(const Engine& engine, const Settings& defaults) {
  const std::vector<RunRecord> runs = engine.ended_runs();
  const auto evidence = engine.newest_evidence();
  if (runs.empty() || !evidence) throw Error("no run has ended yet; `run` starts one");
  const RunRecord& run = runs.back();
  Handout handout;
  handout.page.title =
      fmt::format("Run {}: {} on {}", run.view.number, run.view.model, run.view.machine);
  handout.key.title = handout.page.title + ": answers";
  std::vector<std::string> lines{"> " + command_of(evidence->settings, defaults)};
  for (const OutputLine& line : lines_of_newest_run(engine)) lines.push_back(line.text);
  add_code(handout.page, std::move(lines));
  std::vector<Bar> bars;
  for (const PhaseTime& phase : run.phases) {
    bars.push_back({phase.name, in_seconds(phase.time), text_of(phase.time)});
  }
  add_bars(handout.page, "where a mean steady step goes, TPU time (estimated)", bars);
  const std::vector<LossPoint>& losses = evidence->curves.losses;
  if (evidence->number == run.view.number && losses.size() > 1) {
    add(handout.page, Kind::figure, svg_of("loss by step", losses));
  }
  if (runs.size() > 1) add_table_of(handout.page, runs);
  const auto ask = [&handout](const std::string& question, const std::string& answer) {
    add_list(handout.page, {question + " ______________________"});
    add_list(handout.key, {question + " " + answer});
  };
  ask("What binds a step?", run.view.bound.empty() ? "not known" : run.view.bound.text());
  ask("How many programs were compiled?", text_with_commas(run.compiles));
  ask("How many rows does a step train?", run.view.batch);
  add_constants(handout.page, evidence->settings);
  return handout;
}

}  // namespace tpulab

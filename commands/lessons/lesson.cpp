#include "commands/lessons/lesson.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <optional>

#include "commands/command.h"
#include "commands/trainer_call.h"
#include "commands/words.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/session/settings/setting_values.h"

namespace tpulab {

namespace {

constexpr std::string_view words_of_lines =
    "title, about, page, hides, say, stop, >, !, keep, check, else, predict, answer, choose, "
    "right, wrong, do, solve, hint, fault or mend";

// What lessons may type besides settings and Trainer(...): nothing that leaves, writes or reads.
constexpr std::array<std::string_view, 14> verbs_of_lessons{
    "advise", "compare", "explain", "fit",  "forecast", "metrics", "reset",
    "run",    "set",     "show",    "step", "stop",     "sweep",   "whatif"};

struct FileLine {
  int number = 0;
  std::string word;
  std::string rest;
};

// A line that begins with a blank goes on with the one before.
std::vector<FileLine> lines_in(std::string_view text) {
  std::vector<FileLine> lines;
  int number = 0;
  for (const std::string& line : split(text, '\n')) {
    ++number;
    const std::string_view all = trimmed(line);
    if (all.empty() || line.front() == '#') continue;
    if ((line.front() == ' ' || line.front() == '\t') && !lines.empty()) {
      lines.back().rest += (lines.back().rest.empty() ? "" : " ") + std::string(all);
      continue;
    }
    const auto end = std::min(all.find_first_of(" \t"), all.size());
    lines.push_back(
        {number, std::string(all.substr(0, end)), std::string(trimmed(all.substr(end)))});
  }
  return lines;
}

void check_command(const std::string& line) {
  const std::vector<std::string> commands = split_commands(line);
  if (commands.empty()) throw Error("expected a command to type");
  for (const std::string& command : commands) {
    if (is_trainer_call(command)) continue;
    const std::string first = typed_words(command).front();
    const Assignment pair = name_and_value(first);
    const bool setting = find_setting(pair.name.empty() ? first : pair.name) != nullptr;
    const bool reads = first == "metrics" && command != "metrics";
    const bool known = setting || first.find(".fit(") != std::string::npos ||
                       std::ranges::find(verbs_of_lessons, first) != verbs_of_lessons.end();
    if (known && !reads) continue;
    throw Error(fmt::format("expected a setting or one of {}, not '{}'",
                            fmt::join(verbs_of_lessons, ", "), command));
  }
}

std::size_t closing(std::string_view text, std::size_t open) {
  const auto end = text.find('}', open);
  if (end == std::string_view::npos) throw Error("expected a } behind each {");
  return end;
}

void check_text(const std::string& text) {
  if (text.empty()) throw Error("expected a text");
  for (auto at = text.find('{'); at != std::string::npos; at = text.find('{', at + 1)) {
    parse_expression(text.substr(at + 1, closing(text, at) - at - 1));
  }
}

class LessonReader {
 public:
  Lesson read(std::string_view text, const std::string& file) {
    if (text.size() > largest_lesson_bytes) {
      throw Error(fmt::format("{}: expected a lesson of at most 64 KiB", file));
    }
    int last = 1;
    for (const FileLine& line : lines_in(text)) {
      last = line.number;
      located(file, line.number, [&] { take(line); });
    }
    located(file, last, [&] {
      end_step();
      check_whole();
    });
    return std::move(lesson_);
  }

 private:
  template <class Work>
  static void located(const std::string& file, int number, const Work& work) {
    try {
      work();
    } catch (const Error& error) {
      throw Error(fmt::format("{}:{}: {}", file, number, error.what()));
    }
  }

  void check_whole() const {
    if (lesson_.title.empty()) throw Error("expected a line `title TEXT`");
    if (lesson_.about.empty()) throw Error("expected a line `about TEXT`");
    if (lesson_.hides.empty()) throw Error("expected a line `hides TEXT`: what it leaves out");
    if (lesson_.steps.empty()) throw Error("expected steps, such as `say TEXT`");
  }

  void take(const FileLine& line) {
    const auto part = [&](std::string_view word, std::string& into) {
      if (line.word != word) return false;
      if (line.rest.empty()) throw Error(fmt::format("expected a text behind {}", word));
      into = line.rest;
      return true;
    };
    if (part("title", lesson_.title) || part("about", lesson_.about) ||
        part("hides", lesson_.hides)) {
      return;
    }
    if (std::string sentence; part("page", sentence)) {
      lesson_.page.push_back(std::move(sentence));
      return;
    }
    if (!take_part_of_step(line)) begin_step(line);
  }

  LessonStep& step_for(std::string_view word, std::initializer_list<StepWord> owners) {
    const bool fits = !lesson_.steps.empty() &&
                      std::ranges::find(owners, lesson_.steps.back().word) != owners.end();
    if (!fits) throw Error(fmt::format("'{}' does not belong to the step before it", word));
    return lesson_.steps.back();
  }

  bool take_part_of_step(const FileLine& line) {
    if (line.word == "answer") {
      step_for("answer", {StepWord::predict}).condition = parse_answer(line.rest);
    } else if (line.word == "else") {
      check_text(line.rest);
      step_for("else", {StepWord::check}).otherwise = line.rest;
    } else if (line.word == "right" || line.word == "wrong") {
      take_choice(step_for(line.word, {StepWord::choose}), line);
    } else if (line.word == "hint") {
      check_text(line.rest);
      using enum StepWord;
      step_for("hint", {command, predict, choose, task}).hints.push_back(line.rest);
    } else {
      return false;
    }
    return true;
  }

  static void take_choice(LessonStep& step, const FileLine& line) {
    constexpr std::size_t most = 8;
    check_text(line.rest);
    if (line.word == "right") {
      if (step.right) throw Error("expected one right answer");
      step.right = step.choices.size();
    }
    step.choices.push_back(line.rest);
    if (step.choices.size() > most) throw Error("expected at most 8 answers to choose from");
  }

  void begin_step(const FileLine& line) {
    end_step();
    if (lesson_.steps.size() >= most_lesson_steps) {
      throw Error(fmt::format("expected at most {} steps", most_lesson_steps));
    }
    LessonStep step;
    step.line = line.number;
    step.word = word_of(line.word);
    step.text = line.rest;
    step.refused = line.word == "!";
    check_step(step);
    if (step.word == StepWord::solve) step_for("solve", {StepWord::task, StepWord::solve});
    lesson_.steps.push_back(std::move(step));
  }

  static StepWord word_of(const std::string& word) {
    using enum StepWord;
    constexpr std::array<std::pair<std::string_view, StepWord>, 12> all{{{"say", say},
                                                                         {"stop", stop},
                                                                         {">", command},
                                                                         {"!", command},
                                                                         {"keep", keep},
                                                                         {"check", check},
                                                                         {"predict", predict},
                                                                         {"choose", choose},
                                                                         {"do", task},
                                                                         {"solve", solve},
                                                                         {"fault", fault},
                                                                         {"mend", mend}}};
    for (const auto& [name, step] : all) {
      if (name == word) return step;
    }
    throw Error(fmt::format("expected one of {}, not '{}'", words_of_lines, word));
  }

  static void check_step(LessonStep& step) {
    switch (step.word) {
      case StepWord::say:
      case StepWord::predict:
      case StepWord::choose:
      case StepWord::task:
        return check_text(step.text);
      case StepWord::command:
      case StepWord::solve:
        return check_command(step.text);
      case StepWord::check:
        step.condition = parse_condition(step.text);
        return;
      case StepWord::keep:
        return take_keep(step);
      case StepWord::fault:
        return check_fault(step.text);
      case StepWord::stop:
      case StepWord::mend:
        break;
    }
    if (!step.text.empty()) throw Error("expected nothing behind it");
  }

  static void take_keep(LessonStep& step) {
    const auto equals = step.text.find('=');
    if (equals == std::string::npos) throw Error("expected NAME = EXPRESSION");
    step.name = trimmed(step.text.substr(0, equals));
    const bool letters = std::ranges::all_of(step.name, [](char c) {
      return std::islower(static_cast<unsigned char>(c)) != 0 || c == '_';
    });
    if (step.name.empty() || !letters) throw Error("expected a name of small letters before =");
    step.value = parse_expression(step.text.substr(equals + 1));
  }

  // Whether it goes with all others, the run tells that has it.
  static void check_fault(const std::string& text) {
    const auto space = text.find(' ');
    if (space == std::string::npos) throw Error("expected a setting and its value");
    Settings settings;
    parse_value(settings, text.substr(0, space), text.substr(space));
  }

  // A step whose lines are all read.
  void end_step() const {
    if (lesson_.steps.empty()) return;
    const LessonStep& step = lesson_.steps.back();
    if (step.word == StepWord::predict && step.condition.text.empty()) {
      throw Error("expected `answer EXPRESSION` behind predict");
    }
    if (step.word == StepWord::choose && (!step.right || step.choices.size() < 2)) {
      throw Error("expected lines of `wrong TEXT` and one `right TEXT` behind choose");
    }
  }

  Lesson lesson_;
};

}  // namespace

Lesson parse_lesson(std::string_view text, const std::string& file) {
  Lesson lesson = LessonReader().read(text, file);
  lesson.name = std::filesystem::path(file).stem().string();
  const auto dash = lesson.name.find('-');
  if (dash == std::string::npos) return lesson;
  const auto number = whole_number(lesson.name.substr(0, dash));
  if (!number || *number < 1 || *number > 999) return lesson;
  lesson.number = static_cast<int>(*number);
  lesson.name.erase(0, dash + 1);
  return lesson;
}

std::string filled_in(const std::string& text, const FigureScope& scope, bool strict) {
  std::string filled;
  std::size_t from = 0;
  for (auto at = text.find('{'); at != std::string::npos; at = text.find('{', from)) {
    const auto end = closing(text, at);
    filled += text.substr(from, at - from);
    try {
      filled += text_of(value_of(parse_expression(text.substr(at + 1, end - at - 1)), scope));
    } catch (const Error&) {
      if (strict) throw;
      filled += '?';
    }
    from = end + 1;
  }
  return filled + text.substr(from);
}

}  // namespace tpulab

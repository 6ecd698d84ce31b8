#include "commands/lessons/alone.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "commands/ask.h"
#include "commands/lessons/faults.h"
#include "commands/lessons/figures.h"
#include "engine/base/error.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

class LonePlayer {
 public:
  explicit LonePlayer(std::stop_token stop) : stop_(std::move(stop)) {
    context_.interrupted = stop_;
    context_.while_waiting = [this] {
      if (stop_.stop_requested()) engine_.post(StopRun{});
    };
    figures_.begin_command(context_);
  }

  PlayedLesson play(const Lesson& lesson) && {
    for (const LessonStep& step : lesson.steps) {
      if (stop_.stop_requested()) throw Error("the answer was cancelled");
      try {
        take(step);
      } catch (const Error& error) {
        complain(step, error.what());
      }
    }
    for (const std::size_t guess : guesses_) {
      complain(played_.steps[guess].step, "nothing has told the answer");
    }
    return std::move(played_);
  }

 private:
  void complain(const LessonStep& step, const std::string& what) {
    played_.complaints.push_back(fmt::format("line {}: {}", step.line, what));
  }

  PlayedStep& add(const LessonStep& step) {
    const FigureScope scope = figures_.scope();
    PlayedStep& added = played_.steps.emplace_back(PlayedStep{step, step.text});
    const bool has_figures = step.word == StepWord::say || step.word == StepWord::predict ||
                             step.word == StepWord::choose || step.word == StepWord::task;
    if (has_figures) added.text = filled_in(step.text, scope, true);
    for (const std::string& choice : step.choices) {
      added.choices.push_back(filled_in(choice, scope, true));
    }
    return added;
  }

  void take(const LessonStep& step) {
    switch (step.word) {
      case StepWord::command:
      case StepWord::solve:
        return type(step);
      case StepWord::keep:
        return figures_.keep(step.name, step.value);
      case StepWord::check:
        return check(step);
      case StepWord::predict:
        add(step);
        guesses_.push_back(played_.steps.size() - 1);
        return;
      case StepWord::fault:
        return faults_.set(settings_, step.text);
      case StepWord::mend:
        add(step).lines = faults_.mend(settings_);
        return;
      case StepWord::say:
      case StepWord::choose:
      case StepWord::task:
        add(step);
        return;
      case StepWord::stop:
        break;
    }
  }

  void type(const LessonStep& step) {
    ++played_.commands;
    figures_.begin_command(context_);
    const std::int64_t before = newest_line(engine_);
    Reply reply = run_line(step.text, context_);
    figures_.add(reply);
    figures_.add_news(context_);  // behind the reply, as at the prompt
    PlayedStep& added = add(step);
    for (OutputLine& line : engine_.output_since(before)) {
      added.lines.push_back(line.text);
      added.rows.push_back(std::move(line));
    }
    if (reply.failed != step.refused) {
      complain(step, fmt::format("`{}` {}: {}", step.text,
                                 reply.failed ? "was refused" : "was not refused",
                                 fmt::join(reply.lines, " ")));
    }
    std::ranges::move(reply.lines, std::back_inserter(added.lines));
    std::ranges::move(reply.rows, std::back_inserter(added.rows));
    tell_answers();
  }

  void tell_answers() {
    std::erase_if(guesses_, [this](std::size_t guess) {
      PlayedStep& played = played_.steps[guess];
      try {
        played.answer = text_of(value_of(played.step.condition.left, figures_.scope()));
        return true;
      } catch (const Error&) {
        return false;
      }
    });
  }

  void check(const LessonStep& step) {
    ++played_.checks;
    const FigureScope scope = figures_.scope();
    filled_in(step.otherwise, scope, true);  // throws Error for figures that nothing has said
    if (holds(step.condition, scope)) return;
    complain(step,
             fmt::format("{} does not hold: {} is {}", step.condition.text,
                         step.condition.left.text, text_of(value_of(step.condition.left, scope))));
  }

  std::stop_token stop_;
  Engine engine_;
  Settings settings_;
  CommandContext context_{.engine = engine_, .settings = settings_};
  LessonFigures figures_;
  PlayedLesson played_;
  std::vector<std::size_t> guesses_;  // played steps whose answer is not known yet
  LessonFaults faults_;
};

}  // namespace

PlayedLesson play_alone(const Lesson& lesson, const std::stop_token& stop) {
  return LonePlayer(stop).play(lesson);
}

}  // namespace tpulab

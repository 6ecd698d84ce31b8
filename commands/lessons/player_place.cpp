// A lesson that was left goes on: its commands are typed again up to that place.
#include <fmt/format.h>

#include <utility>

#include "commands/lessons/player.h"
#include "engine/base/error.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

bool pauses(const LessonStep& step) {
  return step.word != StepWord::say && step.word != StepWord::keep &&
         step.word != StepWord::check && step.word != StepWord::fault &&
         step.word != StepWord::mend && step.word != StepWord::solve;
}

}  // namespace

std::size_t pause_in(const Lesson& lesson, std::size_t step) {
  const std::vector<LessonStep>& steps = lesson.steps;
  std::size_t at = step;
  while (at < steps.size() && !pauses(steps[at])) ++at;
  if (at < steps.size()) return at;
  throw Error(fmt::format(
      "lesson {} has {}, and does not wait at {} or behind it; leave the number out, "
      "and it begins",
      lesson.name, count_with(static_cast<std::int64_t>(steps.size()), "step"), step + 1));
}

void LessonPlayer::go_on_at(const LessonPlace& place, CommandContext& context, Reply& reply) {
  goal_ = pause_in(lesson_, place.step);
  // What is said before that pause is said again.
  while (goal_ > 0 && lesson_.steps[goal_ - 1].word == StepWord::say) --goal_;
  marks_before_ = place.marks;
  pace_ = std::exchange(context.settings.pace, "max");
  begin(context, reply);
}

void LessonPlayer::pass(const LessonStep& step, CommandContext& context, Reply& reply) {
  if (step.word == StepWord::command || step.word == StepWord::solve) {
    pause_ = Pause::command;
    return type(step, context, reply);
  }
  if (step.word == StepWord::choose) context.hidden.clear();
  solves_ = step.word == StepWord::task;
  ++at_;
  // The checks of a task look at what nobody has done.
  while (solves_ && !over() && lesson_.steps[at_].word == StepWord::check) ++at_;
}

void LessonPlayer::arrive(CommandContext& context) {
  if (pace_.empty()) return;
  context.settings.pace = std::exchange(pace_, {});
}

}  // namespace tpulab

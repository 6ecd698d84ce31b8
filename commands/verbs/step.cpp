// step: trains some steps, then pauses.

#include "commands/ask.h"
#include "engine/base/error.h"
#include "engine/base/text.h"

namespace tpulab::step_command {

namespace {

constexpr std::int64_t most_steps = 1'000'000;

std::int64_t steps_of(Arguments arguments) {
  if (arguments.empty()) return 1;
  const std::int64_t steps = number_in<std::int64_t>(arguments.front()).value_or(0);
  if (arguments.size() > 1 || steps < 1 || steps > most_steps) {
    throw Error("step takes a whole number from 1 to 1,000,000; usage: step [N]");
  }
  return steps;
}

Reply step(Arguments arguments, CommandContext& context) {
  const std::int64_t steps = steps_of(arguments);
  const StepRun request{steps, context.settings, !context.hidden.empty()};
  if (!context.interactive) return train(context, request);
  post(context, request);
  Reply reply;
  reply.lines.push_back(count_with(steps, "step") + ", then a pause");
  return reply;
}

}  // namespace

extern const Command row;
const Command row{
    "step",
    "step [N]",
    "Train N steps (1 if none is given), then pause.",
    "Starts a run if none is under way. Good for looking at one compile, one fallback or one "
    "all-reduce at a time.",
    step,
};

}  // namespace tpulab::step_command

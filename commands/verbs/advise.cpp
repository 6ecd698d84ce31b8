// advise: why it is slow, and what each remedy gains.
#include <fmt/format.h>

#include "commands/advice_words.h"
#include "commands/ask.h"
#include "commands/newest_advice.h"
#include "engine/base/error.h"

namespace tpulab::advise_command {

namespace {

constexpr std::string_view usage = "advise [N apply | all apply]";

Reply give_advice(CommandContext& context) {
  if (!context.advice) context.advice = std::make_shared<NewestAdvice>();
  return answer(context, "advice",
                [box = context.advice, settings = context.settings,
                 run = run_in_question(context)](const std::stop_token& stop) {
                  Advice advice = advise(settings, run, stop);
                  Answer lines = answer_of(advice);
                  box->keep(std::move(advice));
                  return lines;
                });
}

Together chosen(const Advice& advice, const std::string& which) {
  if (which == "all" && advice.together) return *advice.together;
  const auto& remedies = advice.remedies;
  if (which == "all" && remedies.size() == 1) return as_one(remedies.front());
  for (std::size_t i = 0; i < remedies.size(); ++i) {
    if (which == std::to_string(i + 1)) return as_one(remedies[i]);
  }
  throw Error(remedies.empty()
                  ? std::string("the newest advice has nothing to apply")
                  : fmt::format("the newest advice has numbers from 1 to {}, and all; usage: {}",
                                remedies.size(), usage));
}

Reply apply(const std::string& which, CommandContext& context) {
  const std::optional<Advice> advice = context.advice ? context.advice->copy() : std::nullopt;
  if (!advice) throw Error("no advice was given yet; `advise` gives it");
  const Together choice = chosen(*advice, which);
  Reply reply = set_all(context, choice.changes);
  context.advice->expect(*advice, choice);
  return reply;
}

Reply advise(Arguments arguments, CommandContext& context) {
  if (arguments.empty()) return give_advice(context);
  if (arguments.size() == 2 && arguments[1] == "apply") return apply(arguments[0], context);
  if (arguments.size() == 2 && arguments[0] == "apply") return apply(arguments[1], context);
  throw Error(fmt::format("usage: {}", usage));
}

std::vector<std::string> complete(Arguments before, const CommandContext& context) {
  if (before.size() == 1) return {"apply"};
  const std::optional<Advice> advice = context.advice ? context.advice->copy() : std::nullopt;
  if (!before.empty() || !advice) return {};
  std::vector<std::string> names{"all"};
  for (std::size_t i = 1; i <= advice->remedies.size(); ++i) names.push_back(std::to_string(i));
  return names;
}

}  // namespace

extern const Command row;
const Command row{
    "advise",
    usage,
    "Say why it is slow: causes with evidence, remedies with the gain found by trying them.",
    "Looks at what the newest run recorded, or at the settings as they are if they have changed "
    "since. Each cause is told with what was seen, what is inferred, the change in PyTorch and "
    "Lightning words, the same as a command, and what it gains: the run with it was simulated "
    "from its start to its end (for 600 steps where it has none). What a script does for nothing "
    "and parts that are slow come before batches that could be larger. Gains below 5 % are not "
    "named (2 % for habits, 20 % for what would change what is learned). What loses in the whole "
    "run is named only where one 100 times as long gains, and no compiles come again and again. "
    "advise 1 apply sets the first; the summary of the next run tells what came of it.",
    advise,
    complete,
};

}  // namespace tpulab::advise_command

// sweep: every combination of the values given.
#include <fmt/format.h>

#include <algorithm>

#include "commands/candidates.h"
#include "commands/option_table.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/session/settings/setting_values.h"

namespace tpulab::sweep_command {

namespace {

constexpr std::int64_t most_shards = 1'000'000;
constexpr std::string_view usage = "sweep NAME=V1,V2,... ... [--shard I/N] [--no-header]";

// "2/16"
Shard shard_named(const std::string& word) {
  const std::vector<std::string> parts = split(word, '/');
  const auto number = whole_number(parts.front());
  const auto of = whole_number(parts.back());
  const bool one = parts.size() == 2 && number && of && *number >= 1 && *number <= *of;
  if (one && *of <= most_shards) return {*number, *of};
  throw Error(
      fmt::format("--shard takes I/N, as 2/16: the 2nd of 16 parts, of 1,000,000 at most, "
                  "not '{}'",
                  word));
}

// Takes the options out of the words.
RowOptions options_in(std::vector<std::string>& words) {
  RowOptions options;
  options.heads = std::erase(words, "--no-header") == 0;
  const auto shard = std::ranges::find(words, "--shard");
  if (shard == words.end()) return options;
  options.shard = shard_named(shard + 1 == words.end() ? std::string() : *(shard + 1));
  words.erase(shard, shard + 2);
  return options;
}

Reply sweep(Arguments arguments, CommandContext& context) {
  if (arguments.empty()) throw Error(std::string("sweep needs values; usage: ") + usage.data());
  std::vector<std::string> words(arguments.begin(), arguments.end());
  const RowOptions options = options_in(words);
  return compare_options(words, options, "sweep", usage, context);
}

std::vector<std::string> complete(Arguments, const CommandContext& context) {
  std::vector<std::string> candidates = assignment_candidates(context.settings);
  candidates.insert(candidates.end(), {"--shard", "--no-header"});
  return candidates;
}

}  // namespace

extern const Command row;
const Command row{
    "sweep",
    usage,
    "Estimate every combination of the values given.",
    "sweep slice=v3-8,v3-32,v3-128 batch.global=4096 answers one row a combination; a combination "
    "that cannot be is told with its reason. format csv gives raw numbers with units in their "
    "names, --json one object a row. A script computes on all cores (`workers`) and prints the "
    "rows "
    "of format csv as they come, any number of them: --shard 2/16 has the second sixteenth of the "
    "rows, --no-header no line of names, so that the shards, one behind the other, are the whole. "
    "At the prompt the answer comes with bars, while the run goes "
    "on; `stop` or Ctrl-C cancels it.",
    sweep,
    complete,
};

}  // namespace tpulab::sweep_command

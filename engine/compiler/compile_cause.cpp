#include "engine/compiler/compile_cause.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/text.h"

namespace tpulab {

CompileCause compile_cause(ProgramCache& cache, const Program& program, const std::string& note) {
  using Lines = std::vector<std::string>;
  if (cache.lost(program.fingerprint.key)) {
    std::string text = "compiled before, by the process that was lost";
    return {text, std::make_shared<Lines>(Lines{text})};
  }
  const Fingerprint fresh = parts_of(program);
  // Other devices are told of the first graph on them alone.
  Nearest nearest = cache.nearest(program, true);
  if (!nearest.changed) nearest = cache.nearest(program);
  // Words of a list of kernels tell what is alike, not how often it was traced.
  const bool listed = program.nodes.empty() && !program.kernels.empty();
  const std::int64_t ops = listed ? program.traced : std::ssize(fresh.ops);
  if (!nearest.changed) {
    std::string text = fmt::format(
        "first graph of its kind: {}, {}, {}", count_with(std::ssize(fresh.inputs), "input"),
        count_with(ops, "op"), count_with(std::ssize(fresh.outputs), "output"));
    return {text, std::make_shared<Lines>(Lines{text})};
  }
  Lines found = describe_difference(parts_of(*nearest.program), fresh);
  if (!note.empty() && found[0].starts_with("input ")) found[0] += ", " + note;
  std::string text = found[0];
  constexpr std::size_t shown = 2;
  for (std::size_t i = 1; i < std::min(found.size(), shown); ++i) text += "; " + found[i];
  if (found.size() > shown) text += fmt::format("; and {} more", found.size() - shown);
  return {std::move(text), std::make_shared<Lines>(std::move(found))};
}

}  // namespace tpulab

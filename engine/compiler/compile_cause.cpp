#include "engine/compiler/compile_cause.h"

#include <fmt/format.h>

#include <algorithm>

namespace tpulab {

namespace {

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

std::string compile_cause(const ProgramCache& cache, const Fingerprint& fresh,
                          const std::string& note) {
  const std::shared_ptr<const Program> nearest = cache.nearest(fresh);
  const std::size_t parts = fresh.inputs.size() + fresh.ops.size() + fresh.outputs.size();
  // Beyond a third of its parts a graph is another one, not a changed one.
  if (!nearest || 3 * static_cast<std::size_t>(difference(nearest->fingerprint, fresh)) > parts) {
    return fmt::format("first graph of its kind: {}, {}, {}", counted(fresh.inputs.size(), "input"),
                       counted(fresh.ops.size(), "op"), counted(fresh.outputs.size(), "output"));
  }
  const std::vector<std::string> found = describe_difference(nearest->fingerprint, fresh);
  std::string text = found[0];
  if (!note.empty() && text.starts_with("input ")) text += ", " + note;
  constexpr std::size_t shown = 2;
  for (std::size_t i = 1; i < std::min(found.size(), shown); ++i) text += "; " + found[i];
  if (found.size() > shown) text += fmt::format("; and {} more", found.size() - shown);
  return text;
}

}  // namespace tpulab

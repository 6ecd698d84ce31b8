#include "engine/formats/imported_step.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace tpulab {

Bytes bytes_of_type(const Type& type) { return {type.shape.elements() * bytes_of(type.dtype)}; }

void add_flops(ImportedStep& step, Flops flops, std::int64_t repeats) {
  constexpr double most = 2e18;
  const double total = static_cast<double>(step.flops.value) +
                       static_cast<double>(flops.value) * static_cast<double>(repeats);
  if (total > most) {
    throw Error(fmt::format(
        "{}: a step of {:.1e} operations is more than any TPU is given at once; choose smaller "
        "sizes",
        step.file, total));
  }
  step.flops += flops * repeats;
}

void note_steps(ImportedStep& step) {
  if (step.steps == 1 || step.rows == 0) return;
  step.notes.push_back(fmt::format("{} steps in one program, of {} each",
                                   text_with_commas(step.steps),
                                   count_with(step.rows / step.steps, "row")));
}

void note_host_memory(ImportedStep& step) {
  if (step.work.on_host == Bytes{}) return;
  step.notes.push_back(fmt::format("{} in the host's memory", text_of(step.work.on_host)));
}

bool named_by_jax(std::string_view module) {
  return module.starts_with("jit_") || module.starts_with("pmap_");
}

std::string text_of_place(std::string_view file, std::int64_t line) {
  if (file.empty() || line <= 0) return {};
  return fmt::format("{}:{}", file.substr(file.rfind('/') + 1), line);
}

int device_count(std::int64_t partitions, std::int64_t replicas) {
  constexpr std::int64_t most = 1 << 20;
  const auto some = [&](std::int64_t count) { return std::clamp<std::int64_t>(count, 1, most); };
  return static_cast<int>(some(some(partitions) * some(replicas)));
}

}  // namespace tpulab

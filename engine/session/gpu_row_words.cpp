#include "engine/session/gpu_row_words.h"

#include <fmt/format.h>

#include <array>

#include "engine/forecast/gpu_points.h"
#include "engine/machine/gpus.h"

namespace tpulab {

namespace {

struct Entry {
  std::string_view name;
  Constant Gpu::*value;
};

constexpr std::array<Entry, 13> entries{{
    {"mixed precision, operations/s", &Gpu::mixed_flops_per_second},
    {"tf32, operations/s", &Gpu::tf32_flops_per_second},
    {"fp32, operations/s", &Gpu::fp32_flops_per_second},
    {"memory, GB", &Gpu::memory_gb},
    {"memory, B/s", &Gpu::memory_bytes_per_second},
    {"link one way, B/s", &Gpu::link_bytes_per_second},
    {"network a box, B/s", &Gpu::network_bytes_per_second},
    {"efficiency, tensor cores", &Gpu::matrix_efficiency_mixed},
    {"efficiency, fp32", &Gpu::matrix_efficiency_fp32},
    {"memory efficiency", &Gpu::memory_efficiency},
    {"link efficiency", &Gpu::link_efficiency},
    {"start of a kernel, s", &Gpu::kernel_seconds},
    {"step of a ring, s", &Gpu::hop_seconds},
}};

}  // namespace

std::vector<std::string> gpu_row_in_words(std::string_view name) {
  const GpuGroup group = gpus_named(name);
  std::vector<std::string> lines{
      fmt::format("{}: {}; forecast and compared, nothing runs on it", name, group.words())};
  for (const Entry& entry : entries) {
    const Constant& constant = group.gpu->*entry.value;
    lines.push_back(fmt::format("  {:<29} {:<10.4g} {}, {}", entry.name, constant.value,
                                name_of(constant.mark), constant.source));
  }
  return lines;
}

std::vector<std::string> published_gpus_in_words() {
  std::vector<std::string> lines;
  for (const GpuPoint& point : shipped_gpu_points()) {
    lines.push_back(fmt::format("{}, {}", point.model, point.words()));
    for (const TpuCounterpart& board : point.boards) {
      lines.push_back(fmt::format("  one {} is {:.2g} of them{} [{}]", board.slice,
                                  point.gpus_of(board),
                                  board.point.empty() ? "" : ", " + board.point, board.source));
    }
  }
  return lines;
}

}  // namespace tpulab

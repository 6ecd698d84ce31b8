#include "engine/session/answers/gpu_row_words.h"

#include <fmt/format.h>

#include <array>

#include "engine/gpus/gpu_points.h"
#include "engine/machine/gpus.h"

namespace tpulab {

namespace {

constexpr std::array<ConstantEntry<Gpu>, 13> gpu_entries{{
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

Described gpu_row_in_words(std::string_view name) {
  const GpuGroup group = gpus_named(name);
  Described described;
  described.fields = {{"gpus", group.name},
                      {"chip", std::string(group.gpu->chip)},
                      {"count", std::int64_t{group.count}}};
  described.lines = {
      fmt::format("{}: {}; forecast and compared, nothing runs on it", name, group.words())};
  add_constants<Gpu>(described, *group.gpu, gpu_entries);
  return described;
}

PublishedGpus published_gpus() {
  PublishedGpus all;
  for (const GpuPoint& point : shipped_gpu_points()) {
    const std::string rows =
        point.sequence > 0 ? fmt::format(" of {} tokens a row", point.sequence) : std::string();
    all.lines.push_back(fmt::format("{}{}, {}", point.model, rows, point.words()));
    for (const TpuCounterpart& board : point.boards) {
      all.lines.push_back(fmt::format("  one {} is {:.2g} of them{} [{}]", board.slice,
                                      point.gpus_of(board),
                                      board.point.empty() ? "" : ", " + board.point, board.source));
    }
    OutputLine& row = all.rows.emplace_back();
    row.event = "gpu_figure";
    row.fields = {{"id", point.id},
                  {"model", point.model},
                  {"sequence", point.sequence},
                  {"gpu", point.gpu},
                  {"count", std::int64_t{point.count}},
                  {"stack", point.stack},
                  {"value", point.value},
                  {"unit", point.unit},
                  {"source", point.source}};
  }
  return all;
}

}  // namespace tpulab

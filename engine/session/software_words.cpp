#include "engine/session/software_words.h"

#include <fmt/format.h>

#include <array>

#include "engine/machine/machine.h"

namespace tpulab {

namespace {

template <class Row>
struct Entry {
  std::string_view name;
  Constant Row::*value;
};

constexpr std::array<Entry<HostRow>, 6> host_entries{{
    {"CPUs", &HostRow::cpus},
    {"operations a CPU, 1/s", &HostRow::cpu_flops_per_second},
    {"memory a CPU, B/s", &HostRow::memory_bytes_per_second},
    {"latency of a transfer, s", &HostRow::link_latency_seconds},
    {"share of the chip's link", &HostRow::link_share},
    {"rows a loader, 1/s", &HostRow::rows_per_second_per_worker},
}};

constexpr std::array<Entry<StackRow>, 14> stack_entries{{
    {"tracing an op, s", &StackRow::trace_seconds_per_op},
    {"loop of a step, s", &StackRow::step_seconds},
    {"dispatch of a program, s", &StackRow::dispatch_seconds},
    {"steps a dispatch", &StackRow::steps_per_dispatch},
    {"programs in flight", &StackRow::run_ahead},
    {"reading a value, s", &StackRow::read_back_seconds},
    {"compile, s", &StackRow::compile_seconds_base},
    {"compile a node, s", &StackRow::compile_seconds_per_node},
    {"compile a node squared, s", &StackRow::compile_seconds_per_node_squared},
    {"kernels in a step", &StackRow::kernel_efficiency},
    {"collectives hidden", &StackRow::collective_overlap},
    {"attention in one kernel", &StackRow::fused_attention},
    {"update shared by replicas", &StackRow::sharded_update},
    {"network between slices", &StackRow::network_share},
}};

template <class Row, std::size_t count>
std::vector<std::string> in_words(std::string_view what, const Row& row,
                                  const std::array<Entry<Row>, count>& entries) {
  std::vector<std::string> lines{fmt::format("{} {}: {}", what, row.name, row.about)};
  for (const Entry<Row>& entry : entries) {
    const Constant& constant = row.*entry.value;
    lines.push_back(fmt::format("  {:<26} {:<10.4g} {}, {}", entry.name, constant.value,
                                name_of(constant.mark), constant.source));
  }
  return lines;
}

}  // namespace

std::vector<std::string> host_in_words(std::string_view name) {
  return in_words("host", host_named(name), host_entries);
}

std::vector<std::string> stack_in_words(std::string_view name) {
  return in_words("stack", stack_named(name), stack_entries);
}

}  // namespace tpulab

#include "engine/session/answers/software_words.h"

#include <fmt/format.h>

#include <array>

#include "engine/machine/machine.h"

namespace tpulab {

namespace {

constexpr std::array<ConstantEntry<HostRow>, 6> host_entries{{
    {"operations a CPU, 1/s", &HostRow::cpu_flops_per_second},
    {"memory a CPU, B/s", &HostRow::memory_bytes_per_second},
    {"Python, against a TPU VM", &HostRow::python_speed},
    {"latency of a transfer, s", &HostRow::link_latency_seconds},
    {"share of the chip's link", &HostRow::link_share},
    {"rows a loader, 1/s", &HostRow::rows_per_second_per_worker},
}};

constexpr std::array<ConstantEntry<StackRow>, 19> stack_entries{{
    {"tracing an op, s", &StackRow::trace_seconds_per_op},
    {"loop of a step, s", &StackRow::step_seconds},
    {"dispatch of a program, s", &StackRow::dispatch_seconds},
    {"steps a dispatch", &StackRow::steps_per_dispatch},
    {"programs in flight", &StackRow::run_ahead},
    {"batches ready on a device", &StackRow::batches_ahead},
    {"reading a value, s", &StackRow::read_back_seconds},
    {"compile, s", &StackRow::compile_seconds_base},
    {"compile a node, s", &StackRow::compile_seconds_per_node},
    {"compile a node squared, s", &StackRow::compile_seconds_per_node_squared},
    {"kernels in a step", &StackRow::kernel_efficiency},
    {"collectives hidden", &StackRow::collective_overlap},
    {"attention in one kernel", &StackRow::fused_attention},
    {"layers of decoders in a loop", &StackRow::scanned_layers},
    {"a loop compiles as, layers", &StackRow::loop_compiles_as},
    {"gradients summed as products are", &StackRow::narrow_sums},
    {"update shared by replicas", &StackRow::sharded_update},
    {"network between slices", &StackRow::network_share},
    {"operations a random number", &StackRow::random_operations},
}};

template <class Row>
Described in_words(const char* what, const Row& row, std::span<const ConstantEntry<Row>> entries) {
  Described described;
  described.fields = {{what, std::string(row.name)}, {"about", std::string(row.about)}};
  described.lines = {fmt::format("{} {}: {}", what, row.name, row.about)};
  add_constants(described, row, entries);
  return described;
}

}  // namespace

Described host_in_words(std::string_view name) {
  const HostRow& row = host_named(name);
  Described described = in_words<HostRow>("host", row, host_entries);
  const std::string_view what = "CPUs";
  if (row.cpus) {
    add_constant(described, what, *row.cpus);
  } else {
    described.lines.push_back(fmt::format("  {:<29} as VMs of the slice have", what));
  }
  return described;
}

Described stack_in_words(std::string_view name) {
  const StackRow& row = stack_named(name);
  Described described = in_words<StackRow>("stack", row, stack_entries);
  described.fields.push_back({"effort", std::string(name_of(row.effort))});
  described.fields.push_back({"year", fmt::format("{}", row.year)});
  described.lines.front() += fmt::format(" ({}, {})", name_of(row.effort), row.year);
  return described;
}

}  // namespace tpulab

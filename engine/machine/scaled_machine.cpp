#include "engine/machine/scaled_machine.h"

#include <array>

namespace tpulab {

namespace {

constexpr std::array all_resources{
    Resource::matrix_units, Resource::vector_unit, Resource::hbm,           Resource::links,
    Resource::network,      Resource::hops,        Resource::kernel_starts, Resource::host_tracing,
    Resource::dispatch,     Resource::host_link,   Resource::loader,        Resource::host_cpu,
    Resource::read_backs,   Resource::compiler};

void faster(Constant& rate, double factor) { rate.value *= factor; }
void shorter(Constant& time, double factor) { time.value /= factor; }

}  // namespace

std::span<const Resource> resources() { return all_resources; }

std::string_view name_of(Resource resource) {
  static constexpr std::array<std::string_view, all_resources.size()> names{
      "matrix units",
      "vector unit",
      "HBM",
      "links",
      "network between slices",
      "hops",
      "kernel starts",
      "host tracing",
      "dispatch",
      "host link",
      "loader",
      "host CPU",
      "read-back calls",
      "compiler"};
  return names[static_cast<std::size_t>(resource)];
}

ScaledMachine::ScaledMachine(const Machine& machine)
    : generation_(machine.generation()),
      host_(*machine.host),
      stack_(*machine.stack),
      machine_(machine) {
  machine_.slice.generation = &generation_;
  machine_.host = &host_;
  machine_.stack = &stack_;
}

void ScaledMachine::speed_up(Resource resource, double factor) {
  switch (resource) {
    case Resource::matrix_units:
      faster(generation_.matrix_efficiency, factor);
      break;
    case Resource::vector_unit:
      faster(generation_.vector_lanes, factor);
      shorter(generation_.lane_reduction_clocks, factor);
      break;
    case Resource::hbm:
      faster(generation_.hbm_bytes_per_second, factor);
      break;
    case Resource::links:
      faster(generation_.link_bytes_per_second, factor);
      break;
    case Resource::network:
      faster(generation_.network_bytes_per_second, factor);
      break;
    case Resource::hops:
      shorter(generation_.hop_seconds, factor);
      shorter(generation_.collective_seconds, factor);
      shorter(generation_.network_seconds, factor);
      break;
    case Resource::kernel_starts:
      shorter(generation_.block_seconds, factor);
      shorter(generation_.kernel_seconds, factor);
      shorter(generation_.program_seconds, factor);
      break;
    case Resource::host_tracing:
      if (!stack_.traces_each_step()) break;
      shorter(stack_.trace_seconds_per_op, factor);
      shorter(stack_.step_seconds, factor);
      break;
    case Resource::dispatch:
      shorter(stack_.dispatch_seconds, factor);
      // Of a compiled step nothing else is the host's.
      if (!stack_.traces_each_step()) shorter(stack_.step_seconds, factor);
      break;
    case Resource::host_link:
      faster(generation_.host_link_bytes_per_second, factor);
      shorter(host_.link_latency_seconds, factor);
      break;
    case Resource::loader:
      faster(host_.rows_per_second_per_worker, factor);
      machine_.loader.row_seconds /= factor;
      break;
    case Resource::host_cpu:
      faster(host_.cpu_flops_per_second, factor);
      faster(host_.memory_bytes_per_second, factor);
      break;
    case Resource::read_backs:
      shorter(stack_.read_back_seconds, factor);
      break;
    case Resource::compiler:
      shorter(stack_.compile_seconds_base, factor);
      shorter(stack_.compile_seconds_per_node, factor);
      shorter(stack_.compile_seconds_per_node_squared, factor);
      break;
  }
}

}  // namespace tpulab

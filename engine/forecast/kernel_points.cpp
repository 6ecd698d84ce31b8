#include "engine/forecast/kernel_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/base/error.h"
#include "engine/forecast/kernels.h"
#include "engine/machine/price.h"

namespace tpulab {

namespace {

Kernels kernels_of(const MeasuredPoint& point, const Generation& generation) {
  const auto size = [&](const char* name) {
    const auto found = point.sizes.find(name);
    if (found == point.sizes.end()) {
      throw Error(fmt::format("point '{}' has no '{}'; add it", point.id, name));
    }
    return found->second;
  };
  const DType dtype = point.precision == "bf16" ? DType::bf16 : DType::f32;
  const RowBlocks blocks = generation.vmem_mib >= 32 ? RowBlocks::in_vmem : RowBlocks::in_hbm;
  const std::int64_t batch = size("batch");
  if (point.workload == "gemm") return gemm(size("m"), size("k"), size("n"), dtype);
  if (point.workload == "conv") {
    return convolution({batch, size("height"), size("width"), size("inputs"), size("outputs"),
                        size("window"), size("stride")},
                       dtype);
  }
  if (point.workload == "softmax") return softmax(size("rows"), size("width"), dtype, blocks);
  if (point.workload == "layernorm") return layer_norm(size("rows"), size("width"), dtype, blocks);
  if (point.workload == "attention") {
    return attention({batch * size("heads"), size("sequence"), size("width")}, dtype, blocks);
  }
  if (point.workload == "encoder") {
    return encoder_block(size("sequence"), size("width"), size("heads"), dtype, blocks);
  }
  if (point.workload == "resnet18") return resnet18_forward(batch, dtype);
  if (point.workload == "all_reduce") {
    return {{{CollectiveWork{CollectiveKind::all_reduce, {size("bytes")}}}, {}, {}}};
  }
  if (point.workload == "all_gather") {
    return {{{CollectiveWork{CollectiveKind::all_gather, {size("bytes")}}}, {}, {}}};
  }
  throw Error(fmt::format("point '{}' has the unknown kernel '{}'", point.id, point.workload));
}

// The row of the point's hardware, with what its entry changes.
Generation row_of(const MeasuredPoint& point, const Slice& slice, const Generations& rows) {
  Generation row = *std::ranges::find(rows, slice.generation->name, &Generation::name);
  const auto scoped = point.sizes.find("scoped_vmem_mib");
  if (scoped != point.sizes.end()) row.block_mib.value = static_cast<double>(scoped->second);
  const auto block = point.sizes.find("block");
  if (block != point.sizes.end()) {
    const double side = static_cast<double>(block->second) / 256;
    row.block_mib.value = side * side;
  }
  return row;
}

double in_unit(const MeasuredPoint& point, double seconds, const Generation& row) {
  if (point.unit == "us") return seconds * 1e6;
  if (point.unit == "ms") return seconds * 1e3;
  if (point.unit == "clocks") return seconds * row.clock_hertz;
  throw Error(fmt::format("point '{}' has the unknown unit '{}'; there are: clocks, us, ms",
                          point.id, point.unit));
}

}  // namespace

double predicted_kernel(const MeasuredPoint& point, const Generations& rows) {
  Machine machine{
      slice_named(point.hardware), &host_named("tpu-vm"), &stack_named(point.stack), {}};
  machine.devices.resize(static_cast<std::size_t>(point.cores));
  std::iota(machine.devices.begin(), machine.devices.end(), 0);
  const Generation row = row_of(point, machine.slice, rows);
  machine.slice.generation = &row;
  const Kernels kernels = kernels_of(point, row);
  const auto neighbours = kernels.size() == 1 ? Neighbours::none : Neighbours::around;
  double seconds =
      point.kind == PointKind::host_timed ? machine.stack->dispatch_seconds.value : 0.0;
  for (const KernelWork& kernel : kernels) {
    seconds += in_seconds(price(kernel, machine, neighbours).time);
  }
  return in_unit(point, seconds, row);
}

double error_of(const MeasuredPoint& point, double predicted) {
  const double error = predicted / point.value - 1;
  return std::abs(error) <= point.noise ? 0 : error;
}

}  // namespace tpulab

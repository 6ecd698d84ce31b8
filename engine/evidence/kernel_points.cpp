#include "engine/evidence/kernel_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/base/error.h"
#include "engine/evidence/point_words.h"
#include "engine/forecast/kernels.h"
#include "engine/machine/price.h"

namespace tpulab {

namespace {

Kernels collective_of(const MeasuredPoint& point) {
  CollectiveKind kind = CollectiveKind::all_reduce;
  if (point.workload == "all_gather") kind = CollectiveKind::all_gather;
  if (point.workload == "reduce_scatter") kind = CollectiveKind::reduce_scatter;
  return {{{CollectiveWork{kind, {point.size("bytes")}}}, {}, {}}};
}

Kernels attention_of(const MeasuredPoint& point, DType dtype, RowBlocks blocks) {
  const std::int64_t batch = point.size("batch");
  return attention({.heads = batch * point.size("heads"),
                    .sequence = point.size("sequence"),
                    .width = point.size("width"),
                    .queries = point.size("queries"),
                    .key_value_heads = batch * point.size("key_value_heads"),
                    .causal = point.size("causal") > 0},
                   dtype, blocks);
}

Convolution convolution_of(const MeasuredPoint& point) {
  const bool padded = point.sizes.contains("padding");
  return {.batch = point.size("batch"),
          .height = point.size("height"),
          .width = point.size("width"),
          .inputs = point.size("inputs"),
          .outputs = point.size("outputs"),
          .window = point.size("window"),
          .stride = point.size("stride"),
          .padding = padded ? point.size("padding") : -1};
}

Kernels kernels_of(const MeasuredPoint& point, const Generation& generation) {
  const auto size = [&](const char* name) { return point.size(name); };
  const DType dtype = point.precision == "f32" ? DType::f32 : DType::bf16;
  const RowBlocks blocks = row_blocks_of(generation);
  const std::int64_t batch = size("batch");
  if (point.workload == "gemm") return gemm(size("m"), size("k"), size("n"), dtype, batch);
  if (point.workload == "conv") return convolution(convolution_of(point), dtype);
  if (point.workload == "softmax") {
    return softmax(batch * size("rows"), size("width"), dtype, blocks);
  }
  if (point.workload == "layernorm") {
    return layer_norm(batch * size("rows"), size("width"), dtype, blocks);
  }
  if (point.workload == "attention") return attention_of(point, dtype, blocks);
  if (point.workload == "encoder") {
    return encoder_block({batch, size("sequence"), size("width"), size("heads"), size("hidden")},
                         dtype, blocks);
  }
  if (point.workload == "resnet18") return resnet18_forward(batch, dtype);
  if (point.workload == "resnet50") return resnet50_forward(batch, dtype);
  return collective_of(point);
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

// Unpadded bytes that a kernel reads and writes, or a collective's payload.
double bytes_of(const Kernels& kernels) {
  double bytes = 0;
  for (const KernelWork& kernel : kernels) {
    bytes += static_cast<double>(kernel.bytes().value);
    for (const Work& item : kernel.items) {
      if (const auto* work = std::get_if<CollectiveWork>(&item)) {
        bytes += static_cast<double>(work->bytes.value);
      }
    }
  }
  return bytes;
}

double operations_of(const Kernels& kernels) {
  double operations = 0;
  for (const KernelWork& kernel : kernels) {
    operations += static_cast<double>(kernel.flops().value);
  }
  return operations;
}

double in_unit(const PointUnit& unit, const Kernels& kernels, double seconds,
               const Generation& row) {
  if (unit.quantity == Quantity::time) return seconds * unit.factor;
  if (unit.quantity == Quantity::clocks) return seconds * row.clock_hertz;
  const bool bytes = unit.quantity == Quantity::bytes;
  return (bytes ? bytes_of(kernels) : operations_of(kernels)) / seconds * unit.factor;
}

}  // namespace

std::string why_kernel_not_predicted(const MeasuredPoint& point) {
  if (kernel_kind(point.workload) == nullptr) {
    return fmt::format("the kernel {} is not described", point.workload);
  }
  if (point.quant != "none") return "products of single kernels are not priced in int8";
  const int devices = slice_named(point.hardware).devices();
  if (point.cores <= devices) return {};
  return fmt::format("{} has {} devices, the point has {} cores", point.hardware, devices,
                     point.cores);
}

std::optional<std::vector<std::int64_t>> sizes_in_name(const MeasuredPoint& point) {
  const auto size = [&](const char* name) { return point.size(name); };
  const auto either = [&](const char* name, std::int64_t usual) {
    return size(name) == 0 || size(name) == usual;
  };
  using Sizes = std::vector<std::int64_t>;
  const std::string& kernel = point.workload;
  const std::int64_t batch = std::max<std::int64_t>(size("batch"), 1);
  if (size("block") > 0 || size("scoped_vmem_mib") > 0) return std::nullopt;
  if (kernel == "gemm" && batch == 1) return Sizes{size("m"), size("k"), size("n")};
  if (kernel == "conv" && !point.sizes.contains("padding")) {
    return Sizes{batch,           size("height"), size("width"), size("inputs"),
                 size("outputs"), size("window"), size("stride")};
  }
  if (kernel == "softmax" || kernel == "layernorm") {
    return Sizes{batch * size("rows"), size("width")};
  }
  const bool whole = either("queries", size("sequence")) && size("causal") == 0 &&
                     either("key_value_heads", size("heads"));
  if (kernel == "attention" && whole) {
    return Sizes{batch * size("heads"), size("sequence"), size("width")};
  }
  if (kernel == "encoder" && batch == 1 && either("hidden", 4 * size("width"))) {
    return Sizes{size("sequence"), size("width"), size("heads")};
  }
  return std::nullopt;
}

double predicted_kernel(const MeasuredPoint& point, const Generations& rows) {
  Machine machine{
      slice_named(point.hardware), &host_named("tpu-vm"), &stack_named(point.stack), {}};
  machine.devices.resize(
      static_cast<std::size_t>(point.cores > 0 ? point.cores : machine.slice.devices()));
  std::iota(machine.devices.begin(), machine.devices.end(), 0);
  const Generation row = row_of(point, machine.slice, rows);
  machine.slice.generation = &row;
  const Kernels kernels = kernels_of(point, row);
  const Neighbours neighbours = neighbours_of(true, kernels.size());
  double seconds =
      point.kind == PointKind::host_timed ? machine.stack->dispatch_seconds.value : 0.0;
  for (const KernelWork& kernel : kernels) {
    seconds += in_seconds(price(kernel, machine, neighbours).time);
  }
  return in_unit(point.measure, kernels, seconds, row);
}

double error_of(const MeasuredPoint& point, double predicted) {
  const double error = predicted / point.value - 1;
  return std::abs(error) <= point.noise ? 0 : error;
}

}  // namespace tpulab

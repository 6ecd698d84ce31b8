#include "engine/gpus/gpu_roofline.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

// Assumed: the framework, its libraries and gaps between buffers take the rest.
constexpr double usable_memory = 0.9;

DType compute_of(GpuPrecision precision) {
  return precision == GpuPrecision::mixed ? DType::bf16 : DType::f32;
}

class KernelPricer {
 public:
  KernelPricer(const Gpu& gpu, GpuPrecision precision, DType compute)
      : flops_per_second_(gpu.flops_per_second(precision) * gpu.matrix_efficiency(precision)),
        bytes_per_second_(gpu.memory_bytes_per_second * gpu.memory_efficiency),
        start_(gpu.kernel_seconds),
        compute_(compute) {}

  // Seconds of `times` such kernels; adds what each resource needs.
  double operator()(const std::vector<NamedKernel>& kernels, double times,
                    GpuRoofline& sums) const {
    double seconds = 0;
    for (const NamedKernel& kernel : kernels) {
      const double products = static_cast<double>(kernel.work->flops().value) / flops_per_second_;
      const double memory = static_cast<double>(kernel.work->bytes().value) / bytes_per_second_;
      const Beside beside = kernel.product ? beside_product(kernel.work) : Beside{};
      const double apart = beside.bytes / bytes_per_second_;
      const double starts = start_ * (1 + beside.kernels);
      sums.products += times * products;
      sums.memory += times * (memory + apart);
      sums.starts += times * starts;
      seconds += times * (std::max(products, memory) + apart + starts);
    }
    return seconds;
  }

 private:
  // What XLA fuses into a product, a GPU's libraries run as kernels of their own: each reads and
  // writes the array it covers.
  struct Beside {
    double bytes = 0;
    int kernels = 0;
  };
  Beside beside_product(const KernelWork& work) const {
    Beside beside;
    for (const Work& item : work.items) {
      const auto* vector = std::get_if<VectorWork>(&item);
      if (vector == nullptr || vector->cheap + vector->medium + vector->transcendental == 0) {
        continue;
      }
      beside.bytes += 2.0 * static_cast<double>(vector->shape.elements() * bytes_of(compute_));
      ++beside.kernels;
    }
    return beside;
  }

  double flops_per_second_;
  double bytes_per_second_;
  double start_;
  DType compute_;
};

// Language models of the size are trained with attention as one kernel [FlashAttention, arXiv
// 2205.14135]; the figures published of smaller ones are older.
bool fuses_attention(const GpuRooflineRequest& request) {
  return request.precision == GpuPrecision::mixed && request.workload.network.large;
}

StepWork work_of_pass(const GpuRooflineRequest& request, std::int64_t rows) {
  return step_work(request.workload, {.batch = rows,
                                      .sequence = request.sequence,
                                      .image = request.image,
                                      .storage = DType::f32,
                                      .compute = compute_of(request.precision),
                                      .optimizer = usual_optimizer(request.workload),
                                      .row_blocks = RowBlocks::in_vmem,
                                      .fused_attention = fuses_attention(request) ? 1 : 0});
}

// Weights, gradients and state in f32, with mixed precision a copy of the weights in half of it.
Bytes memory_of(const StepWork& step, const GpuRooflineRequest& request) {
  const int copies = 2 + state_count({.kind = usual_optimizer(request.workload)});
  const int bytes = 4 * copies + (request.precision == GpuPrecision::mixed ? 2 : 0);
  Bytes total{step.parameters() * bytes};
  return total + step.working - std::min(step.working, step.weights);
}

std::int64_t rows_in_passes(std::int64_t batch, std::int64_t passes) {
  return (batch + passes - 1) / passes;
}

// Of the batch in as few passes as fit.
StepWork fitting_work(const GpuRooflineRequest& request, const Gpu& gpu, std::int64_t& rows) {
  const Bytes limit{static_cast<std::int64_t>(gpu.memory_gb * 1e9 * usable_memory)};
  const auto fits = [&](std::int64_t passes) {
    return memory_of(work_of_pass(request, rows_in_passes(request.batch, passes)), request) <=
           limit;
  };
  rows = request.rows;
  if (rows > 0) return work_of_pass(request, rows);
  std::int64_t most = 1;
  while (!fits(most)) {
    if (most >= request.batch) {
      throw Error(fmt::format(
          "{} needs about {} to train one row, and a {} has {} for it; GPUs are forecast with "
          "whole replicas only, so choose a smaller model or a GPU with more memory",
          request.workload.model, text_of(memory_of(work_of_pass(request, 1), request)),
          gpu.public_name, text_of(limit)));
    }
    most = std::min(2 * most, request.batch);
  }
  for (std::int64_t least = most / 2 + 1; least < most;) {
    const std::int64_t middle = (least + most) / 2;
    if (fits(middle)) {
      most = middle;
    } else {
      least = middle + 1;
    }
  }
  rows = rows_in_passes(request.batch, most);
  return work_of_pass(request, rows);
}

}  // namespace

double gpu_all_reduce_seconds(double bytes, const GpuGroup& group) {
  const Gpu& gpu = *group.gpu;
  const auto ring = [&](double members, double bytes_per_second) {
    if (members <= 1) return 0.0;
    return 2 * (members - 1) / members * bytes / (bytes_per_second * gpu.link_efficiency) +
           2 * (members - 1) * gpu.hop_seconds;
  };
  const double in_box = static_cast<double>(group.count) / group.boxes;
  return ring(in_box, gpu.link_bytes_per_second) + ring(group.boxes, gpu.network_bytes_per_second);
}

GpuRoofline gpu_roofline(const GpuRooflineRequest& request, const GpuGroup& group) {
  const Gpu& gpu = *group.gpu;
  if (request.batch < 1) throw Error("a GPU needs at least one row; choose a larger batch");
  if (gpu.flops_per_second(request.precision) <= 0) {
    throw Error(
        fmt::format("{} has no {}; choose mixed or fp32", gpu.chip, name_of(request.precision)));
  }
  std::int64_t rows = 0;
  const StepWork step = fitting_work(request, gpu, rows);
  GpuRoofline result;
  result.passes = (request.batch + rows - 1) / rows;
  result.tokens_per_row = step.tokens_per_row;
  result.memory_used = memory_of(step, request);
  const KernelPricer pricer(gpu, request.precision, compute_of(request.precision));
  // The last pass may be shorter than the others; so is its time.
  const double passes = static_cast<double>(request.batch) / static_cast<double>(rows);
  for (const Block& block : step.blocks) {
    const auto repeats = static_cast<double>(block.repeats);
    result.forward += pricer(block.forward, repeats * passes, result);
    result.backward += pricer(block.backward, repeats * passes, result);
    result.update += pricer(block.update, repeats, result);
  }
  result.all_reduce = gpu_all_reduce_seconds(4.0 * static_cast<double>(step.parameters()), group);
  result.exposed = std::max(0.0, result.all_reduce - result.backward / passes);
  return result;
}

}  // namespace tpulab

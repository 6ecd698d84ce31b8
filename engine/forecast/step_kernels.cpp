#include "engine/forecast/step_kernels.h"

#include <algorithm>
#include <ranges>

#include "engine/forecast/mesh.h"

namespace tpulab {

namespace {

bool runs_again(const NamedKernel& kernel, const Block& block, Remat remat) {
  if (remat == Remat::none || block.repeats == 1 || kernel.last) return false;
  return runs_forward_twice(remat) || !kernel.product;
}

class Lister {
 public:
  Lister(const StepWork& step, const ForecastRequest& request, const Mesh& mesh)
      : step_(step), request_(request), mesh_(mesh) {}

  std::vector<StepKernel> list() && {
    for (const Block& block : step_.blocks) forward(block);
    for (const Block& block : step_.blocks | std::views::reverse) backward(block);
    reduce();
    for (const Block& block : step_.blocks) add(Pass::update, block, block.update);
    return std::move(kernels_);
  }

 private:
  void forward(const Block& block) {
    gather(block);
    add(Pass::forward, block, block.forward);
    exchange(block, block.exchanges);
  }

  void backward(const Block& block) {
    if (block.backward.empty() && block.parameters == 0) return;
    gather(block);
    for (const NamedKernel& kernel : block.forward) {
      if (runs_again(kernel, block, request_.remat)) add(Pass::again, block, kernel);
    }
    add(Pass::backward, block, block.backward);
    exchange(block, block.exchanges);
    if (runs_forward_twice(request_.remat))
      exchange(block, block.exchanges - (ends_itself(block) ? 1 : 0));
    collective(Pass::scatter, "reduce-scatter", CollectiveKind::reduce_scatter,
               block.parameters_here * bytes_of(compute_of(request_)), MeshAxis::fsdp,
               block.repeats);
  }

  // Sharded weights travel as the products read them, gradients of replicas as they are stored.
  void gather(const Block& block) {
    collective(Pass::gather, "all-gather", CollectiveKind::all_gather,
               block.parameters_here * bytes_of(compute_of(request_)), MeshAxis::fsdp,
               block.repeats);
  }

  // The sum behind the last product of a layer is not needed again.
  static bool ends_itself(const Block& block) {
    return std::ranges::any_of(block.forward, &NamedKernel::last);
  }

  void exchange(const Block& block, int times) {
    collective(Pass::exchange, "all-reduce", CollectiveKind::all_reduce, block.exchanged.value,
               MeshAxis::tensor, times * block.repeats);
  }

  void reduce() {
    std::int64_t here = 0;
    for (const Block& block : step_.blocks) here += block.repeats * block.parameters_here;
    const std::int64_t stored = bytes_of(storage_of(request_));
    if (!trains()) return;
    collective(Pass::reduce, "all-reduce", CollectiveKind::all_reduce, here / mesh_.fsdp * stored,
               MeshAxis::data, 1);
    // What has been scattered inside a slice goes on as it is.
    const std::int64_t travelling = mesh_.fsdp > 1 ? bytes_of(compute_of(request_)) : stored;
    collective(Pass::network, "all-reduce", CollectiveKind::all_reduce,
               here * mesh_.tensor * travelling, MeshAxis::slices, 1);
  }

  bool trains() const {
    return std::ranges::any_of(step_.blocks,
                               [](const Block& block) { return !block.update.empty(); });
  }

  void add(Pass pass, const Block& block, const std::vector<NamedKernel>& kernels) {
    for (const NamedKernel& kernel : kernels) add(pass, block, kernel);
  }

  void add(Pass pass, const Block& block, const NamedKernel& kernel) {
    const CollectiveWork* const sent = collective_of(kernel.work);
    const std::string name = sent ? kernel.name : block.name + ": " + kernel.name;
    kernels_.push_back({sent ? pass_of(*sent, pass) : pass,
                        {.name = name,
                         .nodes = {},
                         .work = kernel.work,
                         .collective = sent != nullptr,
                         .runs = block.repeats}});
  }

  // What a traced kernel exchanges; null: nothing.
  static const CollectiveWork* collective_of(const KernelWork& work) {
    return work.items.empty() ? nullptr : std::get_if<CollectiveWork>(&work.items.front());
  }

  Pass pass_of(const CollectiveWork& work, Pass pass) const {
    if (work.among.apart >= mesh_.inside()) return Pass::network;
    if (work.kind == CollectiveKind::all_gather) return Pass::gather;
    if (work.kind == CollectiveKind::reduce_scatter) return Pass::scatter;
    return pass == Pass::forward ? Pass::exchange : Pass::reduce;
  }

  void collective(Pass pass, const char* name, CollectiveKind kind, std::int64_t bytes,
                  MeshAxis axis, std::int64_t runs) {
    const DeviceSet among = devices_along(axis, mesh_);
    if (step_.partitioned || among.size <= 1 || bytes <= 0 || runs <= 0) return;
    kernels_.push_back({pass,
                        {.name = name,
                         .nodes = {},
                         .work = {{CollectiveWork{kind, {bytes}, among}}, {}, {}},
                         .collective = true,
                         .runs = runs}});
  }

  const StepWork& step_;
  const ForecastRequest& request_;
  const Mesh& mesh_;
  std::vector<StepKernel> kernels_;
};

}  // namespace

std::vector<StepKernel> step_kernels(const StepWork& step, const ForecastRequest& request,
                                     const Mesh& mesh) {
  return Lister(step, request, mesh).list();
}

DType storage_of(const ForecastRequest& request) {
  return request.precision == "bf16-true" ? DType::bf16 : DType::f32;
}

DType compute_of(const ForecastRequest& request) {
  return request.precision == "32-true" ? DType::f32 : DType::bf16;
}

}  // namespace tpulab

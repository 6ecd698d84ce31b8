#include "engine/forecast/step_kernels.h"

#include "engine/compiler/price_program.h"

namespace tpulab {

namespace {

class Lister {
 public:
  Lister(const StepWork& step, const Mesh& mesh) : step_(step), mesh_(mesh) {}

  std::vector<StepKernel> list() && {
    for (const Block& block : step_.blocks) add(Pass::forward, block, block.forward);
    offload("activations to the host", {.bytes = step_.offloaded}, 0);
    const std::size_t turned = kernels_.size();
    for (auto block = step_.blocks.rbegin(); block != step_.blocks.rend(); ++block) {
      add(Pass::backward, *block, block->backward);
    }
    offload("activations from the host", {.bytes = step_.offloaded, .taken = true}, turned);
    for (const Block& block : step_.blocks) add(Pass::update, block, block.update);
    return std::move(kernels_);
  }

 private:
  void add(Pass pass, const Block& block, const std::vector<NamedKernel>& kernels) {
    for (const NamedKernel& kernel : kernels) add(pass, block, kernel);
  }

  void add(Pass pass, const Block& block, const NamedKernel& kernel) {
    const CollectiveWork* const sent = collective_of(kernel.work);
    const std::string& part = kernel.part.empty() ? block.name : kernel.part;
    const bool once = pass == Pass::update;
    kernels_.push_back({crosses_host_link(kernel.work) ? Pass::offload
                        : sent                         ? pass_of(*sent, pass)
                                                       : pass,
                        {.name = kernel.name,
                         .nodes = {},
                         .work = kernel.work,
                         .collective = sent != nullptr,
                         .runs = block.repeats * (once ? 1 : block.turns),
                         .empty = once ? 0 : block.repeats * (block.turns - block.useful),
                         .part = sent ? std::string() : part,
                         .begun = kernel.begun}});
  }

  // Beside all kernels since the first of that pass.
  void offload(const char* name, const HostLinkWork& work, std::size_t first) {
    if (work.bytes == Bytes{}) return;
    kernels_.push_back({Pass::offload,
                        {.name = name,
                         .nodes = {},
                         .work = KernelWork{{work}, {}, {}},
                         .begun = static_cast<int>(kernels_.size() - first)}});
  }

  Pass pass_of(const CollectiveWork& work, Pass pass) const {
    if (work.among.apart >= mesh_.inside()) return Pass::network;
    if (work.kind == CollectiveKind::all_gather) return Pass::gather;
    if (work.kind == CollectiveKind::reduce_scatter) return Pass::scatter;
    if (pass == Pass::forward) return Pass::exchange;
    const bool of_weights =
        pass == Pass::update || (work.kind == CollectiveKind::all_reduce &&
                                 work.among != devices_along(MeshAxis::tensor, mesh_));
    return of_weights ? Pass::reduce : Pass::turned;
  }

  const StepWork& step_;
  const Mesh& mesh_;
  std::vector<StepKernel> kernels_;
};

}  // namespace

std::vector<StepKernel> step_kernels(const StepWork& step, const Mesh& mesh) {
  return Lister(step, mesh).list();
}

DType storage_of(const ForecastRequest& request) {
  return request.precision == "bf16-true" ? DType::bf16 : DType::f32;
}

DType compute_of(const ForecastRequest& request) {
  return request.precision == "32-true" ? DType::f32 : DType::bf16;
}

DType sent_of(const ForecastRequest& request) {
  if (request.sent) return *request.sent;
  return stack_named(request.stack).sends(storage_of(request), compute_of(request));
}

}  // namespace tpulab

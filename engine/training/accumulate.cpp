// Gradients of several batches, which one optimizer step sums (accumulate_grad_batches).
#include <fmt/format.h>

#include "engine/training/trainer.h"

namespace tpulab {

// Lightning divides each batch's loss by their number, also where an epoch ends with fewer.
void Trainer::sum_gradients(Tensor loss, Accumulated& sums) {
  const auto together = static_cast<double>(options_.loop.accumulate);
  const Tensor part =
      together > 1 ? divide(loss, scalar(*loss.graph, together, "accumulate_grad_batches")) : loss;
  std::vector<Tensor> gradients = gradient(part, sums.parameters);
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (!sums.held.empty()) {
      gradients[i] = add(runtime_.leaf(sums.held[i]), gradients[i]);
    } else if (!sums.gradients.empty()) {
      gradients[i] = add(sums.gradients[i], gradients[i]);
    }
  }
  sums.gradients = std::move(gradients);
}

// The loader's next() syncs, and what is pending are these sums.
void Trainer::hold(Accumulated& sums, const Batch& batch) {
  std::vector<Live> live;
  for (std::size_t i = 0; i < sums.gradients.size(); ++i) {
    const BufferId before = sums.held.empty() ? -1 : sums.held[i];
    live.push_back({sums.gradients[i], before, parameters_[i].name + ".grad"});
  }
  sums.held = runtime_.mark_step(live, "accumulation", batch.last ? "last batch" : "");
  sums.gradients.clear();
  sums.parameters.clear();
}

}  // namespace tpulab

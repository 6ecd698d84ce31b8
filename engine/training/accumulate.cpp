// Gradients of several batches, which one optimizer step sums (accumulate_grad_batches).

#include "engine/training/trainer.h"

namespace tpulab {

// Lightning divides each batch's loss by their number, also where an epoch ends with fewer.
void Trainer::trace_backward() {
  const auto together = static_cast<double>(options_.loop.accumulate);
  const Tensor part =
      together > 1
          ? divide(now_.loss, scalar(*now_.loss.graph, together, "accumulate_grad_batches"))
          : now_.loss;
  std::vector<Tensor> gradients = gradient(part, now_.parameters);
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (!now_.held.empty()) {
      gradients[i] = add(runtime_.leaf(now_.held[i]), gradients[i]);
    } else if (!now_.gradients.empty()) {
      gradients[i] = add(now_.gradients[i], gradients[i]);
    }
  }
  now_.gradients = std::move(gradients);
}

// The loader's next() syncs, and what is pending are these sums.
void Trainer::hold_sums() {
  std::vector<Live> live;
  for (std::size_t i = 0; i < now_.gradients.size(); ++i) {
    const BufferId before = now_.held.empty() ? -1 : now_.held[i];
    live.push_back({now_.gradients[i], before, parameters_[i].name + ".grad"});
  }
  now_.held =
      runtime_.mark_step(live, "accumulation", now_.batches.back().last ? "last batch" : "");
  now_.gradients.clear();
  now_.parameters.clear();
}

}  // namespace tpulab

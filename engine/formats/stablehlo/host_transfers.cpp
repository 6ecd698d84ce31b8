#include "engine/formats/stablehlo/host_transfers.h"

#include <algorithm>
#include <utility>

namespace tpulab::stablehlo {

void HostTransfers::send(NamedKernel kernel, bool result) {
  sent_.push_back({std::move(kernel), result, kernels_.size()});
}

void HostTransfers::take(NamedKernel kernel) {
  wait(false);
  add(std::move(kernel), arrived_);
}

void HostTransfers::wait(bool results) {
  const auto waits = [results](const Sent& one) { return results || !one.result; };
  if (std::ranges::none_of(sent_, waits)) return;
  for (Sent& one : sent_) {
    if (waits(one)) add(std::move(one.kernel), one.begun);
  }
  std::erase_if(sent_, waits);
  arrived_ = kernels_.size();
}

void HostTransfers::add(NamedKernel kernel, std::size_t begun) {
  kernel.begun = static_cast<int>(kernels_.size() - begun);
  kernels_.push_back(std::move(kernel));
}

}  // namespace tpulab::stablehlo

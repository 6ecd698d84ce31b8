// Copies over the host's link among the kernels of a block: XLA begins them as early as it can and
// waits for them late.
#pragma once

#include <vector>

#include "engine/training/workload.h"

namespace tpulab::stablehlo {

class HostTransfers {
 public:
  explicit HostTransfers(std::vector<NamedKernel>& kernels) : kernels_(kernels) {}

  // A result of the program is waited for at the end, another array before one is taken.
  void send(NamedKernel kernel, bool result);
  // Since what was sent before is there, or the block began.
  void take(NamedKernel kernel);
  void wait_for_all() { wait(true); }

 private:
  struct Sent {
    NamedKernel kernel{};
    bool result = false;
    std::size_t begun = 0;
  };

  void wait(bool results);
  void add(NamedKernel kernel, std::size_t begun);

  std::vector<NamedKernel>& kernels_;
  std::vector<Sent> sent_;
  std::size_t arrived_ = 0;  // since that kernel what was sent can be taken
};

}  // namespace tpulab::stablehlo

// Prices of the programs that replays meet, each worked out once for all of them.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <vector>

#include "engine/base/share.h"
#include "engine/base/time_span.h"
#include "engine/compiler/price_program.h"

namespace tpulab {

// Which share a kernel's time belongs to.
Share share_of(const Kernel& kernel, const Price& price);

// The price of a program, and what is exposed of it by share.
struct PricedReplay {
  ProgramPrice price;
  std::array<Picoseconds, share_count> shares{};
};

// Remembered by what a price depends on: the program itself, chips, devices, and what of the stack
// whole programs reach. Safe from all threads; memory is bounded.
std::shared_ptr<const PricedReplay> shared_price(const std::shared_ptr<const Program>& program,
                                                 const Machine& machine);

class ProgramPrices {
 public:
  // Of one machine, always the same. The answer holds until the next call.
  const PricedReplay& of(const std::shared_ptr<const Program>& program, const Machine& machine);

 private:
  struct Known {
    std::shared_ptr<const Program> program;  // lives on, so that its address is its own
    std::shared_ptr<const PricedReplay> price;
  };
  std::map<const Program*, Known> known_;
};

// When the kernels of a program ran on devices that wait for no others inside it: one after the
// other, up to when the devices were done. `device_factor` as DeviceGroup has it.
std::vector<TimeSpan> kernel_times(const ProgramPrice& price, Picoseconds done,
                                   double device_factor);

}  // namespace tpulab

// What a chip costs by the hour: list prices on demand, each with its date.
#pragma once

#include "engine/machine/generation.h"

namespace tpulab {

struct ChipPrice {
  std::string_view generation;
  Constant dollars_per_hour;  // one chip, on demand, in the United States
  std::string_view date;      // when that was the price
};

// Null if no price is known.
const ChipPrice* chip_price(const Generation& generation);

}  // namespace tpulab

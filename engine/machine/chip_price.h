// What a chip costs by the hour: list prices on demand, each with its date.
#pragma once

#include <optional>

#include "engine/machine/generation.h"

namespace tpulab {

struct ChipPrice {
  std::string_view generation;
  Constant dollars_per_hour;  // one chip
  std::string_view terms;     // "on demand, about 2024": in the United States
};

// The user's own where a file tells it; empty if no price is known.
std::optional<ChipPrice> chip_price(const Generation& generation);

}  // namespace tpulab

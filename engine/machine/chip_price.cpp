#include "engine/machine/chip_price.h"

#include <array>

#include "engine/base/text.h"

// Sources: TG tinygrad's notes on TPUs (accel/cherry/TPUNOTES); APR a list kept in
// github.com/alpharomercoma/pytorch-for-asics; memory: general knowledge without a stored source.

namespace tpulab {

namespace {

using enum Mark;

constexpr std::array<ChipPrice, 6> prices{{
    {"v2", {1.125, documented, "TG: $4.50 an hour for v2-8"}, "on demand, about 2020"},
    {"v3", {2.00, documented, "APR: $8.00 an hour for v3-8"}, "on demand, about 2020"},
    {"v4", {3.22, assumed, "memory"}, "on demand, about 2023"},
    {"v5e", {1.20, assumed, "memory"}, "on demand, about 2024"},
    {"v5p", {4.20, assumed, "memory"}, "on demand, about 2024"},
    {"v6e", {2.70, assumed, "memory"}, "on demand, about 2025"},
}};

}  // namespace

std::optional<ChipPrice> chip_price(const Generation& generation) {
  if (generation.own_dollars_per_hour > 0) {
    return ChipPrice{generation.name, generation.own_dollars_per_hour, "as you pay it"};
  }
  const ChipPrice* const listed = find_row(prices, generation.name, &ChipPrice::generation);
  return listed == nullptr ? std::nullopt : std::optional(*listed);
}

}  // namespace tpulab

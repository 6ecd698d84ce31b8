#include "engine/formats/sorting.h"

#include <algorithm>
#include <bit>

namespace tpulab {

namespace {

constexpr int of_exchange = 4;

int log2_up(std::int64_t length) {
  const auto last = static_cast<std::uint64_t>(std::max<std::int64_t>(length, 1)) - 1;
  return static_cast<int>(std::bit_width(last));
}

}  // namespace

int sorting_operations(std::int64_t length) {
  const int rounds = log2_up(length);
  return of_exchange * rounds * (rounds + 1) / 2;
}

int finding_operations(std::int64_t length, std::int64_t found) {
  const int merges = 2 * (log2_up(found) + 1);  // on all, a half, a fourth of the numbers ..
  return std::min(sorting_operations(length), sorting_operations(found) + of_exchange * merges);
}

}  // namespace tpulab

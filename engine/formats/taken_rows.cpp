#include "engine/formats/taken_rows.h"

#include <algorithm>

namespace tpulab {

namespace {

// Of damaged texts beyond 64 bits, where it says nothing.
std::uint64_t elements_before(const Shape& shape, int axis) {
  std::uint64_t elements = 1;
  for (int i = 0; i < axis; ++i) elements *= static_cast<std::uint64_t>(shape[i]);
  return elements;
}

// Of axes of one that lie between the same others.
int ones_before(const Shape& shape, int axis) {
  int ones = 0;
  while (ones < axis && shape[axis - ones - 1] == 1) ++ones;
  return ones;
}

}  // namespace

bool takes_one(const Shape& from, const Shape& part) {
  return from.rank() > 1 && from[0] > 1 && part.rank() > 1 && part[0] == 1 && part[1] == from[1];
}

int axis_when_reshaped(const Shape& from, int axis, const Shape& to) {
  const std::int64_t extent = from[axis];
  int found = summed_rows;
  for (int at = 0; at < to.rank(); ++at) {
    if (elements_before(to, at) != elements_before(from, axis)) continue;
    const bool one = extent == 1 && to[at] == 1 && ones_before(to, at) <= ones_before(from, axis);
    const bool several = extent > 1 && to[at] > 1 && (to[at] % extent == 0 || extent % to[at] == 0);
    if (one || several) found = at;
  }
  return found;
}

int axis_when_laid(const Shape& from, int axis, const Shape& to) {
  const bool other = from.rank() == to.rank() && axis >= 0 && from[axis] != to[axis];
  return other ? laid_apart : axis;
}

bool is_one_of_more(const Shape& from, const Shape& to) {
  if (from.rank() != to.rank()) return false;
  for (int i = 0; i < from.rank(); ++i) {
    if (from[i] == 1 && to[i] > 1) return true;
  }
  return false;
}

}  // namespace tpulab

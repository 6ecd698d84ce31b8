// What reductions over several axes share with their gradients.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/shape.h"

namespace tpulab {

// A set of axes of an array, ascending, none negative.
class AxisSet {
 public:
  // Negative axes count from the last. Throws Error naming `op` for an axis that is not there or
  // stands twice.
  AxisSet(const char* op, const Shape& shape, const std::vector<int>& axes, DType dtype);

  bool contains(int axis) const;
  bool empty() const { return axes_.empty(); }
  // The outermost one: with several, the lanes are folded last, when little is left.
  int first() const { return axes_.empty() ? -1 : axes_.front(); }
  std::string text() const;  // "0,1"
  Shape kept(const Shape& shape) const;
  std::int64_t reduced_elements(const Shape& shape) const;

  // Calls body(i, j) for each element i of an array of `shape`, in order; j is the element of
  // `kept(shape)` that it falls on.
  template <class Body>
  void for_each(const Shape& shape, const Body& body) const;

 private:
  // How far a step along each axis of `shape` goes in `kept(shape)`.
  std::vector<std::int64_t> strides(const Shape& shape) const;

  std::vector<int> axes_;
};

template <class Body>
void AxisSet::for_each(const Shape& shape, const Body& body) const {
  const std::vector<std::int64_t> stride = strides(shape);
  Shape at = shape;
  for (int axis = 0; axis < at.rank(); ++axis) at[axis] = 0;
  const std::int64_t count = shape.elements();
  std::int64_t kept = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    body(i, kept);
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
      const std::int64_t step = stride[static_cast<std::size_t>(axis)];
      kept += step;
      if (++at[axis] < shape[axis]) break;
      kept -= step * shape[axis];
      at[axis] = 0;
    }
  }
}

}  // namespace tpulab

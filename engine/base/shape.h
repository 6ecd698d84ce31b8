// The extents of an array, outermost first; a scalar has none.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

#include "engine/base/dtype.h"

namespace tpulab {

class Shape {
 public:
  static constexpr int max_rank = 8;

  constexpr Shape() = default;
  Shape(std::initializer_list<std::int64_t> extents);
  explicit Shape(std::span<const std::int64_t> extents);

  int rank() const { return rank_; }
  bool scalar() const { return rank_ == 0; }
  std::int64_t operator[](int axis) const { return extents_[static_cast<std::size_t>(axis)]; }
  std::int64_t& operator[](int axis) { return extents_[static_cast<std::size_t>(axis)]; }
  // Negative axes count from the innermost: at(-1) is the lane axis. A scalar answers 1.
  std::int64_t at(int axis) const {
    const int index = axis < 0 ? rank_ + axis : axis;
    return index >= 0 && index < rank_ ? (*this)[index] : 1;
  }
  // Throws Error beyond 2^48.
  std::int64_t elements() const {
    std::int64_t product = 1;
    for (const std::int64_t extent : extents()) {
      if (__builtin_mul_overflow(product, extent, &product) || product > most_elements) too_many();
    }
    return product;
  }
  std::span<const std::int64_t> extents() const {
    return {extents_.data(), static_cast<std::size_t>(rank_)};
  }
  // So many arrays of this shape, one below the other: [rows, extents ...].
  Shape of_rows(std::int64_t rows) const;
  bool operator==(const Shape&) const = default;

 private:
  // Beyond what any machine holds; its bytes on all devices can still be counted.
  static constexpr std::int64_t most_elements = std::int64_t{1} << 48;
  [[noreturn]] void too_many() const;

  std::array<std::int64_t, max_rank> extents_{};
  int rank_ = 0;
};

// "f32[32,64]", as XLA prints it.
std::string text_of(DType dtype, const Shape& shape);

}  // namespace tpulab

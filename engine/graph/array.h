// Values: a shape, a dtype and float storage. bf16 values are held rounded in floats; integers are
// exact up to 2^24. An Array owns its values; an ArrayView only looks at them.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/shape.h"

namespace tpulab {

struct ArrayView {
  const float* data = nullptr;
  Shape shape;
  DType dtype = DType::f32;

  std::int64_t elements() const { return shape.elements(); }
  std::span<const float> values() const { return {data, static_cast<std::size_t>(elements())}; }
  float operator[](std::int64_t i) const { return data[i]; }
};

// A place to write values of known shape into.
struct ArraySpan {
  float* data = nullptr;
  Shape shape;
  DType dtype = DType::f32;

  std::int64_t elements() const { return shape.elements(); }
  std::span<float> values() const { return {data, static_cast<std::size_t>(elements())}; }
  float& operator[](std::int64_t i) const { return data[i]; }
};

class Array {
 public:
  Array() = default;
  explicit Array(Shape shape, DType dtype = DType::f32)
      : shape_(shape), dtype_(dtype), values_(static_cast<std::size_t>(shape.elements())) {}
  Array(Shape shape, std::vector<float> values, DType dtype = DType::f32);
  // Has a shape but no values: what a time-only run passes around.
  static Array without_values(Shape shape, DType dtype) {
    Array array;
    array.shape_ = shape;
    array.dtype_ = dtype;
    return array;
  }
  static Array scalar(float value, DType dtype = DType::f32) { return Array({}, {value}, dtype); }

  const Shape& shape() const { return shape_; }
  DType dtype() const { return dtype_; }
  std::int64_t elements() const { return shape_.elements(); }
  Bytes bytes() const { return {elements() * bytes_of(dtype_)}; }  // on the device, unpadded
  float& operator[](std::int64_t i) { return values_[static_cast<std::size_t>(i)]; }
  float operator[](std::int64_t i) const { return values_[static_cast<std::size_t>(i)]; }
  std::span<float> values() { return values_; }
  std::span<const float> values() const { return values_; }
  ArrayView view() const { return {values_.data(), shape_, dtype_}; }
  // Gives the storage away, to be filled again.
  std::vector<float> release() && { return std::move(values_); }
  ArraySpan span() { return {values_.data(), shape_, dtype_}; }

 private:
  Shape shape_;
  DType dtype_ = DType::f32;
  std::vector<float> values_;
};

// Rounds to nearest even onto the dtype's mantissa; f32, s32 and pred stay as they are.
void round_to(DType dtype, std::span<float> values);

// To nearest even; a NaN stays a (quiet) NaN. Without a branch, so that loops over it vectorise.
inline float rounded_to_bf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const bool nan = (bits & 0x7fffffffu) > 0x7f800000u;
  const std::uint32_t nearest = (bits + 0x7fffu + ((bits >> 16) & 1u)) & 0xffff0000u;
  return std::bit_cast<float>(nan ? bits | 0x00400000u : nearest);
}

}  // namespace tpulab

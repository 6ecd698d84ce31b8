// The unit of a measured value: what it counts, and how a time becomes a number in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tpulab {

enum class Quantity : std::uint8_t { time, clocks, bytes, operations, samples, tokens, steps, mfu };

// Of a kernel: a time, clocks, bytes or operations a second. Of a training step: its time, the time
// of an epoch, or samples, tokens, steps, operations a second, per chip or core if it says so.
struct PointUnit {
  enum class Per : std::uint8_t { all, chip, core };

  Quantity quantity = Quantity::time;
  double factor = 1;  // of seconds, or of things a second
  Per per = Per::all;
  bool epoch = false;

  bool is_time() const { return quantity == Quantity::time || quantity == Quantity::clocks; }
  bool fits_a_kernel() const;
  bool fits_a_model() const;
};

// "us", "ms/step", "TFLOP/s", "tokens/s/chip", "images per second", "mfu %" ... Empty if it is
// none.
std::optional<PointUnit> unit_named(std::string_view typed);

std::string_view units_of_kernels();  // for errors
std::string_view units_of_models();

}  // namespace tpulab

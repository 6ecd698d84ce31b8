// Time, bytes and operations as types: a bare number never says what it counts.
#pragma once

#include <chrono>
#include <cmath>
#include <compare>
#include <cstdint>

namespace tpulab {

// The TPU clock counts picoseconds; 63 bits hold 106 days, and no run goes on for longer than 100.
using Picoseconds = std::chrono::duration<std::int64_t, std::pico>;
inline constexpr Picoseconds longest_run = std::chrono::days(100);

constexpr Picoseconds picoseconds_from_seconds(double seconds) {
  return Picoseconds(static_cast<std::int64_t>(seconds * 1e12 + (seconds < 0 ? -0.5 : 0.5)));
}

// Rounded to the nearest picosecond.
inline Picoseconds scaled(Picoseconds time, double factor) {
  if (factor == 1) return time;
  return Picoseconds(std::llround(static_cast<double>(time.count()) * factor));
}

constexpr double in_seconds(Picoseconds time) { return static_cast<double>(time.count()) * 1e-12; }

// A count of one kind of thing; adding bytes to operations does not compile.
template <class Kind>
struct Count {
  std::int64_t value = 0;

  constexpr auto operator<=>(const Count&) const = default;
  constexpr Count& operator+=(Count other) {
    value += other.value;
    return *this;
  }
  friend constexpr Count operator+(Count a, Count b) { return {a.value + b.value}; }
  friend constexpr Count operator-(Count a, Count b) { return {a.value - b.value}; }
  friend constexpr Count operator*(Count a, std::int64_t times) { return {a.value * times}; }
  friend constexpr double operator/(Count a, Count b) {
    return static_cast<double>(a.value) / static_cast<double>(b.value);
  }
};

using Bytes = Count<struct BytesKind>;
using Flops = Count<struct FlopsKind>;

}  // namespace tpulab

// Where the time of a device goes. The parts exclude each other and add up to all of it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace tpulab {

// The first eight are outside a program, the last five inside.
enum class Share : std::uint8_t {
  compile,
  host_tracing,
  dispatch,  // of a compiled step, which nobody traces again: the loop's Python and the call
  input,
  transfer,
  read_back,
  cpu_fallback,
  idle,
  compute,
  hbm_bound,
  collective_transfer,
  collective_wait,
  offload,
};
inline constexpr int share_count = 13;

using Shares = std::array<double, share_count>;  // fractions of one

std::string_view name_of(Share share);  // "host tracing"
// True from compute on: a program is running (duty cycle).
constexpr bool inside_program(Share share) { return share >= Share::compute; }
constexpr std::size_t index_of(Share share) { return static_cast<std::size_t>(share); }
// Of times or fractions, what is inside a program.
template <class Part>
Part sum_inside(const std::array<Part, share_count>& shares) {
  Part sum{};
  for (const Part& part : std::span(shares).subspan(index_of(Share::compute))) sum += part;
  return sum;
}

}  // namespace tpulab

// Random numbers of a step, the same on every computer.
#pragma once

#include <cstdint>

namespace tpulab {

// A hash of 64 bits that has all of them in each [SplitMix64].
inline std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

inline constexpr std::uint64_t random_step = 0x9e3779b97f4a7c15ULL;

// Where the numbers of a stream begin: the i-th is mixed(begin + i * random_step).
inline std::uint64_t random_begin(float seed, std::uint64_t stream) {
  return mixed(static_cast<std::uint64_t>(seed) * random_step + stream + 1);
}

}  // namespace tpulab

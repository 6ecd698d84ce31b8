// Random numbers of a step and hashes, the same on every computer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tpulab {

// A hash of 64 bits that has all of them in each [SplitMix64].
inline std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

inline constexpr std::uint64_t random_step = 0x9e3779b97f4a7c15ULL;

// A hash for tables, with one word more.
template <class Word>
std::size_t hashed(std::size_t hash, Word word) {
  hash = (hash ^ static_cast<std::size_t>(word)) * random_step;
  return hash ^ hash >> 29U;
}

// FNV-1a, a word at a time.
struct Fnv {
  std::uint64_t value = 0xcbf29ce484222325;
  void add(std::uint64_t word) { value = (value ^ word) * 0x100000001b3; }
  void add(std::string_view text) {
    add(text.size());
    for (const char letter : text) add(static_cast<unsigned char>(letter));
  }
};

// Where the numbers of a stream begin: the i-th is mixed(begin + i * random_step).
inline std::uint64_t random_begin(float seed, std::uint64_t stream) {
  return mixed(static_cast<std::uint64_t>(seed) * random_step + stream + 1);
}

}  // namespace tpulab

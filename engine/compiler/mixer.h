// Makes one key of many numbers and words.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

#include "engine/compiler/fingerprint.h"

namespace tpulab {

// Two independent 64-bit mixes side by side; collisions would need both to agree.
class Mixer {
 public:
  void add(std::uint64_t word) {
    words_[0] = mix(words_[0] ^ word, 0x9e3779b97f4a7c15u);
    words_[1] = mix(words_[1] + word, 0xc2b2ae3d27d4eb4fu);
  }
  void add(std::string_view text) {
    add(text.size());
    constexpr std::size_t bytes = sizeof(std::uint64_t);
    for (; text.size() >= bytes; text.remove_prefix(bytes)) add(number_of(text.substr(0, bytes)));
    if (!text.empty()) add(number_of(text));
  }
  FingerprintKey key() const { return {words_}; }

 private:
  static std::uint64_t number_of(std::string_view letters) {
    std::uint64_t number = 0;
    for (const char letter : letters) number = number << 8U | static_cast<unsigned char>(letter);
    return number;
  }
  static std::uint64_t mix(std::uint64_t value, std::uint64_t factor) {
    value *= factor;
    return value ^ std::rotl(value, 29) ^ value >> 32;
  }
  std::array<std::uint64_t, 2> words_{0x243f6a8885a308d3u, 0x13198a2e03707344u};
};

}  // namespace tpulab

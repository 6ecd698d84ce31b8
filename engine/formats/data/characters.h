// Plain text as rows of characters, each asked for the one behind it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tpulab {

inline constexpr std::int64_t character_window = 64;  // characters of a row

struct CharacterRows {
  std::string characters{};     // each once, by code: a class is its place
  std::vector<float> values{};  // places of a row's characters
  std::vector<int> labels{};    // of the characters behind them
};

// Bytes as they are, but for line ends, which become one kind. The last window that is not full is
// left out.
CharacterRows character_rows(std::string_view text);

}  // namespace tpulab

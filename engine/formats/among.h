// Whether a word is one of a list.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace tpulab {

template <std::size_t Count>
bool among(const std::array<std::string_view, Count>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

}  // namespace tpulab

#include "engine/formats/data/characters.h"

#include <array>

namespace tpulab {

CharacterRows character_rows(std::string_view text) {
  std::string kept(text);
  std::erase(kept, '\r');
  std::array<int, 256> places{};
  for (const char c : kept) places[static_cast<unsigned char>(c)] = 1;
  CharacterRows rows;
  for (std::size_t code = 0; code < places.size(); ++code) {
    if (places[code] == 0) continue;
    places[code] = static_cast<int>(rows.characters.size());
    rows.characters += static_cast<char>(code);
  }
  const auto window = static_cast<std::size_t>(character_window);
  for (std::size_t start = 0; start + window < kept.size(); start += window) {
    for (std::size_t at = start; at < start + window; ++at) {
      const auto place = [&](std::size_t i) { return places[static_cast<unsigned char>(kept[i])]; };
      rows.values.push_back(static_cast<float>(place(at)));
      rows.labels.push_back(place(at + 1));
    }
  }
  return rows;
}

}  // namespace tpulab

#include "engine/base/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace tpulab {

namespace {

constexpr std::string_view left_out = " ... {} bytes more ... ";

unsigned char byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

std::size_t size_by_lead(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xF0 && lead < 0xF5) return 4;
  return 0;
}

// The second byte tells the illegal ones apart that a lead byte alone lets through.
bool second_fits(unsigned char lead, unsigned char second) {
  if (lead == 0xE0) return second >= 0xA0;
  if (lead == 0xED) return second < 0xA0;
  if (lead == 0xF0) return second >= 0x90;
  return lead != 0xF4 || second < 0x90;
}

// Controls, and what stands in no column but changes how others are read [Unicode 15, Cc and Cf].
bool is_unseen(char32_t number) {
  struct Range {
    char32_t first, last;
  };
  static constexpr std::array<Range, 10> ranges{{{0x00, 0x1F},
                                                 {0x7F, 0x9F},
                                                 {0x61C, 0x61C},
                                                 {0x180E, 0x180E},
                                                 {0x200B, 0x200F},
                                                 {0x2028, 0x202E},
                                                 {0x2060, 0x206F},
                                                 {0xFEFF, 0xFEFF},
                                                 {0xFFF9, 0xFFFB},
                                                 {0xE0000, 0xE007F}}};
  return std::ranges::any_of(
      ranges, [=](const Range& one) { return one.first <= number && number <= one.last; });
}

// Empty if the character is shown as it is.
std::string mark_of(std::string_view character, bool whole) {
  if (!whole) return fmt::format("<{:02X}>", byte_at(character, 0));
  if (character == "\n") return "␤";
  if (character == "\t") return " ";
  const char32_t number = code_point(character);
  return is_unseen(number) ? fmt::format("<U+{:04X}>", static_cast<std::uint32_t>(number)) : "";
}

}  // namespace

std::size_t character_size(std::string_view text, std::size_t at) {
  const std::size_t size = size_by_lead(byte_at(text, at));
  if (size <= 1) return size;
  if (at + size > text.size()) return 0;
  const bool whole = std::ranges::all_of(text.substr(at + 1, size - 1), is_continuation);
  return whole && second_fits(byte_at(text, at), byte_at(text, at + 1)) ? size : 0;
}

char32_t code_point(std::string_view character) {
  if (character.size() == 1) return byte_at(character, 0);
  char32_t number = byte_at(character, 0) & (0x7FU >> character.size());
  for (const char byte : character.substr(1)) {
    number = number << 6 | (static_cast<unsigned char>(byte) & 0x3FU);
  }
  return number;
}

std::string printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = character_size(text, at);
    const std::string_view character = text.substr(at, std::max<std::size_t>(size, 1));
    const std::string mark = mark_of(character, size > 0);
    shown += mark.empty() ? character : mark;
    at += character.size();
  }
  return shown;
}

std::string shortened(std::string_view text, std::size_t most_bytes) {
  if (text.size() <= most_bytes) return std::string(text);
  const auto inside = [text](std::size_t at) {
    return at < text.size() && is_continuation(text[at]);
  };
  const std::size_t note = fmt::formatted_size(left_out, text.size());
  const bool noted = note <= most_bytes;
  const std::size_t room = noted ? most_bytes - note : most_bytes;
  std::size_t head = noted ? room * 2 / 3 : room;
  while (head > 0 && inside(head)) --head;
  if (!noted) return std::string(text.substr(0, head));
  std::size_t tail = text.size() - room / 3;
  while (inside(tail)) ++tail;
  return fmt::format("{}{}{}", text.substr(0, head), fmt::format(left_out, tail - head),
                     text.substr(tail));
}

}  // namespace tpulab

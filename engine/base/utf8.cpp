#include "engine/base/utf8.h"

#include <algorithm>

namespace tpulab {

namespace {

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

bool is_control(std::string_view character) {
  const unsigned char first = byte_at(character, 0);
  if (character.size() == 2) return first == 0xC2 && byte_at(character, 1) < 0xA0;
  return first < 0x20 || first == 0x7F;
}

}  // namespace

std::size_t character_size(std::string_view text, std::size_t at) {
  const std::size_t size = size_by_lead(byte_at(text, at));
  if (size <= 1) return size;
  if (at + size > text.size()) return 0;
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  const bool whole = std::ranges::all_of(text.substr(at + 1, size - 1), continues);
  return whole && second_fits(byte_at(text, at), byte_at(text, at + 1)) ? size : 0;
}

std::string printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = character_size(text, at);
    const std::string_view character = text.substr(at, std::max<std::size_t>(size, 1));
    shown += size == 0 || is_control(character) ? "?" : character;
    at += character.size();
  }
  return shown;
}

}  // namespace tpulab

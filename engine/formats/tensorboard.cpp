#include "engine/formats/tensorboard.h"

#include <array>
#include <bit>
#include <cstring>

namespace tpulab {

namespace {

static_assert(std::endian::native == std::endian::little);

// Of a field in the wire format.
enum class WireType : std::uint8_t { varint = 0, eight_bytes = 1, text = 2, four_bytes = 5 };

// Numbers of fields, as the .proto files have them.
constexpr int event_wall_time = 1;
constexpr int event_step = 2;
constexpr int event_file_version = 3;
constexpr int event_summary = 5;
constexpr int summary_value = 1;
constexpr int value_tag = 1;
constexpr int value_simple_value = 2;

// Castagnoli's polynomial, its bits reversed.
constexpr std::array<std::uint32_t, 256> crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1) != 0 ? 0x82f63b78U : 0U);
    table[byte] = rest;
  }
  return table;
}

// Records hide their checksums, so that one of data that holds checksums stays a good one.
std::uint32_t masked_crc(std::string_view bytes) {
  return std::rotr(crc32c(bytes), 15) + 0xa282ead8U;
}

template <class Number>
void append_bits(std::string& out, Number number) {
  std::array<char, sizeof number> bytes{};
  std::memcpy(bytes.data(), &number, sizeof number);
  out.append(bytes.data(), bytes.size());
}

void append_varint(std::string& out, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) out += static_cast<char>((number & 0x7f) | 0x80);
  out += static_cast<char>(number);
}

void append_key(std::string& out, int field, WireType type) {
  append_varint(out, static_cast<std::uint64_t>(field) << 3 | static_cast<std::uint64_t>(type));
}

void append_text(std::string& out, int field, std::string_view text) {
  append_key(out, field, WireType::text);
  append_varint(out, text.size());
  out += text;
}

std::string summary_of(std::span<const ScalarPoint> points) {
  std::string summary;
  for (const ScalarPoint& point : points) {
    std::string value;
    append_text(value, value_tag, point.tag);
    append_key(value, value_simple_value, WireType::four_bytes);
    append_bits(value, point.value);
    append_text(summary, summary_value, value);
  }
  return summary;
}

std::string event_at(double wall_time) {
  std::string event;
  append_key(event, event_wall_time, WireType::eight_bytes);
  append_bits(event, wall_time);
  return event;
}

void append_record(std::string& out, std::string_view data) {
  std::string length;
  append_bits(length, static_cast<std::uint64_t>(data.size()));
  out += length;
  append_bits(out, masked_crc(length));
  out += data;
  append_bits(out, masked_crc(data));
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  static constexpr std::array<std::uint32_t, 256> table = crc_table();
  std::uint32_t crc = ~0U;
  for (const char byte : bytes) {
    crc = (crc >> 8) ^ table[(crc ^ static_cast<unsigned char>(byte)) & 0xff];
  }
  return ~crc;
}

std::string tensorboard_events(double wall_time, std::span<const ScalarEvent> events) {
  std::string head = event_at(wall_time);
  append_text(head, event_file_version, "brain.Event:2");
  std::string file;
  append_record(file, head);
  for (const ScalarEvent& one : events) {
    std::string event = event_at(one.wall_time);
    append_key(event, event_step, WireType::varint);
    append_varint(event, static_cast<std::uint64_t>(one.step));
    append_text(event, event_summary, summary_of(one.points));
    append_record(file, event);
  }
  return file;
}

}  // namespace tpulab

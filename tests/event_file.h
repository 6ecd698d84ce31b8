// Reads TensorBoard's event files by their published formats, with nothing of the program's own.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tpulab::test {

struct DecodedEvent {
  double wall_time = 0;
  std::int64_t step = 0;
  std::string file_version;
  std::vector<std::pair<std::string, float>> scalars;
};

// Bit by bit, as RFC 3720 defines it.
inline std::uint32_t checksum(std::string_view bytes) {
  std::uint32_t crc = 0xffffffff;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? (crc >> 1) ^ 0x82f63b78 : crc >> 1;
  }
  return crc ^ 0xffffffff;
}

class EventBytes {
 public:
  explicit EventBytes(std::string_view bytes) : rest_(bytes) {}

  bool empty() const { return rest_.empty(); }
  std::string_view take(std::size_t count) {
    if (count > rest_.size()) throw std::runtime_error("the file ends too early");
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  template <class Number>
  Number number() {
    Number read{};
    std::memcpy(&read, take(sizeof read).data(), sizeof read);
    return read;
  }
  std::uint64_t varint() {
    std::uint64_t read = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1)[0]);
      read |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return read;
    }
  }
  std::string_view text() { return take(varint()); }
  // Throws for another checksum.
  void check(std::string_view of) {
    const auto masked = number<std::uint32_t>() - 0xa282ead8U;
    if (((masked >> 17) | (masked << 15)) != checksum(of)) throw std::runtime_error("checksum");
  }

 private:
  std::string_view rest_;
};

// A field's number and kind in one: 0x0a is a text of field 1.
inline void decode_value(std::string_view text, DecodedEvent& event) {
  EventBytes bytes(text);
  std::pair<std::string, float> scalar;
  while (!bytes.empty()) {
    switch (bytes.varint()) {
      case 0x0a:
        scalar.first = bytes.text();
        break;
      case 0x15:
        scalar.second = bytes.number<float>();
        break;
      default:
        throw std::runtime_error("a field of Value that no scalar has");
    }
  }
  event.scalars.push_back(std::move(scalar));
}

inline DecodedEvent decode_event(std::string_view text) {
  EventBytes bytes(text);
  DecodedEvent event;
  while (!bytes.empty()) {
    switch (bytes.varint()) {
      case 0x09:
        event.wall_time = bytes.number<double>();
        break;
      case 0x10:
        event.step = static_cast<std::int64_t>(bytes.varint());
        break;
      case 0x1a:
        event.file_version = bytes.text();
        break;
      case 0x2a: {
        EventBytes summary(bytes.text());
        while (!summary.empty()) {
          if (summary.varint() != 0x0a) throw std::runtime_error("a field of Summary");
          decode_value(summary.text(), event);
        }
        break;
      }
      default:
        throw std::runtime_error("a field of Event");
    }
  }
  return event;
}

// Throws for a file that is none.
inline std::vector<DecodedEvent> decode_events(std::string_view file) {
  EventBytes bytes(file);
  std::vector<DecodedEvent> events;
  while (!bytes.empty()) {
    const std::string_view length = bytes.take(8);
    bytes.check(length);
    const std::string_view data = bytes.take(EventBytes(length).number<std::uint64_t>());
    bytes.check(data);
    events.push_back(decode_event(data));
  }
  return events;
}

}  // namespace tpulab::test

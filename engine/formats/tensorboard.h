// Scalars by step as an event file that TensorBoard opens.
// Formats: records as in tensorflow/core/lib/io/record_writer.cc, messages Event and Summary of
// tensorflow/core/util/event.proto and framework/summary.proto, in the wire format of
// protobuf.dev/programming-guides/encoding; checksums are CRC-32C (RFC 3720, appendix B.4).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tpulab {

struct ScalarPoint {
  std::string tag;  // "train/loss"; what stands before the slash is a group on TensorBoard's page
  float value = 0;
};

struct ScalarEvent {
  double wall_time = 0;  // seconds since 1970, UTC
  std::int64_t step = 0;
  std::vector<ScalarPoint> points;
};

// The whole file; `wall_time` is that of its head.
std::string tensorboard_events(double wall_time, std::span<const ScalarEvent> events);

// "123456789" -> 0xe3069283.
std::uint32_t crc32c(std::string_view bytes);

}  // namespace tpulab

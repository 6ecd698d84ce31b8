// Event files, decoded by a reader of the tests' own.
#include "engine/formats/tensorboard.h"

#include <gtest/gtest.h>

#include "tests/event_file.h"

namespace tpulab::tensorboard_test {
namespace {

TEST(TensorBoard, its_checksum_has_the_published_values) {
  EXPECT_EQ(crc32c("123456789"), 0xe3069283U);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aaU);    // RFC 3720, appendix B.4
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43U);  // the same
  EXPECT_EQ(crc32c(""), 0U);
}

// Put together by hand: length 24 and its checksum, then an event of time 0 that says nothing but
// its version.
TEST(TensorBoard, a_file_begins_with_its_version) {
  const std::string file = tensorboard_events(0, {});
  ASSERT_EQ(file.size(), 8U + 4 + 24 + 4);
  EXPECT_EQ(file.substr(0, 8), std::string("\x18\0\0\0\0\0\0\0", 8));
  EXPECT_EQ(file.substr(12, 11), std::string("\x09\0\0\0\0\0\0\0\0\x1a\x0d", 11));
  EXPECT_EQ(file.substr(23, 13), "brain.Event:2");
}

TEST(TensorBoard, events_come_back_as_they_were) {
  const std::vector<ScalarEvent> events{
      {1.5e9, 0, {{"train/loss", 2.25F}}},
      {1.5e9 + 0.125, 300, {{"train/loss", -1e-30F}, {"test/accuracy", 0.5F}}},
      {1.5e9 + 1, std::int64_t{1} << 40, {{std::string(300, 't'), 3e38F}}},
  };
  const auto decoded = test::decode_events(tensorboard_events(1.5e9, events));
  ASSERT_EQ(decoded.size(), 4U);
  EXPECT_EQ(decoded[0].wall_time, 1.5e9);
  EXPECT_EQ(decoded[0].file_version, "brain.Event:2");
  for (std::size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ(decoded[i + 1].wall_time, events[i].wall_time);
    EXPECT_EQ(decoded[i + 1].step, events[i].step);
    ASSERT_EQ(decoded[i + 1].scalars.size(), events[i].points.size());
    for (std::size_t p = 0; p < events[i].points.size(); ++p) {
      EXPECT_EQ(decoded[i + 1].scalars[p].first, events[i].points[p].tag);
      EXPECT_EQ(decoded[i + 1].scalars[p].second, events[i].points[p].value);
    }
  }
}

TEST(TensorBoard, the_reader_of_this_test_finds_a_flipped_bit) {
  std::string file = tensorboard_events(1, {});
  file[20] ^= 1;
  EXPECT_THROW(test::decode_events(file), std::runtime_error);
}

}  // namespace
}  // namespace tpulab::tensorboard_test

#include "engine/formats/sent_rows.h"

#include <gtest/gtest.h>

namespace tpulab::sent_rows_test {
namespace {

ImportedStep told(const SentRows& rows, bool trains) {
  ImportedStep step;
  step.trains = trains;
  rows.tell(step);
  return step;
}

// A random key and the weights of ten classes are none.
TEST(SentRows, are_the_first_extent_of_most_that_is_sent) {
  SentRows rows;
  rows.add({{512, 784}, DType::f32});
  rows.add({{512}, DType::s32});
  rows.add({{2}, DType::s32});
  rows.add({{10}, DType::f32});
  EXPECT_EQ(told(rows, true).rows, 512);
  EXPECT_EQ(told(rows, false).rows, 0);  // a call may be given weights
}

TEST(SentRows, are_unknown_where_nothing_but_a_key_is_sent) {
  SentRows rows;
  rows.add({{2}, DType::s32});
  rows.add({Shape{}, DType::f32});
  EXPECT_EQ(told(rows, true).rows, 0);
}

// Halves of 12 rows, each of which four devices have, and labels that eight have whole.
TEST(SentRows, of_devices_that_share_them_are_counted_once) {
  SentRows rows;
  rows.add({{6, 64}, DType::f32}, 4);
  rows.add({{12}, DType::s32}, 8);
  EXPECT_EQ(told(rows, true).rows, 6);
  EXPECT_EQ(told(rows, true).alike, 4);
}

}  // namespace
}  // namespace tpulab::sent_rows_test

#include "engine/base/error.h"

#include <gtest/gtest.h>

namespace tpulab::test::error_test {
namespace {

TEST(Expects, says_what_must_hold_and_where) {
  EXPECT_NO_THROW(expects(true, "never said"));
  try {
    expects(false, "two is even");
    FAIL();
  } catch (const std::logic_error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("two is even"), std::string::npos);
    EXPECT_NE(text.find("error_test.cpp:"), std::string::npos);
  }
}

TEST(Error, is_no_logic_error) {
  EXPECT_THROW(throw Error("no data; give a file"), std::runtime_error);
}

TEST(Error, of_memory_that_is_not_there_says_what_needs_less) {
  EXPECT_TRUE(text_of_failure(std::bad_alloc()).ends_with("`numbers off` computes none"));
  EXPECT_EQ(text_of_failure(Error("no data; give a file")), "no data; give a file");
}

TEST(Error, a_long_message_keeps_what_happened_and_what_to_do) {
  const std::string what =
      Error("batch cannot be " + std::string(1'000'000, 'x') + "; it takes a number").what();
  EXPECT_TRUE(what.starts_with("batch cannot be xxx"));
  EXPECT_TRUE(what.ends_with("xxx; it takes a number"));
  EXPECT_LE(what.size(), 1500U);
  EXPECT_EQ(Error(what).what(), what);
}

}  // namespace
}  // namespace tpulab::test::error_test

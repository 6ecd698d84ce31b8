#include "commands/line_output.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "engine/base/error.h"

namespace tpulab::line_output_test {
namespace {

TEST(LineOutput, shows_control_characters_and_keeps_line_ends) {
  std::ostringstream stream;
  LineOutput out(stream, "standard output");
  out.lines("a\x1b[2J\nb\r\n");
  out.lines("");
  out.part("c\x07");
  out.end_line();
  EXPECT_EQ(stream.str(), "a<U+001B>[2J\nb<U+000D>\n\nc<U+0007>\n");
}

TEST(LineOutput, says_that_a_disk_is_full) {
  std::ofstream stream("/dev/full");
  LineOutput out(stream, "standard output");
  out.lines(std::string(100'000, 'x'));
  try {
    out.flush();
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "standard output cannot be written: No space left on device; what was printed is "
                 "not complete");
  }
}

}  // namespace
}  // namespace tpulab::line_output_test

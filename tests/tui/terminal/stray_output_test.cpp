#include "tui/terminal/stray_output.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace tpulab::stray_output_test {
namespace {

void print(std::string_view text) {
  ASSERT_EQ(::write(STDOUT_FILENO, text.data(), text.size()), static_cast<ssize_t>(text.size()));
}

TEST(StrayOutput, what_is_printed_meanwhile_can_be_taken_once) {
  StrayOutput stray;
  print("one\n");
  std::fputs("two\n", stderr);
  EXPECT_EQ(stray.take(), "one\ntwo");
  EXPECT_EQ(stray.take(), "");
}

TEST(StrayOutput, a_flood_loses_its_tail_and_blocks_nobody) {
  StrayOutput stray;
  const std::string flood(1 << 20, 'x');
  EXPECT_LT(::write(STDOUT_FILENO, flood.data(), flood.size()), static_cast<ssize_t>(flood.size()));
  EXPECT_GE(stray.take().size(), 4096U);
}

TEST(StrayOutput, afterwards_the_files_lead_where_they_led_before) {
  const std::string name = testing::TempDir() + "tpulab_stray";
  const int before = ::dup(STDOUT_FILENO);
  FILE* file = std::fopen(name.c_str(), "w+");
  ::dup2(::fileno(file), STDOUT_FILENO);
  { StrayOutput stray; }
  print("again");
  ::dup2(before, STDOUT_FILENO);
  ::close(before);
  std::rewind(file);
  char text[16] = {};
  EXPECT_EQ(std::fread(text, 1, sizeof text, file), 5U);
  EXPECT_STREQ(text, "again");
  std::fclose(file);
}

}  // namespace
}  // namespace tpulab::stray_output_test

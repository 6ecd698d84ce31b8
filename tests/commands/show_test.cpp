#include <gtest/gtest.h>

#include <set>

#include "tests/commands/desk.h"

namespace tpulab::show_test {
namespace {

TEST(ShowVerb, lists_all_settings_in_columns) {
  Desk desk{Settings{}};
  std::set<std::size_t> begins;
  for (const std::string& line : desk.type("show all").lines) {
    const auto effect = std::min(line.find(" a change acts"), line.find(" when changed"));
    if (effect != std::string::npos) begins.insert(effect);
  }
  EXPECT_EQ(begins.size(), 1U);
}

}  // namespace
}  // namespace tpulab::show_test

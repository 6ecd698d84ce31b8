#include "commands/handouts/curve.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tpulab::curve_test {
namespace {

TEST(HandoutCurve, runs_from_the_first_step_to_the_last_between_the_largest_loss_and_the_least) {
  const std::string svg = svg_of("loss", {{1, 2.5F}, {2, std::nanf("")}, {3, 0.5F}});
  EXPECT_NE(svg.find("points=\"60.0,30.0 700.0,230.0 \""), std::string::npos) << svg;
  EXPECT_NE(svg.find(">2.5</text>"), std::string::npos);
  EXPECT_NE(svg.find(">0.5</text>"), std::string::npos);
}

TEST(HandoutCurve, has_no_line_where_no_loss_is_a_number) {
  EXPECT_EQ(svg_of("loss", {{1, std::nanf("")}}).find("polyline"), std::string::npos);
}

}  // namespace
}  // namespace tpulab::curve_test

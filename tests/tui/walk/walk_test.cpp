#include "tui/walk/walk.h"

#include <gtest/gtest.h>

#include <set>

namespace tpulab::walk_test {
namespace {

Walk on_screen(int rows, int columns) {
  Walk walk;
  walk.see(layout_for(rows, columns, 8).panes);
  return walk;
}

TEST(Walk, tab_goes_through_every_pane_and_around) {
  for (const auto& [rows, columns] : {std::pair{40, 120}, std::pair{24, 80}}) {
    Walk walk = on_screen(rows, columns);
    EXPECT_EQ(walk.pane(), "cores");
    std::set<std::string_view> seen;
    for (int i = 0; i < 6; ++i) {
      seen.insert(walk.pane());
      walk.turn(1);
    }
    EXPECT_EQ(seen.size(), 6U);
    EXPECT_EQ(walk.pane(), "cores");
    walk.turn(-1);
    EXPECT_EQ(walk.pane(), "output");
  }
}

TEST(Walk, arrows_go_to_the_pane_that_lies_there) {
  Walk walk = on_screen(40, 120);
  EXPECT_FALSE(walk.go(-1, 0));
  EXPECT_TRUE(walk.go(1, 0));
  EXPECT_EQ(walk.pane(), "strip");
  EXPECT_TRUE(walk.go(1, 0));
  EXPECT_TRUE(walk.pane() == "loss" || walk.pane() == "compiles") << walk.pane();
  walk.choose("loss", -1);
  EXPECT_TRUE(walk.go(0, 1));
  EXPECT_TRUE(walk.pane() == "compiles" || walk.pane() == "fallbacks") << walk.pane();
  walk.choose("compiles", -1);
  EXPECT_TRUE(walk.go(1, 0));
  EXPECT_EQ(walk.pane(), "fallbacks");
  EXPECT_TRUE(walk.go(0, -1));
  EXPECT_EQ(walk.pane(), "loss");
}

TEST(Walk, items_end_on_both_sides_and_are_kept_for_each_pane) {
  Walk walk = on_screen(40, 120);
  walk.choose("compiles", 0);
  EXPECT_TRUE(walk.move(1, 3));
  EXPECT_TRUE(walk.move(1, 3));
  EXPECT_FALSE(walk.move(1, 3));
  EXPECT_EQ(walk.chosen(), 2);
  walk.turn(1);
  EXPECT_EQ(walk.chosen(), 0);
  walk.turn(-1);
  EXPECT_EQ(walk.chosen(), 2);
  EXPECT_TRUE(walk.move(-1, 2));  // one is gone meanwhile
  EXPECT_EQ(walk.chosen(), 0);
  EXPECT_FALSE(walk.move(1, 0));
}

TEST(Walk, a_pane_that_is_gone_loses_the_focus) {
  Walk walk = on_screen(40, 120);
  walk.choose("fallbacks", 0);
  walk.see(zoomed_layout(40, 120, "loss").panes);
  EXPECT_EQ(walk.pane(), "loss");
  walk.see({});
  EXPECT_EQ(walk.pane(), "");
  walk.turn(1);
  EXPECT_FALSE(walk.go(1, 0));
}

}  // namespace
}  // namespace tpulab::walk_test

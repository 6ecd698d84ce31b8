#include "tui/view_choices.h"

#include <gtest/gtest.h>

namespace tpulab {

namespace {

ViewState seen(const ViewChoices& choices) {
  ViewState view;
  choices.apply_to(view);
  return view;
}

}  // namespace

TEST(ViewChoices, e_and_f2_show_each_device_and_hide_it_again) {
  ViewChoices choices;
  EXPECT_FALSE(seen(choices).each_device);
  EXPECT_TRUE(choices.press("e"));
  EXPECT_TRUE(seen(choices).each_device);
  EXPECT_TRUE(choices.press_function(2));
  EXPECT_FALSE(seen(choices).each_device);
}

TEST(ViewChoices, m_goes_through_every_metric_of_the_map) {
  ViewChoices choices;
  EXPECT_EQ(seen(choices).metric, MapMetric::wait);
  for (int i = 1; i < map_metrics; ++i) {
    EXPECT_TRUE(choices.press("m"));
    EXPECT_EQ(seen(choices).metric, static_cast<MapMetric>(i));
  }
  EXPECT_TRUE(choices.press_function(4));
  EXPECT_EQ(seen(choices).metric, MapMetric::wait);
}

TEST(ViewChoices, z_and_f8_give_the_screen_to_one_pane_after_the_other) {
  ViewChoices choices;
  EXPECT_EQ(seen(choices).zoomed, "");
  EXPECT_TRUE(choices.press("z"));
  EXPECT_EQ(seen(choices).zoomed, "cores");
  std::size_t zoomed = 0;
  for (; !seen(choices).zoomed.empty(); ++zoomed) {
    EXPECT_EQ(panel_named(seen(choices).zoomed).name, seen(choices).zoomed);
    EXPECT_TRUE(choices.press_function(8));
  }
  EXPECT_EQ(zoomed, all_panels().size());
}

TEST(ViewChoices, other_keys_are_left_to_others) {
  ViewChoices choices;
  EXPECT_FALSE(choices.press("p"));
  EXPECT_FALSE(choices.press(""));
  EXPECT_FALSE(choices.press_function(5));
}

}  // namespace tpulab

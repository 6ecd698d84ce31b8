#include "tui/walk/view_choices.h"

#include <gtest/gtest.h>

namespace tpulab::view_choices_test {

namespace {

ViewState seen(const ViewChoices& choices) {
  ViewState view;
  choices.apply_to(view);
  return view;
}

}  // namespace

TEST(ViewChoices, each_device_is_shown_and_hidden_again) {
  ViewChoices choices;
  EXPECT_FALSE(seen(choices).each_device);
  EXPECT_TRUE(choices.press(PanesAction::each_device));
  EXPECT_TRUE(seen(choices).each_device);
  EXPECT_TRUE(choices.press(PanesAction::each_device));
  EXPECT_FALSE(seen(choices).each_device);
}

TEST(ViewChoices, one_metric_of_the_map_after_the_other) {
  ViewChoices choices;
  EXPECT_EQ(seen(choices).metric, MapMetric::wait);
  for (int i = 1; i < map_metrics; ++i) {
    EXPECT_TRUE(choices.press(PanesAction::map_metric));
    EXPECT_EQ(seen(choices).metric, static_cast<MapMetric>(i));
  }
  EXPECT_TRUE(choices.press(PanesAction::map_metric));
  EXPECT_EQ(seen(choices).metric, MapMetric::wait);
}

TEST(ViewChoices, the_screen_goes_to_one_pane_after_the_other) {
  ViewChoices choices;
  EXPECT_EQ(seen(choices).zoomed, "");
  choices.zoom_next();
  EXPECT_EQ(seen(choices).zoomed, "cores");
  std::size_t zoomed = 0;
  for (; !seen(choices).zoomed.empty(); ++zoomed) {
    EXPECT_EQ(panel_named(seen(choices).zoomed).name, seen(choices).zoomed);
    choices.zoom_next();
  }
  EXPECT_EQ(zoomed, all_panels().size());
  choices.zoom_next(-1);
  EXPECT_EQ(choices.zoomed(), "output");
}

TEST(ViewChoices, a_pane_can_be_zoomed_by_name) {
  ViewChoices choices;
  choices.zoom("loss");
  EXPECT_EQ(seen(choices).zoomed, "loss");
  choices.zoom({});
  EXPECT_EQ(seen(choices).zoomed, "");
}

TEST(ViewChoices, other_actions_are_left_to_others) {
  ViewChoices choices;
  EXPECT_FALSE(choices.press(PanesAction::pause));
  EXPECT_FALSE(choices.press(PanesAction::nothing));
}

}  // namespace tpulab::view_choices_test

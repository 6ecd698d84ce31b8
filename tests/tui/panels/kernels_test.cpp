// Panels that show the kernels of a step: inside a core, and the list by time.
#include <gtest/gtest.h>

#include <algorithm>

#include "../example_snapshot.h"
#include "engine/session/speed_ups.h"

namespace tpulab {
namespace {

const PricedProgram& product_129() {
  static const PricedProgram program = [] {
    Settings settings;
    settings.model = "gemm-8192x129x8192";
    return estimated_program(settings);
  }();
  return program;
}

std::string drawn(std::string_view panel, const PricedProgram& program, int rows, int columns,
                  std::int64_t clock = 0, Glyphs glyphs = Glyphs::unicode) {
  ViewState view;
  view.program = &program;
  view.clock = clock;
  view.glyphs = glyphs;
  Canvas canvas(rows, columns);
  panel_named(panel).draw(example_training_snapshot(), view, canvas);
  return canvas.text();
}

TEST(InsidePanel, padding_is_seen_and_counted) {
  const ProductTiles& product = product_129().kernels.at(0).products.at(0);
  ASSERT_EQ(product.folds % 2, 0);
  // The second tile of a column holds the one row that is left of 129.
  const std::int64_t pace = std::max(product.rows, product.loading);
  const std::string text = drawn("inside", product_129(), 36, 116, product.side + pace + 1);
  EXPECT_NE(text.find("k 129 -> 256 rows of weights, 50 % zeros"), std::string::npos) << text;
  EXPECT_NE(text.find("holds 1 x 128 weights of 128 x 128"), std::string::npos) << text;
  EXPECT_NE(text.find("50 % of the slots hold data"), std::string::npos) << text;
  const std::string full = drawn("inside", product_129(), 36, 116, product.side + 200);
  const auto count = [](const std::string& in, std::string_view glyph) {
    int found = 0;
    for (auto at = in.find(glyph); at != std::string::npos; at = in.find(glyph, at + 1)) ++found;
    return found;
  };
  EXPECT_GT(count(text, "·"), 1700) << text;
  EXPECT_LT(count(full, "·"), 200) << full;
}

TEST(InsidePanel, every_size_and_clock_is_drawn) {
  const ProductTiles& product = product_129().kernels.at(0).products.at(0);
  for (int rows = 1; rows < 50; rows += 4) {
    for (int columns = 1; columns < 200; columns += 13) {
      for (const std::int64_t clock : {std::int64_t{-5}, std::int64_t{1}, product.clocks * 2}) {
        for (const Glyphs glyphs : {Glyphs::unicode, Glyphs::ascii}) {
          drawn("inside", product_129(), rows, columns, clock, glyphs);
          drawn("profile", product_129(), rows, columns, clock, glyphs);
        }
      }
    }
  }
}

TEST(ProfilePanel, the_kernel_that_takes_longest_comes_first_with_its_share) {
  static const PricedProgram program = estimated_program(Settings());
  const auto longest = std::ranges::max_element(
      program.kernels, {}, [](const KernelRow& row) { return row.time * row.runs; });
  const std::string text = drawn("profile", program, 10, 110);
  const std::string second = text.substr(text.find('\n') + 1);
  EXPECT_TRUE(second.starts_with(longest->name.substr(0, 12))) << text;
  EXPECT_NE(text.find(longest->bound), std::string::npos) << text;
}

TEST(ProfilePanel, takes_the_place_of_the_loss_in_a_run_without_numbers) {
  Snapshot now = example_training_snapshot();
  now.run.numbers = false;
  now.losses = std::make_shared<const std::vector<LossPoint>>();
  ViewState view;
  Canvas canvas(10, 39);
  panel_named("loss").draw(now, view, canvas);
  EXPECT_NE(canvas.text().find("time only"), std::string::npos) << canvas.text();
  view.program = &product_129();
  canvas = Canvas(10, 39);
  panel_named("loss").draw(now, view, canvas);
  EXPECT_NE(canvas.text().find("gemm"), std::string::npos) << canvas.text();
  EXPECT_EQ(panel_named("loss").caption(now), "time only: kernels of a step");
}

}  // namespace
}  // namespace tpulab

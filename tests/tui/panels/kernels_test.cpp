// Panels that show the kernels of a step: inside a core, and the list by time.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "../example_snapshot.h"
#include "engine/base/text.h"
#include "engine/session/answers/speed_ups.h"
#include "tui/kernels/kernel_fields.h"
#include "tui/kernels/roofline.h"

namespace tpulab::kernels_test {
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
                  std::int64_t clock = 0, Glyphs glyphs = Glyphs::unicode, bool roofline = false) {
  ViewState view;
  view.zoomed = panel;
  view.roofline = roofline;
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
          drawn("profile", product_129(), rows, columns, clock, glyphs, true);
        }
      }
    }
  }
}

TEST(InsidePanel, a_layer_is_seen_forward_beside_its_weight_gradient_on_one_clock) {
  static const PricedProgram program = estimated_program(Settings());  // 32 rows, 64-1024-1024-10
  // Of 480 and 512 clocks of two arrays of 128 x 128: 32 x 64 x 1,024 multiplications.
  for (const auto& [rows, columns] : {std::pair{35, 116}, {65, 246}}) {
    const std::string text = drawn("inside", program, rows, columns, 200);
    for (const char* words :
         {"forward: ", "weight gradient: ", "[32, 64] x [64, 1024]", "[64, 32] x [32, 1024]",
          "13 % data, 480 clocks", "12 % data, 512 clocks"}) {
      EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
    }
  }
  const std::string small = drawn("inside", program, 19, 76, 200);
  EXPECT_NE(small.find("weight gradient: 12 % of the slots hold data, 512 clocks"),
            std::string::npos)
      << small;
  EXPECT_NE(small.find("before, after and between"), std::string::npos) << small;
  EXPECT_NE(small.find("over HBM, through VMEM"), std::string::npos) << small;
}

// A zoomed pane has so many rows and columns of 20 and 60.
TEST(InsidePanel, the_part_that_a_kernel_takes_is_the_last_to_leave_a_small_screen) {
  static const PricedProgram program = estimated_program(Settings());
  const std::string text = drawn("inside", program, 15, 56, 200);
  ASSERT_GT(program.kernels.at(0).hbm, program.kernels.at(0).matrix);
  const auto longest = text.find("HBM      1.27 us");
  ASSERT_NE(longest, std::string::npos) << text;
  EXPECT_GT(text.find("matrix  "), longest) << text;
  for (const char* words : {"holds 64 x 128 of 128 x 128", "k 64 -> 128, 50 % zeros"}) {
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
  }
  EXPECT_EQ(text.find("…"), std::string::npos) << text;
}

TEST(InsidePanel, square_layers_that_are_alike_are_told_forward_from_input_gradient) {
  Settings settings;
  settings.hidden = {256, 256, 256};
  static const PricedProgram program = estimated_program(settings);
  const auto products = std::ranges::count_if(
      program.kernels, [](const KernelRow& row) { return !row.products.empty(); });
  std::map<std::string, int> parts;
  ViewState view;
  view.program = &program;
  for (view.chosen = 0; view.chosen < products; ++view.chosen) {
    Canvas canvas(35, 116);
    panel_named("inside").draw(example_training_snapshot(), view, canvas);
    const std::string row = split(canvas.text(), '\n').at(4);
    ++parts[row.substr(0, std::min(row.find(':'), row.find("  ")))];
  }
  // 64-256-256-256-10; nothing needs the gradient of the data.
  const std::map<std::string, int> expected{
      {"forward", 4}, {"input gradient", 3}, {"weight gradient", 4}};
  EXPECT_EQ(parts, expected);
}

TEST(InsidePanel, names_no_part_where_rows_are_as_many_as_a_width) {
  Settings settings;
  settings.hidden = {256, 1024, 256};
  settings.devices = "1";
  settings.batch = 1024;
  static const PricedProgram program = estimated_program(settings);
  ViewState view;
  view.program = &program;
  for (view.chosen = 0; view.chosen < 12; ++view.chosen) {
    Canvas canvas(35, 116);
    panel_named("inside").draw(example_training_snapshot(), view, canvas);
    const std::string text = canvas.text();
    if (text.find("[1024, 1024] x [1024, 256]") == std::string::npos) continue;
    EXPECT_EQ(text.find("gradient: "), std::string::npos) << text;
  }
}

TEST(InsidePanel, a_product_alone_has_the_array_for_itself) {
  const std::string text = drawn("inside", product_129(), 35, 116, 200);
  EXPECT_EQ(text.find("gradient"), std::string::npos) << text;
}

TEST(ProfilePanel, the_kernel_that_takes_longest_comes_first_with_its_share) {
  static const PricedProgram program = estimated_program(Settings());
  const auto longest = std::ranges::max_element(
      program.kernels, {}, [](const KernelRow& row) { return row.time * row.runs; });
  const std::string text = drawn("profile", program, 10, 110);
  const std::string second = text.substr(text.find('\n') + 1);
  EXPECT_TRUE(second.starts_with(longest->name.substr(0, 12))) << text;
  EXPECT_NE(text.find(name_of(longest->bound)), std::string::npos) << text;
}

TEST(CoresPanel, say_what_is_padded_where_the_loss_has_the_place_of_the_kernels) {
  const auto says = [](int columns, std::string_view words) {
    const std::string tile = drawn("cores", product_129(), 7, columns);
    EXPECT_NE(tile.find(words), std::string::npos) << tile;
  };
  says(100, " % of the kernels: gemm, k 129 -> 256; full at 128 or 256");
  says(60, " %: gemm, 129 -> 256; full at 128 or 256");
  says(40, " %: gemm, 129 -> 256 ");
}

TEST(ProfilePanel, says_what_is_padded_where_that_takes_much_of_the_step) {
  const std::string padded = drawn("profile", product_129(), 8, 60);
  EXPECT_NE(padded.find(" %: gemm, 129 -> 256; full at 128 or 256"), std::string::npos) << padded;
  Settings settings;
  settings.model = "gemm-8192x128x8192";
  settings.batch = 1;
  const PricedProgram whole = estimated_program(settings);
  EXPECT_EQ(drawn("profile", whole, 8, 60).find("zeros"), std::string::npos);
}

TEST(ProfilePanel, takes_the_place_of_the_loss_in_a_run_without_numbers) {
  Snapshot now = example_training_snapshot();
  now.run.numbers = false;
  now.losses = std::make_shared<const std::vector<LossPoint>>();
  ScreenState state = example_screen(now);
  state.view.program = &product_129();
  for (const auto& [rows, columns] : {std::pair{24, 80}, {40, 120}, {70, 250}}) {
    const DrawnScreen drawn = draw_screen(state, rows, columns);
    const auto names = [&](std::string_view panel) {
      return std::ranges::count(drawn.panes, panel, &PlacedPane::panel);
    };
    EXPECT_EQ(names("profile"), 1);
    EXPECT_EQ(names("loss"), 0);
    EXPECT_EQ(names("inside"), columns >= 180 ? 1 : 0) << "the list has a place of its own there";
    EXPECT_NE(drawn.canvas.text().find("gemm"), std::string::npos) << drawn.canvas.text();
  }
  now.run.numbers = true;
  state = example_screen(now);
  state.view.program = &product_129();
  EXPECT_EQ(draw_screen(state, 40, 120).canvas.text().find(" kernels "), std::string::npos);
}

TEST(ProfilePanel, each_column_sorts_the_largest_first_or_from_a_to_z) {
  static const PricedProgram program = estimated_program(Settings());
  ViewState view;
  view.program = &program;
  for (std::size_t i = 0; i < kernel_fields().size(); ++i) {
    const KernelField& field = kernel_fields()[i];
    view.kernel_field = static_cast<int>(i);
    const auto kernels = chosen_kernels(view);
    ASSERT_EQ(kernels.size(), program.kernels.size());
    for (std::size_t k = 1; k < kernels.size(); ++k) {
      const bool in_order =
          field.number != nullptr
              ? field.number(*kernels[k - 1], program) >= field.number(*kernels[k], program)
              : field.words(*kernels[k - 1], program) <= field.words(*kernels[k], program);
      EXPECT_TRUE(in_order) << field.column.title << " at " << k;
    }
    // What it is sorted by is seen at every width.
    for (const int columns : {37, 76, 116, 246}) {
      Canvas canvas(18, columns);
      panel_named("profile").draw(example_training_snapshot(), view, canvas);
      EXPECT_NE(canvas.text().find(std::string(field.column.title) + "↓"), std::string::npos)
          << canvas.text();
    }
  }
}

TEST(ProfilePanel, utilisation_is_of_the_published_peak_and_traffic_of_the_published_memory) {
  static const PricedProgram program = estimated_program(Settings());  // v3-8
  // 123 TFLOPS and 900 GB/s a chip of two cores.
  EXPECT_NEAR(program.roofs.operations, 61.5e12, 0.5e12);
  EXPECT_NEAR(program.roofs.bytes, 450e9, 1e9);
  for (const KernelRow& row : program.kernels) {
    const double most = std::min(program.roofs.operations / program.roofs.passes,
                                 program.roofs.bytes * operations_per_byte(row));
    EXPECT_LE(operations_per_second(row), most * 1.0001) << row.name;
  }
}

TEST(ProfilePanel, a_search_leaves_the_kernels_with_it_in_name_or_bound) {
  static const PricedProgram program = estimated_program(Settings());
  ViewState view;
  view.program = &program;
  view.sought_kernel = "ALL-red";
  ASSERT_EQ(chosen_kernels(view).size(), 1U);
  EXPECT_TRUE(chosen_kernels(view)[0]->name.starts_with("all-reduce"));
  view.sought_kernel = "overhead";
  EXPECT_FALSE(chosen_kernels(view).empty());
  view.sought_kernel = "no such kernel";
  EXPECT_EQ(panel_named("profile").items(Snapshot(), view), 0);
  Canvas canvas(12, 100);
  panel_named("profile").draw(example_training_snapshot(), view, canvas);
  EXPECT_NE(canvas.text().find("0 of 17 kernels with 'no such kernel'"), std::string::npos)
      << canvas.text();
  EXPECT_EQ(panel_named("profile").open(example_training_snapshot(), view).lines.at(0),
            "None found.");
}

TEST(ProfilePanel, enter_asks_with_one_word_that_explain_takes) {
  for (const auto& [name, command] : {std::pair{"dot+add+maximum", "explain dot"},
                                      {"all-reduce x 7", "explain all-reduce"},
                                      {"step: convolution+reduce", "explain convolution"},
                                      {"layer: dot", "explain dot"}}) {
    EXPECT_EQ(explanation_of(name), command);
  }
}

TEST(ProfilePanel, a_small_pane_keeps_its_list_where_a_roofline_has_no_room) {
  const auto small = [](bool roofline) {
    return drawn("profile", product_129(), 5, 29, 0, Glyphs::unicode, roofline);
  };
  EXPECT_EQ(small(true), small(false));
  const auto zoomed = [](bool roofline) {
    return drawn("profile", product_129(), 11, 56, 0, Glyphs::unicode, roofline);
  };
  EXPECT_NE(zoomed(true), zoomed(false));
}

// Row and column of a glyph on a canvas.
std::pair<int, int> place_of(const Canvas& canvas, char32_t glyph) {
  for (int row = 0; row < canvas.rows(); ++row) {
    for (int column = 0; column < canvas.columns(); ++column) {
      if (canvas.at(row, column).glyph == glyph) return {row, column};
    }
  }
  return {-1, -1};
}

TEST(Roofline, a_kernel_stands_as_far_below_its_roof_as_it_is_slower) {
  // Roofs 10^12 FLOP/s and 10^10 B/s: they meet at 100 FLOP/B.
  PricedProgram program{.title = "", .kernels = {}, .roofs = {1e12, 1, 1e10}};
  KernelRow kernel;
  kernel.name = "dot";
  kernel.time = picoseconds_from_seconds(1);
  kernel.bound = Bound::matrix_unit;
  kernel.useful = Flops{1'000'000'000'000};
  kernel.traffic = Bytes{1'000'000'000};  // 1,000 FLOP/B, at the peak
  program.time = kernel.time;
  const auto drawn_with = [&program](const KernelRow& row) {
    Canvas canvas(30, 80);
    const KernelRow* only = &row;
    draw_roofline(canvas, {0, 0, 30, 80}, program, std::span(&only, 1), only, Glyphs::unicode);
    return canvas;
  };
  const Canvas at_peak = drawn_with(kernel);
  const auto [level, start] = place_of(at_peak, U'━');
  EXPECT_EQ(place_of(at_peak, U'◆').first, level) << at_peak.text();
  EXPECT_NE(at_peak.text().find("dot: 1.00T FLOP/s, 100 % of the peak; 1,000 FLOP/B"),
            std::string::npos)
      << at_peak.text();
  kernel.time = picoseconds_from_seconds(10);
  const Canvas slower = drawn_with(kernel);
  const int decade = place_of(slower, U'◆').first - place_of(slower, U'━').first;
  EXPECT_GE(decade, 10) << slower.text();  // a decade of two in 26 rows
  EXPECT_LE(decade, 14) << slower.text();
  kernel.useful = {};
  EXPECT_EQ(place_of(drawn_with(kernel), U'◆').first, -1);
  EXPECT_NE(drawn_with(kernel).text().find("no product, so it has no place here"),
            std::string::npos);
}

}  // namespace
}  // namespace tpulab::kernels_test

#include "commands/wrapped.h"

#include <gtest/gtest.h>

#include "tests/commands/desk.h"

namespace tpulab::wrapped_test {
namespace {

using Lines = std::vector<std::string>;

const Lines page{
    "Slices",
    "A slice is a generation and a size: v3-8. On v2, v3, v4, v5p and v7 the number",
    "counts cores, two on a chip; on v5e and v6e it counts chips.",
    "",
    "v2-8, v2-32 ... v2-512        two devices a chip, 8 GiB each, and one more column",
    "  base = \"v6e\" and an example that is too long for a narrow page of 60 columns",
    "Then it is one."};

TEST(Wrapped, a_page_is_broken_anew_where_a_line_had_no_room_for_the_next_word) {
  EXPECT_EQ(reflowed(page, 60),
            (Lines{"Slices", "A slice is a generation and a size: v3-8. On v2, v3, v4, v5p",
                   "and v7 the number counts cores, two on a chip; on v5e and",
                   "v6e it counts chips.", "", page[4], page[5], "Then it is one."}));
}

TEST(Wrapped, items_behind_a_number_or_a_label_are_broken_anew_and_hang_as_before) {
  const Lines items{"1 The batch is too small: the host takes longer to trace a step than the",
                    "  devices to run it. Try batch 128.                         help batch",
                    "2 Shapes change.",
                    "  caused by  stack jax; slice v5p-128; batch 1; model llama2-7b; remat full;",
                    "             mesh pipeline=8",
                    "  made = jax.jit(step).trace(params, state, x, y).lower(",
                    "      lowering_platforms=(\"tpu\",))"};
  EXPECT_EQ(reflowed(items, 58),
            (Lines{"1 The batch is too small: the host takes longer to trace a",
                   "  step than the devices to run it. Try batch 128. help", "  batch",
                   "2 Shapes change.", "  caused by  stack jax; slice v5p-128; batch 1; model",
                   "             llama2-7b; remat full; mesh pipeline=8", items[5], items[6]}));
}

TEST(Wrapped, a_page_that_has_room_stays_as_it_is) {
  EXPECT_EQ(reflowed(page, page_columns_in(0)), page);
  EXPECT_EQ(reflowed(page, page_columns_in(200)), page);
}

TEST(Wrapped, paragraphs_of_help_fill_the_rows_of_a_narrow_screen) {
  Desk desk;
  desk.context.columns = 58;
  const Lines help = desk.type("help slices").lines;
  for (std::size_t at = 1; at < 3; ++at) {
    EXPECT_LE(help.at(at).size(), 58U) << help[at];
    EXPECT_GT(help[at].size(), 45U) << help[at];
  }
}

}  // namespace
}  // namespace tpulab::wrapped_test

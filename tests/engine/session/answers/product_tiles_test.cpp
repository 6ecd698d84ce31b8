#include "engine/session/answers/product_tiles.h"

#include <gtest/gtest.h>

#include <map>

#include "engine/machine/price.h"
#include "engine/session/answers/product_rows.h"
#include "engine/session/answers/speed_ups.h"
#include "engine/session/settings/plan.h"

namespace tpulab::product_tiles_test {
namespace {

Machine machine_of(const std::string& slice) {
  Settings settings;
  settings.slice = slice;
  return machine_for(settings);
}

ProductTiles tiles_of(const MatrixWork& work, const Machine& machine) {
  const auto all = products_of({{work}, {}, {}}, machine);
  EXPECT_EQ(all.size(), 1U);
  return all.at(0);
}

const std::vector<MatrixWork> products{
    {1, 8192, 129, 8192}, {1, 32, 64, 1024}, {1, 64, 32, 10},    {1, 8192, 8192, 8192},
    {4, 100, 60, 60},     {1, 60, 300, 100}, {12, 512, 64, 512}, {1, 1000, 1000, 3, DType::f32, 3},
};

// The unit's clocks, at the chip's clock and the share of its slots that it reaches, are the term.
TEST(ProductTiles, clocks_are_the_matrix_term_of_the_price) {
  for (const char* slice : {"v2-8", "v3-8", "v4-8", "v5e-8", "v5p-8", "v6e-8"}) {
    const Machine machine = machine_of(slice);
    for (const MatrixWork& work : products) {
      const ProductTiles tiles = tiles_of(work, machine);
      const double seconds = static_cast<double>(tiles.clocks) / tiles.clock_hertz /
                             machine.generation().matrix_efficiency;
      const Price priced = price({{work}, {}, {}}, machine);
      EXPECT_NEAR(seconds, in_seconds(priced.matrix), 1e-12)
          << slice << " " << work.m << "x" << work.k << "x" << work.n;
    }
  }
}

TEST(ProductTiles, of_int8_have_the_clocks_of_its_speed) {
  for (const char* slice : {"v5e-8", "v6e-8"}) {
    const Machine machine = machine_of(slice);
    MatrixWork work{1, 8192, 4096, 14336};
    const ProductTiles bf16 = tiles_of(work, machine);
    work.quantised = true;
    const ProductTiles int8 = tiles_of(work, machine);
    EXPECT_EQ(int8.operands, "int8");
    EXPECT_EQ(int8.clocks * 2, bf16.clocks) << slice;
    const double seconds = static_cast<double>(int8.clocks) / int8.clock_hertz /
                           machine.generation().matrix_efficiency;
    EXPECT_NEAR(seconds, in_seconds(price({{work}, {}, {}}, machine).matrix), 1e-9) << slice;
    EXPECT_EQ(unit_moment(int8, int8.clocks - 1).tile, int8.folds - 1);
  }
}

TEST(ProductTiles, walked_clock_by_clock_every_phase_lasts_as_long_as_its_part_of_the_sum) {
  const Machine machine = machine_of("v3-8");
  for (const MatrixWork& work : {products[1], products[2], products[4], products[5]}) {
    const ProductTiles tiles = tiles_of(work, machine);
    std::map<UnitPhase, std::int64_t> clocks;
    std::int64_t seen = 0;
    for (std::int64_t clock = 0; clock < tiles.clocks; ++clock) {
      const UnitMoment moment = unit_moment(tiles, clock);
      ++clocks[moment.phase];
      seen = std::max(seen, moment.tile);
      EXPECT_LE(moment.row, tiles.rows);
      EXPECT_LE(moment.loaded, tiles.side);
    }
    EXPECT_EQ(clocks[UnitPhase::loading], tiles.side);
    EXPECT_EQ(clocks[UnitPhase::draining], tiles.side);
    EXPECT_EQ(clocks[UnitPhase::streaming], tiles.folds * tiles.rows);
    EXPECT_EQ(clocks[UnitPhase::waiting],
              (tiles.folds - 1) * (std::max(tiles.rows, tiles.loading) - tiles.rows));
    EXPECT_EQ(seen, tiles.folds - 1);
  }
}

// The taps of a window of 7 x 7 over three channels are packed before a row can enter.
TEST(ProductTiles, rows_that_are_packed_first_stream_until_the_last_of_them_is_there) {
  const MatrixWork stem{.m = 4096, .k = 147, .n = 64, .k_pieces = 7, .window = 49};
  const ProductTiles tiles = tiles_of(stem, machine_of("v3-8"));
  EXPECT_GT(tiles.clocks_a_row, 5);
  std::int64_t streaming = 0;
  for (std::int64_t clock = 0; clock < tiles.clocks; ++clock) {
    const UnitMoment moment = unit_moment(tiles, clock);
    if (moment.phase == UnitPhase::streaming) ++streaming;
  }
  const double rows = static_cast<double>(tiles.rows * tiles.folds) * tiles.clocks_a_row;
  EXPECT_NEAR(static_cast<double>(streaming), rows, tiles.clocks_a_row);
  EXPECT_EQ(unit_moment(tiles, tiles.clocks - 1).row, tiles.rows);
}

TEST(ProductTiles, padding_is_counted_where_it_is) {
  const ProductTiles tiles = tiles_of({1, 8192, 129, 8192}, machine_of("v3-8"));
  EXPECT_EQ(tiles.down.extent, 129);
  EXPECT_EQ(tiles.down.padded, 256);
  EXPECT_NEAR(tiles.down.zeros(), 127.0 / 256, 1e-12);
  EXPECT_EQ(tiles.streamed.padded, 8192);
  const ArraySlots slots = tiles.slots();
  EXPECT_NEAR(slots.data / (slots.data + slots.zeros), 129.0 / 256, 1e-12);
  EXPECT_NEAR(slots.data + slots.zeros + slots.waiting, 1, 1e-12);
  EXPECT_LT(slots.waiting, 0.01);
}

// Eight rows pass a tile in eight clocks, and the array has loaded it for 128 and drains for 128:
// a unit beside it has nothing to do.
TEST(ProductTiles, slots_wait_where_few_rows_pass_a_tile) {
  const ArraySlots slots = tiles_of({1, 16, 128, 128}, machine_of("v3-8")).slots();
  EXPECT_NEAR(slots.data, 16.0 / (128 + 16 + 128) / 2, 1e-12);
  EXPECT_EQ(slots.zeros, 0);
  const ArraySlots of_v2 = tiles_of({1, 16, 128, 128}, machine_of("v2-8")).slots();
  EXPECT_NEAR(of_v2.data, 2 * slots.data, 1e-12);
}

TEST(ProductTiles, hold_no_more_than_there_are_slots_in_any_network) {
  for (const auto& [model, slice] : {std::pair{"resnet50", "v2-8"},
                                     {"resnet50", "v4-8"},
                                     {"bert-large", "v3-8"},
                                     {"bert-large", "v5e-8"},
                                     {"llama3-8b", "v6e-64"}}) {
    Settings settings;
    change_all(settings, std::vector<Assignment>{{"stack", "jax"},
                                                 {"model", model},
                                                 {"slice", slice},
                                                 {"batch", "2"},
                                                 {"remat", "full"},
                                                 {"precision", "bf16-mixed"}});
    for (const KernelRow& row : estimated_program(settings).kernels) {
      for (const ProductTiles& product : row.products) {
        const ArraySlots slots = product.slots();
        EXPECT_GT(slots.data, 0) << model << " " << slice << " " << row.name;
        EXPECT_GE(slots.zeros, 0) << model << " " << slice << " " << row.name;
        EXPECT_GE(slots.waiting, -1e-3) << model << " " << slice << " " << row.name;
      }
    }
  }
}

// What the picture shows filled, summed over all tiles of one unit of one unit, is the operand.
TEST(ProductTiles, the_tiles_of_a_single_unit_hold_every_weight_once) {
  const Machine machine = machine_of("v2-8");  // one unit
  for (const MatrixWork& work : {products[0], products[1], products[4], products[5]}) {
    const ProductTiles tiles = tiles_of(work, machine);
    ASSERT_EQ(tiles.units, 1);
    std::int64_t weights = 0;
    const std::int64_t pace = std::max(tiles.rows, tiles.loading);
    for (std::int64_t tile = 0; tile < tiles.folds; ++tile) {
      const UnitMoment moment = unit_moment(tiles, tiles.side + tile * pace);
      EXPECT_EQ(moment.tile, tile);
      weights += moment.filled_down * moment.filled_across;
    }
    EXPECT_EQ(weights, work.batch * tiles.down.extent * tiles.across.extent);
  }
}

TEST(ProductTiles, rows_of_the_array_are_busy_as_long_as_rows_stream) {
  const ProductTiles tiles = tiles_of({1, 32, 64, 1024}, machine_of("v2-8"));
  for (const std::int64_t row : {std::int64_t{0}, std::int64_t{63}, std::int64_t{127}}) {
    std::int64_t busy = 0;
    for (std::int64_t clock = 0; clock < tiles.clocks; ++clock) {
      busy += row_is_busy(tiles, unit_moment(tiles, clock), row) ? 1 : 0;
    }
    EXPECT_EQ(busy, tiles.folds * tiles.rows) << row;
  }
}

TEST(ProductTiles, a_product_with_a_vector_is_the_vector_units) {
  EXPECT_TRUE(products_of({{MatrixWork{1, 1, 64, 64}}, {}, {}}, machine_of("v3-8")).empty());
}

TEST(ProductTiles, kernels_of_a_program_carry_their_products) {
  Settings settings;
  settings.model = "gemm-8192x129x8192";
  const PricedProgram program = estimated_program(settings);
  ASSERT_EQ(program.kernels.size(), 1U);
  ASSERT_EQ(program.kernels[0].products.size(), 1U);
  EXPECT_EQ(program.kernels[0].products[0].down.padded, 256);
}

}  // namespace
}  // namespace tpulab::product_tiles_test

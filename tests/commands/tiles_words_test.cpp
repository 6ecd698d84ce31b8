#include <gtest/gtest.h>

#include <regex>

#include "tests/commands/desk.h"

namespace tpulab::tiles_words_test {
namespace {

TEST(ShowTiles, tells_how_the_array_pads_a_product_and_its_clocks) {
  Desk desk;
  const std::string text = desk.answer("show tiles 8192x129x8192");
  EXPECT_NE(text.find("129 -> 256"), std::string::npos) << text;
  EXPECT_NE(text.find("50 % of them zeros"), std::string::npos) << text;
  EXPECT_NE(text.find("50 % of the slots hold data, 50 % zeros, 0.05 % wait"), std::string::npos)
      << text;
  EXPECT_NE(text.find(" clocks = 128 load + "), std::string::npos) << text;
  EXPECT_NE(text.find("bound: "), std::string::npos) << text;
}

TEST(ShowTiles, asks_nothing_of_what_is_set_for_networks) {
  Desk desk;
  desk.type("slice v6e-16; stack jax");
  const std::string alone = desk.answer("show tiles 8192x129x8192");
  desk.type("model llama2-7b; sequence 2048; batch 1; mesh pipeline=16");
  EXPECT_EQ(desk.answer("show tiles 8192x129x8192"), alone);
  EXPECT_NE(alone.find("129 -> 256"), std::string::npos) << alone;
}

TEST(ShowTiles, explain_says_the_same_numbers) {
  Desk desk;
  const std::string tiles = desk.answer("show tiles 8192x129x8192");
  const std::string explained = desk.answer("model gemm-8192x129x8192; explain gemm");
  const auto start = tiles.find("    ", tiles.find(" wait\n")) + 4;
  const std::string clocks = tiles.substr(start, tiles.find(" clocks", start) - start);
  EXPECT_NE(explained.find("50 % of the slots hold data, " + clocks + " clocks"), std::string::npos)
      << tiles << "\n"
      << explained;
}

TEST(ShowTiles, of_int8_are_its_own_clocks_where_products_are_quantised) {
  Desk desk;
  const std::string plain = desk.answer("model mlp; slice v6e-16; show tiles 8192x4096x14336");
  EXPECT_NE(desk.answer("quant int8; show tiles 8192x4096x14336")
                .find(plain.substr(plain.find("  [8192"))),
            std::string::npos)
      << plain;
  const std::string text =
      desk.answer("stack jax; model llama3-8b; precision bf16-mixed; show tiles 8192x4096x14336");
  EXPECT_NE(text.find("in int8 on"), std::string::npos) << text;
  EXPECT_NE(text.find(") / 2, as int8; "), std::string::npos) << text;
}

TEST(ShowTiles, says_whether_zeros_are_loaded_where_rows_wait_for_it) {
  Desk desk;
  const std::string load = "a tile loads in ";
  EXPECT_NE(desk.answer("show tiles 32x64x1024").find(load + "64 clocks, its zeros left out"),
            std::string::npos);
  EXPECT_NE(
      desk.answer("show tiles 32x192x1024").find(load + "128 clocks, also one that ends in zeros"),
      std::string::npos);
  // No zeros, and enough rows to hide the load.
  EXPECT_EQ(desk.answer("show tiles 32x128x1024").find(load), std::string::npos);
  EXPECT_EQ(desk.answer("show tiles 8192x129x8192").find(load), std::string::npos);
}

// Half of its HBM time is hidden by nothing: so HBM binds, as the terms that it adds up say.
TEST(ShowTiles, names_another_resource_behind_the_one_that_binds) {
  const std::string text = Desk().answer("show tiles 512x512x512");
  const std::regex terms(
      R"(first and last blocks (\S+) us \+.* max\(matrix (\S+) us \+ blocks (\S+) ns, HBM (\S+) us)"
      R"(.*bound: HBM with first and last blocks (\S+) us, then )"
      R"(matrix unit with blocks (\S+) us, )");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(text, found, terms)) << text;
  const auto number = [&found](std::size_t part) { return std::stod(found[part]); };
  EXPECT_NEAR(number(5), number(1) + number(4), 0.02) << text;
  EXPECT_NEAR(number(6), number(2) + number(3) / 1000, 0.02) << text;
}

TEST(ShowTiles, a_product_with_a_vector_loads_no_array_and_other_words_are_refused) {
  Desk desk;
  EXPECT_NE(desk.answer("show tiles 1x64x64").find("vector unit"), std::string::npos);
  for (const std::string sizes : {"8192x129", "x", "0x1x1", "-1x2x3", "1x2x16777217"}) {
    const Reply refused = desk.type("show tiles " + sizes);
    ASSERT_TRUE(refused.failed) << sizes;
    EXPECT_EQ(
        refused.lines[0],
        sizes +
            " are no sizes of a product: show tiles takes MxKxN, rows x contracted x columns, "
            "three whole numbers from 1 to 16,777,216, such as 8192x129x8192");
  }
  EXPECT_FALSE(desk.type("show tiles 1x2x16777216").failed);
}

}  // namespace
}  // namespace tpulab::tiles_words_test

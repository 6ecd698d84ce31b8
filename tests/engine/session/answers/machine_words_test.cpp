#include "engine/session/answers/machine_words.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/machine/own_generations.h"
#include "tests/temporary_folder.h"

namespace tpulab::machine_words_test {
namespace {

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

TEST(MachineWords, a_whole_pod_of_v3_is_2048_cores_with_32_tebibytes) {
  const std::string text = joined(slice_in_words("v3-2048").lines);
  EXPECT_NE(text.find("2,048 cores, 8 per host x 256 hosts, 32 TiB of HBM"), std::string::npos)
      << text;
  EXPECT_NE(text.find("1,024 chips of TPU v3, 2 cores each; the name counts cores"),
            std::string::npos);
  EXPECT_NE(text.find("2-D torus of 32 x 32 chips, wrap-around links on axis x, y"),
            std::string::npos);
}

TEST(MachineWords, a_small_slice_has_open_ends) {
  const std::string text = joined(slice_in_words("v5e-8").lines);
  EXPECT_NE(text.find("the name counts chips"), std::string::npos) << text;
  EXPECT_NE(text.find("no wrap-around links"), std::string::npos);
}

TEST(MachineWords, joined_slices_name_their_network) {
  const std::string text = joined(slice_in_words("2xv5e-256").lines);
  EXPECT_NE(text.find("2 slices, each 2-D torus of 16 x 16 chips"), std::string::npos) << text;
  EXPECT_NE(text.find("between slices the network gives"), std::string::npos);
  const std::string_view since = "; Cloud TPU joins slices (multislice) from v4 on";
  EXPECT_EQ(text.find(since), std::string::npos);
  EXPECT_NE(joined(slice_in_words("2xv3-32").lines).find(since), std::string::npos);
}

TEST(MachineWords, every_constant_of_every_generation_has_a_mark_and_a_source) {
  for (const std::string& name : generation_names()) {
    const auto lines = generation_in_words(name).lines;
    ASSERT_GT(lines.size(), 20U);
    for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
      bool marked = false;
      for (const char* mark : {"documented, ", "derived, ", "fitted, ", "assumed, "}) {
        const auto at = lines[i].find(mark);
        marked |= at != std::string::npos && lines[i].size() > at + std::string(mark).size();
      }
      EXPECT_TRUE(marked) << lines[i];
    }
  }
}

TEST(MachineWords, a_board_costs_four_chips_and_says_when) {
  // v3-8: four chips at $2.00.
  const auto price = price_of_slice("v3-8");
  ASSERT_TRUE(price);
  EXPECT_DOUBLE_EQ(price->dollars_per_hour, 8.0);
  EXPECT_EQ(price->terms, "on demand, about 2020");
}

TEST(MachineWords, a_machine_without_a_price_says_how_it_gets_one) {
  const test::TemporaryFolder folder;
  const std::string file = folder.write("slices.d/mine.toml", "base = 'v6e'\n").string();
  ASSERT_TRUE(read_own_generations(std::vector{folder.path()}).empty());
  const std::string hint = "; add price = \"2.70 $/h\", of a chip, to " + file + " and start again";
  EXPECT_EQ(slice_in_words("mine-8").lines.back(), "  price: none known" + hint);
  EXPECT_EQ(generation_in_words("mine").lines.back(), "  price: none known" + hint);
  EXPECT_EQ(price_hint_of_slice("2xmine-8"), hint);
  EXPECT_TRUE(price_hint_of_slice("v7-8").empty());
  EXPECT_EQ(slice_in_words("v7-8").lines.back(), "  price: none known");
  read_own_generations({});
}

TEST(MachineWords, unknown_names_are_told_the_nearest) {
  EXPECT_THROW(slice_in_words("v3-9"), Error);
  EXPECT_THROW(generation_in_words("v33"), Error);
}

TEST(MachineWords, a_size_from_which_axes_close_has_its_unit) {
  const std::string text = joined(slice_in_words("v4-64").lines);
  EXPECT_NE(text.find("closes from 4 chips on, in slices of 64 chips or more"), std::string::npos)
      << text;
}

}  // namespace
}  // namespace tpulab::machine_words_test

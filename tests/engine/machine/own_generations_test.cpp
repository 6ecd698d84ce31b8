#include "engine/machine/own_generations.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/machine/chip_price.h"
#include "engine/machine/machine.h"
#include "tests/temporary_folder.h"

namespace tpulab::own_generations_test {
namespace {

namespace fs = std::filesystem;

class OwnGenerations : public testing::Test {
 protected:
  void TearDown() override { read_own_generations({}); }

  // Why a file of this text is left out; lines stand for its name.
  std::vector<std::string> refusals(const std::string& text) {
    folder_.write("slices.d/mine.toml", text);
    std::vector<std::string> told = read_own_generations(std::vector{folder_.path()});
    const std::string before = (folder_ / "slices.d").string() + "/";
    for (std::string& line : told) {
      EXPECT_TRUE(line.starts_with(before)) << line;
      line.erase(0, before.size());
    }
    return told;
  }

  const test::TemporaryFolder folder_;
};

TEST_F(OwnGenerations, differ_from_their_base_in_what_they_say) {
  EXPECT_EQ(refusals("base = \"v6e\"\nhbm = \"64 GiB\"\nhbm_speed = \"3.2 TB/s\"\n"
                     "link_speed = \"180 GB/s\"\nmatrix_units = 4\n"),
            std::vector<std::string>());
  const Generation& base = generation_named("v6e");
  const Generation& own = generation_named("mine");
  EXPECT_EQ(own.hbm_gib, 64);
  EXPECT_EQ(own.hbm_bytes_per_second, 3.2e12);
  EXPECT_EQ(own.link_bytes_per_second, 180e9);
  EXPECT_EQ(own.clock_hertz, base.clock_hertz);
  EXPECT_EQ(own.matrix_flops_per_second(), 2 * base.matrix_flops_per_second());
  EXPECT_EQ(own.usable_hbm_gib, 62.5);  // v6e leaves 31.25 of 32
  EXPECT_EQ(own.hbm_gib.mark, Mark::yours);
  EXPECT_EQ(own.hbm_gib.source, (folder_ / "slices.d/mine.toml").string() + ":2");
  EXPECT_EQ(own.hop_seconds.mark, base.hop_seconds.mark);
}

TEST_F(OwnGenerations, have_the_clock_that_their_peak_needs) {
  EXPECT_TRUE(refusals("base = 'v5e'\npeak = '788 TFLOP/s'\nmatrix_units = 8\n").empty());
  EXPECT_NEAR(generation_named("mine").matrix_flops_per_second(), 788e12, 1e3);
  EXPECT_NEAR(generation_named("mine").clock_hertz, 788e12 / (2 * 128 * 128 * 8), 1);
}

TEST_F(OwnGenerations, have_the_price_that_is_paid_for_them) {
  EXPECT_TRUE(refusals("base = 'v7'\nprice = '9.5 $/h'\n").empty());
  EXPECT_EQ(chip_price(generation_named("mine"))->dollars_per_hour, 9.5);
  EXPECT_FALSE(chip_price(generation_named("v7")));
  // Another machine than its base has no list price.
  EXPECT_TRUE(refusals("base = 'v5e'\nhbm = '32 GiB'\n").empty());
  EXPECT_FALSE(chip_price(generation_named("mine")));
  EXPECT_EQ(
      refusals("base = 'v5e'\nprice = '9.5'\n"),
      std::vector<std::string>{"mine.toml:2: price takes a number and its unit in quotes, $/h"});
}

TEST_F(OwnGenerations, are_slices_whose_names_say_whose_they_are) {
  EXPECT_TRUE(refusals("base = 'v6e'\nhbm = '64 GiB'\n").empty());
  for (const char* const typed : {"mine-8", "yours:mine-8"}) {
    const Slice slice = slice_named(typed);
    EXPECT_EQ(slice.name, "yours:mine-8");
    EXPECT_EQ(slice.hbm_per_device(), Bytes{std::int64_t{64} << 30});
    EXPECT_EQ(slice.hosts, slice_named("v6e-8").hosts);
  }
  EXPECT_EQ(slice_named("2xmine-8").name, "2xyours:mine-8");
  EXPECT_EQ(slice_named("2xyours:mine-8").chips, 16);
  EXPECT_THROW(slice_named("mine-9"), Error);
  EXPECT_THROW(slice_named("yours:v6e-8"), Error);
  std::vector<std::string> names = slice_names();
  EXPECT_NE(std::ranges::find(names, "yours:mine-256"), names.end());
}

TEST_F(OwnGenerations, with_a_wrong_line_are_left_out_with_its_number) {
  using Told = std::vector<std::string>;
  EXPECT_EQ(refusals("base = 'v6e'\nhbm = '64 GB'\n"),
            Told{"mine.toml:2: hbm takes a number and its unit in quotes, GiB or MiB or TiB"});
  EXPECT_EQ(refusals("base = 'v6e'\nhbm = 64\n").size(), 1U);
  EXPECT_EQ(refusals("base = 'v6e'\n\nhmb = '64 GiB'\n"),
            Told{"mine.toml:3: there is no key 'hmb'; did you mean hbm?"});
  EXPECT_EQ(refusals("base = 'v9'\n"),
            Told{"mine.toml:1: base says which generation it is like: \"v2\", \"v3\", \"v4\", "
                 "\"v5e\", \"v5p\", \"v6e\", \"v7\""});
  EXPECT_EQ(refusals("base = 'v6e'\nlink_speed = '1e30 GB/s'\n"),
            Told{"mine.toml:2: link_speed is more than 1000 times away from that of v6e"});
  EXPECT_EQ(refusals("base = 'v6e'\nhbm = 'nan GiB'\n").size(), 1U);
  EXPECT_EQ(refusals("base = 'v6e'\nmatrix_side = 100\n"),
            Told{"mine.toml:2: matrix_side is a multiple of 8"});
  EXPECT_EQ(refusals("base = 'v6e'\nmatrix_units = 0\n").size(), 1U);
  EXPECT_EQ(refusals("base = 'v6e'\npeak = '1 PFLOP/s'\nclock = '2 GHz'\n"),
            Told{"mine.toml:2: peak and clock say the same; take one out"});
  EXPECT_EQ(refusals("base = \n").size(), 1U);
  EXPECT_EQ(refusals("").size(), 1U);
  EXPECT_TRUE(own_generations().empty());
}

TEST_F(OwnGenerations, have_a_built_in_base_and_no_tables) {
  using Told = std::vector<std::string>;
  EXPECT_EQ(
      refusals("[machine]\nbase = 'v6e'\n"),
      Told{"mine.toml:1: there are no tables in such a file: take [machine] out and leave the "
           "keys in it"});
  folder_.write("slices.d/other.toml", "base = 'v6e'\n");
  for (const std::string base : {"other", "yours:other"}) {
    EXPECT_EQ(refusals("base = '" + base + "'\n"),
              Told{"mine.toml:1: a machine of your own cannot be the base; it is one of \"v2\", "
                   "\"v3\", \"v4\", \"v5e\", \"v5p\", \"v6e\", \"v7\""});
  }
  EXPECT_EQ(refusals("base = '/other'\n").front().find("of your own"), std::string::npos);
}

TEST_F(OwnGenerations, are_told_alike_however_their_file_says_it) {
  EXPECT_TRUE(refusals("base = 'v5e'\nhbm_speed = '1000 GB/s'\npeak = '394 TFLOP/s'\n").empty());
  const auto told = own_machine("yours:mine");
  ASSERT_TRUE(told);
  EXPECT_EQ(told->says, "base v5e, hbm_speed 1000 GB/s, clock 3.00598145 GHz");
  EXPECT_EQ(told->file, (folder_ / "slices.d/mine.toml").string());
  EXPECT_TRUE(refusals("peak = '0.394 PFLOP/s'\nhbm_speed = '1 TB/s'\nbase = 'v5e'\n").empty());
  EXPECT_EQ(own_machine("yours:mine")->says, told->says);
  EXPECT_TRUE(refusals("base = 'v5e'\nmatrix_units = 8\nprice = '2.5 $/h'\n").empty());
  EXPECT_EQ(own_machine("yours:mine")->says, "base v5e, matrix_units 8, price 2.5 $/h");
  EXPECT_FALSE(own_machine("v5e"));
}

TEST_F(OwnGenerations, act_beside_one_that_is_left_out) {
  folder_.write("slices.d/first.toml", "base = 'v3'\nhbm = '32 GiB'\n");
  EXPECT_EQ(refusals("base = 'v6e'\nhbm = '64 GB'\n").size(), 1U);
  ASSERT_EQ(own_generations().size(), 1U);
  EXPECT_EQ(own_generations()[0].name, "yours:first");
}

std::string refusal(const std::string& slice) {
  try {
    return slice_named(slice).name;
  } catch (const Error& error) {
    return error.what();
  }
}

TEST_F(OwnGenerations, that_were_left_out_say_why_where_they_are_asked_for) {
  const std::vector<std::string> told = refusals("base = 'v6e'\nhbm = '64 GB'\nhmb = 2\n");
  EXPECT_EQ(told.size(), 2U);
  const std::string file = (folder_ / "slices.d/mine.toml").string();
  EXPECT_EQ(refusal("mine-8"), "unknown slice 'mine-8': " + file + told.front().substr(9) +
                                   "; once that is mended, start the program again");
  EXPECT_EQ(refusal("2xyours:Mine-8").substr(0, 31), "unknown slice '2xyours:Mine-8':");
  EXPECT_THROW(generation_named("mine"), Error);
  EXPECT_TRUE(why_no_machine("other").empty());
}

TEST_F(OwnGenerations, that_were_written_after_the_start_say_when_they_are_read) {
  EXPECT_TRUE(refusals("base = 'v6e'\n").empty());
  const fs::path file = folder_.write("slices.d/later.toml", "base = 'v6e'\n");
  EXPECT_EQ(refusal("later-8"), "unknown slice 'later-8': " + file.string() +
                                    " was not there when the program started, which is when "
                                    "such files are read; start it again");
  EXPECT_TRUE(why_no_machine("../slices.d/later").empty());
}

TEST_F(OwnGenerations, of_which_a_folder_has_too_many_say_how_many_are_read) {
  for (int i = 0; i < 66; ++i) {
    folder_.write("slices.d/of" + std::to_string(i) + ".toml", "base = 'v6e'\n");
  }
  const std::vector<std::string> told = read_own_generations(std::vector{folder_.path()});
  const std::string why = (folder_ / "slices.d").string() + ": of 66 files the first 64 are read";
  EXPECT_EQ(told, std::vector{why});
  EXPECT_EQ(own_generations().size(), 64U);
  EXPECT_TRUE(refusal("of9-8").starts_with("unknown slice 'of9-8': " + why)) << refusal("of9-8");
}

TEST_F(OwnGenerations, are_meant_where_a_letter_is_wrong) {
  folder_.write("slices.d/bighbm.toml", "base = 'v6e'\n");
  EXPECT_TRUE(refusals("base = 'v6e'\n").empty());
  for (const std::string typed : {"bigbhm", "yours:bigbhm"}) {
    EXPECT_NE(refusal(typed + "-8").find("'; did you mean bighbm-8? "), std::string::npos);
    EXPECT_NE(refusal("2x" + typed + "-8").find("did you mean 2xbighbm-8? "), std::string::npos);
    try {
      generation_named(typed);
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("did you mean bighbm?"), std::string::npos);
    }
  }
  for (int i = 0; i < 20; ++i) {
    folder_.write("slices.d/of" + std::to_string(i) + ".toml", "base = 'v6e'\n");
  }
  EXPECT_TRUE(refusals("base = 'v6e'\n").empty());
  EXPECT_NE(refusal("dgx-8").find("yours:of13 and 14 more of yours) and a size"), std::string::npos)
      << refusal("dgx-8");
}

TEST_F(OwnGenerations, of_the_user_take_the_place_of_the_sites) {
  folder_.write("site/slices.d/big.toml", "base = 'v6e'\nhbm = '64 GiB'\n");
  folder_.write("user/slices.d/big.toml", "base = 'v6e'\nhbm = '96 GiB'\n");
  EXPECT_TRUE(read_own_generations(std::vector{folder_ / "site", folder_ / "user"}).empty());
  ASSERT_EQ(own_generations().size(), 1U);
  EXPECT_EQ(own_generations()[0].hbm_gib, 96);
}

TEST_F(OwnGenerations, say_why_their_file_cannot_be_called_so) {
  const auto told = [&](const std::string& file) {
    const fs::path path = folder_.write("slices.d/" + file, "base = 'v6e'\n");
    std::vector<std::string> lines = read_own_generations(std::vector{folder_.path()});
    fs::remove(path);
    return lines.size() == 1 ? lines.front().substr(path.string().size()) : "";
  };
  for (const std::string name : {"e12", "v100x", "a12"}) {
    EXPECT_EQ(told(name + ".toml"), ": a letter and two digits or more, as in " + name +
                                        ", begin the name of a GPU; give the file another name");
  }
  EXPECT_EQ(told("trillium.toml"),
            ": trillium is a built-in generation; give the file another name");
  EXPECT_EQ(told("Big.toml"),
            ": a machine is called as its file, a small letter and up to 15 small letters and "
            "digits; give the file another name");
}

TEST_F(OwnGenerations, are_never_called_as_others_are) {
  for (const char* const file : {"v6e", "h100", "2big", "a-b", "Big", "verylongnameofamachine"}) {
    folder_.write(fs::path("slices.d") / (std::string(file) + ".toml"), "base = 'v6e'\n");
    EXPECT_EQ(read_own_generations(std::vector{folder_.path()}).size(), 1U) << file;
    fs::remove(folder_ / "slices.d" / (std::string(file) + ".toml"));
  }
  EXPECT_TRUE(own_generations().empty());
}

}  // namespace
}  // namespace tpulab::own_generations_test

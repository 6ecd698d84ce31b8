#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/machine/machine.h"
#include "engine/machine/slice_search.h"

namespace tpulab::slices_test {
namespace {

using Axes = std::array<int, 3>;
using Wraps = std::array<bool, 3>;

std::string refusal(std::string_view name) {
  try {
    slice_named(name);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Slices, v3_8_is_one_host_with_eight_cores_on_two_by_two_chips) {
  const Slice slice = slice_named("v3-8");
  EXPECT_EQ(slice.chips, 4);
  EXPECT_EQ(slice.cores(), 8);
  EXPECT_EQ(slice.devices(), 8);
  EXPECT_EQ(slice.hosts, 1);
  EXPECT_EQ(slice.devices_per_host(), 8);
  EXPECT_EQ(slice.torus, (Axes{2, 2, 1}));
  EXPECT_EQ(slice.wraps, (Wraps{false, false, false}));
  EXPECT_EQ(slice.hbm_per_device(), (Bytes{std::int64_t{16} << 30}));
  EXPECT_EQ(slice.hbm(), (Bytes{std::int64_t{128} << 30}));
}

TEST(Slices, v3_2048_is_a_pod_of_256_hosts_and_32_tebibytes) {
  const Slice slice = slice_named("v3-2048");
  EXPECT_EQ(slice.cores(), 2048);
  EXPECT_EQ(slice.hosts, 256);
  EXPECT_EQ(slice.devices_per_host(), 8);
  EXPECT_EQ(slice.torus, (Axes{32, 32, 1}));
  EXPECT_EQ(slice.wraps, (Wraps{true, true, false}));
  EXPECT_EQ(slice.hbm(), (Bytes{std::int64_t{32} << 40}));
}

TEST(Slices, v4_names_count_cores_but_a_device_is_a_chip) {
  const Slice slice = slice_named("v4-128");
  EXPECT_EQ(slice.chips, 64);
  EXPECT_EQ(slice.devices(), 64);
  EXPECT_EQ(slice.torus, (Axes{4, 4, 4}));
  EXPECT_EQ(slice.wraps, (Wraps{true, true, true}));
  EXPECT_EQ(slice.hosts, 16);
  EXPECT_EQ(slice_named("v4-8").torus, (Axes{2, 2, 1}));
  EXPECT_FALSE(slice_named("v4-8").wraps[1]);
  // 3,456 chips are 54 = 3 x 3 x 6 cubes of 4 x 4 x 4.
  EXPECT_EQ(slice_named("v4-6912").torus, (Axes{12, 12, 24}));
}

TEST(Slices, v5e_names_count_chips_and_only_an_axis_of_sixteen_is_a_ring) {
  EXPECT_EQ(slice_named("v5e-8").devices(), 8);
  EXPECT_EQ(slice_named("v5e-8").hosts, 1);
  EXPECT_EQ(slice_named("v5e-16").hosts, 4);
  EXPECT_EQ(slice_named("v5e-1").torus, (Axes{1, 1, 1}));
  EXPECT_EQ(slice_named("v5e-128").torus, (Axes{8, 16, 1}));
  EXPECT_EQ(slice_named("v5e-128").wraps, (Wraps{false, true, false}));
  EXPECT_EQ(slice_named("v5litepod-256").name, "v5e-256");
  EXPECT_EQ(slice_named("Trillium-8").name, "v6e-8");
}

TEST(Slices, newer_generations_have_their_own_shapes) {
  // v5p names count cores: 6,144 chips are 96 = 4 x 4 x 6 cubes of 4 x 4 x 4.
  EXPECT_EQ(slice_named("v5p-12288").torus, (Axes{16, 16, 24}));
  EXPECT_EQ(slice_named("v5p-17920").torus, (Axes{16, 20, 28}));
  EXPECT_EQ(slice_named("v6e-256").torus, (Axes{16, 16, 1}));
  EXPECT_EQ(slice_named("v6e-256").hosts, 64);
}

TEST(Slices, tpu7x_names_count_cores_two_of_them_devices_of_a_chip) {
  const Slice board = slice_named("tpu7x-8");
  EXPECT_EQ(board.chips, 4);
  EXPECT_EQ(board.devices(), 8);
  EXPECT_EQ(board.hosts, 1);
  EXPECT_EQ(board.torus, (Axes{2, 2, 1}));
  EXPECT_EQ(slice_named("tpu7x-128").chips, 64);
  EXPECT_EQ(slice_named("tpu7x-128").hosts, 16);
}

TEST(Slices, below_a_whole_cube_of_4x4x4_no_axis_is_a_ring) {
  for (const char* name : {"v4-64", "v5p-64"}) {
    EXPECT_EQ(slice_named(name).torus, (Axes{2, 4, 4})) << name;
    EXPECT_EQ(slice_named(name).wraps, (Wraps{false, false, false})) << name;
  }
  EXPECT_EQ(slice_named("v5p-128").wraps, (Wraps{true, true, true}));
}

TEST(Slices, are_read_in_capitals_and_by_the_name_that_a_generation_is_sold_by) {
  EXPECT_EQ(slice_named("V3-8").name, "v3-8");
  EXPECT_EQ(slice_named("ironwood-8").name, slice_named("tpu7x-8").name);
  EXPECT_EQ(slice_named("Ironwood-8").devices(), 8);
}

TEST(Slices, that_leave_a_letter_out_are_answered_with_those_that_have_it) {
  EXPECT_NE(refusal("v5-8").find("did you mean v5e-8 or v5p-8?"), std::string::npos);
  EXPECT_EQ(refusal("v9-8").find("did you mean"), std::string::npos) << refusal("v9-8");
}

TEST(Slices, joined_slices_are_counted_together) {
  const Slice slice = slice_named("4xv3-2048");
  EXPECT_EQ(slice.name, "4xv3-2048");
  EXPECT_EQ(slice.joined, 4);
  EXPECT_EQ(slice.cores(), 8192);
  EXPECT_EQ(slice.hosts, 1024);
  EXPECT_EQ(slice.torus, (Axes{32, 32, 1}));
  EXPECT_EQ(slice_named("1xv3-8").name, "v3-8");
  EXPECT_FALSE(refusal("0xv3-8").empty());
  EXPECT_FALSE(refusal("xv3-8").empty());
  EXPECT_NE(refusal("1000xv3-8").find("at most 256"), std::string::npos);
  EXPECT_NE(refusal("2xv3-9").find("the nearest are"), std::string::npos);
}

TEST(Slices, every_offered_name_can_be_requested_and_keeps_its_name) {
  for (const std::string& name : slice_names()) {
    const Slice slice = slice_named(name);
    EXPECT_EQ(slice.name, name);
    EXPECT_EQ(slice.torus[0] * slice.torus[1] * slice.torus[2], slice.chips) << name;
    EXPECT_EQ(slice.devices_per_host() * slice.hosts, slice.devices()) << name;
  }
}

TEST(Slices, an_unknown_size_is_answered_with_the_nearest_of_its_generation) {
  EXPECT_EQ(refusal("v3-9"),
            "unknown slice 'v3-9'; v3 names count cores, the nearest are v3-8, v3-32, v3-64");
  EXPECT_NE(refusal("v3-4096").find("v3-2048"), std::string::npos);
  EXPECT_NE(refusal("v5e-3").find("count chips"), std::string::npos);
  EXPECT_NE(refusal("v3").find("v3-8"), std::string::npos);
}

TEST(Slices, an_unknown_generation_is_answered_with_the_nearest_name_and_examples) {
  EXPECT_NE(refusal("w3-8").find("did you mean v3-8?"), std::string::npos) << refusal("w3-8");
  EXPECT_NE(refusal("dgx").find("for example v2-8, v3-8"), std::string::npos) << refusal("dgx");
  EXPECT_FALSE(refusal("").empty());
  EXPECT_FALSE(refusal("v3--8").empty());
  EXPECT_FALSE(refusal("v3-8x").empty());
  EXPECT_FALSE(refusal("v3-99999999999").empty());
}

TEST(Slices, are_found_by_their_devices_in_the_generation_first) {
  const Generation& v3 = *slice_named("v3-8").generation;
  EXPECT_EQ(slice_with(2048, v3)->name, "v3-2048");
  EXPECT_EQ(slice_with(4, v3)->name, "v4-8");
  EXPECT_EQ(slice_with(4, *slice_named("v5e-8").generation)->name, "v5e-4");
  EXPECT_FALSE(slice_with(7, v3));
}

}  // namespace
}  // namespace tpulab::slices_test

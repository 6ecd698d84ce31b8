#include "engine/forecast/points.h"

#include <gtest/gtest.h>

#include <set>

#include "engine/base/error.h"
#include "engine/machine/machine.h"

namespace tpulab {
namespace {

constexpr const char* head = R"([defaults]
cores = 1
batch = 1
remat = false
quant = "none"
noise = 0.01
stack = "jax"
year = 2025
precision = "bf16"
source = "a note"

[[group]]
hardware = "v6e-1"
kind = "device"
points = [
)";

std::string complaint_of(const std::string& entries) {
  try {
    parse_points(head + entries + "\n]\n", "mine.toml");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(MeasuredPoints, an_entry_takes_what_it_does_not_say_from_group_and_defaults) {
  const auto points = parse_points(
      std::string(head) +
          R"({id = "a", kernel = "gemm", m = 1, k = 2, n = 3, unit = "us", value = 4.5}])",
      "mine.toml");
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0].stack, "jax");
  EXPECT_EQ(points[0].size("k"), 2);
  EXPECT_EQ(points[0].size("depth"), 0);
  EXPECT_EQ(points[0].remat, "none");
  EXPECT_FALSE(points[0].model);
}

TEST(MeasuredPoints, a_missing_key_is_named_with_file_and_line) {
  EXPECT_EQ(complaint_of(R"({id = "a", kernel = "gemm", unit = "us"})"),
            "mine.toml:16: point 'a' has no 'value'; add it to the entry, its group or the "
            "defaults");
}

TEST(MeasuredPoints, a_unit_that_the_workload_does_not_have_is_refused) {
  EXPECT_EQ(complaint_of(R"({id = "a", kernel = "gemm", unit = "mfu", value = 1.0})"),
            "mine.toml:16: point 'a' has the unit 'mfu', which a kernel does not have; there are: "
            "clocks, us, ms");
}

TEST(MeasuredPoints, names_that_do_not_exist_and_ids_that_come_twice_are_refused) {
  const std::string slice =
      complaint_of(R"({id = "a", kernel = "gemm", unit = "us", value = 1, hardware = "v6e-3"})");
  EXPECT_NE(slice.find("unknown slice 'v6e-3'"), std::string::npos) << slice;
  const std::string one = R"({id = "a", kernel = "gemm", unit = "us", value = 1})";
  const std::string twice = complaint_of(one + ",\n" + one);
  EXPECT_NE(twice.find("mine.toml:17: point 'a' has an id"), std::string::npos) << twice;
  const std::string kind =
      complaint_of(R"({id = "a", kind = "guess", kernel = "gemm", unit = "us", value = 1})");
  EXPECT_NE(kind.find("unknown kind 'guess'"), std::string::npos) << kind;
  const std::string value = complaint_of(R"({id = "a", kernel = "gemm", unit = "us", value = -1})");
  EXPECT_NE(value.find("above zero"), std::string::npos) << value;
}

TEST(MeasuredPoints, bad_toml_is_named_with_its_line) {
  const std::string text = complaint_of("{id = }");
  EXPECT_EQ(text.rfind("mine.toml:16: ", 0), 0U) << text;
}

TEST(MeasuredPoints, the_shipped_ones_are_complete_and_name_real_slices) {
  std::set<std::string> ids;
  int runs = 0;
  for (const MeasuredPoint& point : shipped_points()) {
    EXPECT_TRUE(ids.insert(point.id).second) << point.id;
    if (!point.model) continue;
    ++runs;
    const std::int64_t chips = point.size("chips");
    if (chips == 0) continue;
    EXPECT_EQ(slice_named(point.hardware).chips, chips) << point.id;
  }
  EXPECT_GE(runs, 80);
}

}  // namespace
}  // namespace tpulab

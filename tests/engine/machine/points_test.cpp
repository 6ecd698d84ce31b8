#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <set>

#include "engine/evidence/calibration.h"

namespace tpulab::points_test {
namespace {

using Points = std::vector<MeasuredPoint>;

const std::span<const FittedConstant> v3_constants = fitted_constants().first(3);
const std::span<const FittedConstant> v6e_constants = fitted_constants().subspan(3);

Points points_of(const char* file, std::string_view slice) {
  Points points = read_points(std::string(TPULAB_SOURCE_DIR) + "/bench/points/" + file);
  std::erase_if(points,
                [&](const MeasuredPoint& point) { return !point.hardware.starts_with(slice); });
  return points;
}

Generations shipped() { return {generations().begin(), generations().end()}; }

double in_microseconds(const MeasuredPoint& point) {
  if (point.unit == "ms") return point.value * 1e3;
  return point.unit == "us" ? point.value : point.value / 940;  // clocks of v3
}

struct Summary {
  double mean = 0;
  double median = 0;
};

Summary summary_of(std::vector<double> errors) {
  std::ranges::sort(errors);
  const std::size_t middle = errors.size() / 2;
  const double upper = errors[middle];
  return {std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<double>(errors.size()),
          errors.size() % 2 == 1 ? upper : (errors[middle - 1] + upper) / 2};
}

std::vector<double> errors_of(const Points& points, const Generations& rows) {
  std::vector<double> errors;
  for (const MeasuredPoint& point : points)
    errors.push_back(std::abs(error_of(point, predicted_kernel(point, rows))));
  return errors;
}

// "C-K5.512" and "C-K5.8192" are one published row, left out together.
std::string row_name(const MeasuredPoint& point) { return point.id.substr(0, point.id.find('.')); }

std::vector<double> left_out_errors(const Points& points,
                                    std::span<const FittedConstant> constants) {
  std::set<std::string> rows;
  for (const MeasuredPoint& point : points) rows.insert(row_name(point));
  std::vector<double> errors;
  for (const std::string& row : rows) {
    Points kept, left_out;
    for (const MeasuredPoint& point : points) {
      (row_name(point) == row ? left_out : kept).push_back(point);
    }
    const auto more = errors_of(left_out, fitted(shipped(), constants, kept));
    errors.insert(errors.end(), more.begin(), more.end());
  }
  return errors;
}

// With TPULAB_SHOW_POINTS set, each point on a line; the summary always.
Summary show(std::string_view name, const Points& points, std::vector<double> errors) {
  if (std::getenv("TPULAB_SHOW_POINTS") != nullptr) {
    for (const MeasuredPoint& point : points) {
      fmt::print("{:<28} {:>12.5g} predicted {:>12.5g} measured {:<6} {:+.1f} %\n", point.id,
                 predicted_kernel(point, shipped()), point.value, point.unit,
                 error_of(point, predicted_kernel(point, shipped())) * 100);
    }
  }
  const Summary summary = summary_of(errors);
  fmt::print("{}: {} values, mean {:.1f} %, median {:.1f} %\n", name, errors.size(),
             summary.mean * 100, summary.median * 100);
  return summary;
}

Summary show(std::string_view name, const Points& points) {
  return show(name, points, errors_of(points, shipped()));
}

void keep_longer_than_20_us(Points& points) {
  std::erase_if(points, [](const MeasuredPoint& point) { return in_microseconds(point) < 20; });
}

TEST(Points, kernels_of_one_v3_core_are_met_within_eight_percent) {
  const Points points = points_of("kernels.toml", "v3-8");
  EXPECT_EQ(points.size(), 13U);
  EXPECT_LE(show("v3 core, in sample", points).mean, 0.08);
}

TEST(Points, kernels_of_one_v3_core_left_out_of_the_fit_are_met_within_eleven_percent) {
  const Points points = points_of("kernels.toml", "v3-8");
  EXPECT_LE(show("v3 core, left out", {}, left_out_errors(points, v3_constants)).mean, 0.11);
}

TEST(Points, kernels_of_v5e_and_v6e_are_met_within_ten_percent) {
  Points points = points_of("kernels.toml", "v6e");
  for (const MeasuredPoint& point : points_of("kernels.toml", "v5e-1")) {
    if (point.workload == "gemm") points.push_back(point);
  }
  EXPECT_EQ(points.size(), 17U);
  EXPECT_LE(show("v5e and v6e, in sample", points).median, 0.10);
  keep_longer_than_20_us(points);
  EXPECT_LE(show("v5e and v6e over 20 us, in sample", points).median, 0.08);
}

TEST(Points, kernels_of_v6e_left_out_of_the_fit_are_met_within_fifteen_percent) {
  Points points = points_of("kernels.toml", "v6e");
  EXPECT_LE(show("v6e, left out", {}, left_out_errors(points, v6e_constants)).median, 0.15);
}

TEST(Points, a_spread_over_other_v6e_kernels_is_met_within_fifteen_percent) {
  Points points = points_of("check_v6e.toml", "v6e");
  EXPECT_LE(show("v6e, not fitted to", points).median, 0.15);
  keep_longer_than_20_us(points);
  EXPECT_LE(show("v6e over 20 us, not fitted to", points).median, 0.10);
}

TEST(Points, the_constants_shipped_are_near_the_best_fit) {
  const Points points = points_of("kernels.toml", "v3-8");
  EXPECT_LE(mean_error(shipped(), points),
            mean_error(fitted(shipped(), v3_constants, points), points) + 0.005);
}

TEST(Points, a_fit_moves_a_constant_to_where_the_error_is_smallest) {
  // GIVEN a core that starts kernels ten times too slowly.
  Generations rows = shipped();
  Constant& start = std::ranges::find(rows, "v3", &Generation::name)->kernel_seconds;
  start.value *= 10;
  const Points points = points_of("kernels.toml", "v3-8");
  const double before = mean_error(rows, points);
  EXPECT_LT(mean_error(fitted(rows, v3_constants, points), points), before / 2);
}

}  // namespace
}  // namespace tpulab::points_test

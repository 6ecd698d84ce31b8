// How far an estimate may be off: the held-out error of its class, beside the nearest measured
// point.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "engine/evidence/nearest_point.h"
#include "engine/evidence/points.h"
#include "engine/forecast/resolved_step.h"

namespace tpulab {

// The 90th percentile of the errors of a class of measured points when they are left out of the
// fit, the larger of model by model and generation by generation, rounded up to whole percents; a
// test holds it against validate().
struct ErrorBand {
  std::string_view name;  // "language models on joined slices"
  PointKind kind{};
  double width = 0;
  int points = 0;
};
inline constexpr std::array<ErrorBand, 7> error_bands{{
    {"products", PointKind::device, 0.14, 227},
    {"attention", PointKind::device, 0.21, 51},
    {"decoding", PointKind::device, 0.31, 7},
    {"other kernels", PointKind::device, 0.11, 9},
    {"language models", PointKind::step, 0.10, 31},
    {"language models on joined slices", PointKind::step, 0.11, 34},
    {"image networks", PointKind::step, 0.31, 6},
}};
// How much longer than estimated runs with ordinary software took, nine of ten of them: what makes
// them slow beyond the causes that a stack names is known as this factor alone, to one side.
inline constexpr double ordinary_delay = 0.86;
inline constexpr int ordinary_points = 13;

// nullptr if fewer than four points of the class are measured.
const ErrorBand* band_of_class(std::string_view name);

// The class of a point: the family of its network and whether slices are joined; kernels by what
// they are. Of one that is described.
std::string_view class_of(const MeasuredPoint& point);

// The band that is printed for what was measured: of its class, else the widest of its kind.
double band_width(const MeasuredPoint& point);

// Where an estimate stands beside measurements.
struct ForecastBand {
  double width = 0;  // relative, the 90th percentile of the class's held-out errors
  // How much longer a step may take, where software that is not tuned or measured steps reach
  // beyond the class to one side; else 0.
  double slower = 0;
  std::string source{};  // "12 step points, each left out"
  std::string wider{};   // what reaches beyond that: "longer: as the nearest took"; may be empty
  NearestPoint nearest{};
};

ForecastBand band_of(const ResolvedStep& step, const Slice& slice);

}  // namespace tpulab

// validate(): every measured point beside what is predicted for it, in sample and left out.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/evidence/points.h"
#include "engine/evidence/statistics.h"

namespace tpulab {

struct ValidatedPoint {
  std::string id;
  PointKind kind{};
  std::string workload;
  std::string generation;
  double predicted = 0;
  double measured = 0;
  double noise = 0;
  std::string unit;
  std::string series;  // of a model: runs that one source published; empty for kernels
  bool fits = true;    // HBM of a device
  // Signed, (predicted - measured) / measured; zero within the noise, and where a bound holds.
  double error = 0;
  double without_model = 0;       // the same, fitted without the points of this model or kernel
  double without_generation = 0;  // the same, fitted without the points of this generation
  double predicted_without_model = 0;
  double predicted_without_generation = 0;
};

struct SkippedPoint {
  std::string id;
  std::string reason;
};

struct Inside {
  double band = 0;
  int points = 0;
  int inside = 0;
};

using Summaries = std::map<std::string, ErrorSummary>;  // by class, and "all"

struct Validation {
  std::vector<ValidatedPoint> points;
  std::vector<SkippedPoint> skipped;
  Summaries in_sample;
  Summaries without_model;
  Summaries without_generation;
  // Of the kernels and steps of each class, how many lie inside the band that is printed.
  std::map<std::string, Inside> inside;
  // Of two runs that one source published, by how much their ratio is missed: each run of a series
  // over its first.
  ErrorSummary ratios;
  int fitted_constants = 0;
  int fitting_points = 0;  // those that the constants were fitted to
};

// Constants are fitted to the points shipped, whichever are asked. Left out means: fitted again
// without those of the asked point's model, or generation. A generation whose constants were
// fitted takes the middle of their plausible ranges when it is left out.
Validation validate(const std::vector<MeasuredPoint>& points);

// A table with a line for each point, then the summaries.
std::string text_of(const Validation& validation);
// {"points": [{"id", "class", "predicted", "measured", "unit", "error"}], "summary": {CLASS:
// {"count", "mean", "median", "p90", "kendall_tau"}}}, in sample.
std::string json_of(const Validation& validation);

// `tpulab validate [--points FILE] [--json]`: the whole answer. An empty file name takes the points
// shipped with the program. Throws Error, and Impossible where not one point is predicted.
std::string validate_answer(const std::string& points_file, bool json);

}  // namespace tpulab

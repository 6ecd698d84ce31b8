// The measured run that is nearest to an estimate, and what is estimated for it.
#pragma once

#include <optional>
#include <string>

#include "engine/evidence/points.h"
#include "engine/forecast/forecast.h"

namespace tpulab {

struct NearestPoint {
  std::string id{};  // "C-P4", empty if no point has this model, or a kernel of this kind
  // Where the point differs in sizes alone (rows, tokens, mesh, devices) and is predicted.
  std::string found{};            // "46 ms measured there, 45.2 ms estimated"
  std::optional<double> error{};  // signed, relative: what the estimate of its time is off
  bool of_steps = false;          // or of a kernel: not of a bound that nothing is beyond
};

// Steady steps, evaluation included or not; no bounds to one side.
bool tells_steps(PointKind kind);

// Signed, relative: what the estimate of a point's time is off; none where it does not say enough.
std::optional<double> error_of_time(const MeasuredPoint& point);

// Of the same generation first, then the nearest size, then the nearest stack.
// `asked` has its choices filled in.
NearestPoint nearest_point(const ForecastRequest& asked, const Slice& slice);
// The same of a single kernel, among those of its kind: its numbers and generation first, then
// sizes.
NearestPoint nearest_kernel(const ForecastRequest& asked, const Slice& slice);

}  // namespace tpulab

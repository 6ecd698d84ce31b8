// A figure of one line as SVG.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/session/snapshot.h"

namespace tpulab {

// Losses by their steps, on axes that hold all of them; points that are not finite are left out.
std::string svg_of(std::string_view title, const std::vector<LossPoint>& points);

}  // namespace tpulab

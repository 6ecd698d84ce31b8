// The metrics report as one release of PyTorch/XLA prints it: which names it has, in which order,
// and parts of times rounded as there.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/runtime/metrics.h"

namespace tpulab {

// "1.13", "2.9", oldest first.
std::span<const std::string_view> report_releases();

// What that release counts, in groups that it prints one behind the other, each sorted. Names that
// it does not have are left out or renamed; what no run here measures is not made up. Throws Error
// for a release that is not among report_releases().
std::vector<MetricsData> data_of_release(const MetricsData& data, std::string_view version);
std::string report_of_release(const MetricsData& data, std::string_view version);

// What the release prints besides that no run here can know, in words.
std::string_view missing_in_release(std::string_view version);

}  // namespace tpulab

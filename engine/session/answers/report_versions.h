// Releases of PyTorch/XLA whose metrics report can be printed, for who types them.
#pragma once

#include <span>
#include <string_view>

namespace tpulab {

// "1.13", "2.9", oldest first.
std::span<const std::string_view> report_versions();
// What such a report has that no run here can know, in words. Throws Error for another release.
std::string_view missing_in_report(std::string_view version);

}  // namespace tpulab

#include "engine/session/answers/report_versions.h"

#include "engine/formats/report_release.h"

namespace tpulab {

std::span<const std::string_view> report_versions() { return report_releases(); }

std::string_view missing_in_report(std::string_view version) { return missing_in_release(version); }

}  // namespace tpulab

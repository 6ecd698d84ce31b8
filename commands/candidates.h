// Candidates for completion, from the settings' rows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/session/settings/settings.h"

namespace tpulab {

std::vector<std::string> setting_names();
// Values of one setting; empty for an unknown name.
std::vector<std::string> value_candidates(std::string_view name, const Settings& settings);
// "batch=", and "precision=bf16-true" where the values are known.
std::vector<std::string> assignment_candidates(const Settings& settings);

}  // namespace tpulab

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
// With the names that machines have beside those that are offered, where the word begins so: the
// user's own without their mark, and joined ones, "2xv3-8".
std::vector<std::string> with_other_names(std::vector<std::string> candidates,
                                          std::string_view word);

}  // namespace tpulab

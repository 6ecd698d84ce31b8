// Which settings change nothing with the others as they are, and why. Every verb that takes a
// setting asks here.
#pragma once

#include <string>

#include "engine/session/settings/settings.h"

namespace tpulab {

// "no effect on mlp, which is trained as it is"; empty where the setting may act.
std::string no_effect(const Settings& settings, std::string_view name);

// Tokens of a row that blocks of the stack's attention kernel do not divide, so that their scores
// cross HBM; 0 if none do for that.
std::int64_t tokens_not_fused(const Settings& settings);

// What the value comes to, or why it comes to nothing.
std::string meaning_of(const SettingRow& row, const Settings& settings);

}  // namespace tpulab

// The settings that are habits of a training script, which a TPU is fast or slow for.
#pragma once

#include <span>

#include "engine/session/settings/settings.h"

namespace tpulab {

std::span<const SettingRow> script_rows();

}  // namespace tpulab

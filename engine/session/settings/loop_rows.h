// The settings that are arguments of Lightning's Trainer about its loop.
#pragma once

#include <span>

#include "engine/session/settings/settings.h"

namespace tpulab {

std::span<const SettingRow> loop_rows();

}  // namespace tpulab

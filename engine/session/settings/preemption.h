// A host that its owner takes back, as it is typed.
#pragma once

#include <string_view>

#include "engine/session/settings/settings.h"
#include "engine/training/loop_options.h"

namespace tpulab {

// "host@40": host 0 behind step 40; "host:3@40"; "none". Throws Error for other words.
Preemption preemption_named(std::string_view text);

// Throws Error where the slice has no such host.
void check_preempted_host(const Preemption& preemption, const Settings& settings);

}  // namespace tpulab

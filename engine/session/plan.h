// Settings -> what the floors below need.
#pragma once

#include "engine/machine/machine.h"
#include "engine/session/settings.h"
#include "engine/training/trainer.h"

namespace tpulab {

// Throws Error for settings that do not fit together.
Machine machine_for(const Settings& settings);
TrainerOptions trainer_options(const Settings& settings);
ExecuteOptions execute_options(const Settings& settings);

}  // namespace tpulab

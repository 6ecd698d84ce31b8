// Machines of the user's own, as settings and commands speak of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/machine/own_generations.h"

namespace tpulab {

// Of a slice of one; none of built-in ones and of GPUs. Throws Error for an unknown slice.
std::optional<OwnMachine> own_machine_of(std::string_view slice);
// "'hbm_speed' is ..." of a key of their files, where a setting or a command is asked for; empty
// of other words.
std::string constant_of_machines(std::string_view word);

}  // namespace tpulab

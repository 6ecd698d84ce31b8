// What Lightning (2.1 and later) takes and refuses on TPU: in its words, and with what to do
// instead. Every function throws Error for what Lightning refuses.
#pragma once

#include <string>
#include <string_view>

#include "engine/machine/machine.h"
#include "engine/session/settings/settings.h"

namespace tpulab {

// Typed text or a Python literal -> "auto", "1", "8" (all devices of a host) or "[i]".
// On a slice of several hosts Lightning counts the devices of one host.
std::string lightning_devices(std::string_view typed, const Slice& slice);
// -> "auto" or "tpu".
std::string lightning_accelerator(std::string_view typed);
inline constexpr std::array<std::string_view, 4> lightning_strategies{"auto", "xla", "xla_debug",
                                                                      "single_xla"};
std::string lightning_strategy(std::string_view typed);  // -> one of them
// -> "32-true", "bf16-true" or "16-true".
std::string lightning_precision(std::string_view typed, bool of_lightning = true);
// Trainer.num_devices: the chosen devices, on a slice of several hosts those of one host.
int lightning_num_devices(const Settings& settings);
// A strategy against the number of devices.
void check_strategy_fits(const Settings& settings);

}  // namespace tpulab

// What the values of settings come to, in words: the part of a reply behind the value.
#pragma once

#include <string>
#include <vector>

#include "engine/session/settings/settings.h"

namespace tpulab {

std::int64_t world_of(const Settings& settings);
std::string_view generation_of(const Settings& settings);  // "v3"
std::string host_meaning(const Settings& settings);
std::string stack_meaning(const Settings& settings);
std::string model_meaning(const Settings& settings);
std::string data_meaning(const Settings& settings);
std::string slice_meaning(const Settings& settings);
std::string devices_meaning(const Settings& settings);
std::string batch_meaning(const Settings& settings);
// "an epoch has only 180 rows per device" where that cuts the batch; else empty.
std::string short_epoch(const Settings& settings);
// What stands behind an estimate and no figure of it tells: rows of more tokens than positions were
// learned, images that nobody decodes, programs that a real TPU would not read back.
std::vector<std::string> said_of_estimate(const Settings& settings);
// Of a training step from a file that several devices run without adding up its gradients; else
// empty.
std::string copies_note(const Settings& settings);
std::string hidden_meaning(const Settings& settings);
std::string matmul_meaning(const Settings& settings);
std::string backend_meaning(const Settings& settings);
// What utilisation is a share of: "bf16 peak", or with int8 how much higher its own is.
std::string peak_meaning(const Settings& settings);
std::string constant_rate(const Settings& settings);
std::string constant_momentum(const Settings& settings);
std::string epochs_meaning(const Settings& settings);
std::string show_epochs(const Settings& settings);
std::string numbers_for_workers(const Settings& settings);
std::string show_global_batch(const Settings& settings);

}  // namespace tpulab

// Values worth offering for completion, a function a setting.
#pragma once

#include "engine/session/settings/settings.h"

namespace tpulab {

std::vector<std::string> offered_models(const Settings&);
std::vector<std::string> offered_data(const Settings&);
std::vector<std::string> offered_meshes(const Settings& settings);
std::vector<std::string> offered_slices(const Settings&);
std::vector<std::string> offered_hosts(const Settings&);
std::vector<std::string> offered_stacks(const Settings&);
std::vector<std::string> offered_devices(const Settings& settings);
std::vector<std::string> offered_accelerators(const Settings&);
std::vector<std::string> offered_strategies(const Settings&);
std::vector<std::string> offered_precisions(const Settings& settings);

}  // namespace tpulab

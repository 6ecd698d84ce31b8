// How many CPUs this process may use.
#pragma once

#include <filesystem>
#include <optional>

namespace tpulab {

// At least 1: those it may run on, at most as many as its container's quota pays for.
int available_cpus();

// CPUs' worth of time that the control groups of this process (versions 1 and 2) give it, the
// narrowest of them; nothing without a limit. `root` is "/", or a copy of a computer's files.
std::optional<double> cpu_quota(const std::filesystem::path& root);

}  // namespace tpulab

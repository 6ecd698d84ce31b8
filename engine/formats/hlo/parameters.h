// What the parameters of a compiled program are for.
#pragma once

#include <string_view>

#include "engine/formats/hlo/module.h"
#include "engine/formats/imported_step.h"

namespace tpulab::hlo {

// "num_partitions=4" of a header; 1 where it says nothing.
std::int64_t said(const Module& module, std::string_view key);

// Tells `step` what trains, comes back, is sent and stays. Each array of a parameter that is a
// tuple is an argument of its own.
void tell_parameters(const Module& module, const Computation& entry, ImportedStep& step);

}  // namespace tpulab::hlo

// The hardware of a measured point as the name of a slice.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tpulab {

// "TPU v3-8" is v3-8 and trillium-256 v6e-256; a bare "v5e" is the smallest slice for a kernel,
// else that of so many `chips`; a run on more chips than a pod has is on joined slices
// (v5e-4096 is 16xv5e-256). A name that stays unknown comes back as typed, for slice_named() to
// refuse.
std::string slice_word(std::string_view typed, std::int64_t chips, bool kernel);

}  // namespace tpulab

// Which values of the forward pass the backward pass of a repeated layer finds again.
#pragma once

#include <cstdint>

namespace tpulab {

//   none     all of them are kept
//   minimal  those of products with weights; what lies between them is computed again
//   full     only the input of each repeated layer; the forward pass runs twice
//   offload  as full, and these inputs wait in the host's memory
enum class Remat : std::uint8_t { none, minimal, full, offload };
inline bool runs_forward_twice(Remat remat) { return remat >= Remat::full; }

}  // namespace tpulab

// Which values of the forward pass the backward pass of a repeated layer finds again, and where.
#pragma once

#include <cstdint>

namespace tpulab {

//   none             all of them are kept
//   minimal          those of products with weights; what lies between them is computed again
//   narrow           of these, those that are no wider than what the product reads
//   full             only the input of each repeated layer; the forward pass runs twice
//   offload          as full, and these inputs wait in the host's memory
//   minimal_offload  as minimal, and what products made waits in the host's memory
enum class Remat : std::uint8_t { none, minimal, narrow, full, offload, minimal_offload };
inline bool keeps_products(Remat remat) {
  return remat == Remat::minimal || remat == Remat::narrow || remat == Remat::minimal_offload;
}
// Of what is kept: the layer's input, or what is made within it.
inline bool waits_on_host(Remat remat, bool layer_input) {
  return remat == (layer_input ? Remat::offload : Remat::minimal_offload);
}

struct Keeping {
  Remat remat = Remat::none;
  int tensor = 1;  // devices of a tensor group
};

}  // namespace tpulab

// What is kept from one pass for the other, and what is made again.
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

// Where softmax is made of the scores again instead of being read.
enum class SoftmaxAgain : std::uint8_t { nowhere, in_loops, in_products_too };

struct Keeping {
  Remat remat = Remat::none;
  int tensor = 1;  // devices of a tensor group
};

}  // namespace tpulab

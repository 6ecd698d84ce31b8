// Axes that become two, of which the first is too short for all devices that divide it.
#pragma once

#include <cstddef>
#include <optional>

#include "engine/formats/stablehlo/module.h"
#include "engine/formats/stablehlo/shardings.h"

namespace tpulab::stablehlo {

// As XLA has it [TPU compiler]: of 1,024 rows on eight devices that become 4 x 256 four divide the
// first axis, and two the second one.
struct Regrouped {
  int from = 0;  // axis of the operand
  MeshAxes axes = 0;
  int to = 0;  // .. of the result, which these divide, and the rest the one behind it
  MeshAxes leading = 0;

  // The operand is at place 0, the result behind it.
  void add(std::size_t place, Divided& divided) const;
};

// Of a reshape whose operand is so divided; nothing for others, and where nothing needs this.
std::optional<Regrouped> regrouped(const Operation& operation, const Shape& operand,
                                   const Shape& result, const Divided& divided,
                                   const DeviceMesh& mesh);

// Makes two of each axis of the mesh that arguments of `entry` need so.
void split_axes(const Function& entry, DeviceMesh& mesh);

}  // namespace tpulab::stablehlo

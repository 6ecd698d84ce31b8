// Which arguments a step takes some rows of: a data set whose batches the program cuts itself, a
// replay buffer, a table.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "engine/formats/stablehlo/module.h"

namespace tpulab::stablehlo {

// Of all devices together.
struct TurnPart {
  bool part = false;          // else it is read as a whole
  std::int64_t rows = 0;      // that a turn takes; 0: as many as another argument asks for
  std::int64_t elements = 0;  // of these rows
  std::int64_t turns = 0;     // that would take all of it, each the next one; 0: it is not so
  Shape of{};                 // the argument
  // A turn of a loop of steps reads others, and none reads this one.
  bool outside = false;
};

// For each argument of `entry`; `asked`: those that may be a batch. Moved as a whole, as shuffled
// or reshaped, and computed element by element, they are followed to where some of their rows are
// taken (gather, dynamic_slice), and these to where they are worked on. The turns are those of
// `loops_of_steps`, else the whole program is one.
std::vector<TurnPart> parts_of_turns(const Module& module, const Function& entry,
                                     const std::vector<bool>& asked,
                                     const std::set<int>& loops_of_steps);

}  // namespace tpulab::stablehlo

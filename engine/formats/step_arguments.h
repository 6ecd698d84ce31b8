// What a program's arguments are: state that comes back, the batch of a training step, or what a
// call finds on the device.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/graph/op.h"

namespace tpulab {

struct StepArguments {
  // Per argument the result that it comes back as, -1 if none is: the one that the text names, else
  // of a step that trains the first of its type that is left, as each result succeeds one argument.
  std::vector<int> successors{};
  int loss = -1;  // a single number; -1: there is none
  // With a loss and something that comes back; or all that comes out takes the place of what goes
  // in, is most of that, and no list of whole numbers, as tokens are. What else goes in is a batch
  // then, sent each step; of a call all stays where it is.
  bool trains = false;
};

// `named`: per argument the result that takes over its memory, as the text of `file` says; -1:
// none. `made_of`: of how many arguments a result is made, if that is known. Of several numbers the
// loss is the first of those made of most. Throws Error where a result that takes over memory is of
// another type.
StepArguments step_arguments(std::string_view file, std::span<const Type> arguments,
                             std::span<const Type> results, std::vector<int> named,
                             const std::function<std::ptrdiff_t(int)>& made_of = {});

}  // namespace tpulab

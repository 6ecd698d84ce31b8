// What a program's arguments are: state that comes back, the batch of a training step, or what a
// call finds on the device.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "engine/graph/op.h"

namespace tpulab {

struct StepArguments {
  // Per argument the result that it comes back as, -1 if none is: the one that the text names, else
  // of a step that trains the first of its type that is left, as each result succeeds one argument.
  std::vector<int> successors{};
  int loss = -1;  // the first single number that succeeds none; -1: there is none
  // With a loss, or if nothing but arguments come back, and these are most of what it is given. The
  // others are a batch then, sent each step; of a call all stay where they are.
  bool trains = false;
};

// `named`: per argument the result that takes over its memory, as the text of `file` says; -1:
// none. Throws Error where that is one of another type.
StepArguments step_arguments(std::string_view file, std::span<const Type> arguments,
                             std::span<const Type> results, std::vector<int> named);

}  // namespace tpulab

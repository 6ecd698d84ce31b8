// What a program's arguments are: state that comes back, the batch of a training step, or what a
// call finds on the device.
#pragma once

#include <functional>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "engine/graph/op.h"

namespace tpulab {

struct StepArguments {
  // Per argument the result that it comes back as, -1 if none is: the one that the text names, else
  // of a step that trains the first of its type that is left, as each result succeeds one argument.
  std::vector<int> successors{};
  // One number, or a list of such; -1: there is none.
  int loss = -1;
  // Per argument: the loss is made of it; empty where that is not known.
  std::vector<bool> of_loss{};
  // It has a loss and an array that comes back updated, and no list of whole numbers, as tokens
  // are, comes out; or all that comes out takes the place of most that goes in. Else it is a call.
  bool trains = false;
  // Lines of the loops each of whose turns is a step: of the arrays that come back updated those of
  // most bytes, which are weights, are updated there.
  std::set<int> loops_of_steps{};
};

// Of two numbers, in the words of both languages: "add".
bool is_arithmetic(std::string_view operation);

// By arithmetic on each element, in each turn of the loops of these lines.
struct Update {
  bool updated = false;
  std::set<int> loops{};
};

// What a text says of its results; empty where that is not known.
struct Origins {
  std::function<std::vector<bool>(int result)> made_of{};  // of which arguments
  std::function<Update(int argument, int result)> update{};
  std::function<bool(int result)> one_by_one{};  // a list of numbers made one by one
};

// `named`: per argument the result that takes over its memory, as the text of `file` says; -1:
// none; of single numbers that says nothing. The loss is the first number, else list of numbers
// made one by one, else list of those of rows, beside weights that come back, that is made
// of an array which does not come back, else of one that does, where that is known; a list of one
// number is asked after those that are none. Throws Error where a result that takes over memory is
// of another type.
StepArguments step_arguments(std::string_view file, std::span<const Type> arguments,
                             std::span<const Type> results, std::vector<int> named,
                             const Origins& origins = {});

}  // namespace tpulab

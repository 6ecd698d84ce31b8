// What the arguments of a program are for, as its text says.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/formats/stablehlo/module.h"
#include "engine/formats/stablehlo/turn_parts.h"
#include "engine/formats/step_arguments.h"

namespace tpulab::stablehlo {

// The number that the module says; 1 if it says none.
std::int64_t said(const Module& module, std::string_view attribute);

// Whether its memory is the program's, to write to.
bool gives_memory(const Argument& argument);

struct ArgumentRoles {
  StepArguments step{};
  std::vector<int> donated{};  // per argument the result that takes over its memory; -1: none
  // Numbers that come back, of which the loss is made; without one, most of what comes back. State
  // that goes along time is none.
  std::int64_t parameters = 0;
  std::vector<bool> weights{};    // per argument: they are counted there; empty: it trains nothing
  std::vector<bool> by_turns{};   // per argument: loops read one part of it a turn
  std::vector<TurnPart> parts{};  // per argument
  bool by_devices = false;        // the first axis of all arguments counts devices (pmap)
};

// Of the whole program, before it is divided. Throws Error where an argument is named to be taken
// over by a result of another type.
ArgumentRoles roles_of(const Module& module, const Function& entry);

}  // namespace tpulab::stablehlo

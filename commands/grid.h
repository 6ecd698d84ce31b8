// NAME=V1,V2 NAME=V3,V4 -> every combination of settings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "commands/command.h"

namespace tpulab {

struct Axis {
  std::string name;
  std::vector<std::string> values;
};

struct Combination {
  std::vector<std::string> values;  // one for each axis
  Settings settings;
  std::string refusal;  // why these settings do not go together; empty if they do
};

// Commas inside brackets and quotes separate nothing: hidden=(512,512),(64) are two values. A word
// without `=` is a slice: v3-8 v2-8. Throws Error for an unknown name, a name that comes twice or
// an empty value.
std::vector<Axis> axes_of(Arguments words, std::string_view usage);

// What one combination sets.
std::vector<Assignment> assignments_of(const std::vector<Axis>& axes, const Combination& option);

// How many combinations these are; at once. Throws Error for a value that its setting never takes
// and for more than 10^12.
std::size_t count_of(const std::vector<Axis>& axes);
// The one of this number; the last axis varies fastest. Checks the settings against each other,
// which may trace and compile a network.
Combination combination(const Settings& base, const std::vector<Axis>& axes, std::size_t number);

}  // namespace tpulab

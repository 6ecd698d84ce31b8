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

// The last axis varies fastest. Throws Error for a value that its setting never takes, for more
// than 100,000 combinations, and where not one of them is possible.
std::vector<Combination> combinations(const Settings& base, const std::vector<Axis>& axes);

}  // namespace tpulab

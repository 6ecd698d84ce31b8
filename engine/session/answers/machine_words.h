// Machines in words: a slice and what it is made of, a generation with every constant's source.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/machine/machine.h"
#include "engine/session/answers/described.h"

namespace tpulab {

// Throws Error with the nearest names.
Described slice_in_words(std::string_view name);
Described generation_in_words(std::string_view name);
std::vector<std::string> generation_names();  // "v2", "v3" ...
// Whether users may join slices (multislice): of v2 and v3 nobody tells of a network between them.
bool joins_slices(const Generation& generation);
std::string generation_of_slice(std::string_view slice);

// The price of a whole slice.
struct SlicePrice {
  double dollars_per_hour = 0;
  std::string terms;   // "on demand, about 2020"
  std::string source;  // "documented, TG: ..."
};
// Empty where no price is known. Throws Error for an unknown slice.
std::optional<SlicePrice> price_of_slice(std::string_view slice);
// Where that is: how the user tells what a machine of his own costs, "; add price = ..."; empty of
// built-in ones.
std::string price_hint_of_slice(std::string_view slice);

}  // namespace tpulab

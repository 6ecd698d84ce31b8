// Hosts and software stacks in words, with every constant's mark and source.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tpulab {

// Throw Error with the nearest name.
std::vector<std::string> host_in_words(std::string_view name);
std::vector<std::string> stack_in_words(std::string_view name);

}  // namespace tpulab

// Which words are operations of HLO.
#pragma once

#include <string>
#include <string_view>

namespace tpulab::hlo {

// "all-reduce", and "slice-start" for what begins asynchronously.
bool is_opcode(std::string_view word);
// The operation that was meant; empty if none is near.
std::string nearest_opcode(std::string_view word);

}  // namespace tpulab::hlo

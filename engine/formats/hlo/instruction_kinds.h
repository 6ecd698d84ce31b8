// What an instruction is to a schedule: a kernel, a name, the end of something.
#pragma once

#include <string_view>

#include "engine/formats/hlo/module.h"

namespace tpulab::hlo {

// No kernel: it names values, or the schedule only marks it.
bool only_names(std::string_view opcode);
// Between HBM and the memory of a core, while kernels run.
bool fetches(std::string_view opcode);
bool ends_something(std::string_view opcode);
bool launched(const Instruction& one);
bool is_with_host(const Instruction& one);
// Of the compiler's own making: no framework traced it.
bool added_by_compiler(const Instruction& one);

}  // namespace tpulab::hlo

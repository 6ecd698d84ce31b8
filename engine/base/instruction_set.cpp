#include "engine/base/instruction_set.h"

#include "engine/base/error.h"

namespace tpulab {

namespace {

InstructionSet& in_use() {
  static InstructionSet set =
      has_instruction_set(InstructionSet::avx2) ? InstructionSet::avx2 : InstructionSet::common;
  return set;
}

}  // namespace

bool has_instruction_set(InstructionSet set) {
#if TPULAB_CHOOSES_INSTRUCTIONS
  if (set == InstructionSet::avx2) return __builtin_cpu_supports("avx2") != 0;
#endif
  return set == InstructionSet::common;
}

bool lacks_wide_instructions() {
  return TPULAB_CHOOSES_INSTRUCTIONS != 0 && !has_instruction_set(InstructionSet::avx2);
}

InstructionSet instruction_set() { return in_use(); }

void use_instruction_set(InstructionSet set) {
  expects(has_instruction_set(set), "the CPU has the instruction set");
  in_use() = set;
}

}  // namespace tpulab

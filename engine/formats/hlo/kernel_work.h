// What a kernel of the compiler does, in the words that machines price: the products and element
// operations inside a fusion, and the arrays that cross HBM in the layouts that it chose.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/work.h"
#include "engine/formats/hlo/module.h"

namespace tpulab::hlo {

// An array as it lies in memory, at most Shape::max_rank axes: outer ones are joined.
Operand operand_of(const ArrayType& type);

// Of "{size=3x3 pad=1_1x0_2}": size= -> 3, 3; pad= -> 1, 1, 0, 2.
std::vector<std::int64_t> field_of(std::string_view window, std::string_view key);

// A convolution or dot, which the compiler writes as convolutions too. Throws Error with file and
// line for attributes that do not fit the operands.
MatrixWork product_of(const Module& module, const Computation& in, const Instruction& product);

// Collectives of a text: nothing for other instructions, and for groups of one device.
std::optional<CollectiveWork> collective_of(const Computation& in, const Instruction& instruction);
// Inside of a fusion: the TPU's compiler writes reduce-scatter as an all-reduce of which each
// device slices its part, one kernel that never makes the whole.
std::optional<CollectiveWork> collective_in_fusion(const Computation& inside,
                                                   const Instruction& instruction);
bool is_collective(std::string_view opcode);
bool is_ragged(std::string_view opcode);  // of as many rows as are known at run time

// Everything inside an instruction of the schedule, the computations that it calls included. Reads
// and writes are what lies in HBM; what is sliced is read in part, what is updated in place is
// written in part.
struct Work {
  KernelWork kernel{};
  Flops flops{};
  bool product = false;
  bool unknown = false;  // a custom call, of which only the arrays are known
};
// `visits` counts the instructions that were looked at: computations that call each other in every
// way are refused.
Work work_of(const Module& module, const Computation& in, const Instruction& instruction,
             std::int64_t& visits);

}  // namespace tpulab::hlo

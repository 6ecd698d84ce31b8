// Where an axis of what an instruction reads lies in what it makes.
#pragma once

#include "engine/base/shape.h"
#include "engine/formats/hlo/module.h"

namespace tpulab::hlo {

// Axes beyond those of a Shape hold no rows.
Shape shape_of(const ArrayType& array);
Shape shape_of(const ResultType& type);  // of the first array

// Of instructions that call none. Negative where it is summed, or lies beside others.
int axis_in_result(const Computation& in, const Instruction& one, std::size_t operand, int axis);
bool lays_beside(const Instruction& one);
// One of an axis that has more.
bool lies_apart(const Computation& in, const Instruction& one, std::size_t operand);

}  // namespace tpulab::hlo

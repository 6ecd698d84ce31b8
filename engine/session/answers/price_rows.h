// A compiled program on a machine -> rows for people.
#pragma once

#include <span>

#include "engine/compiler/program.h"
#include "engine/machine/machine.h"
#include "engine/machine/price.h"
#include "engine/runtime/record.h"
#include "engine/session/answers/priced_program.h"

namespace tpulab {

PricedProgram priced_program(const Program& program, const Machine& machine, std::string title);
KernelRow kernel_row(std::string name, std::int64_t runs, const Price& price);
// What the newest training step ran, but for an epoch's last one with fewer rows; null before one.
std::shared_ptr<const Program> newest_train_program(std::span<const StepRecord> records);

}  // namespace tpulab

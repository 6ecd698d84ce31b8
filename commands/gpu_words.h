// How many GPUs a TPU slice is, model by model; an estimate of GPUs in lines.
#pragma once

#include <string>
#include <vector>

#include "commands/answer.h"
#include "commands/option_table.h"

namespace tpulab {

// For every model and every pair of a slice and GPUs among the rows: what is published of the pair,
// and what the rows themselves say, with the band of both. Adds rows named "gpus". Nothing where
// no row is of GPUs.
void add_gpus_per_slice(Answer& answer, const std::vector<Estimated>& rows);

// As lines_of() of an estimate of GPUs.
std::vector<std::string> gpu_lines_of(const Estimate& estimate);

}  // namespace tpulab

// The columns of the list of kernels: what each says, and how the list is sorted by it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/session/answers/priced_program.h"
#include "tui/draw/table.h"
#include "tui/panels/panel.h"

namespace tpulab {

struct KernelField {
  TableColumn column;
  std::string (*words)(const KernelRow& kernel, const PricedProgram& program);
  // Null: sorted by the words, from a to z; else the largest comes first.
  double (*number)(const KernelRow& kernel, const PricedProgram& program);
};
std::span<const KernelField> kernel_fields();

// FLOPs a second and FLOPs for each byte over HBM, both unpadded; 0 where there is no product.
double operations_per_second(const KernelRow& kernel);
double operations_per_byte(const KernelRow& kernel);
// Of the bf16 peak, 0 to 1.
double utilisation_of(const KernelRow& kernel, const Roofs& roofs);
// "explain convolution" for "step: convolution+reduce": what is typed for a kernel.
std::string explanation_of(std::string_view kernel_name);
Picoseconds time_of_all(const KernelRow& kernel);  // its runs of one step together

// Those that the search leaves, in the order that is chosen; none without a program.
std::vector<const KernelRow*> chosen_kernels(const ViewState& view);

}  // namespace tpulab

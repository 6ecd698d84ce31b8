// Which axes of an operation's operands and results are divided together.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "engine/formats/stablehlo/module.h"

namespace tpulab::stablehlo {

// Axes that have a factor in common are divided alike; of -1 each device needs the whole. A factor
// that no result has is summed, or folded by `folds`: each device then has its part of the sum.
struct DivisionRule {
  std::vector<std::vector<int>> factors{};  // of the operands' axes, then of the results'
  std::size_t operands = 0;
  std::vector<bool> folded{};  // for each factor
  std::string_view folds = "add";
  bool heavy = false;      // a product, rows by index: divided if it can be
  bool by_arrays = false;  // as most of its arrays are, whatever that moves

  int factor(std::size_t value, int axis) const {
    return factors[value][static_cast<std::size_t>(axis)];
  }
};

// Of operations that hold no control flow. Throws Error for malformed ones.
DivisionRule division_rule(const Operation& operation, std::span<const Shape> operands,
                           std::span<const Shape> results);
// All values divided alike, axis by axis.
DivisionRule same_division(std::span<const Shape> values, std::size_t operands);

}  // namespace tpulab::stablehlo

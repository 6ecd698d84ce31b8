#include "engine/formats/stablehlo/short_loops.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/error.h"
#include "engine/formats/element_types.h"
#include "engine/formats/stablehlo/lower.h"
#include "engine/formats/stablehlo/scopes.h"
#include "engine/formats/stablehlo/types.h"

namespace tpulab::stablehlo {

namespace {

constexpr int most_turns = 8;
constexpr int most_written_out = 100;

// Counts down `left` for each operation, calls followed; false for others than those meant here.
bool short_and_light(const Module& module, const Region& region, int& left) {
  constexpr std::array<std::string_view, 5> moves{"constant", "slice", "reshape",
                                                  "broadcast_in_dim", "concatenate"};
  return std::ranges::all_of(region.operations, [&](const Operation& one) {
    if (--left < 0) return false;
    if (is_return(one.name)) return true;
    if (one.name == "func.call") {
      const Function* function = module.find(callee_of(one));
      return function != nullptr && short_and_light(module, function->body, left);
    }
    const std::string_view name = without_dialect(one.name);
    return std::ranges::find(moves, name) != moves.end() || elementwise_lowering(name) != nullptr;
  });
}

Known compared(std::string_view way, std::int64_t a, std::int64_t b) {
  if (way == "LT") return a < b;
  if (way == "LE") return a <= b;
  if (way == "GT") return a > b;
  if (way == "GE") return a >= b;
  if (way == "NE") return a != b;
  return std::nullopt;
}

Known known_constant(const Operation& operation) {
  const TensorType& type = operation.result_types.at(0);
  const std::optional<DType> held = dtype_of_mlir(type.element);
  if (!held || !is_integer(*held) || type.shape.elements() != 1) return std::nullopt;
  const std::optional<double> value = splat_value(literal_of(operation), type.element);
  if (!value || std::abs(*value) > 1e9) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

Known known_result(const Operation& operation, const std::vector<Known>& operands) {
  const std::string_view name = without_dialect(operation.name);
  if (name == "constant") return known_constant(operation);
  if (operands.size() != 2 || !operands[0] || !operands[1]) return std::nullopt;
  if (name == "compare") return compared(direction_of(operation), *operands[0], *operands[1]);
  std::int64_t sum = 0;
  if (name != "add" || __builtin_add_overflow(*operands[0], *operands[1], &sum)) {
    return std::nullopt;
  }
  return sum;
}

std::vector<Known> known_results(const Module& module, const Region& region,
                                 const std::vector<Known>& arguments) {
  Scopes<Known> all(module);
  return all.run(region, arguments, [](const Operation& operation, Scopes<Known>& scopes) {
    if (operation.result_types.size() == 1 && operation.name != "func.call") {
      return std::vector<Known>{known_result(operation, scopes.operands(operation))};
    }
    return std::vector<Known>(operation.result_types.size());
  });
}

}  // namespace

std::optional<int> turns_of_short_loop(const Module& module, const Operation& loop,
                                       const std::vector<Known>& initial) {
  int left = most_written_out;
  if (loop.regions.size() != 2 || !short_and_light(module, loop.regions[1], left)) return {};
  std::vector<Known> known = initial;
  try {
    for (int turns = 0; turns <= most_turns; ++turns) {
      const std::vector<Known> goes_on = known_results(module, loop.regions[0], known);
      if (goes_on.size() != 1 || !goes_on[0]) return {};
      if (*goes_on[0] == 0) return turns;
      known = known_results(module, loop.regions[1], known);
      if (known.size() != initial.size()) return {};
    }
  } catch (const Error&) {
    // It reads values from outside of the loop.
  }
  return {};
}

}  // namespace tpulab::stablehlo

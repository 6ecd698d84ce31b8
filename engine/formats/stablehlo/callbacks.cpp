// What a program and its host hand to each other while it runs, as jax.debug.print and callbacks
// do: it takes no time here, and tokens, which put it in order, are single truths.
#include <algorithm>

#include "engine/formats/stablehlo/graph_builder.h"
#include "engine/formats/stablehlo/types.h"
#include "engine/ops/ops.h"

namespace tpulab::stablehlo {

namespace {

// As StableHLO for a TPU has it, or, of Python, for a CPU.
bool is_with_host(const Operation& operation) {
  const std::string_view name = without_dialect(operation.name);
  if (name == "outfeed" || name == "infeed") return true;
  if (name == "send" || name == "recv") {
    return operation.attributes.find("is_host_transfer").starts_with("true");
  }
  const std::string_view target = target_of(operation);
  return name == "custom_call" && target.find("python") != std::string_view::npos &&
         target.ends_with("callback");
}

bool orders(const Operation& operation) {
  const std::string_view name = without_dialect(operation.name);
  return name == "create_token" || name == "after_all";
}

}  // namespace

std::optional<std::vector<Value>> GraphBuilder::with_host(const Operation& operation,
                                                          std::vector<Value>& operands) {
  const bool hands_over = is_with_host(operation);
  if (!hands_over && !orders(operation)) return std::nullopt;
  if (hands_over) notes_.add("exchanges with the host (callbacks, feeds) that take no time here");
  std::optional<Value> token;
  for (std::size_t i = 0; i < std::min(operands.size(), operation.operand_types.size()); ++i) {
    if (is_token(operation.operand_types[i])) {
      token = operands[i];
    } else {
      leave(operands[i]);
    }
  }
  std::vector<Value> results;
  for (const TensorType& written : operation.result_types) {
    const Type type = type_of(written, operation);
    if (!is_token(written)) {
      results.push_back(kept(fresh(type, -1, false)));
    } else {
      results.push_back(token ? *token
                              : define(constant(*here().graph, 0, type.shape, type.dtype)));
    }
  }
  return results;
}

}  // namespace tpulab::stablehlo

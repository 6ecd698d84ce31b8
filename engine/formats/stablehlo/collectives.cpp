// What the devices of a shard_map exchange, and the change between a whole array and a device's
// part of it.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/formats/stablehlo/graph_builder.h"
#include "engine/formats/stablehlo/types.h"
#include "engine/ops/ops.h"

namespace tpulab::stablehlo {

namespace {

// "dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>": two devices, every other one.
DeviceSet devices_of(std::string_view groups) {
  const std::size_t row = groups.find(']');
  const std::size_t first = groups.rfind('[', row);
  if (row == std::string_view::npos || first == std::string_view::npos) return {.size = 1};
  const std::vector<std::int64_t> members = whole_numbers(groups.substr(first, row - first + 1));
  constexpr std::int64_t most = 1 << 16;
  if (members.size() < 2) return {.size = 1};
  const auto device = [&](std::size_t at) {
    return std::clamp<std::int64_t>(members[at], 0, most);
  };
  const std::int64_t apart = std::max<std::int64_t>(device(1) - device(0), 1);
  return {.size = static_cast<int>(members.size()), .apart = static_cast<int>(apart)};
}

int axis_in(const Call& call, std::string_view key) {
  const std::vector<std::int64_t> axis = call.list(key);
  const bool fits = axis.size() == 1 && axis[0] >= 0 && axis[0] < call.inputs[0].shape().rank();
  if (!fits) call.refuse(fmt::format("{} is no axis of its operand", key));
  return static_cast<int>(axis[0]);
}

Tensor exchanged(const Call& call, std::string_view name, const DeviceSet& among) {
  if (name == "all_gather") {
    return all_gather(call.inputs[0], axis_in(call, "all_gather_dim"), among);
  }
  if (name == "reduce_scatter") {
    return reduce_scatter(call.inputs[0], axis_in(call, "scatter_dimension"), among);
  }
  const bool largest = folding_function(call.operation) == "maximum";
  return largest ? all_reduce_max(call.inputs[0], among) : all_reduce(call.inputs[0], among);
}

}  // namespace

std::optional<std::vector<Value>> GraphBuilder::exchange(const Operation& operation,
                                                         std::vector<Value>& operands) {
  const std::string_view name = without_dialect(operation.name);
  if (name != "all_reduce" && name != "all_gather" && name != "reduce_scatter") {
    return std::nullopt;
  }
  const DeviceSet among = devices_of(operation.attributes.find("replica_groups"));
  if (operation.result_types.size() != operands.size()) {
    refuse(operation, "it has not one result for each operand");
  }
  if (among.size <= 1) return operands;
  std::vector<Value> results;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Call one{.operation = operation, .graph = *here().graph, .inputs = {use(operands[i])}};
    const Tensor made = exchanged(one, name, among);
    check_shape(operation, made, type_of(operation.result_types[i], operation));
    results.push_back(define(made));
  }
  segments_.exchanging = std::max(segments_.exchanging, among.size * among.apart);
  return results;
}

// An argument lies divided from the start; what is computed changes its shape alone.
Value GraphBuilder::resized(const Value& whole, const Type& type) {
  if (whole.type.shape == type.shape) return whole;
  const bool argument = whole.source >= 0 &&
                        segments_.sources[static_cast<std::size_t>(whole.source)].made < 0 &&
                        segments_.sources[static_cast<std::size_t>(whole.source)].counted;
  if (!argument || here().leaves.contains(whole.source)) return fresh(type, -1, false);
  segments_.sources[static_cast<std::size_t>(whole.source)].type = type;
  Value part = whole;
  part.type = type;
  return part;
}

std::vector<Value> GraphBuilder::manual(const Operation& operation,
                                        const std::vector<Value>& operands, Scopes& scopes) {
  const Region& body = operation.regions[0];
  if (body.arguments.size() != operands.size()) {
    refuse(operation,
           fmt::format("its body takes {} values, not {}", body.arguments.size(), operands.size()));
  }
  std::vector<Value> parts;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    parts.push_back(resized(operands[i], type_of(body.arguments[i].type, operation)));
  }
  return run(body, parts, scopes);
}

}  // namespace tpulab::stablehlo

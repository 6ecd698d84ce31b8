// What the devices of a divided program exchange.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "engine/base/error.h"
#include "engine/formats/imported_step.h"
#include "engine/formats/stablehlo/graph_builder.h"
#include "engine/formats/stablehlo/types.h"
#include "engine/ops/general_ops.h"

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

// "dense<[[0, 1], [1, 2]]>": from which device to which. The set is the ring that holds the first.
DeviceSet ring_of(std::string_view pairs) {
  const std::vector<std::int64_t> devices = whole_numbers(pairs);
  constexpr std::int64_t most = 1 << 16;
  const auto device = [&](std::size_t at) {
    return std::clamp<std::int64_t>(devices[at], 0, most);
  };
  if (devices.size() < 2 || device(0) == device(1)) return {.size = 1};
  std::map<std::int64_t, std::int64_t> next;
  for (std::size_t i = 0; i + 1 < devices.size(); i += 2) next.emplace(device(i), device(i + 1));
  int size = 1;
  std::int64_t apart = most;
  for (std::int64_t at = device(0); next.contains(at);) {
    const std::int64_t to = next.at(at);
    apart = std::min(apart, std::abs(to - at));
    next.erase(at);
    if (to == device(0)) break;
    at = to;
    ++size;
  }
  return {.size = size, .apart = static_cast<int>(std::max<std::int64_t>(apart, 1))};
}

// Arrays that change hands and are not folded.
Tensor handed_on(const Call& call, std::string_view name, const DeviceSet& among) {
  const bool all = name == "all_to_all";
  const Type& own = call.inputs[0].type();
  const Bytes bytes{own.shape.elements() * bytes_of(own.dtype)};
  return apply_general(
      call.graph,
      {.name = all ? "all-to-all" : "collective-permute",
       .attributes = fmt::format("among={} apart={}", among.size, among.apart),
       .traits = {.collective = true},
       .type = call.type,
       .work = CollectiveWork{all ? CollectiveKind::all_to_all : CollectiveKind::permute, bytes,
                              among}},
      call.inputs);
}

Tensor exchanged(const Call& call, std::string_view name, const DeviceSet& among) {
  if (name == "all_to_all" || name == "collective_permute" || name == "collective_broadcast") {
    return handed_on(call, name, among);
  }
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
  if (target_of(operation) == "ragged_all_to_all") return ragged(operation, operands);
  constexpr std::array<std::string_view, 6> known{"all_reduce",         "all_gather",
                                                  "reduce_scatter",     "all_to_all",
                                                  "collective_permute", "collective_broadcast"};
  if (std::ranges::find(known, name) == known.end()) return std::nullopt;
  const std::string_view pairs = operation.attributes.find("source_target_pairs");
  const DeviceSet among =
      pairs.empty() ? devices_of(operation.attributes.find("replica_groups")) : ring_of(pairs);
  if (operation.result_types.size() != operands.size()) {
    refuse(operation, "it has not one result for each operand");
  }
  if (among.size <= 1) return operands;
  std::vector<Value> results;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Call one{.operation = operation,
                   .graph = *here().graph,
                   .inputs = {use(operands[i])},
                   .type = type_of(operation.result_types[i], operation)};
    const Tensor made = exchanged(one, name, among);
    check_shape(operation, made, one.type);
    results.push_back(define(made));
  }
  segments_.exchanging = std::max(segments_.exchanging, among.size * among.apart);
  return results;
}

// How many rows go where is known at run time: those that it has, if there is place for them.
std::optional<std::vector<Value>> GraphBuilder::ragged(const Operation& operation,
                                                       std::vector<Value>& operands) {
  if (operands.size() < 2 || operation.result_types.size() != 1) {
    refuse(operation, "it has not an array, and one that it is written to");
  }
  const Attributes more = inner_attributes(operation.attributes.find("backend_config"));
  const DeviceSet among = devices_of(more.find("replica_groups"));
  if (among.size <= 1) return std::vector<Value>{operands[1]};
  notes_.add("exchanges of ragged rows, priced as if all of them were sent");
  const std::array inputs{use(operands[0]), use(operands[1])};
  const Type type = type_of(operation.result_types[0], operation);
  const Bytes sent = std::min(bytes_of_type(inputs[0].type()), bytes_of_type(type));
  segments_.exchanging = std::max(segments_.exchanging, among.size * among.apart);
  return std::vector<Value>{
      define(apply_general(*here().graph,
                           {.name = "ragged-all-to-all",
                            .attributes = fmt::format("among={} apart={}", among.size, among.apart),
                            .traits = {.collective = true},
                            .type = type,
                            .work = CollectiveWork{CollectiveKind::all_to_all, sent, among}},
                           inputs))};
}

}  // namespace tpulab::stablehlo

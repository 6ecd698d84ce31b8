// Arrays that a text places in the memory of the host.
#include <algorithm>

#include "engine/formats/stablehlo/graph_builder.h"
#include "engine/ops/general_ops.h"

namespace tpulab::stablehlo {

namespace {

// "pinned_host", "unpinned_host"; all else lies in HBM.
bool names_host(std::string_view memory) { return memory.find("host") != std::string_view::npos; }

// Where a call asks for its value: of {_xla_buffer_placement = "pinned_host", ..} that.
std::string_view placement_of(const Operation& operation) {
  const std::string_view all = operation.attributes.find("mhlo.frontend_attributes");
  const std::string_view from = all.substr(std::min(all.find("_xla_buffer_placement"), all.size()));
  return from.substr(0, from.find_first_of(",}"));
}

// The same elements under another shape.
bool renames(std::string_view name, const Type& from, const Type& to) {
  return (name == "reshape" || name == "broadcast_in_dim") &&
         from.shape.elements() == to.shape.elements();
}

}  // namespace

bool begins_on_host(const Argument& argument) {
  return names_host(argument.attributes.find("mhlo.memory_kind"));
}

bool GraphBuilder::on_host(const Value& value) const {
  return value.source >= 0 && segments_.sources[static_cast<std::size_t>(value.source)].on_host;
}

// The program may write to it there.
bool GraphBuilder::owned_on_host(const Value& value) {
  return on_host(value) && !source_of(value).kept;
}

Value GraphBuilder::fresh_on_host(const Type& type, bool counted) {
  Value value = fresh(type, -1, counted);
  source_of(value).on_host = true;
  return value;
}

Value GraphBuilder::sent_to_host(Value& value) {
  if (on_host(value)) return value;
  const Tensor sent = copy_to_host(use(value));
  here().outputs.insert(sent.id);
  Value result = define(sent);
  source_of(result).on_host = true;
  return result;
}

// A part that is sent goes to where it belongs in the array.
Value GraphBuilder::written_on_host(std::vector<Value>& operands) {
  Source& part = source_of(sent_to_host(operands[1]));
  if (part.node >= 0) part.counted = false;
  return fresh_on_host(operands[0].type, !owned_on_host(operands[0]));
}

// What is taken from there comes when somebody reads it.
Value GraphBuilder::placed(const Operation& operation, Value& value) {
  if (names_host(placement_of(operation))) return sent_to_host(value);
  if (!on_host(value)) return value;
  Value taken{.type = value.type};
  taken.moved = std::make_shared<Moved>(
      Moved{.kind = Moved::Kind::taken, .of = value, .number = ++taken_from_host_});
  return taken;
}

std::optional<Value> GraphBuilder::stays_on_host(const Operation& operation,
                                                 std::vector<Value>& operands) {
  if (operands.empty() || operation.result_types.size() != 1) return std::nullopt;
  const std::string_view name = without_dialect(operation.name);
  const bool writes = name == "dynamic_update_slice" && operands.size() >= 2;
  if (writes && (on_host(operands[0]) || on_host(operands[1]))) return written_on_host(operands);
  if (!on_host(operands[0])) return std::nullopt;
  const Type type = type_of(operation.result_types[0], operation);
  if (renames(name, operands[0].type, type)) {
    return Value{.source = operands[0].source, .type = type};
  }
  if (name != "slice" && name != "dynamic_slice") return std::nullopt;
  return kept(fresh_on_host(type, false));
}

// A loop writes its parts in the host's memory: what it begins with need not be made for it, in the
// segment `before` it.
void GraphBuilder::begin_on_host(const Value& initial, int before) {
  const Source& source = source_of(initial);
  if (source.node < 0 || source.made < 0) return;
  const Segment& maker = segments_.list[static_cast<std::size_t>(source.made)];
  if (!maker.graph->node(source.node).traits.repeats) return;
  Segment& last = segments_.list[static_cast<std::size_t>(before)];
  const auto again = last.leaves.find(initial.source);
  last.outputs.erase(again != last.leaves.end() ? again->second : source.node);
}

}  // namespace tpulab::stablehlo

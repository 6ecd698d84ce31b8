// Values of the builder: where each was made, and how a segment gets at it.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/error.h"
#include "engine/formats/element_types.h"
#include "engine/formats/stablehlo/graph_builder.h"
#include "engine/formats/stablehlo/types.h"
#include "engine/ops/general_ops.h"

namespace tpulab::stablehlo {

void GraphBuilder::begin_segment(std::string name) {
  segments_.list.push_back({.name = std::move(name), .in_loop = inside_loops_ > 0});
}

Value GraphBuilder::fresh(const Type& type, int made, bool counted) {
  segments_.sources.push_back({.type = type, .made = made, .counted = counted});
  return {.source = static_cast<int>(segments_.sources.size()) - 1, .type = type};
}

Value GraphBuilder::kept(Value value) {
  source_of(value).kept = true;
  return value;
}

Value GraphBuilder::define(Tensor tensor) { return define(tensor, position()); }

Value GraphBuilder::define(Tensor tensor, int segment) {
  segments_.sources.push_back({.type = tensor.type(), .made = segment, .node = tensor.id});
  const int source = static_cast<int>(segments_.sources.size()) - 1;
  sources_.try_emplace({segment, tensor.id}, source);
  return {.source = source, .type = tensor.type()};
}

bool GraphBuilder::stored_elsewhere(const Value& value) const {
  if (value.source < 0) return false;
  const Source& source = segments_.sources[static_cast<std::size_t>(value.source)];
  if (source.node < 0) return true;
  const Node& node = segments_.list[static_cast<std::size_t>(source.made)].graph->node(source.node);
  return source.made != position() && (node.leaf() || !node.traits.constant);
}

// Of any node; some have no name in the text.
int GraphBuilder::source_of(int segment, NodeId node) {
  const Tensor tensor{segments_.list[static_cast<std::size_t>(segment)].graph.get(), node};
  if (const Node& made = tensor.graph->node(node); made.leaf()) {
    return static_cast<int>(made.buffer) - 1;
  }
  const auto known = sources_.find({segment, node});
  return known != sources_.end() ? known->second : define(tensor, segment).source;
}

Tensor GraphBuilder::use(Value& value) {
  if (value.source < 0) {
    if (!value.moved) throw Error("it has no value that can be read here");
    return materialised(*value.moved);
  }
  Source& source = source_of(value);
  source.last_use = std::max(source.last_use, position());
  Graph& graph = *here().graph;
  if (source.on_host) return copy_from_host(graph, value.type, -value.source);
  if (source.made == position() && source.node >= 0) return {&graph, source.node};
  const auto known = here().leaves.find(value.source);
  if (known != here().leaves.end()) return {&graph, known->second};
  if (source.node >= 0) {
    Segment& maker = segments_.list[static_cast<std::size_t>(source.made)];
    const Node& node = maker.graph->node(source.node);
    if (node.traits.constant) {
      const Tensor again = graph.apply(node.op, {});
      here().leaves.emplace(value.source, again.id);
      return again;
    }
    // A broadcast is made again in the kernels that read it, as XLA sinks it into a loop; so is
    // what lies elsewhere under another shape.
    const bool renamed = node.traits.bitcast && maker.graph->node(node.inputs[0]).leaf();
    if (node.inputs.size() == 1 && (node.traits.repeats || renamed)) {
      Value one{.source = source_of(source.made, node.inputs[0])};
      const Tensor inputs = use(one);
      const Tensor again = graph.apply(node.op, {&inputs, 1});
      here().leaves.emplace(value.source, again.id);
      return again;
    }
    if (!node.leaf()) maker.outputs.insert(source.node);
  }
  const Tensor leaf = graph.leaf(value.source + 1, source.type);
  here().leaves.emplace(value.source, leaf.id);
  return leaf;
}

Tensor GraphBuilder::materialised(Moved& moved) {
  constexpr int most_made = 200'000;
  if (++movements_ > most_made) throw Error("values are moved again and again, 200,000 times");
  if (moved.kind == Moved::Kind::taken) {
    return copy_from_host(*here().graph, moved.of.type, moved.number);
  }
  Tensor tensor = use(moved.of);
  if (moved.kind == Moved::Kind::reversed) return reverse(tensor, moved.axes);
  const Node& node = tensor.graph->node(tensor.id);
  // A product writes its result in the order that its reader wants.
  const bool free = !node.leaf() && node.op->name() == "dot";
  if (free) return relabel_axes(tensor, moved.axes);
  return transpose(tensor, {moved.axes.begin(), moved.axes.end()});
}

void GraphBuilder::leave(Value& value) {
  if (on_host(value)) return;
  Tensor tensor = use(value);
  const bool old = value.source >= 0 && value.version < source_of(value).version;
  if (old) {  // kept elsewhere before it was written over
    const Type type = tensor.type();
    tensor = apply_general(*tensor.graph,
                           {.name = "copy", .type = type, .work = VectorWork{.shape = type.shape}},
                           {&tensor, 1});
  }
  const Node& node = tensor.graph->node(tensor.id);
  if (!node.leaf() && !node.traits.constant) here().outputs.insert(tensor.id);
  if (value.source < 0 || old) value = define(tensor);
}

Type GraphBuilder::type_of(const TensorType& written, const Operation& operation) {
  if (is_token(written)) return {Shape{}, DType::pred, Placement::shared};
  if (written.element.empty()) {
    refuse(operation, fmt::format("values of type {} are not read", written.text));
  }
  const std::optional<DType> dtype = dtype_of_mlir(written.element);
  if (!dtype) refuse(operation, not_priced(written.element));
  constexpr std::int64_t most = std::int64_t{1} << 44;  // sums of them are counted in 63 bits
  if (written.shape.elements() > most / bytes_of(*dtype)) {
    refuse(operation, fmt::format("{} is more than 16 TiB", written.text));
  }
  if (written.element.starts_with("f16")) notes_.add("values of f16 priced as bf16");
  return {written.shape, *dtype, Placement::shared};
}

}  // namespace tpulab::stablehlo

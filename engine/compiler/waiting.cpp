#include "engine/compiler/waiting.h"

#include <algorithm>

#include "engine/compiler/stored.h"

namespace tpulab {

namespace {

bool crosses(const Region& from, const Region& to) {
  return to.layer != 0 && from.layer == to.layer && from.pass != to.pass;
}

}  // namespace

WaitingValues::WaitingValues(const Program& program, const Keeping& keeping)
    : program_(program), keeping_(keeping), kept_(program.nodes.size()) {
  for (const NodeId input : program.inputs) raise(input, program.node(input).region.runs);
  const bool collects =
      std::ranges::any_of(program.nodes, [](const Node& node) { return node.traits.collects; });
  for (const Kernel& kernel : program.kernels) {
    for (const NodeId id : kernel.nodes) {
      // Reads what waits of no layer, but for what is collected of its runs.
      if (program.node(id).region.layer == 0 && !collects) continue;
      Opened opened;
      read_all(program.node(id), program.node(id).region, {}, opened);
    }
  }
  for (const Kernel& kernel : program.kernels) {
    if (!kernel.collective || kernel.runs > 1) continue;
    for (const NodeId id : kernel.nodes) raise(id, program.node(id).region.runs);
  }
  for (const NodeId output : program.outputs) {
    raise(memory_of(program, output), program.node(output).region.runs);
  }
}

Bytes WaitingValues::further(NodeId id, Bytes one) const {
  const Kept& kept = at(id);
  const std::int64_t here = kept.copies - 1;
  return part(id, one) * (kept.on_host ? std::min<std::int64_t>(here, 1) : here);
}

Bytes WaitingValues::stack(NodeId id, Bytes one) const {
  return part(id, one) * (at(id).on_host ? 1 : at(id).copies);
}

Bytes WaitingValues::on_host(NodeId id, Bytes one) const {
  const Kept& kept = at(id);
  return kept.on_host ? part(id, one) * kept.copies : Bytes{};
}

// What one reader keeps, another cannot let go.
void WaitingValues::raise(NodeId id, std::int64_t copies) {
  Kept& kept = kept_[static_cast<std::size_t>(id)];
  kept.copies = std::max(kept.copies, copies);
}

void WaitingValues::read_all(const Node& node, const Region& reader, Way way, Opened& opened) {
  const bool enters = way.enters || node.traits.carries;
  for (const NodeId input : value_inputs(node)) {
    const Node& from = program_.node(input);
    const bool waits = way.crosses || (!from.leaf() && crosses(from.region, reader));
    if (node.traits.collects) raise(input, from.region.runs);
    if (!stored(program_, input)) {
      const Way on{waits, enters};
      if (opened.insert({input, on}).second) read_all(from, reader, on, opened);
      continue;
    }
    // What lies outside is there once, but for what each run begins with.
    if (!waits || (!enters && from.region.layer != reader.layer)) continue;
    raise(input, reader.runs);
    kept_[static_cast<std::size_t>(input)].waits = true;
    const bool by_policy =
        reader.pass == Region::Pass::backward && reader.finds != Region::Finds::nothing;
    if (by_policy) keep_for_gradients(input, enters);
  }
}

// Under a policy, what every device of a tensor group knows is kept in parts (sequence
// parallelism): inputs of layers, and the sums within them.
void WaitingValues::keep_for_gradients(NodeId id, bool enters_layer) {
  if (keeping_.remat == Remat::none) return;
  const Node& node = program_.node(id);
  if (!node.leaf() && rounds_weights(program_, node)) return;
  const bool enters = node.leaf() || enters_layer;
  Kept& kept = kept_[static_cast<std::size_t>(id)];
  kept.on_host = waits_on_host(keeping_.remat, enters);
  if (enters || node.op->name() == "all-reduce") kept.parts = keeping_.tensor;
}

}  // namespace tpulab

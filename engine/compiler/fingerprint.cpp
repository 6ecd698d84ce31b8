#include "engine/compiler/fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "engine/compiler/mixer.h"
#include "engine/compiler/program.h"

namespace tpulab {

namespace {

void add_type(Mixer& mixer, const Type& type) {
  mixer.add(static_cast<std::uint64_t>(type.dtype) << 16 |
            static_cast<std::uint64_t>(type.placement) << 8 |
            static_cast<std::uint64_t>(type.shape.rank()));
  for (const std::int64_t extent : type.shape.extents()) {
    mixer.add(static_cast<std::uint64_t>(extent));
  }
}

// Positions of graph nodes within the cut.
std::vector<NodeId> positions(const Cut& cut) {
  std::vector<NodeId> position(static_cast<std::size_t>(cut.graph->size()), -1);
  for (std::size_t i = 0; i < cut.nodes.size(); ++i) {
    position[static_cast<std::size_t>(cut.nodes[i])] = static_cast<NodeId>(i);
  }
  return position;
}

// Per input its buffer; scalars are -1.
std::vector<BufferId> input_buffers(const Cut& cut) {
  std::vector<BufferId> buffers;
  for (const NodeId id : cut.nodes) {
    const Node& node = cut.graph->node(id);
    if (node.leaf()) buffers.push_back(node.buffer);
  }
  return buffers;
}

// The first input that is this buffer.
std::unordered_map<BufferId, int> first_inputs(const std::vector<BufferId>& buffers) {
  std::unordered_map<BufferId, int> first(buffers.size());
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i] >= 0) first.try_emplace(buffers[i], static_cast<int>(i));
  }
  return first;
}

std::vector<int> sequence_of(const Cut& cut) {
  const std::vector<BufferId> buffers = input_buffers(cut);
  const auto first = first_inputs(buffers);
  std::vector<int> sequence(buffers.size());
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    sequence[i] = buffers[i] < 0 ? static_cast<int>(i) : first.at(buffers[i]);
  }
  return sequence;
}

std::uint64_t wiring_of(const Cut& cut, const std::vector<NodeId>& position) {
  Mixer mixer;
  for (const NodeId id : cut.nodes) {
    const Node& node = cut.graph->node(id);
    if (node.region.layer != 0) mixer.add(static_cast<std::uint64_t>(node.region.runs));
    for (const NodeId input : node.inputs) {
      mixer.add(static_cast<std::uint64_t>(position[static_cast<std::size_t>(input)]));
    }
  }
  for (const NodeId output : cut.outputs) {
    mixer.add(static_cast<std::uint64_t>(position[static_cast<std::size_t>(output)]));
  }
  return mixer.key().words[0];
}

}  // namespace

Cut make_cut(const Graph& graph, std::vector<NodeId> outputs, std::vector<BufferId> overwrites,
             std::string topology, int world) {
  std::vector<char> needed(static_cast<std::size_t>(graph.size()), 0);
  for (const NodeId output : outputs) needed[static_cast<std::size_t>(output)] = 1;
  Cut cut{&graph, {}, std::move(outputs), std::move(overwrites), std::move(topology), world};
  for (NodeId id = graph.size() - 1; id >= 0; --id) {
    if (!needed[static_cast<std::size_t>(id)]) continue;
    cut.nodes.push_back(id);
    for (const NodeId input : graph.node(id).inputs) needed[static_cast<std::size_t>(input)] = 1;
  }
  std::ranges::reverse(cut.nodes);
  return cut;
}

std::vector<int> donations(const Cut& cut) {
  const auto first = first_inputs(input_buffers(cut));
  std::vector<int> donated;
  donated.reserve(cut.overwrites.size());
  for (const BufferId buffer : cut.overwrites) {
    const auto found = first.find(buffer);
    donated.push_back(found == first.end() ? -1 : found->second);
  }
  return donated;
}

FingerprintKey fingerprint_key(const Cut& cut) {
  Mixer mixer;
  for (const NodeId id : cut.nodes) {
    const Node& node = cut.graph->node(id);
    if (node.leaf()) {
      mixer.add(node.scalar ? std::string_view("scalar") : std::string_view("input"));
      add_type(mixer, node.type);
    } else {
      mixer.add(node.op->name());
      mixer.add(node.op->attributes());
    }
  }
  mixer.add(wiring_of(cut, positions(cut)));
  for (const int first : sequence_of(cut)) mixer.add(static_cast<std::uint64_t>(first));
  for (const int donated : donations(cut)) mixer.add(static_cast<std::uint64_t>(donated));
  mixer.add(cut.topology);
  return mixer.key();
}

Fingerprint fingerprint(const Cut& cut) {
  Fingerprint parts;
  parts.key = fingerprint_key(cut);
  for (const NodeId id : cut.nodes) {
    const Node& node = cut.graph->node(id);
    if (node.leaf()) {
      std::string text = text_of(node.type.dtype, node.type.shape);
      if (node.scalar) text += " scalar";
      if (!node.label.empty()) text += " " + node.label;
      parts.inputs.push_back(std::move(text));
    } else {
      const std::string attributes = node.op->attributes();
      parts.ops.push_back(attributes.empty() ? std::string(node.op->name())
                                             : fmt::format("{} {}", node.op->name(), attributes));
    }
  }
  for (const NodeId output : cut.outputs) {
    const Node& node = cut.graph->node(output);
    parts.outputs.push_back(text_of(node.type.dtype, node.type.shape) + " " +
                            (node.leaf() ? node.label : std::string(node.op->name())));
  }
  parts.sequence = sequence_of(cut);
  parts.donated = donations(cut);
  parts.wiring = wiring_of(cut, positions(cut));
  parts.topology = cut.topology;
  return parts;
}

FingerprintKey key_of_parts(const Fingerprint& parts, std::span<const Kernel> kernels) {
  Mixer mixer;
  for (const auto* list : {&parts.inputs, &parts.ops, &parts.outputs}) {
    mixer.add(list->size());
    for (const std::string& part : *list) mixer.add(std::string_view(part));
  }
  for (const Kernel& kernel : kernels) {
    mixer.add(std::string_view(kernel.name));
    mixer.add(std::string_view(kernel.part));
    mixer.add(static_cast<std::uint64_t>(kernel.runs));
  }
  mixer.add(parts.wiring);
  mixer.add(std::string_view(parts.topology));
  return mixer.key();
}

}  // namespace tpulab

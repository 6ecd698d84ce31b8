#include "engine/compiler/stored.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tpulab {

namespace {

// What the node reads begins at `from` in `found`. `passed`: folded nodes with several inputs, each
// of which is opened once.
void collect(const Program& program, NodeId id, std::size_t from, std::vector<NodeId>& found,
             std::vector<NodeId>& passed) {
  const auto begin = found.begin() + static_cast<std::ptrdiff_t>(from);
  // Long chains of one input are followed in a loop.
  while (!stored(program, id) && value_inputs(program.node(id)).size() == 1) {
    id = value_inputs(program.node(id))[0];
  }
  if (stored(program, id)) {
    if (std::find(begin, found.end(), id) == found.end()) found.push_back(id);
    return;
  }
  if (std::ranges::find(passed, id) != passed.end()) return;
  passed.push_back(id);
  for (const NodeId input : value_inputs(program.node(id))) {
    collect(program, input, from, found, passed);
  }
}

class LastReads {
 public:
  LastReads(const Program& program, ReadersOf which)
      : program_(program), numbers_(which == ReadersOf::numbers), last_(program.nodes.size(), -1) {}

  // A folded value is read together with all that it is made of.
  void note(NodeId id, int kernel) {
    if (noted(id, kernel)) return;
    while (!stored(program_, id) && inputs(id).size() == 1) {
      id = inputs(id)[0];
      if (noted(id, kernel)) return;
    }
    if (!stored(program_, id)) note_inputs(id, kernel);
  }
  void note_inputs(NodeId id, int kernel) {
    for (const NodeId input : inputs(id)) note(input, kernel);
  }
  std::vector<int> found() && { return std::move(last_); }

 private:
  bool noted(NodeId id, int kernel) {
    return std::exchange(last_[static_cast<std::size_t>(id)], kernel) == kernel;
  }
  std::span<const NodeId> inputs(NodeId id) const {
    const Node& node = program_.node(id);
    return value_inputs(node).subspan(numbers_ && node.traits.compares ? 1 : 0);
  }

  const Program& program_;
  bool numbers_;
  std::vector<int> last_;
};

}  // namespace

std::vector<int> last_reads(const Program& program, ReadersOf which) {
  LastReads reads(program, which);
  const int kernels = static_cast<int>(program.kernels.size());
  for (int k = 0; k < kernels; ++k) {
    for (const NodeId id : program.kernels[static_cast<std::size_t>(k)].nodes) {
      reads.note(id, k);
      reads.note_inputs(id, k);
    }
  }
  for (const NodeId output : program.outputs) reads.note(output, kernels);
  return std::move(reads).found();
}

std::vector<NodeId> stored_inputs(const Program& program, const Node& node) {
  std::vector<NodeId> found;
  std::vector<NodeId> passed;
  for (const NodeId input : value_inputs(node)) collect(program, input, 0, found, passed);
  return found;
}

Wiring::Wiring(const Program& program)
    : first_input_(program.nodes.size() + 1), first_reader_(program.nodes.size() + 1) {
  std::vector<NodeId> passed;
  for (std::size_t id = 0; id < program.nodes.size(); ++id) {
    const std::size_t from = inputs_.size();
    passed.clear();
    for (const NodeId input : value_inputs(program.nodes[id])) {
      collect(program, input, from, inputs_, passed);
    }
    first_input_[id + 1] = static_cast<int>(inputs_.size());
  }
  for (const NodeId input : inputs_) ++first_reader_[static_cast<std::size_t>(input) + 1];
  std::partial_sum(first_reader_.begin(), first_reader_.end(), first_reader_.begin());
  readers_.resize(inputs_.size());
  std::vector<int> next = first_reader_;
  for (std::size_t id = 0; id < program.nodes.size(); ++id) {
    for (const NodeId input : inputs(static_cast<NodeId>(id))) {
      const int place = next[static_cast<std::size_t>(input)]++;
      readers_[static_cast<std::size_t>(place)] = static_cast<NodeId>(id);
    }
  }
}

std::vector<Type> types_read(const Program& program, const Node& node) {
  std::vector<Type> types;
  types.reserve(node.inputs.size());
  for (const NodeId input : node.inputs) types.push_back(program.node(input).type);
  return types;
}

NodeId memory_of(const Program& program, NodeId id) {
  while (!stored(program, id) && program.node(id).traits.bitcast) {
    id = program.node(id).inputs[0];
  }
  return id;
}

}  // namespace tpulab

// When each value is read for the last time, and the most HBM that is alive at once.
#include <algorithm>
#include <utility>
#include <variant>

#include "engine/compiler/compile.h"
#include "engine/compiler/stored.h"
#include "engine/machine/price.h"

namespace tpulab {

namespace {

// A matrix lies in memory in the order of its axes that pads less, as XLA has it.
Bytes device_bytes(const Program& program, NodeId id) {
  const Shape& shape = program.laid_out[static_cast<std::size_t>(id)];
  const DType dtype = program.node(id).type.dtype;
  const Bytes bytes = padded_bytes(shape, dtype);
  if (shape.rank() != 2) return bytes;
  return std::min(bytes, padded_bytes({shape[1], shape[0]}, dtype));
}

// A folded value is read together with all that it is made of.
void use(Program& program, NodeId id, int kernel) {
  program.last_use[static_cast<std::size_t>(id)] = kernel;
  while (!stored(program, id) && value_inputs(program.node(id)).size() == 1) {
    id = value_inputs(program.node(id))[0];
    program.last_use[static_cast<std::size_t>(id)] = kernel;
  }
  if (stored(program, id)) return;
  for (const NodeId input : value_inputs(program.node(id))) use(program, input, kernel);
}

void find_last_uses(Program& program) {
  program.last_use.assign(program.nodes.size(), -1);
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    for (const NodeId id : program.kernels[k].nodes) {
      use(program, id, static_cast<int>(k));
      for (const NodeId input : value_inputs(program.node(id))) {
        use(program, input, static_cast<int>(k));
      }
    }
  }
  for (const NodeId output : program.outputs) {
    use(program, output, static_cast<int>(program.kernels.size()));
  }
}

bool crosses(const Region& from, const Region& to) {
  return to.layer != 0 && from.layer == to.layer && from.pass != to.pass;
}

// How many values of a node lie in memory at once: one, or one for each run of its layer if it is a
// parameter, leaves the program, or is read by another pass.
class Copies {
 public:
  explicit Copies(const Program& program) : program_(program), count_(program.nodes.size(), 1) {
    for (const NodeId input : program.inputs) at(input) = program.node(input).region.runs;
    for (const Kernel& kernel : program.kernels) {
      for (const NodeId id : kernel.nodes) read_all(program.node(id), program.node(id).region);
    }
    for (const Kernel& kernel : program.kernels) {
      if (!kernel.collective || kernel.runs > 1) continue;
      for (const NodeId id : kernel.nodes) raise(id, program.node(id).region.runs);
    }
    for (const NodeId output : program.outputs) {
      raise(memory_of(program, output), program.node(output).region.runs);
    }
  }
  std::int64_t of(NodeId id) const { return count_[static_cast<std::size_t>(id)]; }

 private:
  std::int64_t& at(NodeId id) { return count_[static_cast<std::size_t>(id)]; }
  // What one reader keeps, another cannot let go.
  void raise(NodeId id, std::int64_t count) { at(id) = std::max(at(id), count); }

  void read_all(const Node& node, const Region& reader, bool crossed = false) {
    for (const NodeId input : value_inputs(node)) {
      const Node& from = program_.node(input);
      const bool kept = crossed || (!from.leaf() && crosses(from.region, reader));
      if (!stored(program_, input)) {
        read_all(from, reader, kept);
      } else if (kept) {
        raise(input, reader.runs);
      }
    }
  }

  const Program& program_;
  std::vector<std::int64_t> count_;
};

// Per kernel: the last one of the same pass of its layer, or itself.
std::vector<int> ends_of_passes(const Program& program) {
  std::vector<int> ends(program.kernels.size() + 1);
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    const Region& region = program.node(program.kernels[k].nodes[0]).region;
    ends[k] = static_cast<int>(k);
    for (std::size_t later = k + 1; region.layer != 0 && later < program.kernels.size(); ++later) {
      if (program.node(program.kernels[later].nodes[0]).region == region) {
        ends[k] = static_cast<int>(later);
      }
    }
  }
  ends.back() = static_cast<int>(program.kernels.size());
  return ends;
}

// Bytes that one value of each node takes of its own: none for inputs (counted once), for values
// that never leave their kernel, and for outputs that take over an input's buffer.
std::vector<Bytes> own_bytes(const Program& program) {
  std::vector<Bytes> bytes(program.nodes.size());
  std::vector<int> kernel_of(program.nodes.size(), -1);
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    for (const NodeId id : program.kernels[k].nodes) {
      kernel_of[static_cast<std::size_t>(id)] = static_cast<int>(k);
      if (program.last_use[static_cast<std::size_t>(id)] > static_cast<int>(k)) {
        bytes[static_cast<std::size_t>(id)] = device_bytes(program, id);
      }
    }
  }
  for (std::size_t i = 0; i < program.outputs.size(); ++i) {
    const NodeId memory = memory_of(program, program.outputs[i]);
    if (program.donated[i] < 0 || kernel_of[static_cast<std::size_t>(memory)] < 0) continue;
    const NodeId input = program.inputs[static_cast<std::size_t>(program.donated[i])];
    // While a later kernel still reads the input, the result needs memory of its own.
    const bool free = program.last_use[static_cast<std::size_t>(input)] <=
                      kernel_of[static_cast<std::size_t>(memory)];
    if (free) bytes[static_cast<std::size_t>(memory)] = {};
  }
  return bytes;
}

// An all-reduce leaves its results where its operands lie, unless these are read later.
bool sums_in_place(const Kernel& kernel) {
  if (!kernel.collective) return false;
  const auto& work = std::get<CollectiveWork>(kernel.work.items.at(0));
  return work.kind == CollectiveKind::all_reduce;
}

// What lives at once. A loop over layers takes one value after the other from those that wait for
// it and leaves as many for later ones: most live in its first run or in its last.
class Walk {
 public:
  explicit Walk(const Program& program)
      : program_(program),
        copies_(program),
        bytes_(own_bytes(program)),
        ends_(ends_of_passes(program)),
        ended_(ends_.size()),
        left_(ends_.size()),
        taken_(ends_.size()) {
    for (std::size_t id = 0; id < program.nodes.size(); ++id) end(static_cast<NodeId>(id));
  }

  const Copies& copies() const { return copies_; }

  Bytes most() {
    Bytes live;
    Bytes most;
    const auto& kernels = program_.kernels;
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      for (const NodeId id : kernels[k].nodes) note_left(id, ends_[k]);
    }
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      if (sums_in_place(kernels[k])) live = live - std::exchange(ended_[k], {});
      for (const NodeId id : kernels[k].nodes) live += bytes_[static_cast<std::size_t>(id)];
      const auto end = static_cast<std::size_t>(ends_[k]);
      most = std::max({most, live, live + left_[end] - taken_[end]});
      if (end == k) live += left_[k];
      live = live - ended_[k];
    }
    return most;
  }

 private:
  Bytes further(NodeId id) const {
    return bytes_[static_cast<std::size_t>(id)] * (copies_.of(id) - 1);
  }
  void note_left(NodeId id, int end) { left_[static_cast<std::size_t>(end)] += further(id); }

  // All runs of a pass have to be over before the last of many values has been read.
  void end(NodeId id) {
    int last = program_.last_use[static_cast<std::size_t>(id)];
    if (last < 0) return;
    if (copies_.of(id) > 1) last = ends_[static_cast<std::size_t>(last)];
    const auto at = static_cast<std::size_t>(last);
    ended_[at] += bytes_[static_cast<std::size_t>(id)] * copies_.of(id);
    taken_[at] += further(id);
  }

  const Program& program_;
  Copies copies_;
  std::vector<Bytes> bytes_;
  std::vector<int> ends_;
  std::vector<Bytes> ended_;  // per kernel: what nobody reads after it
  std::vector<Bytes> left_;   // per end of a pass: what its runs but one leave behind
  std::vector<Bytes> taken_;  // and what they have read
};

}  // namespace

void schedule(Program& program) {
  find_last_uses(program);
  Walk walk(program);
  program.input_bytes = {};
  for (const NodeId input : program.inputs) {
    program.input_bytes += device_bytes(program, input) * walk.copies().of(input);
  }
  program.peak_bytes = program.input_bytes + walk.most();
}

}  // namespace tpulab

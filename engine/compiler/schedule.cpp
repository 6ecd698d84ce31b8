// When each value is read for the last time, and the most HBM that is alive at once.
#include <algorithm>

#include "engine/compiler/compile.h"
#include "engine/machine/price.h"

namespace tpulab {

namespace {

Bytes device_bytes(const Node& node) { return padded_bytes(node.type.shape, node.type.dtype); }

void find_last_uses(Program& program) {
  program.last_use.assign(program.nodes.size(), -1);
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    for (const NodeId id : program.kernels[k].nodes) {
      program.last_use[static_cast<std::size_t>(id)] = static_cast<int>(k);
      for (const NodeId input : program.node(id).inputs) {
        program.last_use[static_cast<std::size_t>(input)] = static_cast<int>(k);
      }
    }
  }
  for (const NodeId output : program.outputs) {
    program.last_use[static_cast<std::size_t>(output)] = static_cast<int>(program.kernels.size());
  }
}

// Bytes each node takes of its own: none for inputs (counted once), for values that never leave
// their kernel, and for outputs that take over an input's buffer.
std::vector<Bytes> own_bytes(const Program& program) {
  std::vector<Bytes> bytes(program.nodes.size());
  std::vector<int> kernel_of(program.nodes.size(), -1);
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    for (const NodeId id : program.kernels[k].nodes) {
      kernel_of[static_cast<std::size_t>(id)] = static_cast<int>(k);
      if (program.last_use[static_cast<std::size_t>(id)] > static_cast<int>(k)) {
        bytes[static_cast<std::size_t>(id)] = device_bytes(program.node(id));
      }
    }
  }
  for (std::size_t i = 0; i < program.outputs.size(); ++i) {
    if (program.donated[i] >= 0) bytes[static_cast<std::size_t>(program.outputs[i])] = {};
  }
  return bytes;
}

}  // namespace

void schedule(Program& program) {
  find_last_uses(program);
  program.input_bytes = {};
  for (const NodeId input : program.inputs)
    program.input_bytes += device_bytes(program.node(input));

  const std::vector<Bytes> bytes = own_bytes(program);
  Bytes live;
  Bytes most;
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    for (const NodeId id : program.kernels[k].nodes) live += bytes[static_cast<std::size_t>(id)];
    most = std::max(most, live);
    for (std::size_t id = 0; id < program.nodes.size(); ++id) {
      if (program.last_use[id] == static_cast<int>(k)) live = live - bytes[id];
    }
  }
  program.peak_bytes = program.input_bytes + most;
}

}  // namespace tpulab

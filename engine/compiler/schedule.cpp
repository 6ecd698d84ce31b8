// When each value is read for the last time, and the most HBM that is alive at once.
#include <algorithm>
#include <utility>
#include <variant>

#include "engine/compiler/compile.h"
#include "engine/compiler/stored.h"
#include "engine/machine/price.h"

namespace tpulab {

namespace {

Bytes device_bytes(const Program& program, NodeId id) {
  return padded_bytes(program.laid_out[static_cast<std::size_t>(id)], program.node(id).type.dtype);
}

// A folded value is read together with all that it is made of.
void use(Program& program, NodeId id, int kernel) {
  program.last_use[static_cast<std::size_t>(id)] = kernel;
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

// Bytes each node takes of its own: none for inputs (counted once), for values that never leave
// their kernel, and for outputs that take over an input's buffer.
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

}  // namespace

void schedule(Program& program) {
  find_last_uses(program);
  program.input_bytes = {};
  for (const NodeId input : program.inputs) program.input_bytes += device_bytes(program, input);

  const std::vector<Bytes> bytes = own_bytes(program);
  std::vector<Bytes> ended(program.kernels.size() + 1);  // per kernel: what it reads last
  for (std::size_t id = 0; id < program.nodes.size(); ++id) {
    const int last = program.last_use[id];
    if (last >= 0) ended[static_cast<std::size_t>(last)] += bytes[id];
  }
  Bytes live;
  Bytes most;
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    if (sums_in_place(program.kernels[k])) live = live - std::exchange(ended[k], {});
    for (const NodeId id : program.kernels[k].nodes) live += bytes[static_cast<std::size_t>(id)];
    most = std::max(most, live);
    live = live - ended[k];
  }
  program.peak_bytes = program.input_bytes + most;
}

}  // namespace tpulab

#include "engine/training/models/program_blocks.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include "engine/base/work.h"
#include "engine/compiler/compile.h"
#include "engine/compiler/waiting.h"

namespace tpulab {

namespace {

// Nodes that the first output, the loss, is made of.
std::vector<char> made_for_loss(const Program& program) {
  std::vector<char> needed(program.nodes.size(), 0);
  needed[static_cast<std::size_t>(program.outputs.front())] = 1;
  for (auto id = static_cast<std::ptrdiff_t>(needed.size()) - 1; id >= 0; --id) {
    if (!needed[static_cast<std::size_t>(id)]) continue;
    for (const NodeId input : program.nodes[static_cast<std::size_t>(id)].inputs) {
      needed[static_cast<std::size_t>(input)] = 1;
    }
  }
  return needed;
}

// Nodes that take the place of an input: new weights and their state.
std::vector<char> made_for_update(const Program& program) {
  std::vector<char> made(program.nodes.size(), 0);
  for (std::size_t i = 0; i < program.outputs.size(); ++i) {
    if (program.donated[i] >= 0) made[static_cast<std::size_t>(program.outputs[i])] = 1;
  }
  return made;
}

// A block for each layer that runs repeatedly, and one before, between and behind them. Kernels
// keep their order: those that the loss needs, those of its gradients, and the updates where they
// wait for other devices.
class Blocks {
 public:
  Blocks(Program& program, int layers, const Keeping& keeping)
      : program_(program),
        waiting_(program, keeping),
        forward_(made_for_loss(program)),
        updated_(made_for_update(program)) {
    blocks_.resize(2 * static_cast<std::size_t>(layers) + 1);
    for (Kernel& kernel : program.kernels) add(kernel);
  }
  std::vector<Block> take() && { return std::move(blocks_); }

 private:
  void add(Kernel& kernel) {
    const Region& region = program_.node(kernel.nodes.front()).region;
    if (kernel.runs == 1 && region.runs > 1) return add(kernel, blocks_.front().update);
    if (region.layer != 0) {
      before_ = region.pass == Region::Pass::forward ? region.layer : region.layer - 1;
    }
    Block& block = blocks_[block_of(region)];
    block.repeats = region.runs;
    note_arrays(block, kernel);
    add(kernel, pass_of(kernel, region, block));
  }

  void add(Kernel& kernel, std::vector<NamedKernel>& pass) const {
    const bool any = std::ranges::any_of(kernel.work->items, [](const Work& item) {
      return std::holds_alternative<MatrixWork>(item);
    });
    const bool product = any && std::ranges::any_of(kernel.nodes, [&](NodeId id) {
                           return multiplies_weights(program_, program_.node(id));
                         });
    NamedKernel named{std::move(kernel.name), std::move(kernel.work), product,
                      std::move(kernel.part)};
    // Links are what takes time; between slices a chip sends a piece of the payload alone.
    if (kernel.collective) named.work = {named.work->items, {}, {}};
    launch(pass, std::move(named), kernel.launches);
  }

  // Each array that waits is one of those that are written.
  void note_arrays(Block& block, const Kernel& kernel) const {
    std::vector<NodeId> waiting;
    std::ranges::copy_if(kernel.nodes, std::back_inserter(waiting),
                         [&](NodeId id) { return waiting_.waits(id); });
    for (const Operand& made : kernel.work->writes) {
      const auto node = std::ranges::find_if(waiting, [&](NodeId id) {
        const Type& type = program_.node(id).type;
        return type.dtype == made.dtype && type.shape.elements() == made.shape.elements();
      });
      if (node == waiting.end()) {
        note_array(block, kernel.name, made);
        continue;
      }
      const Bytes part = waiting_.part(*node, made.bytes());
      const Bytes all = waiting_.stack(*node, made.bytes());
      note_array(block, kernel.name, made,
                 {part, all.value / std::max<std::int64_t>(part.value, 1), true});
      waiting.erase(node);
    }
  }

  std::vector<NamedKernel>& pass_of(const Kernel& kernel, const Region& region,
                                    Block& block) const {
    const bool of_layer = region.layer != 0;
    const bool first = of_layer ? region.pass == Region::Pass::forward
                                : forward_[static_cast<std::size_t>(kernel.nodes.front())] != 0;
    const bool update =
        of_layer ? region.pass == Region::Pass::update : program_.world > 1 && updates(kernel);
    return first ? block.forward : update ? block.update : block.backward;
  }

  bool updates(const Kernel& kernel) const {
    return std::ranges::any_of(
        kernel.nodes, [&](NodeId id) { return updated_[static_cast<std::size_t>(id)] != 0; });
  }

  std::size_t block_of(const Region& region) const {
    if (region.layer != 0) return 2 * static_cast<std::size_t>(region.layer) - 1;
    return 2 * static_cast<std::size_t>(before_);
  }

  const Program& program_;
  WaitingValues waiting_;
  std::vector<char> forward_;
  std::vector<char> updated_;
  std::vector<Block> blocks_;
  int before_ = 0;  // layers between the network's input and what runs now
};

}  // namespace

std::vector<Block> blocks_of(Program& program, int layers, const Keeping& keeping) {
  return Blocks(program, layers, keeping).take();
}

}  // namespace tpulab

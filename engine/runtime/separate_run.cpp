#include "engine/runtime/separate_run.h"

#include <algorithm>
#include <cstring>

#include "engine/base/error.h"
#include "engine/base/peers.h"
#include "engine/base/workers.h"
#include "engine/runtime/run_order.h"
#include "engine/runtime/tree_sum.h"

namespace tpulab {

namespace {

class SeparateRun {
 public:
  SeparateRun(const Program& program, WorkerPool& workers, bool reference, bool share)
      : program_(program),
        workers_(workers),
        share_(share),
        alone_{.workers = nullptr, .reference = reference, .stacked = 1},
        together_{.workers = &workers, .reference = reference, .stacked = 1},
        peers_(program.world > 1 ? workers.peers() : nullptr),
        own_(program.world / (peers_ != nullptr ? peers_->size() : 1)),
        first_(peers_ != nullptr ? peers_->rank() * own_ : 0),
        made_(static_cast<std::size_t>(own_), std::vector<Array>(program.nodes.size())),
        views_(static_cast<std::size_t>(own_), std::vector<ArrayView>(program.nodes.size())) {}

  std::vector<Array> run(std::span<const ArrayView> inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) bind(program_.inputs[i], inputs[i]);
    const RunOrder order = run_order(program_);
    for (const NodeId id : order.first) compute(id);
    for (const auto& kernel : order.kernels) {
      for (const NodeId id : kernel) {
        program_.node(id).traits.collective ? reduce(id) : compute(id);
      }
    }
    return outputs();
  }

 private:
  void bind(NodeId id, const ArrayView& held) {
    const Node& node = program_.node(id);
    const bool shared = node.scalar || node.type.placement == Placement::shared;
    const std::int64_t elements = node.type.shape.elements();
    for (std::size_t core = 0; core < views_.size(); ++core) {
      const std::int64_t offset = shared ? 0 : place_of(core, elements);
      views_[core][static_cast<std::size_t>(id)] = {held.data + offset, node.type.shape,
                                                    held.dtype};
    }
  }

  // Where the values of one of the own cores begin in an array of all cores.
  std::int64_t place_of(std::size_t core, std::int64_t elements) const {
    return (first_ + static_cast<std::int64_t>(core)) * elements;
  }

  bool once(NodeId id) const {
    return share_ && program_.node(id).type.placement == Placement::shared;
  }

  // The value of the first core stands for all.
  void give_to_all(NodeId id) {
    const auto at = static_cast<std::size_t>(id);
    for (auto& views : views_) views[at] = views_[0][at];
  }

  void evaluate(std::size_t core, NodeId id, std::span<const ArrayView> inputs,
                const EvaluateContext& context) {
    const auto at = static_cast<std::size_t>(id);
    const Node& node = program_.node(id);
    Array out(node.type.shape, node.type.dtype);
    node.op->evaluate(inputs, out.span(), context);
    round_to(out.dtype(), out.values());
    made_[core][at] = std::move(out);
    views_[core][at] = made_[core][at].view();
  }

  std::vector<ArrayView> inputs_of(NodeId id, std::size_t core) const {
    std::vector<ArrayView> inputs;
    for (const NodeId input : program_.node(id).inputs) {
      inputs.push_back(views_[core][static_cast<std::size_t>(input)]);
    }
    return inputs;
  }

  void compute(NodeId id) {
    if (once(id)) {
      evaluate(0, id, inputs_of(id, 0), together_);
      give_to_all(id);
      return;
    }
    workers_.run(own_, [&](std::int64_t number) {
      const auto core = static_cast<std::size_t>(number);
      evaluate(core, id, inputs_of(id, core), alone_);
    });
  }

  void reduce(NodeId id) {
    const NodeId input = program_.node(id).inputs[0];
    std::vector<ArrayView> parts;
    for (const auto& views : views_) parts.push_back(views[static_cast<std::size_t>(input)]);
    Array sum(parts[0].shape);
    tree_sum(parts, sum.values(), workers_);
    if (peers_ != nullptr) sum_with_peers(*peers_, sum.values());
    const ArrayView view = sum.view();
    for (std::size_t core = 0; core < (once(id) ? 1 : views_.size()); ++core) {
      evaluate(core, id, {&view, 1}, alone_);
    }
    if (once(id)) give_to_all(id);
  }

  std::vector<Array> outputs() const {
    std::vector<Array> results;
    for (const NodeId id : program_.outputs) {
      const Type& type = program_.node(id).type;
      Array held(held_shape(type, program_.world), type.dtype);
      const std::int64_t elements = type.shape.elements();
      const ArrayView first = views_[0][static_cast<std::size_t>(id)];
      for (std::size_t core = 0; core < views_.size(); ++core) {
        const ArrayView own = views_[core][static_cast<std::size_t>(id)];
        if (type.placement == Placement::shared) {
          expects(std::memcmp(own.data, first.data, own.values().size_bytes()) == 0,
                  "a shared value has the same bits on every core");
        } else {
          std::ranges::copy(own.values(), held.values().begin() + place_of(core, elements));
        }
      }
      if (type.placement == Placement::shared) {
        std::ranges::copy(first.values(), held.values().begin());
      } else if (peers_ != nullptr) {
        gather_parts(*peers_, held.values());
      }
      results.push_back(std::move(held));
    }
    return results;
  }

  const Program& program_;
  WorkerPool& workers_;
  bool share_;
  EvaluateContext alone_;
  EvaluateContext together_;
  Peers* peers_;
  std::int64_t own_;                      // cores computed here,
  std::int64_t first_;                    // from this one on
  std::vector<std::vector<Array>> made_;  // [own core][node]
  std::vector<std::vector<ArrayView>> views_;
};

}  // namespace

std::vector<Array> run_separate(const Program& program, std::span<const ArrayView> inputs,
                                WorkerPool& workers, bool reference, bool share) {
  return SeparateRun(program, workers, reference, share).run(inputs);
}

}  // namespace tpulab

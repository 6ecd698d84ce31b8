#include "engine/runtime/merged_run.h"

#include <algorithm>

#include "engine/base/workers.h"
#include "engine/compiler/stored.h"
#include "engine/runtime/run_order.h"

namespace tpulab {

namespace {

// Elements of one block of a fused elementwise kernel: small enough that a dozen intermediates stay
// in L2.
constexpr std::int64_t block_elements = 4096;

class MergedRun {
 public:
  MergedRun(const Program& program, std::span<Array* const> owners, WorkerPool& workers,
            ArrayPool& pool, bool reference)
      : program_(program),
        order_(merged_run_order(program)),
        owners_(owners),
        pool_(pool),
        whole_{.workers = &workers, .reference = reference, .stacked = program.world},
        block_{.workers = nullptr, .reference = reference, .stacked = program.world},
        arrays_(program.nodes.size()),
        views_(program.nodes.size()) {}

  std::vector<Array> run(std::span<const ArrayView> inputs) {
    bind_leaves(inputs);
    run_nodes(order_.first, -1);
    for (std::size_t k = 0; k < program_.kernels.size(); ++k) {
      run_nodes(order_.kernels[k], static_cast<int>(k));
      release(static_cast<int>(k));
    }
    return outputs();
  }

 private:
  Shape shape_of(NodeId id) const {
    const Node& node = program_.node(id);
    Shape shape = node.type.shape;
    if (program_.world > 1 && program_.stacks[static_cast<std::size_t>(id)] == Stack::rows) {
      shape[0] *= program_.world;
    }
    return shape;
  }

  void bind_leaves(std::span<const ArrayView> inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const NodeId id = program_.inputs[i];
      ArrayView view = inputs[i];
      view.shape = shape_of(id);
      views_[static_cast<std::size_t>(id)] = view;
    }
  }

  ArraySpan make(NodeId id) {
    const auto at = static_cast<std::size_t>(id);
    arrays_[at] = pool_.take(shape_of(id), program_.node(id).type.dtype);
    views_[at] = arrays_[at].view();
    return arrays_[at].span();
  }

  void evaluate(NodeId id) {
    const Node& node = program_.node(id);
    if (node.traits.bitcast && !stored(program_, id)) return look_at_input(id);
    std::vector<ArrayView> inputs;
    for (const NodeId input : node.inputs) {
      inputs.push_back(views_[static_cast<std::size_t>(input)]);
    }
    const ArraySpan out = make(id);
    node.op->evaluate(inputs, out, whole_);
    round_to(out.dtype, out.values());
  }

  void look_at_input(NodeId id) {
    ArrayView view = views_[static_cast<std::size_t>(program_.node(id).inputs[0])];
    view.shape = shape_of(id);
    views_[static_cast<std::size_t>(id)] = view;
  }

  // A loop over elements, which an all-reduce of merged sums is too, with each input either a whole
  // scalar or of the result's shape.
  bool runs_in_blocks(NodeId id) const {
    const Node& node = program_.node(id);
    const OpTraits traits = node.traits;
    if (!traits.elementwise && !traits.collective) return false;
    const Shape shape = shape_of(id);
    return std::ranges::all_of(node.inputs, [&](NodeId input) {
      const Shape from = shape_of(input);
      return from == shape || from.scalar();
    });
  }

  void run_nodes(std::span<const NodeId> nodes, int kernel) {
    std::size_t at = 0;
    while (at < nodes.size()) {
      std::size_t end = at;
      while (end < nodes.size() && runs_in_blocks(nodes[end]) &&
             shape_of(nodes[end]) == shape_of(nodes[at])) {
        ++end;
      }
      if (end > at) {
        run_blocks(nodes.subspan(at, end - at), nodes.subspan(end), kernel);
        at = end;
      } else {
        evaluate(nodes[at++]);
      }
    }
  }

  // True if the node is read by anything but `run` itself.
  bool read_outside(NodeId id, std::span<const NodeId> rest, int kernel) const {
    if (order_.last_use[static_cast<std::size_t>(id)] > kernel) return true;
    return reads(rest, id);
  }

  bool reads(std::span<const NodeId> nodes, NodeId id) const {
    return std::ranges::any_of(nodes, [&](NodeId reader) {
      return std::ranges::count(program_.node(reader).inputs, id) > 0;
    });
  }

  struct BlockPlan {
    std::vector<int> scratch;  // per node of the run: scratch slot, or -1: written to its array
    std::vector<int> slot_of;  // the same per node of the program
    int slots = 0;
  };

  // Nobody but nodes of `run` up to and with `writer` reads the input, or what looks at its memory.
  bool last_reader(NodeId writer, NodeId input, std::span<const NodeId> run,
                   std::span<const NodeId> rest, int kernel) const {
    const auto after = std::ranges::find(run, writer) - run.begin() + 1;
    const float* memory = views_[static_cast<std::size_t>(input)].data;
    for (NodeId id = 0; id < static_cast<NodeId>(views_.size()); ++id) {
      if (views_[static_cast<std::size_t>(id)].data != memory) continue;
      if (read_outside(id, rest, kernel)) return false;
      if (reads(run.subspan(static_cast<std::size_t>(after)), id)) return false;
    }
    return true;
  }

  // The array of an input that the node's value replaces, element by element; null if there is
  // none. A step of Adam writes half as much memory so, and most of it is in cache.
  Array* taken_over(NodeId id, std::span<const NodeId> run, std::span<const NodeId> rest,
                    int kernel) const {
    const auto at = std::ranges::find(program_.outputs, id) - program_.outputs.begin();
    if (at == std::ssize(program_.outputs)) return nullptr;
    const int donated = program_.donated[static_cast<std::size_t>(at)];
    if (donated < 0 || owners_.empty()) return nullptr;
    Array* const owner = owners_[static_cast<std::size_t>(donated)];
    const NodeId input = program_.inputs[static_cast<std::size_t>(donated)];
    if (owner == nullptr || owner->elements() != shape_of(id).elements()) return nullptr;
    return last_reader(id, input, run, rest, kernel) ? owner : nullptr;
  }

  void make_in_loop(NodeId id, std::span<const NodeId> run, std::span<const NodeId> rest,
                    int kernel) {
    Array* const owner = taken_over(id, run, rest, kernel);
    if (owner == nullptr) {
      make(id);
      return;
    }
    const auto at = static_cast<std::size_t>(id);
    arrays_[at] = Array(shape_of(id), std::move(*owner).release(), program_.node(id).type.dtype);
    views_[at] = arrays_[at].view();
  }

  // A slot serves again once its last reader has run, so that all of them stay in cache.
  BlockPlan plan_blocks(std::span<const NodeId> run, std::span<const NodeId> rest, int kernel) {
    BlockPlan plan{.scratch = {}, .slot_of = std::vector<int>(program_.nodes.size(), -1)};
    std::vector<int> free;
    for (std::size_t i = 0; i < run.size(); ++i) {
      int& slot = plan.slot_of[static_cast<std::size_t>(run[i])];
      if (read_outside(run[i], rest, kernel)) {
        make_in_loop(run[i], run, rest, kernel);
      } else if (free.empty()) {
        slot = plan.slots++;
      } else {
        slot = free.back();
        free.pop_back();
      }
      plan.scratch.push_back(slot);
      const NodeIds& inputs = program_.node(run[i]).inputs;
      std::vector<NodeId> read(inputs.begin(), inputs.end());
      std::ranges::sort(read);
      const auto twice = std::ranges::unique(read);
      read.erase(twice.begin(), twice.end());
      for (const NodeId input : read) {
        const int used = plan.slot_of[static_cast<std::size_t>(input)];
        if (used >= 0 && !reads(run.subspan(i + 1), input)) free.push_back(used);
      }
    }
    return plan;
  }

  void run_blocks(std::span<const NodeId> run, std::span<const NodeId> rest, int kernel) {
    const BlockPlan plan = plan_blocks(run, rest, kernel);
    const std::int64_t elements = shape_of(run[0]).elements();
    const std::int64_t blocks = (elements + block_elements - 1) / block_elements;
    whole_.workers->run(blocks, [&](std::int64_t block) {
      const std::int64_t first = block * block_elements;
      run_block(run, plan, first, std::min(block_elements, elements - first));
    });
  }

  void run_block(std::span<const NodeId> run, const BlockPlan& plan, std::int64_t first,
                 std::int64_t count) {
    thread_local std::vector<float> scratch;
    scratch.resize(static_cast<std::size_t>(plan.slots * block_elements));
    const auto place = [&](int slot) { return scratch.data() + slot * block_elements; };
    std::vector<ArrayView> inputs;
    for (std::size_t i = 0; i < run.size(); ++i) {
      const Node& node = program_.node(run[i]);
      inputs.clear();
      for (const NodeId input : node.inputs) {
        const int slot = plan.slot_of[static_cast<std::size_t>(input)];
        ArrayView view = views_[static_cast<std::size_t>(input)];
        if (slot >= 0) {
          view = {place(slot), {count}, program_.node(input).type.dtype};
        } else if (!view.shape.scalar()) {
          view = {view.data + first, {count}, view.dtype};
        }
        inputs.push_back(view);
      }
      float* data = plan.scratch[i] >= 0
                        ? place(plan.scratch[i])
                        : arrays_[static_cast<std::size_t>(run[i])].span().data + first;
      const ArraySpan out{data, {count}, node.type.dtype};
      node.op->evaluate(inputs, out, block_);
      round_to(out.dtype, out.values());
    }
  }

  void release(int kernel) {
    for (std::size_t id = 0; id < program_.nodes.size(); ++id) {
      if (order_.last_use[id] == kernel) pool_.give(std::exchange(arrays_[id], Array()));
    }
  }

  std::vector<Array> outputs() {
    std::vector<Array> results;
    for (const NodeId id : program_.outputs) {
      const ArrayView view = views_[static_cast<std::size_t>(id)];
      const Shape held = held_shape(program_.node(id).type, program_.world);
      Array copy = pool_.take(held, view.dtype);
      // One output may stand twice, or be an input passed through: those are copied.
      Array& made = arrays_[static_cast<std::size_t>(id)];
      const bool last = std::ranges::count(program_.outputs, id) == 1;
      if (made.elements() == held.elements() && last) {
        pool_.give(std::move(copy));
        results.emplace_back(held, std::move(made).release(), view.dtype);
      } else {
        std::ranges::copy(view.values(), copy.values().begin());
        results.push_back(std::move(copy));
      }
    }
    return results;
  }

  const Program& program_;
  RunOrder order_;
  std::span<Array* const> owners_;  // of inputs, as Executor::run() says
  ArrayPool& pool_;
  EvaluateContext whole_;
  EvaluateContext block_;
  std::vector<Array> arrays_;
  std::vector<ArrayView> views_;
};

}  // namespace

std::vector<Array> run_merged(const Program& program, std::span<const ArrayView> inputs,
                              std::span<Array* const> owners, WorkerPool& workers, ArrayPool& pool,
                              bool reference) {
  return MergedRun(program, owners, workers, pool, reference).run(inputs);
}

}  // namespace tpulab

// What each kernel is called, what it reads from HBM and writes there, and what it computes.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/work.h"
#include "engine/compiler/compile.h"
#include "engine/compiler/stored.h"
#include "engine/compiler/touches.h"
#include "engine/machine/price.h"

namespace tpulab {

namespace {

std::string name_of_kernel(const Program& program, const Kernel& kernel) {
  std::string name;
  name.reserve(64);
  name += program.node(kernel.nodes[0]).op->name();
  if (kernel.collective && kernel.nodes.size() > 1) {
    return fmt::format("{} x {}", name, kernel.nodes.size());
  }
  constexpr std::size_t shown = 4;
  for (std::size_t i = 1; i < std::min(kernel.nodes.size(), shown); ++i) {
    name += '+';
    name += program.node(kernel.nodes[i]).op->name();
  }
  if (kernel.nodes.size() > shown) name += fmt::format("+{} more", kernel.nodes.size() - shown);
  return name;
}

// All calls of one kernel travel together; what they send may be a bitcast.
Work joined_collective(const std::vector<Work>& items) {
  std::optional<CollectiveWork> all;
  for (const Work& item : items) {
    const auto* const one = std::get_if<CollectiveWork>(&item);
    if (one == nullptr) continue;
    if (!all) {
      all = *one;
    } else {
      all->bytes += one->bytes;
    }
  }
  expects(all.has_value(), "a collective call has a payload");
  return *all;
}

// Which kernel makes each value, and the last other one that reads it; outputs are read long
// after all of them. -1: none.
class Journeys {
 public:
  explicit Journeys(const Program& program)
      : wiring_(program),
        maker_(program.nodes.size(), -1),
        last_reader_(program.nodes.size(), -1),
        looked_at_(program.nodes.size(), -1),
        looked_behind_(program.nodes.size(), -1) {
    for (std::size_t k = 0; k < program.kernels.size(); ++k) {
      for (const NodeId id : program.kernels[k].nodes) maker_[index(id)] = static_cast<int>(k);
    }
    for (NodeId id = 0; id < static_cast<NodeId>(program.nodes.size()); ++id) {
      const int reader = maker_[index(id)];
      if (reader < 0) continue;
      for (const NodeId input : wiring_.inputs(id)) {
        if (maker_[index(input)] == reader) continue;
        last_reader_[index(input)] = std::max(last_reader_[index(input)], reader);
      }
    }
    for (const NodeId output : program.outputs) {
      last_reader_[index(memory_of(program, output))] = std::numeric_limits<int>::max();
    }
  }

  bool made_in(NodeId id, int kernel) const { return maker_[index(id)] == kernel; }
  // Whether this kernel looks at it for the first time.
  bool look(NodeId id, int kernel) {
    return std::exchange(looked_at_[index(id)], kernel) != kernel;
  }
  bool look_behind(NodeId id, int kernel) {
    return std::exchange(looked_behind_[index(id)], kernel) != kernel;
  }
  bool leaves(NodeId id) const { return last_reader_[index(id)] >= 0; }
  // It is a result of the program.
  bool stays(NodeId id) const { return last_reader_[index(id)] == std::numeric_limits<int>::max(); }

 private:
  static std::size_t index(NodeId id) { return static_cast<std::size_t>(id); }

  Wiring wiring_;
  std::vector<int> maker_;
  std::vector<int> last_reader_;
  std::vector<int> looked_at_;  // by which kernel
  std::vector<int> looked_behind_;
};

// What needs more than any chip holds need not be told apart.
Bytes held_if_any(Bytes bytes) {
  static const Bytes most = [] {
    Bytes held;
    for (const Generation& one : generations()) held = std::max(held, held_bytes(one));
    return held;
  }();
  return bytes > most ? Bytes{} : bytes;
}

Turns turns_of(const Program& program, const Kernel& kernel) {
  if (kernel.runs <= 1) return {};
  constexpr int passes = 3;
  const Region& region = program.node(kernel.nodes.front()).region;
  return {1 + region.layer * passes + static_cast<int>(region.pass), kernel.runs};
}

class Measurer {
 public:
  Measurer(const Program& program, Journeys& journeys, Touches& touches, Kernel& kernel)
      : program_(program),
        journeys_(journeys),
        touches_(touches),
        kernel_(kernel),
        turns_(turns_of(program, kernel)),
        here_(static_cast<int>(&kernel - program.kernels.data())) {}

  KernelWork run() {
    kernel_.name = name_of_kernel(program_, kernel_);
    work_.items.reserve(kernel_.nodes.size());
    reads_.reserve(4);
    work_.writes.reserve(2);
    for (const NodeId id : kernel_.nodes) {
      const Node& node = program_.node(id);
      compute(id);
      kernel_.launches += node.traits.kernels - 1;
      for (const NodeId input : value_inputs(node)) read_behind(input, seen_of(input, node, id));
      if (journeys_.leaves(id)) write(id);
      if (node.traits.adds_up) work_.reads.push_back(operand(id));
    }
    for (const Read& one : reads_) work_.reads.push_back(one.operand);
    if (kernel_.collective) work_.items = {joined_collective(work_.items)};
    return std::move(work_);
  }

 private:
  const Shape& laid_out(NodeId id) const { return program_.laid_out[static_cast<std::size_t>(id)]; }
  Operand operand(NodeId id) const { return {laid_out(id), program_.node(id).type.dtype, {}}; }

  bool is_image(NodeId id) const { return program_.images[static_cast<std::size_t>(id)] != 0; }

  // It lies there, or could as well.
  bool batch_fills_lanes(NodeId id) const {
    const Shape& shape = program_.node(id).type.shape;
    const std::int64_t batch = shape[0];
    return batch % lane_count == 0 || (laid_out(id).at(-1) == batch && shape.at(-1) != batch);
  }

  // Loops run over the array as it lies; a product streams what is not in the lanes.
  void lay_out(Work& work, NodeId id) const {
    if (auto* product = std::get_if<MatrixWork>(&work)) {
      if (!is_image(id)) return;
      product->batch_in_lanes = batch_fills_lanes(id);
      const Shape& shape = program_.node(id).type.shape;
      const bool window = product->k_pieces > 1 && shape.rank() == 4;
      if (window) product->images = shape[0];
      return;
    }
    auto* loop = std::get_if<VectorWork>(&work);
    if (loop == nullptr || loop->shape.rank() < 2) return;
    NodeId whole = id;
    for (const NodeId input : program_.node(id).inputs) {
      if (program_.node(input).type.shape == loop->shape) whole = input;
    }
    if (program_.node(whole).type.shape != loop->shape || laid_out(whole) == loop->shape) return;
    const int last = loop->shape.rank() - 1;
    loop->shape = laid_out(whole);
    if (is_image(whole)) {  // fewer than sublanes leave empty some of a register's
      if (last == 3) loop->shape[2] = std::max(loop->shape[2], sublane_count);
    } else if (loop->reduced_axis >= last - 1) {  // the axis before the last lies in the lanes
      loop->reduced_axis = loop->reduced_axis == last ? 0 : last;
    }
  }

  // What a node that is made here again is made of; of an array that it looks at a part of, that
  // part.
  void read_behind(NodeId id, NodeId part) {
    if (stored(program_, id)) return read(id, part);
    // Mostly the whole of it is asked for.
    if (part == id ? !journeys_.look_behind(id, here_) : !parts_.insert({id, part}).second) return;
    const Node& node = program_.node(id);
    for (const NodeId input : value_inputs(node)) read_behind(input, seen_of(input, node, part));
  }

  // Of an input, where `part` is asked of what is made of it: that part, if it is only looked at.
  NodeId seen_of(NodeId input, const Node& node, NodeId part) const {
    const bool looks = node.traits.bitcast || node.traits.reorders;
    const bool smaller = looks && elements(part) < elements(input);
    // What all runs have left is as large under any look at it.
    const bool larger = node.traits.bitcast && elements(part) > elements(input);
    return smaller || larger ? part : input;
  }

  Bytes bytes_in_memory(NodeId id) const {
    return padded_bytes(laid_out(id), program_.node(id).type.dtype);
  }
  std::int64_t elements(NodeId id) const { return program_.node(id).type.shape.elements(); }

  void read(NodeId id, NodeId part) {
    if (journeys_.made_in(id, here_)) return;
    const bool whole = elements(part) == elements(id);
    Operand one = operand(whole ? id : part);
    if (journeys_.look(id, here_)) {
      one.held = held_if_any(touches_.read(id, bytes_in_memory(id), turns_));
    } else {
      const auto before = std::ranges::find(reads_, id, &Read::id);
      if (before->whole) return;
      one.held = before->operand.held;
      if (whole) std::erase_if(reads_, [&](const Read& other) { return other.id == id; });
    }
    reads_.push_back({id, whole, one});
  }

  void write(NodeId id) {
    work_.writes.push_back(operand(id));
    touches_.write(id, bytes_in_memory(id), turns_);
  }

  // The node, and the folded ones that it reads, each once.
  void compute(NodeId id) {
    const Node& node = program_.node(id);
    types_.clear();
    for (const NodeId input : node.inputs) types_.push_back(program_.node(input).type);
    // Axes change their order where a product reads or writes them.
    const bool moves = program_.folded[static_cast<std::size_t>(id)] && node.traits.reorders;
    if (!moves) {
      for (Work& work : node.op->works(types_, node.type)) {
        lay_out(work, id);
        // A call behind all layers sends what each of them has left.
        auto* const sent = std::get_if<CollectiveWork>(&work);
        if (sent && kernel_.runs == 1) sent->bytes = sent->bytes * node.region.runs;
        work_.items.push_back(work);
      }
    }
    for (const NodeId input : value_inputs(node)) {
      const bool folded = program_.folded[static_cast<std::size_t>(input)] != 0;
      if (folded && journeys_.look(input, here_)) compute(input);
    }
  }

  struct Read {
    NodeId id;
    bool whole;  // else a part, each of which is asked for once
    Operand operand;
  };

  const Program& program_;
  Journeys& journeys_;
  Touches& touches_;
  Kernel& kernel_;
  Turns turns_;
  int here_;
  KernelWork work_;
  std::vector<Type> types_;                    // of what a node reads
  std::set<std::pair<NodeId, NodeId>> parts_;  // of what was looked behind, if not the whole
  std::vector<Read> reads_;
};

}  // namespace

void measure(Program& program) {
  Journeys journeys(program);
  Touches touches(program.nodes.size());
  std::vector<KernelWork> works;
  works.reserve(program.kernels.size());
  for (Kernel& kernel : program.kernels) {
    works.push_back(Measurer(program, journeys, touches, kernel).run());
  }
  for (std::size_t k = 0; k < works.size(); ++k) {
    auto write = works[k].writes.begin();
    for (const NodeId id : program.kernels[k].nodes) {
      if (!journeys.leaves(id)) continue;
      if (!journeys.stays(id)) write->held = held_if_any(touches.until_read(id));
      ++write;
    }
    program.kernels[k].work = std::move(works[k]);
  }
}

}  // namespace tpulab

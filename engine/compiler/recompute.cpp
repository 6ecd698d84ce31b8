// A value that a few cheap operations make of one array which lies in HBM anyway is not written:
// every kernel that reads it makes it again (the rounded weights, the ReLU before the next
// product).
#include <algorithm>

#include "engine/compiler/compile.h"
#include "engine/compiler/stored.h"

namespace tpulab {

namespace {

// Where products have it written, loops make what is wider than that.
bool makes_softmax(const MadeAgain& again, const Node& node) {
  if (node.op->name() != "softmax") return false;
  if (again.softmax == SoftmaxAgain::in_loops) return node.type.dtype == DType::f32;
  return again.softmax == SoftmaxAgain::in_products_too;
}

// Cheap enough to be done once per reader: what XLA calls inexpensive.
bool cheap(const Program& program, const Node& node, const MadeAgain& again) {
  if (makes_softmax(again, node)) return true;
  const Work work = node.op->work(types_read(program, node), node.type);
  const auto* loop = std::get_if<VectorWork>(&work);
  return loop && (again.dear || (loop->medium == 0 && loop->transcendental == 0));
}

class Recomputer {
 public:
  Recomputer(Program& program, const MadeAgain& again)
      : program_(program),
        again_(again),
        wiring_(program),
        kernel_of_(program.nodes.size(), -1),
        is_output_(program.nodes.size(), 0),
        may_fold_(program.nodes.size(), -1) {
    for (const NodeId output : program.outputs) {
      is_output_[static_cast<std::size_t>(memory_of(program, output))] = 1;
    }
    for (std::size_t k = 0; k < program.kernels.size(); ++k) {
      for (const NodeId id : program.kernels[k].nodes) {
        kernel_of_[static_cast<std::size_t>(id)] = static_cast<int>(k);
      }
    }
  }

  void run() {
    for (NodeId id = 0; id < static_cast<NodeId>(program_.nodes.size()); ++id) {
      if (kernel_of(id) < 0 || !leaves(id, -1)) continue;
      for (const NodeId folded : chain_to_fold(id)) {
        program_.folded[static_cast<std::size_t>(folded)] = 1;
      }
    }
    for (Kernel& kernel : program_.kernels) {
      std::erase_if(kernel.nodes, [&](NodeId id) { return !stored(program_, id); });
    }
    std::erase_if(program_.kernels, [](const Kernel& kernel) { return kernel.nodes.empty(); });
  }

 private:
  int kernel_of(NodeId id) const { return kernel_of_[static_cast<std::size_t>(id)]; }

  // What a value is made of: nodes of its kernel that nobody else needs, and arrays in memory.
  struct Making {
    std::vector<NodeId> nodes;
    std::vector<NodeId> arrays;
    bool instead = false;  // one of them is written in place of what it makes
  };

  // The node and those of its kernel that it is made of, if it is made of one array, or if making
  // it in each kernel that reads it moves less than to write it and read it there; empty if not.
  std::vector<NodeId> chain_to_fold(NodeId id) const {
    Making making;
    if (!unfold(id, id, making)) return {};
    std::int64_t arrays = 0;
    std::int64_t read_now = 0;
    for (const NodeId array : making.arrays) {
      arrays += bytes(array);
      if (kernel_of(array) != kernel_of(id)) read_now += bytes(array);
    }
    const std::int64_t readers = reading_kernels(id);
    const std::int64_t now = read_now + bytes(id) * (1 + readers);
    const std::int64_t again = readers * arrays;
    const bool rounds = again_.narrow && narrows(id);
    const bool pays =
        making.arrays.size() <= 1 ||
        (!making.instead && !rounds && (again < now || (again_.thrifty && again == now)));
    return pays ? making.nodes : std::vector<NodeId>{};
  }

  bool unfold(NodeId at, NodeId made, Making& making) const {
    if (!may_fold(at)) return false;
    // Two ways may lead to it.
    if (std::ranges::find(making.nodes, at) != making.nodes.end()) return true;
    making.nodes.push_back(at);
    return std::ranges::all_of(stored_inputs(program_, program_.node(at)), [&](NodeId input) {
      if (small_beside(input, made)) return true;
      const bool repeated = elements(input) < elements(made);  // a mask of all heads
      const bool parted = elements(input) > elements(made);    // looked at through a slice
      if ((repeated || parted) && !again_.dear) return false;
      const bool lies = repeated || kernel_of(input) != kernel_of(made) || leaves(input, at);
      const bool several = !lies && one_for_several(input, made);
      const bool in_memory = lies || several || instead(input, made, at);
      making.instead |= several;
      if (parted && !in_memory) return false;
      if (!in_memory) return unfold(input, made, making);
      if (std::ranges::find(making.arrays, input) == making.arrays.end()) {
        making.arrays.push_back(input);
      }
      return true;
    });
  }

  // A wider copy of what a product makes is not written: what it made is, as few bytes as it has.
  bool instead(NodeId input, NodeId made, NodeId at) const {
    return (again_.dear || again_.narrow || at == made) && !may_fold(input) &&
           bytes(input) < bytes(made);
  }

  // Nor are several values as wide that follow from it alone.
  bool one_for_several(NodeId input, NodeId made) const {
    return again_.dear && !may_fold(input) && bytes(input) == bytes(made) &&
           written_beside(made) > 1;
  }

  // Values of its kernel, as large as it and it among them, that might be made again elsewhere.
  std::int64_t written_beside(NodeId made) const {
    const auto& nodes = program_.kernels[static_cast<std::size_t>(kernel_of(made))].nodes;
    return std::ranges::count_if(nodes, [&](NodeId id) {
      return bytes(id) == bytes(made) && leaves(id, -1) && may_fold(id);
    });
  }

  // A scalar, or values of rows or channels that nobody minds reading again.
  bool small_beside(NodeId id, NodeId made) const {
    constexpr std::int64_t small = 64;
    return elements(id) == 1 || elements(id) * small <= elements(made);
  }

  std::int64_t elements(NodeId id) const { return program_.node(id).type.shape.elements(); }
  std::int64_t bytes(NodeId id) const {
    return elements(id) * bytes_of(program_.node(id).type.dtype);
  }

  std::int64_t reading_kernels(NodeId id) const {
    std::vector<int> kernels;
    for (const NodeId reader : wiring_.readers(id)) {
      const int kernel = kernel_of(reader);
      const bool other = stored(program_, reader) && kernel != kernel_of(id);
      if (other && std::ranges::find(kernels, kernel) == kernels.end()) kernels.push_back(kernel);
    }
    return std::ssize(kernels);
  }

  bool may_fold(NodeId id) const {
    signed char& known = may_fold_[static_cast<std::size_t>(id)];
    if (known < 0) known = found_to_fold(id);
    return known != 0;
  }

  bool found_to_fold(NodeId id) const {
    const Node& node = program_.node(id);
    return node.traits.elementwise && !node.type.shape.scalar() && !is_output(id) && !travels(id) &&
           stays(id) && !scattered(id) && !rounded_for_product(id) && !shares_for_product(id) &&
           cheap(program_, node, again_);
  }

  // The gradient of max pooling finds its array in memory [TPU: a small CNN].
  bool scattered(NodeId id) const {
    return std::ranges::any_of(wiring_.readers(id), [&](NodeId reader) {
      return program_.node(reader).op->name() == "select-and-scatter";
    });
  }

  // A vector that a product adds to each row is rounded before [XLA has six such kernels in a layer
  // of BERT, one for each bias].
  bool rounded_for_product(NodeId id) const {
    return program_.node(id).type.shape.rank() == 1 && narrows(id) &&
           std::ranges::any_of(wiring_.readers(id), [&](NodeId reader) {
             const int kernel = kernel_of(reader);
             return kernel >= 0 && kernel != kernel_of(id) && multiplies(kernel);
           });
  }

  bool narrows(NodeId id) const {
    const Node& node = program_.node(id);
    return node.inputs.size() == 1 && bytes(id) < bytes(node.inputs[0]);
  }

  // Softmax, rounded or dropped out or not, that a product multiplies, where products have it
  // written.
  bool shares_for_product(NodeId id) const {
    constexpr int behind = 2;
    return again_.softmax == SoftmaxAgain::in_loops && made_of_softmax(id, behind) &&
           std::ranges::any_of(wiring_.readers(id),
                               [&](NodeId reader) { return tpulab::multiplies(program_, reader); });
  }

  bool made_of_softmax(NodeId id, int behind) const {
    return softmax(id) ||
           (behind > 0 && std::ranges::any_of(program_.node(id).inputs, [&](NodeId input) {
              return made_of_softmax(input, behind - 1);
            }));
  }

  bool softmax(NodeId id) const {
    const Node& node = program_.node(id);
    return !node.leaf() && makes_softmax(again_, node);
  }

  bool multiplies(int kernel) const {
    const auto& nodes = program_.kernels[static_cast<std::size_t>(kernel)].nodes;
    return std::ranges::any_of(nodes, [&](NodeId id) { return tpulab::multiplies(program_, id); });
  }

  // What leaves a layer is made by its last run, and what enters one is read by its first alone.
  bool stays(NodeId id) const {
    const Region& own = program_.node(id).region;
    const bool narrow = again_.thrifty && own.pass == Region::Pass::backward;
    const bool loop = again_.scanned && own.runs > 1 && !narrow;
    return std::ranges::all_of(wiring_.readers(id), [&](NodeId reader) {
      const Region& other = program_.node(reader).region;
      return other.layer == own.layer && (!loop || other.pass == own.pass);
    });
  }

  bool is_output(NodeId id) const { return is_output_[static_cast<std::size_t>(id)] != 0; }

  // Must lie in HBM, whether or not `without` reads it.
  bool leaves(NodeId id, NodeId without) const {
    return is_output(id) || std::ranges::any_of(wiring_.readers(id), [&](NodeId reader) {
             return reader != without && stored(program_, reader) &&
                    kernel_of(reader) != kernel_of(id);
           });
  }

  bool travels(NodeId id) const {
    return std::ranges::any_of(wiring_.readers(id), [&](NodeId reader) {
      const OpTraits& traits = program_.node(reader).traits;
      return traits.collective || traits.host_link;
    });
  }

  Program& program_;
  MadeAgain again_;
  Wiring wiring_;  // as it was before
  std::vector<int> kernel_of_;
  std::vector<char> is_output_;                // its memory leaves the program
  mutable std::vector<signed char> may_fold_;  // -1: nobody asked
};

}  // namespace

void recompute(Program& program, const MadeAgain& again) { Recomputer(program, again).run(); }

}  // namespace tpulab

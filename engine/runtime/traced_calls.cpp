#include "engine/runtime/traced_calls.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace tpulab {

namespace {

struct Call {
  std::string_view op;  // XLA's word
  std::string_view counter;
};
// Nodes that are one call each, wherever they stand. [X:codegen/xla_native_functions.yaml]
constexpr std::array<Call, 18> single_calls{{
    {"multiply", "xla::mul"},
    {"divide", "xla::div"},
    {"sqrt", "xla::sqrt"},
    {"rsqrt", "xla::rsqrt"},
    {"exponential", "xla::exp"},
    {"tanh", "xla::tanh"},
    {"tanh-gradient", "xla::tanh_backward"},
    {"logistic", "xla::sigmoid"},
    {"logistic-gradient", "xla::sigmoid_backward"},
    {"silu", "xla::silu"},
    {"silu-gradient", "xla::silu_backward"},
    {"gelu", "xla::gelu"},
    {"gelu-gradient", "xla::gelu_backward"},
    {"softmax", "xla::_softmax"},
    {"softmax-gradient", "xla::_softmax_backward_data"},
    {"compare", "xla::gt"},
    {"batch-norm", "xla::native_batch_norm"},
    {"batch-norm-gradient", "xla::native_batch_norm_backward"},
}};

// Walks from the last node to the first, so that a call takes the nodes it is made of before they
// are asked themselves.
class Calls {
 public:
  Calls(const Graph& graph, NodeId first, NodeId end, std::span<const NodeId> kept)
      : graph_(graph),
        first_(first),
        end_(end),
        taken_(static_cast<std::size_t>(graph.size()), 0),
        read_(static_cast<std::size_t>(graph.size()), 0) {
    for (const NodeId id : kept) read_[static_cast<std::size_t>(id)] = 1;
    for (NodeId id = graph.size() - 1; id >= 0; --id) {
      if (graph.node(id).leaf() || is_never_called(id)) continue;
      for (const NodeId input : graph.node(id).inputs) read_[static_cast<std::size_t>(input)] = 1;
      if (taken_[static_cast<std::size_t>(id)] == 0) name(id);
    }
  }

  CallCounts take() { return std::move(counts_); }

 private:
  const Node& node(NodeId id) const { return graph_.node(id); }
  bool is(NodeId id, std::string_view op) const {
    return !node(id).leaf() && node(id).op->name() == op;
  }
  NodeId input(NodeId id, std::size_t index) const { return node(id).inputs[index]; }
  bool scalar(NodeId id) const { return node(id).type.shape.scalar(); }
  // The gradient of a batch, which autograd does not ask for.
  bool is_never_called(NodeId id) const {
    const bool product = is(id, "dot") || is(id, "convolution") || is(id, "convert");
    return product && read_[static_cast<std::size_t>(id)] == 0;
  }
  void take(NodeId id) { taken_[static_cast<std::size_t>(id)] = 1; }
  void count(NodeId id, std::string_view counter) {
    if (id >= first_ && id < end_) counts_[counter] += node(id).region.runs;
  }

  void name(NodeId id) {
    const std::string_view op = node(id).op->name();
    const auto* const single = std::ranges::find(single_calls, op, &Call::op);
    if (single != single_calls.end()) return count(id, single->counter);
    if (op == "add") return name_add(id);
    if (op == "subtract") return name_subtract(id);
    if (op == "dot") return name_product(id);
    if (op == "reduce") return name_reduction(id);
    if (op == "maximum") return count(id, binary(id) ? "xla::maximum" : "xla::relu");
    if (op == "select") return count(id, binary(id) ? "xla::threshold_backward" : "xla::where");
    if (op == "convolution") return name_convolution(id);
    if (op == "correct-rows") return count_both(id, "xla::argmax", "xla::eq");
    if (op == "softmax-cross-entropy") {
      return count_both(id, "xla::_log_softmax", "xla::nll_loss_forward");
    }
    if (op == "softmax-cross-entropy-gradient") {
      count_both(id, "xla::nll_loss_backward", "xla::_log_softmax_backward_data");
    }
  }

  bool binary(NodeId id) const { return node(id).inputs.size() == 2; }

  void count_both(NodeId id, std::string_view one, std::string_view other) {
    count(id, one);
    count(id, other);
  }

  // x * s with one number s; -1 for other nodes.
  NodeId scaled(NodeId id) const {
    return is(id, "multiply") && scalar(input(id, 1)) && !scalar(input(id, 0)) ? input(id, 0) : -1;
  }

  // A bias is addmm's; a + x * s is lerp, addcmul or addcdiv after what x is.
  void name_add(NodeId id) {
    const NodeId left = input(id, 0);
    const NodeId right = input(id, 1);
    if (is(left, "dot") && node(right).type.shape.rank() == 1) {
      take(left);
      return count(id, "xla::addmm");
    }
    const NodeId x = scaled(right);
    if (x < 0) return count(id, "xla::add");
    if (is(x, "subtract") && input(x, 1) == left) return take_scaled(id, right, x, "xla::lerp");
    if (is(x, "multiply") && !scalar(input(x, 1))) {
      return take_scaled(id, right, x, "xla::addcmul");
    }
    if (is(x, "divide") && !scalar(input(x, 1))) {
      return take_scaled(id, right, x, "xla::addcdiv");
    }
    count(id, "xla::add");
  }

  void take_scaled(NodeId id, NodeId product, NodeId x, std::string_view counter) {
    take(product);
    take(x);
    count(id, counter);
  }

  // p - g * rate is p.add_(g, alpha=-rate).
  void name_subtract(NodeId id) {
    if (scaled(input(id, 1)) < 0) return count(id, "xla::sub");
    take(input(id, 1));
    count(id, "xla::add");
  }

  void name_product(NodeId id) {
    // Rows of tokens are one matrix to a linear layer and to the gradient of its weights.
    const bool flat = node(id).type.shape.rank() <= 2 || node(input(id, 1)).type.shape.rank() <= 2;
    count(id, flat ? "xla::mm" : "xla::bmm");
  }

  // The mean of a loss's rows is the loss's own.
  void name_reduction(NodeId id) {
    const std::string how = node(id).op->attributes();
    if (how.starts_with("mean count=")) {
      if (!is(input(id, 0), "softmax-cross-entropy")) count(id, "xla::mean");
    } else if (how.starts_with("add axis=")) {
      count(id, "xla::sum");
    } else if (how.starts_with("add axes=")) {
      count(id, how.ends_with(" divisor=1") ? "xla::sum" : "xla::mean");
    } else if (how.starts_with("max axes=")) {
      count(id, "xla::amax");
    }
  }

  // Both gradients are one call, which has the filter's at any rate.
  void name_convolution(NodeId id) {
    const std::string how = node(id).op->attributes();
    if (how.find("input_gradient") != std::string::npos) return;
    const bool backward = how.find("filter_gradient") != std::string::npos;
    count(id,
          backward ? "xla::convolution_backward_overrideable" : "xla::convolution_overrideable");
  }

  const Graph& graph_;
  NodeId first_;
  NodeId end_;
  std::vector<char> taken_;
  std::vector<char> read_;
  CallCounts counts_;
};

}  // namespace

CallCounts traced_calls(const Graph& graph, NodeId first, NodeId end,
                        std::span<const NodeId> kept) {
  return Calls(graph, first, end, kept).take();
}

}  // namespace tpulab

// What the runs of a loop over time read and leave.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/ops/elementwise.h"

namespace tpulab {

namespace {

[[noreturn]] void refuse_loop(std::string_view name) {
  throw Error(fmt::format("{}: a loop that is traced once has no numbers; write it out", name));
}

class OfTurn final : public Op {
 public:
  std::string_view name() const override { return "dynamic-slice"; }
  OpTraits traits() const override { return {.bitcast = true}; }
  Type infer(std::span<const Type> inputs) const override {
    const Shape& x = inputs[0].shape;
    if (x.rank() < 2) {
      throw Error(fmt::format("of_turn: {} has no axis of turns; give [b,n,..]",
                              text_of(inputs[0].dtype, x)));
    }
    std::vector<std::int64_t> own{x[0]};
    for (int axis = 2; axis < x.rank(); ++axis) own.push_back(x[axis]);
    return {Shape(own), inputs[0].dtype, joined(inputs)};
  }
  void evaluate(std::span<const ArrayView>, ArraySpan, const EvaluateContext&) const override {
    refuse_loop(name());
  }
  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override {
    Graph& graph = *upstream.graph;
    const Region& outside = graph.node(inputs[0].id).region;
    const Region inside = graph.enter(outside.in(Region::Pass::backward));
    const Tensor all = of_all_turns(upstream, inputs[0].shape()[1]);
    graph.enter(inside);
    return {all};
  }
  Work work(std::span<const Type>, const Type&) const override { return std::monostate{}; }
};

class OfAllTurns final : public Op {
 public:
  explicit OfAllTurns(std::int64_t turns) : turns_(turns) {}

  std::string_view name() const override { return "dynamic-update-slice"; }
  std::string attributes() const override { return fmt::format("turns={}", turns_); }
  OpTraits traits() const override { return {.bitcast = true, .collects = true}; }
  Type infer(std::span<const Type> inputs) const override {
    const Shape& y = inputs[0].shape;
    std::vector<std::int64_t> all{y[0], turns_};
    for (int axis = 1; axis < y.rank(); ++axis) all.push_back(y[axis]);
    return {Shape(all), inputs[0].dtype, joined(inputs)};
  }
  void evaluate(std::span<const ArrayView>, ArraySpan, const EvaluateContext&) const override {
    refuse_loop(name());
  }
  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override {
    Graph& graph = *upstream.graph;
    const Region& loop = graph.node(inputs[0].id).region;
    const Region outside = graph.enter(loop.in(Region::Pass::backward));
    const Tensor own = of_turn(upstream);
    graph.enter(outside);
    return {own};
  }
  Work work(std::span<const Type>, const Type&) const override { return std::monostate{}; }

 private:
  std::int64_t turns_;
};

// The gradient of what all runs read.
class SumOfTurns final : public Elementwise {
 public:
  std::string_view name() const override { return "add"; }
  std::string attributes() const override { return "of turns"; }
  OpTraits traits() const override { return {.elementwise = true, .adds_up = true}; }
  void evaluate(std::span<const ArrayView>, ArraySpan, const EvaluateContext&) const override {
    refuse_loop(name());
  }
  Work work(std::span<const Type>, const Type& output) const override {
    return VectorWork{.shape = output.shape, .cheap = 1};
  }
};

class InEachTurn final : public Elementwise {
 public:
  std::string_view name() const override { return "get-tuple-element"; }
  OpTraits traits() const override { return {.bitcast = true}; }
  void evaluate(std::span<const ArrayView>, ArraySpan, const EvaluateContext&) const override {
    refuse_loop(name());
  }
  std::vector<Tensor> gradient(std::span<const Tensor>, Tensor, Tensor upstream) const override {
    return {apply_one<SumOfTurns>({upstream})};
  }
  Work work(std::span<const Type>, const Type&) const override { return std::monostate{}; }
};

// Nothing, of a shape: but what it is made of has to be there first.
class NoFlow final : public Op {
 public:
  std::string_view name() const override { return "broadcast"; }
  std::string attributes() const override { return "0 of turns"; }
  OpTraits traits() const override { return {.repeats = true}; }
  Type infer(std::span<const Type> inputs) const override {
    return {inputs[1].shape, inputs[1].dtype, joined(inputs)};
  }
  void evaluate(std::span<const ArrayView>, ArraySpan, const EvaluateContext&) const override {
    refuse_loop(name());
  }
  Work work(std::span<const Type>, const Type& output) const override {
    return VectorWork{.shape = output.shape};
  }
};

class EmptyState final : public Op {
 public:
  explicit EmptyState(const Shape& shape) : shape_(shape) {}

  std::string_view name() const override { return "broadcast"; }
  std::string attributes() const override {
    return fmt::format("0 {}", text_of(DType::f32, shape_));
  }
  Type infer(std::span<const Type> inputs) const override {
    return {shape_, inputs[0].dtype, inputs[0].placement};
  }
  void evaluate(std::span<const ArrayView>, ArraySpan out, const EvaluateContext&) const override {
    std::ranges::fill(out.values(), 0.0f);
  }
  // The state's gradient is handed back from run to run: it is made, though none comes out.
  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override {
    static const auto none = std::make_shared<const NoFlow>();
    if (inputs.size() == 1) return {Tensor{}};
    return {Tensor{}, upstream.graph->apply(none, {upstream, inputs[1]})};
  }
  Work work(std::span<const Type>, const Type& output) const override {
    return VectorWork{.shape = output.shape};
  }
  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    return inputs[0];
  }

 private:
  Shape shape_;
};

}  // namespace

Tensor of_turn(Tensor x) { return apply_one<OfTurn>({x}); }
Tensor in_each_turn(Tensor x) { return apply_one<InEachTurn>({x}); }

Tensor of_all_turns(Tensor y, std::int64_t turns) {
  return y.graph->apply(std::make_shared<const OfAllTurns>(turns), {y});
}

Tensor empty_state(Tensor like, const Shape& shape, Tensor weights) {
  const auto op = std::make_shared<const EmptyState>(shape);
  return weights ? like.graph->apply(op, {like, weights}) : like.graph->apply(op, {like});
}

}  // namespace tpulab

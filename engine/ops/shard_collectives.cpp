// What sharded programs exchange: all-gather and reduce-scatter, each the other's gradient.
#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/axis_runs.h"
#include "engine/ops/ops.h"

namespace tpulab {

namespace {

class ShardCollective : public Op {
 public:
  ShardCollective(int axis, int world) : axis_(axis), world_(world) {}

  std::string attributes() const override { return fmt::format("axis={} world={}", axis_, world_); }
  OpTraits traits() const override { return {.collective = true}; }
  void evaluate(std::span<const ArrayView>, ArraySpan, const EvaluateContext&) const override {
    throw Error(fmt::format("{} is only priced; run a sharded program with numbers off", name()));
  }
  Stack stack(std::span<const Stack>, std::span<const Type>) const override { return Stack::none; }

 protected:
  // The whole array is the payload: what is gathered, or what is scattered.
  static Work work_of(CollectiveKind kind, const Type& whole) {
    return CollectiveWork{kind, {whole.shape.elements() * bytes_of(whole.dtype)}};
  }

  int axis_;
  int world_;
};

class AllGather final : public ShardCollective {
 public:
  using ShardCollective::ShardCollective;

  std::string_view name() const override { return "all-gather"; }
  Type infer(std::span<const Type> inputs) const override {
    check_axis(name(), inputs[0], axis_);
    Shape shape = inputs[0].shape;
    shape[axis_] *= world_;
    return {shape, inputs[0].dtype, Placement::shared};
  }
  std::vector<Tensor> gradient(std::span<const Tensor>, Tensor, Tensor upstream) const override {
    return {reduce_scatter(upstream, axis_, world_)};
  }
  Work work(std::span<const Type>, const Type& output) const override {
    return work_of(CollectiveKind::all_gather, output);
  }
};

class ReduceScatter final : public ShardCollective {
 public:
  using ShardCollective::ShardCollective;

  std::string_view name() const override { return "reduce-scatter"; }
  Type infer(std::span<const Type> inputs) const override {
    const Type& x = inputs[0];
    check_axis(name(), x, axis_);
    if (x.shape[axis_] % world_ != 0) {
      throw Error(
          fmt::format("reduce-scatter: axis {} of {} does not divide among {} cores; "
                      "choose an axis that does",
                      axis_, text_of(x.dtype, x.shape), world_));
    }
    Shape shape = x.shape;
    shape[axis_] /= world_;
    return {shape, x.dtype, Placement::per_core};
  }
  std::vector<Tensor> gradient(std::span<const Tensor>, Tensor, Tensor upstream) const override {
    return {all_gather(upstream, axis_, world_)};
  }
  Work work(std::span<const Type> inputs, const Type&) const override {
    return work_of(CollectiveKind::reduce_scatter, inputs[0]);
  }
};

template <class Kind>
Tensor exchanged(Tensor x, int axis, int world) {
  expects(world >= 1, "a collective spans at least one core");
  if (world == 1) return x;
  return x.graph->apply(std::make_shared<const Kind>(axis, world), {x});
}

}  // namespace

Tensor all_gather(Tensor x, int axis, int world) { return exchanged<AllGather>(x, axis, world); }
Tensor reduce_scatter(Tensor x, int axis, int world) {
  return exchanged<ReduceScatter>(x, axis, world);
}

}  // namespace tpulab

// What sharded programs exchange among the devices of a mesh axis.
#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/axis_runs.h"
#include "engine/ops/ops.h"

namespace tpulab {

namespace {

[[noreturn]] void refuse_numbers(std::string_view op) {
  throw Error(fmt::format("{} is only priced; run a sharded program with numbers off", op));
}

std::string text_of(const DeviceSet& among) {
  return fmt::format("among={} apart={}", among.size, among.apart);
}

class ShardCollective : public Op {
 public:
  explicit ShardCollective(const DeviceSet& among) : among_(among) {}

  std::string attributes() const override { return text_of(among_); }
  OpTraits traits() const override { return {.collective = true}; }
  void evaluate(std::span<const ArrayView>, ArraySpan, const EvaluateContext&) const override {
    refuse_numbers(name());
  }
  Stack stack(std::span<const Stack>, std::span<const Type>) const override { return Stack::none; }

 protected:
  // The whole array is the payload: what is summed, gathered or scattered.
  Work work_of(CollectiveKind kind, const Type& whole, int parts = 1) const {
    return CollectiveWork{kind, {whole.shape.elements() * bytes_of(whole.dtype) * parts}, among_};
  }

  DeviceSet among_;
};

class SumAmong final : public ShardCollective {
 public:
  SumAmong(const DeviceSet& among, int parts) : ShardCollective(among), parts_(parts) {}

  std::string_view name() const override { return "all-reduce"; }
  std::string attributes() const override {
    return fmt::format("sum {} parts={}", text_of(among_), parts_);
  }
  Type infer(std::span<const Type> inputs) const override { return inputs[0]; }
  std::vector<Tensor> gradient(std::span<const Tensor>, Tensor, Tensor upstream) const override {
    return {upstream};
  }
  Work work(std::span<const Type> inputs, const Type&) const override {
    return work_of(CollectiveKind::all_reduce, inputs[0], parts_);
  }

 private:
  int parts_;
};

class LargestAmong final : public ShardCollective {
 public:
  using ShardCollective::ShardCollective;

  std::string_view name() const override { return "all-reduce-max"; }
  Type infer(std::span<const Type> inputs) const override { return inputs[0]; }
  std::vector<Tensor> gradient(std::span<const Tensor>, Tensor, Tensor) const override {
    return {Tensor{}};
  }
  Work work(std::span<const Type> inputs, const Type&) const override {
    return work_of(CollectiveKind::all_reduce, inputs[0]);
  }
};

// Only its gradient is a collective: the compiler reads through it.
class DividedAmong final : public Op {
 public:
  DividedAmong(const DeviceSet& among, int parts) : among_(among), parts_(parts) {}

  std::string_view name() const override { return "divided"; }
  std::string attributes() const override {
    return fmt::format("{} parts={}", text_of(among_), parts_);
  }
  OpTraits traits() const override { return {.bitcast = true}; }
  Type infer(std::span<const Type> inputs) const override { return inputs[0]; }
  void evaluate(std::span<const ArrayView>, ArraySpan, const EvaluateContext&) const override {
    refuse_numbers(name());
  }
  std::vector<Tensor> gradient(std::span<const Tensor>, Tensor, Tensor upstream) const override {
    return {all_reduce(upstream, among_, parts_)};
  }
  Work work(std::span<const Type>, const Type&) const override { return std::monostate{}; }
  Stack stack(std::span<const Stack>, std::span<const Type>) const override { return Stack::none; }

 private:
  DeviceSet among_;
  int parts_;
};

class AllGather final : public ShardCollective {
 public:
  AllGather(int axis, const DeviceSet& among) : ShardCollective(among), axis_(axis) {}

  std::string_view name() const override { return "all-gather"; }
  std::string attributes() const override {
    return fmt::format("axis={} {}", axis_, text_of(among_));
  }
  Type infer(std::span<const Type> inputs) const override {
    check_axis(name(), inputs[0], axis_);
    Type whole = inputs[0];
    whole.shape[axis_] *= among_.size;
    return whole;
  }
  std::vector<Tensor> gradient(std::span<const Tensor>, Tensor, Tensor upstream) const override {
    return {reduce_scatter(upstream, axis_, among_)};
  }
  Work work(std::span<const Type>, const Type& output) const override {
    return work_of(CollectiveKind::all_gather, output);
  }

 private:
  int axis_;
};

class ReduceScatter final : public ShardCollective {
 public:
  ReduceScatter(int axis, const DeviceSet& among) : ShardCollective(among), axis_(axis) {}

  std::string_view name() const override { return "reduce-scatter"; }
  std::string attributes() const override {
    return fmt::format("axis={} {}", axis_, text_of(among_));
  }
  Type infer(std::span<const Type> inputs) const override {
    Type part = inputs[0];
    check_axis(name(), part, axis_);
    if (part.shape[axis_] % among_.size != 0) {
      throw Error(
          fmt::format("reduce-scatter: axis {} of {} does not divide among {} devices; "
                      "choose an axis that does",
                      axis_, tpulab::text_of(part.dtype, part.shape), among_.size));
    }
    part.shape[axis_] /= among_.size;
    return {part.shape, part.dtype, Placement::per_core};
  }
  std::vector<Tensor> gradient(std::span<const Tensor>, Tensor, Tensor upstream) const override {
    return {all_gather(upstream, axis_, among_)};
  }
  Work work(std::span<const Type> inputs, const Type&) const override {
    return work_of(CollectiveKind::reduce_scatter, inputs[0]);
  }

 private:
  int axis_;
};

// x, chosen -> x in another order.
class AllToAll final : public ShardCollective {
 public:
  AllToAll(bool back, std::int64_t experts, const DeviceSet& among)
      : ShardCollective(among), back_(back), experts_(experts) {}

  std::string_view name() const override { return "all-to-all"; }
  std::string attributes() const override {
    return fmt::format("{} experts={} {}", back_ ? "back from" : "to", experts_, text_of(among_));
  }
  Type infer(std::span<const Type> inputs) const override { return inputs[0]; }
  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override {
    const auto other = std::make_shared<const AllToAll>(!back_, experts_, among_);
    return {upstream.graph->apply(other, {upstream, inputs[1]}), Tensor{}};
  }
  Work work(std::span<const Type> inputs, const Type&) const override {
    return work_of(CollectiveKind::all_to_all, inputs[0]);
  }

 private:
  bool back_;
  std::int64_t experts_;
};

// XLA's partition-id, as far as this share is concerned.
class ShareBegin final : public Op {
 public:
  ShareBegin(std::int64_t share, const DeviceSet& among) : share_(share), among_(among) {}

  std::string_view name() const override { return "partition-id"; }
  std::string attributes() const override {
    return fmt::format("share={} {}", share_, text_of(among_));
  }
  OpTraits traits() const override { return {.constant = true}; }
  Type infer(std::span<const Type>) const override { return {{}, DType::s32, Placement::per_core}; }
  void evaluate(std::span<const ArrayView>, ArraySpan, const EvaluateContext&) const override {
    refuse_numbers(name());
  }
  std::vector<Tensor> gradient(std::span<const Tensor>, Tensor, Tensor) const override {
    return {};
  }
  Work work(std::span<const Type>, const Type&) const override { return std::monostate{}; }
  Stack stack(std::span<const Stack>, std::span<const Type>) const override { return Stack::none; }

 private:
  std::int64_t share_;
  DeviceSet among_;
};

template <class Kind, class... Arguments>
Tensor exchanged(Tensor x, const DeviceSet& among, const Arguments&... arguments) {
  expects(among.size >= 1 && among.apart >= 1, "a collective spans at least one device");
  if (among.size == 1) return x;
  return x.graph->apply(std::make_shared<const Kind>(arguments...), {x});
}

}  // namespace

Tensor all_reduce(Tensor x, const DeviceSet& among, int parts) {
  return exchanged<SumAmong>(x, among, among, parts);
}
Tensor all_reduce_max(Tensor x, const DeviceSet& among) {
  return exchanged<LargestAmong>(x, among, among);
}
Tensor divided_among(Tensor x, const DeviceSet& among, int parts) {
  return exchanged<DividedAmong>(x, among, among, parts);
}
Tensor all_gather(Tensor x, int axis, const DeviceSet& among) {
  return exchanged<AllGather>(x, among, axis, among);
}
Tensor reduce_scatter(Tensor x, int axis, const DeviceSet& among) {
  return exchanged<ReduceScatter>(x, among, axis, among);
}
Tensor sent_to_experts(Tensor rows, Tensor chosen, std::int64_t experts, const DeviceSet& among) {
  if (among.size == 1) return rows;
  return rows.graph->apply(std::make_shared<const AllToAll>(false, experts, among), {rows, chosen});
}
Tensor sent_back(Tensor rows, Tensor chosen, std::int64_t experts, const DeviceSet& among) {
  if (among.size == 1) return rows;
  return rows.graph->apply(std::make_shared<const AllToAll>(true, experts, among), {rows, chosen});
}
Tensor share_begin(Graph& graph, std::int64_t share, const DeviceSet& among) {
  return graph.apply(std::make_shared<const ShareBegin>(share, among), {});
}

}  // namespace tpulab

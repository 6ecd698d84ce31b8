// Attention built of products, a mask and a softmax; nothing of it is an op of its own, so that the
// compiler decides what stays in VMEM.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/ops/flash_attention.h"

namespace tpulab {

namespace {

class CausalMask final : public Op {
 public:
  CausalMask(std::int64_t queries, std::int64_t keys, DType dtype, std::int64_t window)
      : queries_(queries), keys_(keys), dtype_(dtype), window_(window) {}

  std::string_view name() const override { return "iota"; }
  std::string attributes() const override {
    return window_ > 0 ? fmt::format("causal window={}", window_) : "causal";
  }
  OpTraits traits() const override { return {.constant = true}; }
  Type infer(std::span<const Type>) const override {
    return {Shape{queries_, keys_}, dtype_, Placement::shared};
  }
  void evaluate(std::span<const ArrayView>, ArraySpan out, const EvaluateContext&) const override {
    for (std::int64_t query = 0; query < queries_; ++query) {
      const SeenKeys seen = seen_keys(query, queries_, keys_, true, window_);
      float* row = out.data + query * keys_;
      std::fill(row, row + keys_, -1e9f);
      std::fill(row + seen.first, row + seen.end, 0.0f);
    }
  }
  std::vector<Tensor> gradient(std::span<const Tensor>, Tensor, Tensor) const override {
    return {};
  }
  Work work(std::span<const Type>, const Type&) const override { return std::monostate{}; }

 private:
  std::int64_t queries_;
  std::int64_t keys_;
  DType dtype_;
  std::int64_t window_;
};

void check_heads(const Shape& q, const Shape& k, const Shape& v) {
  const bool ranks = q.rank() == 4 && k.rank() == 4 && v.rank() == 4;
  if (ranks && q[0] == k[0] && k[1] > 0 && q[1] % k[1] == 0 && q[3] == k[3] && v[0] == k[0] &&
      v[1] == k[1] && v[2] == k[2]) {
    return;
  }
  throw Error(
      fmt::format("attention: q {}, k {} and v {} do not fit; give [b,h,t,d], [b,g,s,d] "
                  "and [b,g,s,d], h a multiple of g",
                  text_of(DType::f32, q), text_of(DType::f32, k), text_of(DType::f32, v)));
}

}  // namespace

Tensor causal_mask(Graph& graph, std::int64_t queries, std::int64_t keys, DType dtype,
                   std::int64_t window) {
  return graph.apply(std::make_shared<const CausalMask>(queries, keys, dtype, window), {});
}

// Heads that share keys and values are more rows of one product.
Tensor attention(Tensor q, Tensor k, Tensor v, AttentionOptions options) {
  check_heads(q.shape(), k.shape(), v.shape());
  expects(options.window == 0 || options.causal, "a window of keys ends with the query's own");
  const bool drops = options.dropout.rate > 0 && options.dropout.random.seed != 0;
  if (options.fused && !drops) {
    const int passes = passes_of(options.precision, q.type().dtype, k.type().dtype);
    return flash_attention(q, k, v, {options.causal, options.window, options.cap, passes});
  }
  Graph& graph = *q.graph;
  const std::int64_t batch = q.shape()[0];
  const std::int64_t heads = q.shape()[1];
  const std::int64_t queries = q.shape()[2];
  const std::int64_t groups = k.shape()[1];
  const std::int64_t keys = k.shape()[2];
  const Shape rows{batch, groups, heads / groups * queries, q.shape()[3]};

  const Tensor products =
      batch_matmul(reshape(q, rows), k, {.transpose_right = true, .precision = options.precision});
  const double scale = 1 / std::sqrt(static_cast<double>(q.shape()[3]));
  const Tensor read = options.wide_softmax ? convert(products, DType::f32) : products;
  Tensor scores = multiply(read, scalar(graph, scale, "attention.scale"));
  if (options.cap > 0) scores = soft_capped(scores, options.cap);
  if (options.causal) {
    const Shape squares{batch, heads, queries, keys};
    const Tensor mask = causal_mask(graph, queries, keys, scores.type().dtype, options.window);
    scores = reshape(add(reshape(scores, squares), mask), scores.shape());
  }
  const Tensor shares = dropout(convert(softmax(scores), q.type().dtype), options.dropout);
  const Tensor out = batch_matmul(shares, v, {.precision = options.precision});
  return reshape(out, {batch, heads, queries, v.shape()[3]});
}

Tensor soft_capped(Tensor x, double cap) {
  Graph& graph = *x.graph;
  const Tensor part = multiply(x, scalar(graph, 1 / cap, "cap.over"));
  return multiply(hyperbolic_tangent(part), scalar(graph, cap, "cap"));
}

Tensor split_heads(Tensor x, std::int64_t heads) {
  const Shape& shape = x.shape();
  if (shape.rank() != 3 || heads < 1 || shape[2] % heads != 0) {
    throw Error(fmt::format("split_heads: {} does not split into {} heads; give [b,t,heads d]",
                            text_of(x.type().dtype, shape), heads));
  }
  const Shape split{shape[0], shape[1], heads, shape[2] / heads};
  return transpose(reshape(x, split), {0, 2, 1, 3});
}

Tensor merge_heads(Tensor x) {
  const Shape& shape = x.shape();
  if (shape.rank() != 4) {
    throw Error(fmt::format("merge_heads: {} has no heads; give [b,h,t,d]",
                            text_of(x.type().dtype, shape)));
  }
  return reshape(transpose(x, {0, 2, 1, 3}), {shape[0], shape[2], shape[1] * shape[3]});
}

}  // namespace tpulab

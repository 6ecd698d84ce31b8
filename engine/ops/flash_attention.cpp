// Attention as one kernel a pass (flash attention, arXiv 2205.14135; JAX's Pallas and splash
// kernels): the scores of a block of queries stay in VMEM. The backward pass makes them again in
// each of its two kernels, so that seven products follow the two of the forward pass.
#include "engine/ops/flash_attention.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/ops/chunks.h"
#include "engine/ops/hyperbolic_tangent.h"

namespace tpulab {

namespace {

struct Sizes {
  std::int64_t batch, heads, queries, width, groups, keys;
};

Sizes sizes_of(const Shape& q, const Shape& k) { return {q[0], q[1], q[2], q[3], k[1], k[2]}; }

float inner(const float* a, const float* b, std::int64_t count) {
  float sum = 0;
  for (std::int64_t i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

class Flash : public Op {
 public:
  explicit Flash(const FlashOptions& options) : options_(options) {}

  std::string attributes() const override {
    std::string text = options_.causal ? "causal " : "";
    if (options_.window > 0) text += fmt::format("window={} ", options_.window);
    if (options_.cap > 0) text += fmt::format("cap={} ", options_.cap);
    return text + fmt::format("passes={}", options_.passes);
  }
  // As the queries, or their gradient.
  Type infer(std::span<const Type> inputs) const override {
    return {inputs[0].shape, inputs[0].dtype, joined(inputs)};
  }
  Work work(std::span<const Type> inputs, const Type& output) const override {
    return works(inputs, output).front();
  }
  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    const bool same = std::ranges::all_of(inputs, [&](Stack one) { return one == inputs[0]; });
    return same && inputs[0] != Stack::partial ? inputs[0] : Stack::none;
  }

 protected:
  // A row of scores and what their bending leaves of a gradient, where they are bent.
  struct Scores {
    std::vector<float> powers;  // of the softmax
    std::vector<float> slopes;
  };

  // Queries that have all keys would do as much. Of a window the kernels visit whole blocks: as
  // many keys more as one has [MaxText, sa_block_kv = 512].
  std::int64_t asking_of(const Sizes& s) const {
    if (!options_.causal) return s.queries;
    if (options_.window == 0) return std::max<std::int64_t>(1, s.queries / 2);
    constexpr std::int64_t block = 512;
    const double visited = static_cast<double>(std::min(options_.window + block, s.keys));
    const auto keys = static_cast<double>(s.keys);
    const double share = (visited - visited * visited / (2 * keys)) / keys;
    return std::max<std::int64_t>(1, std::llround(share * static_cast<double>(s.queries)));
  }

  // What published counts have: a causal mask computed, what lies before a window not.
  std::int64_t counted_of(const Sizes& s) const {
    if (options_.window == 0 || options_.window >= s.keys) return s.queries;
    return std::max<std::int64_t>(1, s.queries * options_.window / s.keys);
  }

  // What the kernels are made of, blocks that a mask hides left out.
  struct Parts {
    MatrixWork score, value, turned;
    VectorWork maximum, sum, again;
  };
  Parts parts_of(std::span<const Type> inputs) const {
    const Sizes s = sizes_of(inputs[0].shape, inputs[1].shape);
    const std::int64_t count = s.batch * s.heads;
    const std::int64_t asking = asking_of(s);
    const int bends = options_.cap > 0 ? 1 : 0;
    const Shape square{count, asking, s.keys};
    const auto product = [&](std::int64_t k, std::int64_t n) {
      return MatrixWork{.batch = count,
                        .m = asking,
                        .k = k,
                        .n = n,
                        .passes = options_.passes,
                        .hidden = counted_of(s) - asking};
    };
    return {.score = product(s.width, s.keys),
            .value = product(s.keys, s.width),
            .turned = {count, s.keys, asking, s.width, DType::bf16, options_.passes},
            .maximum = {.shape = square,
                        .cheap = 1 + 2 * bends,
                        .transcendental = bends,
                        .reduced_axis = 2},
            .sum = {.shape = square, .cheap = 2, .transcendental = 1, .reduced_axis = 2},
            .again = {.shape = square, .cheap = 4 + 5 * bends, .transcendental = 1 + bends}};
  }

  // Those of one query; keys that it does not see get no power.
  void fill(const float* q, const float* k, std::int64_t query, const Sizes& s,
            Scores& scores) const {
    const SeenKeys seen = seen_keys(query, s.queries, s.keys, options_.causal, options_.window);
    const auto cap = static_cast<float>(options_.cap);
    scores.powers.assign(static_cast<std::size_t>(s.keys), 0.0f);
    scores.slopes.assign(cap > 0 ? scores.powers.size() : 0, 0.0f);
    float largest = -INFINITY;
    for (std::int64_t j = seen.first; j < seen.end; ++j) {
      float score = inner(q, k + j * s.width, s.width) * scale(s);
      if (cap > 0) {
        const float part = tanh_of(score / cap);
        scores.slopes[static_cast<std::size_t>(j)] = 1 - part * part;
        score = cap * part;
      }
      scores.powers[static_cast<std::size_t>(j)] = score;
      largest = std::max(largest, score);
    }
    const auto row = std::span(scores.powers)
                         .subspan(static_cast<std::size_t>(seen.first),
                                  static_cast<std::size_t>(seen.end - seen.first));
    float sum = 0;
    for (float& power : row) sum += power = exponential(power - largest);
    for (float& power : row) power /= sum;
  }

  // The gradient of the scores in place of the powers: p (dO v - sum of p dO v) scale.
  void turn_into_gradient(const float* v, const float* upstream, const Sizes& s,
                          Scores& scores) const {
    std::vector<float>& powers = scores.powers;
    std::vector<float> flow(powers.size());
    float all = 0;
    for (std::size_t j = 0; j < powers.size(); ++j) {
      flow[j] = inner(upstream, v + static_cast<std::int64_t>(j) * s.width, s.width);
      all += powers[j] * flow[j];
    }
    for (std::size_t j = 0; j < powers.size(); ++j) powers[j] *= (flow[j] - all) * scale(s);
    for (std::size_t j = 0; j < scores.slopes.size(); ++j) powers[j] *= scores.slopes[j];
  }

  // Calls visit(offset of the query's row, offset of its keys, scores) for each query; the scores
  // may be overwritten. Queries that share keys follow each other on a thread.
  template <class Visit>
  void for_each_query(std::span<const ArrayView> inputs, const EvaluateContext& context,
                      const Visit& visit) const {
    const Sizes s = sizes_of(inputs[0].shape, inputs[1].shape);
    const std::int64_t rows = s.heads / s.groups * s.queries;
    for_chunks(context, s.batch * s.groups, 1, [&](std::int64_t group, std::int64_t end) {
      Scores scores;
      for (; group < end; ++group) {
        const std::int64_t keys_at = group * s.keys * s.width;
        for (std::int64_t row = 0; row < rows; ++row) {
          const std::int64_t at = (group * rows + row) * s.width;
          fill(inputs[0].data + at, inputs[1].data + keys_at, row % s.queries, s, scores);
          visit(at, keys_at, scores);
        }
      }
    });
  }

  static float scale(const Sizes& s) { return 1 / std::sqrt(static_cast<float>(s.width)); }

  FlashOptions options_;
};

// add += factor x row
void add_row(float* add, const float* row, float factor, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) add[i] += factor * row[i];
}

// q, k, v, result, upstream -> the gradients of k and v, one behind the other along the tokens.
class FlashKeys final : public Flash {
 public:
  using Flash::Flash;

  std::string_view name() const override { return "flash-attention-keys"; }
  Type infer(std::span<const Type> inputs) const override {
    Shape both = inputs[1].shape;
    both[2] *= 2;
    return {both, inputs[1].dtype, joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const Sizes s = sizes_of(inputs[0].shape, inputs[1].shape);
    std::ranges::fill(out.values(), 0.0f);
    for_each_query(inputs, context, [&](std::int64_t at, std::int64_t keys_at, auto& scores) {
      const float* q = inputs[0].data + at;
      const float* upstream = inputs[4].data + at;
      float* to_keys = out.data + 2 * keys_at;
      float* to_values = to_keys + s.keys * s.width;
      for (std::int64_t j = 0; j < s.keys; ++j) {
        add_row(to_values + j * s.width, upstream, scores.powers[static_cast<std::size_t>(j)],
                s.width);
      }
      turn_into_gradient(inputs[2].data + keys_at, upstream, s, scores);
      for (std::int64_t j = 0; j < s.keys; ++j) {
        add_row(to_keys + j * s.width, q, scores.powers[static_cast<std::size_t>(j)], s.width);
      }
    });
  }
  std::vector<Work> works(std::span<const Type> inputs, const Type&) const override {
    const Parts parts = parts_of(inputs);
    return {parts.score, parts.score, parts.turned, parts.turned, parts.again};
  }
};

// q, k, v, upstream -> the gradient of q.
class FlashQueries final : public Flash {
 public:
  using Flash::Flash;

  std::string_view name() const override { return "flash-attention-queries"; }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const Sizes s = sizes_of(inputs[0].shape, inputs[1].shape);
    std::ranges::fill(out.values(), 0.0f);
    for_each_query(inputs, context, [&](std::int64_t at, std::int64_t keys_at, auto& scores) {
      turn_into_gradient(inputs[2].data + keys_at, inputs[3].data + at, s, scores);
      for (std::int64_t j = 0; j < s.keys; ++j) {
        add_row(out.data + at, inputs[1].data + keys_at + j * s.width,
                scores.powers[static_cast<std::size_t>(j)], s.width);
      }
    });
  }
  std::vector<Work> works(std::span<const Type> inputs, const Type&) const override {
    const Parts parts = parts_of(inputs);
    return {parts.score, parts.score, parts.value, parts.again};
  }
};

class FlashForward final : public Flash {
 public:
  using Flash::Flash;

  std::string_view name() const override { return "flash-attention"; }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const Sizes s = sizes_of(inputs[0].shape, inputs[1].shape);
    std::ranges::fill(out.values(), 0.0f);
    for_each_query(inputs, context, [&](std::int64_t at, std::int64_t keys_at, const auto& scores) {
      for (std::int64_t j = 0; j < s.keys; ++j) {
        add_row(out.data + at, inputs[2].data + keys_at + j * s.width,
                scores.powers[static_cast<std::size_t>(j)], s.width);
      }
    });
  }
  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor output,
                               Tensor upstream) const override {
    Graph& graph = *upstream.graph;
    const Tensor q = inputs[0];
    const Tensor k = inputs[1];
    const Tensor v = inputs[2];
    const Tensor both =
        graph.apply(std::make_shared<const FlashKeys>(options_), {q, k, v, output, upstream});
    const Tensor to_q =
        graph.apply(std::make_shared<const FlashQueries>(options_), {q, k, v, upstream});
    const std::int64_t keys = k.shape()[2];
    return {to_q, slice(both, 2, 0, keys), slice(both, 2, keys, keys)};
  }
  std::vector<Work> works(std::span<const Type> inputs, const Type&) const override {
    const Parts parts = parts_of(inputs);
    return {parts.score, parts.maximum, parts.sum, parts.value};
  }
};

}  // namespace

Tensor flash_attention(Tensor q, Tensor k, Tensor v, const FlashOptions& options) {
  return q.graph->apply(std::make_shared<const FlashForward>(options), {q, k, v});
}

}  // namespace tpulab

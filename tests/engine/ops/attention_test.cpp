#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test::attention_test {
namespace {

struct Kind {
  bool causal = false;
  std::int64_t window = 0;
  double cap = 0;
};
const std::vector<Kind> kinds{{}, {true}, {true, 2}, {true, 0, 0.7}, {true, 3, 1.5}};

Build attending(const Kind& kind, bool fused = false) {
  return [kind, fused](std::span<const Tensor> in) {
    return attention(in[0], in[1], in[2],
                     {.causal = kind.causal,
                      .precision = MatmulPrecision::highest,
                      .fused = fused,
                      .window = kind.window,
                      .cap = kind.cap});
  };
}

// Out of the definition, in doubles: query `t` of head `h`, which shares keys with its group.
double attended(const std::vector<Array>& in, const Kind& kind, std::int64_t b, std::int64_t h,
                std::int64_t t, std::int64_t d) {
  const Shape& q = in[0].shape();
  const Shape& k = in[1].shape();
  const std::int64_t group = h / (q[1] / k[1]);
  const std::int64_t seen = kind.causal ? k[2] - q[2] + t + 1 : k[2];
  const std::int64_t first = kind.window > 0 ? std::max<std::int64_t>(0, seen - kind.window) : 0;
  double sum = 0;
  double total = 0;
  for (std::int64_t s = first; s < seen; ++s) {
    double score = 0;
    for (std::int64_t i = 0; i < q[3]; ++i) {
      score += static_cast<double>(in[0][((b * q[1] + h) * q[2] + t) * q[3] + i]) *
               static_cast<double>(in[1][((b * k[1] + group) * k[2] + s) * k[3] + i]);
    }
    score /= std::sqrt(static_cast<double>(q[3]));
    if (kind.cap > 0) score = kind.cap * std::tanh(score / kind.cap);
    const double power = std::exp(score);
    const std::int64_t row = (b * k[1] + group) * k[2] + s;
    sum += power * static_cast<double>(in[2][row * in[2].shape()[3] + d]);
    total += power;
  }
  return sum / total;
}

void expect_attention(const std::vector<Array>& in, const Kind& kind) {
  const std::vector<float> found = values_of(in, attending(kind));
  const Shape& q = in[0].shape();
  const std::int64_t width = in[2].shape()[3];
  ASSERT_EQ(static_cast<std::int64_t>(found.size()), q[0] * q[1] * q[2] * width);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    const std::int64_t row = at / width;
    const double wanted =
        attended(in, kind, row / q[2] / q[1], row / q[2] % q[1], row % q[2], at % width);
    EXPECT_NEAR(static_cast<double>(found[i]), wanted, 1e-5) << i;
  }
}

TEST(Attention, weighs_values_by_how_well_keys_fit) {
  const std::vector<Array> in{numbers({2, 3, 4, 5}, 1), numbers({2, 3, 6, 5}, 2),
                              numbers({2, 3, 6, 4}, 3)};
  for (const Kind& kind : kinds) expect_attention(in, kind);
}

TEST(Attention, lets_heads_share_keys_and_values) {
  const std::vector<Array> in{numbers({2, 4, 3, 5}, 1), numbers({2, 2, 3, 5}, 2),
                              numbers({2, 2, 3, 5}, 3)};
  for (const Kind& kind : kinds) expect_attention(in, kind);
}

TEST(Attention, has_the_gradients_of_finite_differences) {
  for (const Kind& kind : kinds) {
    check_op({numbers({1, 2, 3, 2}, 1), numbers({1, 2, 3, 2}, 2), numbers({1, 2, 3, 2}, 3)},
             attending(kind));
    check_op({numbers({1, 4, 2, 2}, 1), numbers({1, 2, 2, 2}, 2), numbers({1, 2, 2, 2}, 3)},
             attending(kind));
  }
}

// Two products of 2 b h t s d = 2 * 2 * 4 * 3 * 6 * 5 = 1,440 operations, shared keys or not.
TEST(Attention, is_two_products) {
  for (const std::int64_t groups : {4, 2}) {
    Step step;
    const Tensor q = step.input(Array(Shape{2, 4, 3, 5}));
    const Tensor k = step.input(Array(Shape{2, groups, 6, 5}));
    attention(q, k, k, {.causal = true});
    std::vector<MatrixWork> products;
    for (NodeId id = 0; id < step.graph.size(); ++id) {
      if (step.graph.node(id).leaf() || step.graph.node(id).op->name() != "dot") continue;
      products.push_back(work_of<MatrixWork>({&step.graph, id}));
    }
    ASSERT_EQ(products.size(), 2u);
    for (const MatrixWork& work : products) {
      EXPECT_EQ(work.batch, 2 * groups);
      EXPECT_EQ(work.flops().value, 1440);
    }
  }
}

TEST(Attention, stays_in_the_dtype_of_its_inputs) {
  Step step;
  const Tensor x = step.input(Array(Shape{1, 2, 4, 4}, DType::bf16));
  EXPECT_EQ(attention(x, x, x, {.causal = true}).type().dtype, DType::bf16);
}

TEST(Attention, makes_a_wide_softmax_in_f32_and_values_in_the_dtype_of_its_inputs) {
  Step step;
  std::vector<Tensor> heads;
  std::vector<Array> in;
  for (int i = 0; i < 3; ++i) {
    heads.push_back(convert(step.input(numbers({2, 3, 4, 5}, i + 1)), DType::bf16));
    in.push_back(step.value(heads.back()));
  }
  const Array& found = step.value(attention(heads[0], heads[1], heads[2], {.wide_softmax = true}));
  EXPECT_EQ(found.dtype(), DType::bf16);
  int wide = 0;
  for (NodeId id = 0; id < step.graph.size(); ++id) {
    const Node& node = step.graph.node(id);
    if (!node.leaf() && node.op->name() == "softmax") wide += node.type.dtype == DType::f32 ? 1 : 0;
  }
  EXPECT_EQ(wide, 1);
  for (std::int64_t i = 0; i < found.elements(); ++i) {
    const std::int64_t row = i / 5;
    const double wanted = attended(in, {}, row / 12, row / 4 % 3, row % 4, i % 5);
    EXPECT_NEAR(static_cast<double>(found[i]), wanted, 0.01) << i;
  }
}

TEST(CausalMask, hides_what_comes_later) {
  Step step;
  const Array& square = step.value(causal_mask(step.graph, 2, 2));
  EXPECT_EQ(std::vector<float>(square.values().begin(), square.values().end()),
            (std::vector<float>{0, -1e9f, 0, 0}));
  const Array& last = step.value(causal_mask(step.graph, 1, 3));
  EXPECT_EQ(std::vector<float>(last.values().begin(), last.values().end()),
            (std::vector<float>{0, 0, 0}));
  const Array& near = step.value(causal_mask(step.graph, 3, 3, DType::f32, 2));
  EXPECT_EQ(std::vector<float>(near.values().begin(), near.values().end()),
            (std::vector<float>{0, -1e9f, -1e9f, 0, 0, -1e9f, -1e9f, 0, 0}));
}

// [1,2,4] in two heads: the first head holds columns 0 and 1 of both steps.
TEST(Heads, split_and_merge_again) {
  const Array x(Shape{1, 2, 4}, {0, 1, 2, 3, 4, 5, 6, 7});
  const Build split = [](std::span<const Tensor> in) { return split_heads(in[0], 2); };
  const Build back = [](std::span<const Tensor> in) { return merge_heads(split_heads(in[0], 2)); };
  EXPECT_EQ(values_of({x}, split), (std::vector<float>{0, 1, 4, 5, 2, 3, 6, 7}));
  EXPECT_EQ(values_of({x}, back), (std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7}));
  check_gradient({x}, split);
}

TEST(Attention, refuses_shapes_that_do_not_fit) {
  Step step;
  const Tensor q = step.input(Array(Shape{1, 4, 3, 2}));
  const Tensor k = step.input(Array(Shape{1, 3, 3, 2}));
  EXPECT_EQ(error_of([&] { attention(q, k, k); }),
            "attention: q f32[1,4,3,2], k f32[1,3,3,2] and v f32[1,3,3,2] do not fit; give "
            "[b,h,t,d], [b,g,s,d] and [b,g,s,d], h a multiple of g");
  EXPECT_NE(error_of([&] { attention(q, q, k); }), "");
  EXPECT_NE(error_of([&] { split_heads(step.input(Array(Shape{1, 2, 5})), 2); }), "");
  EXPECT_NE(error_of([&] { merge_heads(step.input(Array(Shape{1, 2, 5}))); }), "");
}

// Step 1 turns the pair (0, 2) by 1 and the pair (1, 3) by 1 / sqrt(100) = 0.1; step 0 by nothing.
TEST(RotaryEmbedding, rotates_pairs_by_their_position) {
  const Build rotated = [](std::span<const Tensor> in) { return rotary_embedding(in[0], 100); };
  const std::vector<float> found =
      values_of({Array(Shape{2, 4}, {1, 2, 3, 4, 1, 1, 0, 0})}, rotated);
  const std::vector<double> wanted{
      1, 2, 3, 4, std::cos(1), std::cos(0.1), std::sin(1), std::sin(0.1)};
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 1e-6);
  check_op({numbers({2, 2, 3, 4}, 1)}, rotated);
}

TEST(RotaryEmbedding, costs_three_operations_and_stacks_over_batches_only) {
  Step step;
  const Tensor out = rotary_embedding(step.input(Array(Shape{2, 3, 4})));
  EXPECT_EQ(work_of<VectorWork>(out).cheap, 3);
  EXPECT_EQ(stack_of(out, {Stack::rows}), Stack::rows);
  EXPECT_EQ(stack_of(rotary_embedding(step.input(Array(Shape{3, 4}))), {Stack::rows}), Stack::none);
  EXPECT_NE(error_of([&] { rotary_embedding(step.input(Array(Shape{3, 5}))); }), "");
}

TEST(Attention, as_one_kernel_a_pass_gives_the_same_numbers_and_gradients) {
  // Four heads that share two of keys and values.
  const std::vector<Array> in{numbers({2, 4, 5, 6}, 1), numbers({2, 2, 7, 6}, 2),
                              numbers({2, 2, 7, 6}, 3)};
  for (const Kind& kind : kinds) {
    const std::vector<float> stored = values_of(in, attending(kind));
    const std::vector<float> fused = values_of(in, attending(kind, true));
    ASSERT_EQ(stored.size(), fused.size());
    for (std::size_t i = 0; i < stored.size(); ++i) EXPECT_NEAR(stored[i], fused[i], 1e-6) << i;
    check_op(in, attending(kind, true));
  }
}

MatrixWork score_of(std::int64_t tokens, std::int64_t window) {
  Step step;
  const Tensor x = step.input(Array(Shape{1, 2, tokens, 4}));
  const Tensor out = attention(x, x, x, {.causal = true, .fused = true, .window = window});
  return work_of<MatrixWork>(out);
}

// Of 8,192 tokens a query sees 1,024 and the rest of a block of 512, less where the row begins.
TEST(Attention, in_a_window_multiplies_its_blocks_alone) {
  EXPECT_EQ(score_of(8192, 0).m, 4096);
  EXPECT_EQ(score_of(8192, 1024).m, std::llround(1536 - 1536 * 1536 / (2 * 8192.0)));
  EXPECT_EQ(score_of(8192, 8192).m, 4096);
  // What is published counts a causal mask as computed, and a window as wide as it is.
  EXPECT_EQ(score_of(8192, 0).published_flops().value, 2LL * 2 * 8192 * 8192 * 4);
  EXPECT_EQ(score_of(8192, 1024).published_flops().value, 2LL * 2 * 8192 * 1024 * 4);
}

}  // namespace
}  // namespace tpulab::test::attention_test

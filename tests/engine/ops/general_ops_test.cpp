#include "engine/ops/general_ops.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test::general_ops_test {
namespace {

using Values = std::vector<float>;

Array counting(const Shape& shape, float first = 0) {
  Array array(shape);
  for (std::int64_t i = 0; i < array.elements(); ++i) array[i] = first + static_cast<float>(i);
  return array;
}

TEST(DotGeneral, contracts_any_axes_and_puts_batches_first) {
  const Array left = counting(Shape{3, 2, 4});   // [k, batch, m]
  const Array right = counting(Shape{2, 5, 3});  // [batch, n, k]
  const Values got = values_of({left, right}, [](std::span<const Tensor> in) {
    return dot_general(in[0], in[1], {{1}, {0}, {0}, {2}}, MatmulPrecision::highest, DType::f32);
  });
  ASSERT_EQ(got.size(), 2u * 4 * 5);
  for (int b = 0; b < 2; ++b) {
    for (int m = 0; m < 4; ++m) {
      for (int n = 0; n < 5; ++n) {
        float sum = 0;
        for (int k = 0; k < 3; ++k) {
          sum += left[(k * 2 + b) * 4 + m] * right[(b * 5 + n) * 3 + k];
        }
        EXPECT_EQ(got[static_cast<std::size_t>((b * 4 + m) * 5 + n)], sum) << b << m << n;
      }
    }
  }
}

TEST(DotGeneral, works_as_the_product_of_its_free_and_contracted_extents) {
  Step step;
  const Tensor out =
      dot_general(step.input(Array(Shape{3, 2, 4})), step.input(Array(Shape{2, 5, 3})),
                  {{1}, {0}, {0}, {2}}, MatmulPrecision::default_, DType::f32);
  const auto work = work_of<MatrixWork>(out);
  EXPECT_EQ(work.batch, 2);
  EXPECT_EQ(work.m, 4);
  EXPECT_EQ(work.k, 3);
  EXPECT_EQ(work.n, 5);
}

TEST(DotGeneral, names_the_shapes_that_do_not_fit) {
  Step step;
  const Tensor a = step.input(Array(Shape{2, 3}));
  EXPECT_NE(error_of([&] {
              dot_general(a, a, {{}, {}, {1}, {0}}, MatmulPrecision::default_, DType::f32);
            }).find("f32[2,3] over 1"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              dot_general(a, a, {{}, {}, {7}, {7}}, MatmulPrecision::default_, DType::f32);
            }),
            "");
}

TEST(BroadcastInDim, repeats_along_the_axes_that_are_not_named) {
  const Values got = values_of({counting(Shape{2, 1})}, [](std::span<const Tensor> in) {
    return broadcast_in_dim(in[0], {1, 2}, Shape{2, 2, 3});
  });
  EXPECT_EQ(got, (Values{0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1}));
}

TEST(Moves, slice_pad_reverse_and_relabel_put_each_element_in_its_place) {
  const Array x = counting(Shape{3, 4});
  EXPECT_EQ(values_of({x},
                      [](std::span<const Tensor> in) {
                        return strided_slice(in[0], {1, 0}, {3, 4}, {1, 3});
                      }),
            (Values{4, 7, 8, 11}));
  EXPECT_EQ(
      values_of({counting(Shape{3}), Array::scalar(9)},
                [](std::span<const Tensor> in) { return pad_with(in[0], in[1], {1}, {-1}, {1}); }),
      (Values{9, 0, 9, 1, 9}));
  EXPECT_EQ(values_of({counting(Shape{2, 2})},
                      [](std::span<const Tensor> in) {
                        return reverse(in[0], {0, 1});
                      }),
            (Values{3, 2, 1, 0}));
  EXPECT_EQ(values_of({counting(Shape{2, 3})},
                      [](std::span<const Tensor> in) {
                        return relabel_axes(in[0], {1, 0});
                      }),
            (Values{0, 3, 1, 4, 2, 5}));
}

TEST(Moves, iota_counts_along_its_axis) {
  EXPECT_EQ(values_of({Array::scalar(0)},
                      [](std::span<const Tensor> in) {
                        return add(iota(*in[0].graph, 1, Shape{2, 3}, DType::f32), in[0]);
                      }),
            (Values{0, 1, 2, 0, 1, 2}));
}

TEST(Moves, what_leaves_the_array_is_refused) {
  Step step;
  const Tensor x = step.input(Array(Shape{3}));
  EXPECT_NE(error_of([&] { strided_slice(x, {2}, {4}, {1}); }), "");
  EXPECT_NE(error_of([&] { pad_with(x, x, {-2}, {-2}, {0}); }), "");
  EXPECT_NE(error_of([&] { reverse(x, {1}); }), "");
  EXPECT_NE(error_of([&] { broadcast_in_dim(x, {0}, Shape{4}); }), "");
}

TEST(ReduceWith, folds_with_each_function) {
  const Array x(Shape{2, 3}, {3, -1, 2, 0, 5, 4});
  const auto folded = [&](const char* function) {
    return values_of({x},
                     [&](std::span<const Tensor> in) { return reduce_with(function, in[0], {1}); });
  };
  EXPECT_EQ(folded("add"), (Values{4, 9}));
  EXPECT_EQ(folded("minimum"), (Values{-1, 0}));
  EXPECT_EQ(folded("maximum"), (Values{3, 5}));
  EXPECT_EQ(folded("multiply"), (Values{-6, 0}));
}

TEST(Functions, have_the_values_of_the_library_of_c) {
  const Array x(Shape{4}, {-1.5f, 0.25f, 2, 7});
  const auto values = [&](const char* name) {
    return values_of({x},
                     [&](std::span<const Tensor> in) { return function_of(name, in, DType::f32); });
  };
  EXPECT_EQ(values("negate"), (Values{1.5f, -0.25f, -2, -7}));
  EXPECT_EQ(values("floor"), (Values{-2, 0, 2, 7}));
  EXPECT_EQ(values("sign"), (Values{-1, 1, 1, 1}));
  EXPECT_FLOAT_EQ(values("erf")[1], std::erf(0.25f));
  EXPECT_FLOAT_EQ(values("log_plus_one")[3], std::log(8.0f));
}

TEST(Functions, of_two_operands_take_scalars_beside_arrays) {
  const Values got = values_of(
      {counting(Shape{3}, 4), Array::scalar(3)},
      [](std::span<const Tensor> in) { return function_of("remainder", in, DType::f32); });
  EXPECT_EQ(got, (Values{1, 2, 0}));
}

TEST(Compare, answers_each_direction) {
  const Array a(Shape{3}, {1, 2, 3});
  const Array b(Shape{3}, {2, 2, 2});
  const auto answers = [&](const char* way) {
    return values_of({a, b},
                     [&](std::span<const Tensor> in) { return compare(in[0], in[1], way); });
  };
  EXPECT_EQ(answers("LT"), (Values{1, 0, 0}));
  EXPECT_EQ(answers("LE"), (Values{1, 1, 0}));
  EXPECT_EQ(answers("EQ"), (Values{0, 1, 0}));
  EXPECT_EQ(answers("NE"), (Values{1, 0, 1}));
  EXPECT_EQ(answers("GE"), (Values{0, 1, 1}));
  Step step;
  const Tensor x = step.input(a);
  EXPECT_NE(error_of([&] { compare(x, x, "ABOUT"); }), "");
}

// The batch is contracted, and the window is the upstream.
ConvolutionAxes axes_to_filter() {
  return {.batch = 3,
          .features = 0,
          .spatial = {1, 2},
          .filter_inputs = 0,
          .filter_outputs = 3,
          .filter_spatial = {1, 2},
          .out_batch = 2,
          .out_features = 3,
          .out_spatial = {0, 1}};
}

TEST(ConvolutionGeneral, counts_the_operations_of_forward_in_both_gradients) {
  Step step;
  const Tensor image = step.input(Array(Shape{2, 8, 8, 3}));
  const Tensor filter = step.input(Array(Shape{3, 3, 3, 5}));
  const Tensor upstream = step.input(Array(Shape{2, 4, 4, 5}));
  const std::int64_t forward = 2LL * 2 * 4 * 4 * 5 * 3 * 3 * 3;
  const ConvolutionAxes plain{.features = 3,
                              .spatial = {1, 2},
                              .filter_inputs = 2,
                              .filter_outputs = 3,
                              .filter_spatial = {0, 1},
                              .out_features = 3,
                              .out_spatial = {1, 2},
                              .strides = {2, 2}};
  const auto flops = [](Tensor one) { return work_of<MatrixWork>(one).flops().value; };
  EXPECT_EQ(flops(convolution_general(image, filter, plain, MatmulPrecision::default_,
                                      Shape{2, 4, 4, 5}, DType::f32)),
            forward);
  ConvolutionAxes to_image = plain;
  to_image.strides = {};
  to_image.left_dilation = {2, 2};
  to_image.filter_inputs = 3;
  to_image.filter_outputs = 2;
  EXPECT_EQ(flops(convolution_general(upstream, filter, to_image, MatmulPrecision::default_,
                                      Shape{2, 8, 8, 3}, DType::f32)),
            forward);
  ConvolutionAxes to_filter = axes_to_filter();
  to_filter.right_dilation = {2, 2};
  EXPECT_EQ(flops(convolution_general(image, upstream, to_filter, MatmulPrecision::default_,
                                      Shape{3, 3, 3, 5}, DType::f32)),
            forward);
}

// The filter's gradient has a spread image and a window as large as what was made of it.
TEST(ConvolutionGeneral, counts_as_many_operations_for_the_filter_of_a_transposed_one) {
  Step step;
  const Tensor image = step.input(Array(Shape{2, 4, 4, 5}));
  const Tensor upstream = step.input(Array(Shape{2, 8, 8, 3}));
  ConvolutionAxes to_filter = axes_to_filter();
  to_filter.left_dilation = {2, 2};
  const Tensor gradient = convolution_general(image, upstream, to_filter, MatmulPrecision::default_,
                                              Shape{3, 3, 5, 3}, DType::f32);
  EXPECT_EQ(work_of<MatrixWork>(gradient).flops().value, 2LL * 2 * 4 * 4 * 5 * 3 * 3 * 3);
}

// jnp.cumsum has a window as long as the axis; XLA's TPU compiler makes it of blocks of 128.
TEST(GeneralOps, a_running_sum_takes_blocks_of_128_and_a_window_all_of_its_taps) {
  Graph graph;
  const Tensor x = graph.leaf(1, {{4096, 64}, DType::f32});
  const WindowAxes running{.size = {4096, 1}, .low = {4095, 0}, .high = {0, 0}};
  EXPECT_EQ(work_of<VectorWork>(reduce_window("add", x, running, {4096, 64})).cheap, 130);
  const WindowAxes taps{.size = {200, 1}};
  EXPECT_EQ(work_of<VectorWork>(reduce_window("add", x, taps, {3897, 64})).cheap, 200);
}

// A key's product with one query adds up along the lanes, a value's along the rows.
TEST(DotGeneral, knows_where_a_product_with_a_vector_adds_up_along_the_lanes) {
  Graph graph;
  const Tensor query = graph.leaf(1, {{8, 64}, DType::bf16});
  const Tensor keys = graph.leaf(2, {{8, 512, 64}, DType::bf16});
  const Tensor weights = graph.leaf(3, {{8, 512}, DType::bf16});
  const auto product = [](Tensor left, Tensor right, std::int64_t contracted) {
    return work_of<MatrixWork>(dot_general(left, right, {{0}, {0}, {1}, {contracted}},
                                           MatmulPrecision::default_, DType::f32));
  };
  EXPECT_TRUE(product(query, keys, 2).sums_along_lanes);
  EXPECT_FALSE(product(weights, keys, 1).sums_along_lanes);
}

TEST(GeneralOps, without_numbers_say_so) {
  const std::string said = error_of([] {
    values_of({Array(Shape{2, 3}), Array(Shape{4})}, [](std::span<const Tensor> in) {
      return gather_rows(in[0], in[1], Shape{4, 3});
    });
  });
  EXPECT_EQ(said, "gather is priced, without numbers; choose numbers off");
}

}  // namespace
}  // namespace tpulab::test::general_ops_test

#include <gtest/gtest.h>

#include "engine/base/workers.h"
#include "tests/engine/ops/check_op.h"

namespace tpulab::test::convolution_test {
namespace {

ConvolutionOptions exact(ConvolutionOptions options = {}) {
  options.precision = MatmulPrecision::highest;
  return options;
}

Build convolved(ConvolutionOptions options) {
  return [options](std::span<const Tensor> in) { return conv2d(in[0], in[1], options); };
}

// The definition: the sum over a window whose upper left corner may lie outside the image.
float convolved_at(const Array& x, const Array& filter, std::int64_t groups, std::int64_t image,
                   std::int64_t row, std::int64_t column, std::int64_t output) {
  const Shape& in = x.shape();
  const Shape& window = filter.shape();
  const std::int64_t group = output / (window[3] / groups);
  float sum = 0;
  for (std::int64_t y = 0; y < window[0]; ++y) {
    for (std::int64_t z = 0; z < window[1]; ++z) {
      if (row + y < 0 || row + y >= in[1] || column + z < 0 || column + z >= in[2]) continue;
      for (std::int64_t c = 0; c < window[2]; ++c) {
        const std::int64_t pixel = (image * in[1] + row + y) * in[2] + column + z;
        sum += x[pixel * in[3] + group * window[2] + c] *
               filter[((y * window[1] + z) * window[2] + c) * window[3] + output];
      }
    }
  }
  return sum;
}

void expect_convolved(const Shape& image, const Shape& window, ConvolutionOptions options,
                      std::int64_t zeros_before) {
  const Array x = numbers(image, 1);
  const Array filter = numbers(window, 2);
  Step step;
  const Array result = step.value(conv2d(step.input(x), step.input(filter), exact(options)));
  const Shape& out = result.shape();
  ASSERT_EQ(out[3], window[3]);
  std::int64_t at = 0;
  for (std::int64_t b = 0; b < out[0]; ++b) {
    for (std::int64_t y = 0; y < out[1]; ++y) {
      for (std::int64_t z = 0; z < out[2]; ++z) {
        for (std::int64_t o = 0; o < out[3]; ++o) {
          const float wanted =
              convolved_at(x, filter, options.groups, b, y * options.stride - zeros_before,
                           z * options.stride - zeros_before, o);
          ASSERT_NEAR(result[at++], wanted, 1e-5) << b << " " << y << " " << z << " " << o;
        }
      }
    }
  }
}

TEST(Convolution, sums_the_window_over_its_channels) {
  expect_convolved({2, 5, 6, 3}, {3, 3, 3, 4}, {.padding = Padding::valid()}, 0);
  expect_convolved({2, 5, 6, 3}, {3, 3, 3, 4}, {.padding = Padding::same()}, 1);
  expect_convolved({1, 7, 7, 2}, {3, 3, 2, 4}, {.stride = 2, .padding = Padding::by(1)}, 1);
  expect_convolved({2, 4, 4, 3}, {1, 1, 3, 5}, {}, 0);
}

TEST(Convolution, keeps_groups_of_channels_apart) {
  expect_convolved({2, 4, 5, 6}, {3, 3, 2, 9}, {.groups = 3}, 1);
  expect_convolved({2, 4, 5, 6}, {3, 3, 1, 6}, {.groups = 6}, 1);
  expect_convolved({1, 5, 5, 3}, {3, 3, 1, 6},
                   {.stride = 2, .padding = Padding::by(1), .groups = 3}, 1);
}

// 224 with stride 2: same pads 5 of which 2 before, ceil(224 / 2) = 112; by(3): (224 + 6 - 7) / 2
// + 1 = 112; valid: (224 - 7) / 2 + 1 = 109.
TEST(Convolution, counts_windows_as_xla_does) {
  Step step;
  const Tensor x = step.input(Array(Shape{1, 224, 224, 3}));
  const Tensor filter = step.input(Array(Shape{7, 7, 3, 2}));
  const auto side = [&](Padding padding) {
    return conv2d(x, filter, {.stride = 2, .padding = padding}).shape()[1];
  };
  EXPECT_EQ(side(Padding::same()), 112);
  EXPECT_EQ(side(Padding::by(3)), 112);
  EXPECT_EQ(side(Padding::valid()), 109);
}

// SAME with an even window: one zero in all, and it stands behind. Ones under a 2 x 2 window of
// ones: 4 inside, 2 at the right and the lower edge, 1 in the corner.
TEST(Convolution, puts_the_odd_zero_behind) {
  Array ones(Shape{1, 2, 2, 1}, {1, 1, 1, 1});
  EXPECT_EQ(values_of({ones, Array(Shape{2, 2, 1, 1}, {1, 1, 1, 1})}, convolved({})),
            (std::vector<float>{4, 2, 2, 1}));
}

Build convolved_through(ConvolutionOptions options) {
  return [options](std::span<const Tensor> in) { return conv3d(in[0], in[1], options); };
}

// Each plane of the window is a convolution of the images that lie behind each other.
TEST(Convolution, of_volumes_adds_up_the_images_that_a_window_reaches) {
  const Array x = numbers({2, 5, 4, 6, 3}, 1);
  const Array filter = numbers({3, 3, 3, 3, 4}, 2);
  const ConvolutionOptions options = exact({.stride = 2, .padding = Padding::by(1)});
  Step step;
  const Tensor volumes = step.input(x);
  const Tensor windows = step.input(filter);
  const Tensor whole = conv3d(volumes, windows, options);
  ASSERT_EQ(whole.shape(), (Shape{2, 3, 2, 3, 4}));
  std::vector<Tensor> planes;
  for (std::int64_t out = 0; out < 3; ++out) {
    Tensor sum;
    for (std::int64_t tap = 0; tap < 3; ++tap) {
      const std::int64_t plane = 2 * out - 1 + tap;
      if (plane < 0 || plane >= 5) continue;
      const Tensor one = conv2d(reshape(slice(volumes, 1, plane, 1), {2, 4, 6, 3}),
                                reshape(slice(windows, 0, tap, 1), {3, 3, 3, 4}), options);
      sum = sum ? add(sum, one) : one;
    }
    planes.push_back(reshape(sum, {2, 1, 2, 3, 4}));
  }
  const Array expected = step.value(concatenate(planes, 1));
  const Array made = step.value(whole);
  for (std::int64_t i = 0; i < made.elements(); ++i) ASSERT_NEAR(made[i], expected[i], 1e-4) << i;
}

TEST(Convolution, of_volumes_has_the_gradients_of_finite_differences) {
  check_op({numbers({1, 3, 3, 4, 2}, 1), numbers({2, 3, 2, 2, 2}, 2)},
           convolved_through(exact({.stride = 2, .padding = Padding::by(1)})));
  check_op({numbers({1, 2, 3, 3, 2}, 1), numbers({3, 3, 3, 1, 2}, 2)},
           convolved_through(exact({.groups = 2})));
}

// b od oh ow = 2 * 2 * 4 * 4 = 64, fd fh fw c = 3 * 3 * 3 * 5 = 135: nine rows of taps.
TEST(Convolution, of_volumes_is_a_product_over_all_taps) {
  Step step;
  const Tensor x = step.input(Array(Shape{2, 4, 8, 8, 5}));
  const MatrixWork work =
      work_of<MatrixWork>(conv3d(x, step.input(Array(Shape{3, 3, 3, 5, 7})), {.stride = 2}));
  EXPECT_EQ(work.m, 64);
  EXPECT_EQ(work.k, 135);
  EXPECT_EQ(work.n, 7);
  EXPECT_EQ(work.k_pieces, 9);
  EXPECT_EQ(work.taps(), 27);
}

TEST(Convolution, of_volumes_says_what_does_not_fit) {
  EXPECT_EQ(
      error_of([] {
        values_of({Array(Shape{1, 4, 4, 2}), Array(Shape{3, 3, 3, 2, 1})}, convolved_through({}));
      }),
      "conv3d: f32[1,4,4,2] and filter f32[3,3,3,2,1] do not fit in 1 groups; give "
      "[b,d,h,w,c] and [fd,fh,fw,c/groups,o], o a multiple of the groups");
  EXPECT_EQ(
      error_of([] {
        values_of({Array(Shape{1, 4, 4, 2}), Array(Shape{3, 3, 2, 1})}, convolved_through({}));
      }),
      "conv3d: a filter has [fd,fh,fw,c/groups,o], not f32[3,3,2,1]");
}

Build transposed(std::int64_t stride) {
  return [stride](std::span<const Tensor> in) {
    return transposed_convolution(in[0], in[1], stride, MatmulPrecision::highest);
  };
}

// A 2 x 2 window with stride 2 writes each pixel's four; windows of 3 overlap where they meet.
TEST(TransposedConvolution, writes_a_window_for_each_pixel) {
  EXPECT_EQ(values_of({Array(Shape{1, 1, 2, 1}, {1, 10}), Array(Shape{2, 2, 1, 1}, {1, 2, 3, 4})},
                      transposed(2)),
            (std::vector<float>{1, 2, 10, 20, 3, 4, 30, 40}));
  EXPECT_EQ(values_of({Array(Shape{1, 1, 2, 1}, {1, 10}), Array(Shape{1, 3, 1, 1}, {1, 2, 3})},
                      transposed(2)),
            (std::vector<float>{1, 2, 13, 20, 30}));
}

TEST(TransposedConvolution, has_the_gradients_of_finite_differences) {
  check_op({numbers({2, 2, 3, 3}, 1), numbers({2, 2, 2, 3}, 2)}, transposed(2));
  check_op({numbers({1, 2, 1, 2, 2}, 1), numbers({2, 2, 3, 3, 2}, 2)}, transposed(2));
}

TEST(TransposedConvolution, says_which_filter_does_not_make_the_image) {
  EXPECT_NE(error_of([] {
              values_of({Array(Shape{1, 2, 2, 3}), Array(Shape{2, 2, 4, 5})}, transposed(2));
            }).find("filter f32[2,2,4,5] does not make f32[1,2,2,3]"),
            std::string::npos);
}

TEST(Convolution, has_the_gradients_of_finite_differences) {
  check_op({numbers({2, 4, 3, 2}, 1), numbers({3, 3, 2, 3}, 2)}, convolved(exact()));
  check_op({numbers({1, 5, 5, 2}, 1), numbers({3, 2, 2, 2}, 2)},
           convolved(exact({.stride = 2, .padding = Padding::valid()})));
  check_op({numbers({1, 6, 5, 2}, 1), numbers({1, 1, 2, 3}, 2)},
           convolved(exact({.stride = 2, .padding = Padding::valid()})));
  check_op({numbers({1, 4, 4, 4}, 1), numbers({3, 3, 2, 2}, 2)},
           convolved(exact({.padding = Padding::by(2), .groups = 2})));
  check_op({numbers({2, 3, 4, 3}, 1), numbers({3, 3, 1, 6}, 2)}, convolved(exact({.groups = 3})));
}

// 1 + 2^-9 is 1 in bf16, which has 8 bits.
TEST(Convolution, rounds_operands_to_bf16_except_depthwise) {
  const Array pixel(Shape{1, 1, 1, 2}, {1.001953125f, 0});
  EXPECT_EQ(values_of({pixel, Array(Shape{1, 1, 2, 1}, {1, 1})}, convolved({})),
            (std::vector<float>{1}));
  EXPECT_EQ(values_of({pixel, Array(Shape{1, 1, 1, 2}, {1, 1})}, convolved({.groups = 2})),
            (std::vector<float>{1.001953125f, 0}));
}

TEST(Convolution, has_the_same_bits_for_any_number_of_workers) {
  WorkerPool pool(3);
  const std::vector<Array> inputs{numbers({2, 20, 20, 16}, 1), numbers({3, 3, 16, 32}, 2)};
  EXPECT_EQ(values_of(inputs, convolved({})), values_of(inputs, convolved({}), {.workers = &pool}));
}

// b oh ow = 2 * 4 * 4 = 32, fh fw c = 3 * 3 * 5 = 45, o = 7; every product does 2 * 32 * 45 * 7.
TEST(Convolution, is_three_products_of_equal_size) {
  Step step;
  const Tensor x = step.input(Array(Shape{2, 8, 8, 5}));
  const Tensor filter = step.input(Array(Shape{3, 3, 5, 7}));
  const Tensor out = conv2d(x, filter, {.stride = 2});
  const MatrixWork forward = work_of<MatrixWork>(out);
  EXPECT_EQ(forward.m, 32);
  EXPECT_EQ(forward.k, 45);
  EXPECT_EQ(forward.n, 7);
  EXPECT_EQ(forward.k_pieces, 3);
  EXPECT_EQ(forward.passes, 1);
  const auto gradients = backward(out, step.input(Array(out.shape())));
  const MatrixWork to_filter = work_of<MatrixWork>(gradients.at(filter.id));
  EXPECT_EQ(to_filter.m, 45);
  EXPECT_EQ(to_filter.k, 32);
  EXPECT_EQ(to_filter.n, 7);
  EXPECT_EQ(to_filter.k_pieces, 1);
  const MatrixWork to_input = work_of<MatrixWork>(gradients.at(x.id));
  EXPECT_EQ(to_input.n, 5);
  EXPECT_EQ(to_input.flops().value, 20160);
  EXPECT_EQ(to_filter.flops().value, 20160);
  EXPECT_EQ(forward.flops().value, 20160);
}

TEST(Convolution, multiplies_groups_one_by_one_and_needs_more_passes_for_f32) {
  Step step;
  const Tensor x = step.input(Array(Shape{1, 4, 4, 6}));
  const Tensor out = conv2d(x, step.input(Array(Shape{3, 3, 2, 9})), exact({.groups = 3}));
  const MatrixWork work = work_of<MatrixWork>(out);
  EXPECT_EQ(work.batch, 3);
  EXPECT_EQ(work.k, 18);
  EXPECT_EQ(work.n, 3);
  EXPECT_EQ(work.passes, 6);
}

// Three groups of two channels to three, 4 x 4 pixels of 8 images.
TEST(Convolution, narrow_groups_multiply_the_images_of_each_pixel) {
  Step step;
  const Tensor x = step.input(Array(Shape{8, 4, 4, 6}));
  const Tensor filter = step.input(Array(Shape{3, 3, 2, 9}));
  const Tensor out = conv2d(x, filter, {.groups = 3});
  const auto gradients = backward(out, step.input(Array(out.shape())));
  const MatrixWork one{.batch = 3 * 16, .m = 8, .k = 9 * 2, .n = 3, .window = 9};
  EXPECT_EQ(work_of<MatrixWork>(out), one);
  MatrixWork to_input = one;
  to_input.k = 9 * 3;
  to_input.n = 2;
  EXPECT_EQ(work_of<MatrixWork>(gradients.at(x.id)), to_input);
  MatrixWork to_filter = one;
  to_filter.m = 9 * 2;
  to_filter.k = 8;
  EXPECT_EQ(work_of<MatrixWork>(gradients.at(filter.id)), to_filter);
}

// Nine multiplications and nine additions for each element of the result.
TEST(Convolution, gives_depthwise_windows_to_the_vector_unit) {
  Step step;
  const Tensor x = step.input(Array(Shape{2, 8, 8, 6}));
  const Tensor filter = step.input(Array(Shape{3, 3, 1, 6}));
  const Tensor out = conv2d(x, filter, {.stride = 2, .groups = 6});
  const VectorWork work = work_of<VectorWork>(out);
  EXPECT_EQ(work.shape, (Shape{2, 4, 4, 6}));
  EXPECT_EQ(work.cheap, 18);
  const auto gradients = backward(out, step.input(Array(out.shape())));
  EXPECT_EQ(work_of<VectorWork>(gradients.at(x.id)).cheap, 18);
  EXPECT_EQ(work_of<VectorWork>(gradients.at(filter.id)).cheap, 18);
  // The model's operations all the same, as many in each gradient.
  const std::int64_t convolved = 18 * 2 * 4 * 4 * 6;
  EXPECT_EQ(work.convolved.value, convolved);
  EXPECT_EQ(work_of<VectorWork>(gradients.at(x.id)).convolved.value, convolved);
  EXPECT_EQ(work_of<VectorWork>(gradients.at(filter.id)).convolved.value, convolved);
}

TEST(Convolution, keeps_the_dtype_of_each_operand_in_its_gradient) {
  Step step;
  const Tensor x = step.input(Array(Shape{1, 4, 4, 2}, DType::bf16));
  const Tensor filter = step.input(Array(Shape{3, 3, 2, 2}));
  const Tensor out = conv2d(x, filter);
  EXPECT_EQ(out.type().dtype, DType::bf16);
  const auto gradients = backward(out, step.input(Array(out.shape(), DType::bf16)));
  EXPECT_EQ(gradients.at(x.id).type().dtype, DType::bf16);
  EXPECT_EQ(gradients.at(filter.id).type().dtype, DType::f32);
}

TEST(Convolution, names_what_changes_the_program) {
  Step step;
  const Tensor x = step.input(Array(Shape{1, 4, 4, 2}));
  const Tensor filter = step.input(Array(Shape{3, 3, 1, 2}));
  const Tensor out = conv2d(x, filter, {.stride = 2, .padding = Padding::by(1), .groups = 2});
  EXPECT_EQ(step.graph.node(out.id).op->attributes(), "stride=2 padding=1 groups=2 passes=1");
}

TEST(Convolution, refuses_shapes_that_do_not_fit) {
  Step step;
  const Tensor x = step.input(Array(Shape{1, 4, 4, 2}));
  const auto filter = [&](const Shape& shape) { return step.input(Array(shape)); };
  EXPECT_EQ(error_of([&] {
              conv2d(x, filter({3, 3, 3, 2}));
            }),
            "conv2d: f32[1,4,4,2] and filter f32[3,3,3,2] do not fit in 1 groups; give [b,h,w,c] "
            "and [fh,fw,c/groups,o], o a multiple of the groups");
  EXPECT_NE(error_of([&] { conv2d(x, filter({3, 3, 1, 3}), {.groups = 2}); }), "");
  EXPECT_NE(error_of([&] { conv2d(filter({4, 4, 2}), filter({3, 3, 2, 2})); }), "");
  EXPECT_EQ(error_of([&] {
              conv2d(x, filter({5, 5, 2, 2}), {.padding = Padding::valid()});
            }),
            "conv2d: a window of 5 x 5 does not fit into f32[1,4,4,2] with padding valid; pad more "
            "or take a smaller window");
  EXPECT_NE(error_of([&] { conv2d(x, filter({3, 3, 2, 2}), {.stride = 0}); }), "");
}

}  // namespace
}  // namespace tpulab::test::convolution_test

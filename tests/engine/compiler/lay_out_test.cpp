// How images lie in memory, where both tiled axes are padded: a tile is 8 x 128, of bf16 16 x 128.
#include <gtest/gtest.h>

#include "engine/compiler/compile.h"
#include "engine/ops/ops.h"

namespace tpulab::lay_out_test {
namespace {

Type images(Shape shape) { return {shape, DType::f32, Placement::per_core}; }

struct Convolved {
  std::shared_ptr<const Program> program;

  NodeId input() const { return program->inputs.at(0); }
  NodeId filter() const { return program->inputs.at(1); }
};

Convolved convolved(const Shape& x, std::int64_t outputs) {
  Graph graph;
  const Tensor image = graph.leaf(0, images(x));
  const Tensor filter = graph.leaf(1, {{3, 3, x[3], outputs}, DType::f32, Placement::shared});
  const Tensor y = conv2d(image, filter);
  return {compile(make_cut(graph, {y.id}, {-1}, "test", 1))};
}

const Shape& lies(const Convolved& one, NodeId id) {
  return one.program->laid_out[static_cast<std::size_t>(id)];
}

TEST(LayOut, channels_that_fill_the_lanes_lie_there_and_the_batch_in_sublanes) {
  const Convolved one = convolved({32, 14, 14, 256}, 256);
  EXPECT_EQ(lies(one, one.input()), (Shape{14, 14, 32, 256}));
}

// 32 channels would leave three quarters of the lanes empty.
TEST(LayOut, columns_of_a_volume_lie_in_the_lanes_where_channels_are_few) {
  Graph graph;
  const Tensor volume = graph.leaf(0, images({2, 64, 64, 128, 32}));
  const Tensor filter = graph.leaf(1, {{3, 3, 3, 32, 256}, DType::f32, Placement::shared});
  const Tensor y = conv3d(volume, filter);
  const Convolved one{compile(make_cut(graph, {y.id}, {-1}, "test", 1))};
  EXPECT_EQ(lies(one, one.input()), (Shape{2, 64, 64, 32, 128}));
  EXPECT_EQ(lies(one, one.program->outputs[0]), (Shape{64, 64, 128, 2, 256}));
}

TEST(LayOut, a_batch_of_128_lies_in_the_lanes_where_channels_are_few) {
  const Convolved one = convolved({128, 56, 56, 64}, 256);
  EXPECT_EQ(lies(one, one.input()), (Shape{56, 56, 64, 128}));
  EXPECT_EQ(lies(one, one.program->outputs[0]), (Shape{56, 56, 128, 256}));
}

// [XLA's TPU compiler, v3: 2 and 4 images of 200 x 336 x 64 lie as 8 do, and are summed in the same
// 776 thousand clocks]
TEST(LayOut, fewer_images_than_sublanes_leave_some_of_a_register_empty) {
  Graph graph;
  const Tensor image = graph.leaf(0, images({2, 56, 56, 64}));
  const Tensor filter = graph.leaf(1, {{3, 3, 64, 64}, DType::f32, Placement::shared});
  const Tensor y = relu(conv2d(image, filter));
  const auto program = compile(make_cut(graph, {y.id}, {-1}, "test", 1));
  EXPECT_EQ(program->laid_out.back(), (Shape{56, 56, 2, 64}));
  const std::vector<Work>& items = program->kernels[0].work->items;
  EXPECT_EQ(std::get<MatrixWork>(items.at(0)).images, 2);
  EXPECT_EQ(std::get<VectorWork>(items.at(1)).shape, (Shape{56, 56, 8, 64}));
}

TEST(LayOut, three_colours_are_padded_by_nothing_beside_a_full_batch) {
  const Convolved one = convolved({128, 224, 224, 3}, 64);
  EXPECT_EQ(lies(one, one.input()), (Shape{224, 3, 224, 128}));
  EXPECT_EQ(one.program->kernels[0].work->reads[0].shape, (Shape{224, 3, 224, 128}));
}

TEST(LayOut, filters_lie_as_they_are) {
  const Convolved one = convolved({128, 8, 8, 64}, 64);
  EXPECT_EQ(lies(one, one.filter()), (Shape{3, 3, 64, 64}));
}

Shape lies(const Shape& shape) {
  Graph graph;
  const Tensor values = exponential(graph.leaf(0, images(shape)));
  return compile(make_cut(graph, {values.id}, {-1}, "test", 1))->laid_out.back();
}

TEST(LayOut, an_axis_of_few_values_lies_outside_of_the_tiles) {
  EXPECT_EQ(lies(Shape{512, 1024, 3}), (Shape{3, 512, 1024}));
  EXPECT_EQ(lies(Shape{8, 16, 512, 3}), (Shape{8, 3, 16, 512}));
}

TEST(LayOut, the_last_two_axes_take_turns_where_the_one_before_fills_the_lanes) {
  EXPECT_EQ(lies(Shape{64, 512, 16}), (Shape{64, 16, 512}));
  EXPECT_EQ(lies(Shape{16, 12, 512, 64}), (Shape{16, 12, 64, 512}));
}

TEST(LayOut, the_batch_lies_in_the_lanes_where_channels_are_split_into_groups) {
  EXPECT_EQ(lies(Shape{128, 64, 64, 4, 16}), (Shape{64, 64, 4, 16, 128}));
  EXPECT_EQ(lies(Shape{128, 4, 16, 32}), (Shape{4, 16, 32, 128}));
}

TEST(LayOut, what_half_fills_the_lanes_lies_as_it_is) {
  EXPECT_EQ(lies(Shape{64, 512, 100}), (Shape{64, 512, 100}));
}

// The compiler's embeddings f32[200000,64] lie so too, which does not halve them: 200,064 columns.
TEST(LayOut, the_axis_of_a_matrix_that_pads_less_there_lies_in_the_lanes) {
  EXPECT_EQ(lies(Shape{1024, 3}), (Shape{3, 1024}));
  EXPECT_EQ(lies(Shape{200000, 64}), (Shape{64, 200000}));
  EXPECT_EQ(lies(Shape{8192, 8194}), (Shape{8194, 8192}));
  EXPECT_EQ(lies(Shape{8, 64}), (Shape{8, 64}));
  EXPECT_EQ(lies(Shape{1024, 128}), (Shape{1024, 128}));
}

TEST(LayOut, a_sum_over_the_short_axis_of_a_narrow_matrix_runs_along_the_sublanes) {
  Graph graph;
  const Tensor x = graph.leaf(0, images(Shape{1024, 3}));
  const auto program = compile(make_cut(graph, {reduce_sum(x, 1).id}, {-1}, "test", 1));
  const auto& loop = std::get<VectorWork>(program->kernels[0].work->items[0]);
  EXPECT_EQ(loop.shape, (Shape{3, 1024}));
  EXPECT_EQ(loop.reduced_axis, 0);
}

TEST(LayOut, loops_behind_a_convolution_keep_its_layout) {
  Graph graph;
  const Tensor image = graph.leaf(0, images({128, 8, 8, 64}));
  const Tensor filter = graph.leaf(1, {{3, 3, 64, 64}, DType::f32, Placement::shared});
  const Tensor y = relu(conv2d(image, filter));
  const auto program = compile(make_cut(graph, {y.id}, {-1}, "test", 1));
  EXPECT_EQ(program->laid_out.back(), (Shape{8, 8, 64, 128}));
}

}  // namespace
}  // namespace tpulab::lay_out_test

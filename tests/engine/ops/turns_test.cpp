// A loop over time that is traced once: what its runs read, leave and add up.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/compiler/compile.h"
#include "engine/training/gradient.h"
#include "tests/engine/ops/check_op.h"

namespace tpulab::turns_test {
namespace {

constexpr std::int64_t rows = 4;
constexpr std::int64_t turns = 8;
constexpr std::int64_t width = 256;

// A recurrence over x [b,t,c] by w [c,c] beside a bias that all steps read, and its gradients.
struct Loop {
  Loop() {
    const auto leaf = [&](const Shape& shape, Placement placement) {
      return graph.leaf(++buffers, {shape, DType::f32, placement}, "leaf");
    };
    x = leaf({rows, turns, width}, Placement::per_core);
    w = leaf({width, width}, Placement::shared);
    shift = leaf({rows, width}, Placement::shared);
    const Tensor begin = empty_state(x, {rows, width}, w);
    const Region outside = graph.enter_layer(turns);
    const Tensor before = carried(begin);
    product = matmul(before, w, {.turns = turns});
    const Tensor next = hyperbolic_tangent(add(add(product, of_turn(x)), in_each_turn(shift)));
    graph.enter(outside);
    all = of_all_turns(next, turns);
    loss = mean(reshape(all, Shape{rows * turns * width}));
    const std::vector<Tensor> wanted{x, w, shift};
    slopes = gradient(loss, wanted);
    std::vector<NodeId> outputs{loss.id};
    for (const Tensor& slope : slopes) outputs.push_back(slope.id);
    program = compile(make_cut(graph, outputs, std::vector<BufferId>(outputs.size(), -1), {}, 1));
  }

  const Kernel& kernel_of(std::string_view op) const {
    const auto found = std::ranges::find_if(program->kernels, [&](const Kernel& kernel) {
      return kernel.name.find(op) != std::string::npos;
    });
    expects(found != program->kernels.end(), "a kernel of that op");
    return *found;
  }

  Graph graph;
  BufferId buffers = 0;
  Tensor x, w, shift, product, all, loss;
  std::vector<Tensor> slopes;
  std::shared_ptr<const Program> program;
};

std::int64_t elements_of(const std::vector<Operand>& operands) {
  std::int64_t count = 0;
  for (const Operand& one : operands) count += one.shape.elements();
  return count;
}

TEST(Turns, have_the_shapes_of_a_step_inside_and_of_all_steps_outside) {
  const Loop loop;
  EXPECT_EQ(loop.product.shape(), (Shape{rows, width}));
  EXPECT_EQ(loop.all.shape(), (Shape{rows, turns, width}));
  EXPECT_EQ(loop.slopes[0].shape(), loop.x.shape());
  EXPECT_EQ(loop.slopes[2].shape(), loop.shift.shape());
}

TEST(Turns, read_and_write_a_step_of_what_lies_outside) {
  const Loop loop;
  const Kernel& step = loop.kernel_of("dot+");
  EXPECT_EQ(step.runs, turns);
  // The state before, the weights, a step of x and the shift.
  EXPECT_EQ(elements_of(step.work->reads), 3 * rows * width + width * width);
  EXPECT_EQ(elements_of(step.work->writes), rows * width);
}

TEST(Turns, make_the_gradient_of_weights_once_behind_all_of_them) {
  const Loop loop;
  // Both passes of a step, and that product: as many operations as three of each step.
  std::int64_t flops = 0;
  std::int64_t behind = 0;
  for (const Kernel& kernel : loop.program->kernels) {
    for (const Work& item : kernel.work->items) {
      const auto* const one = std::get_if<MatrixWork>(&item);
      if (one == nullptr) continue;
      flops += kernel.runs * one->flops().value;
      behind += kernel.runs == 1 && one->k == rows * turns ? 1 : 0;
    }
  }
  EXPECT_EQ(behind, 1);
  EXPECT_EQ(flops, 3 * turns * 2 * rows * width * width);
}

TEST(Turns, add_up_the_gradient_of_what_all_of_them_read) {
  const Loop loop;
  const auto adds = std::ranges::count_if(loop.program->kernels, [&](const Kernel& kernel) {
    return std::ranges::any_of(
        kernel.nodes, [&](NodeId id) { return loop.program->node(id).op->traits().adds_up; });
  });
  EXPECT_EQ(adds, 1);
  EXPECT_EQ(loop.graph.node(loop.slopes[2].id).op->attributes(), "of turns");
}

TEST(Turns, keep_what_the_backward_pass_reads_once_for_each) {
  const Loop loop;
  // x, its gradient and all states; w and its gradient. What lies outside is not there for each.
  const std::int64_t states = turns * rows * width * 4;
  const std::int64_t weights = width * width * 4;
  EXPECT_GE(loop.program->peak_bytes.value, 3 * states + 2 * weights);
  EXPECT_LT(loop.program->peak_bytes.value, 8 * states + 3 * weights);
}

TEST(Turns, have_no_numbers_where_they_are_traced_once) {
  EXPECT_EQ(test::error_of([] {
              test::values_of({Array(Shape{2, 3, 4})},
                              [](std::span<const Tensor> in) { return of_turn(in[0]); });
            }),
            "dynamic-slice: a loop that is traced once has no numbers; write it out");
}

TEST(EmptyState, is_zeros_and_lets_nothing_flow_back) {
  test::Step step;
  const Tensor x = step.input(Array(Shape{1, 2}, {1, 2}));
  const Tensor state = empty_state(x, {1, 3});
  EXPECT_EQ(step.value(state).values()[2], 0);
  EXPECT_FALSE(test::backward(state, step.input(Array(Shape{1, 3}))).contains(x.id));
}

}  // namespace
}  // namespace tpulab::turns_test

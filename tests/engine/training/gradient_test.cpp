#include "engine/training/gradient.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/base/workers.h"
#include "engine/ops/ops.h"
#include "engine/runtime/runtime.h"
#include "engine/training/networks/networks.h"

namespace tpulab::gradient_test {
namespace {

// The loss of a small perceptron on fixed rows, and its gradients, on one core at full precision.
class GradientTest : public ::testing::Test {
 protected:
  GradientTest()
      : runtime_({.slice = slice_named("v3-8"),
                  .host = &host_named("tpu-vm"),
                  .stack = &stack_named("pytorch-xla"),
                  .devices = {0}},
                 cache_, workers_, metrics_, {}) {
    values_ = initial_values(parameters_of(model_, example_, DType::f32), 3);
  }

  struct Result {
    float loss = 0;
    std::vector<Array> gradients;
  };

  Result run() {
    runtime_.begin_step(StepKind::train, 0, 4);
    Array images({4, 3});
    for (std::int64_t i = 0; i < 12; ++i) images[i] = std::sin(static_cast<float>(i));
    const Type vector_type{{4}, DType::s32, Placement::per_core};
    const Tensor x = runtime_.leaf(
        runtime_.place({{4, 3}, DType::f32, Placement::per_core}, std::move(images), "x"));
    const Tensor labels =
        runtime_.leaf(runtime_.place(vector_type, Array({4}, {0, 2, 1, 1}, DType::s32), "labels"));
    std::vector<Tensor> parameters;
    for (const Array& value : values_) {
      parameters.push_back(runtime_.leaf(runtime_.place(
          {value.shape(), DType::f32, Placement::shared},
          Array(value.shape(), {value.values().begin(), value.values().end()}), "parameter")));
    }
    Scope scope(parameters, DType::f32, MatmulPrecision::highest);
    const Tensor logits = model_.forward(scope, x, example_);
    const Tensor loss = mean(softmax_cross_entropy(logits, labels));
    std::vector<Live> live{{loss}};
    for (const Tensor& one : gradient(loss, parameters)) live.push_back({one});
    const std::vector<BufferId> made = runtime_.mark_step(live, "test", "");
    runtime_.end_step();
    Result result{runtime_.peek(made[0])[0], {}};
    for (std::size_t i = 1; i < made.size(); ++i) {
      const Array& values = runtime_.peek(made[i]);
      result.gradients.emplace_back(
          values.shape(), std::vector<float>(values.values().begin(), values.values().end()));
    }
    return result;
  }

  ProgramCache cache_;
  WorkerPool workers_{1};
  Metrics metrics_;
  Model model_ = perceptron({5, 4});
  Example example_{.row = {3}, .classes = 3};
  Runtime runtime_;
  std::vector<Array> values_;
};

TEST_F(GradientTest, of_a_whole_perceptron_agrees_with_finite_differences) {
  const Result base = run();
  constexpr float step = 2e-3f;
  for (std::size_t p = 0; p < values_.size(); ++p) {
    for (std::int64_t i = 0; i < values_[p].elements(); ++i) {
      const float kept = values_[p][i];
      values_[p][i] = kept + step;
      const float above = run().loss;
      values_[p][i] = kept - step;
      const float below = run().loss;
      values_[p][i] = kept;
      EXPECT_NEAR(base.gradients[p][i], (above - below) / (2 * step), 2e-3)
          << "parameter " << p << ", element " << i;
    }
  }
}

TEST_F(GradientTest, is_zero_for_what_the_loss_does_not_use) {
  Graph graph;
  const Tensor used = graph.leaf(0, {{}, DType::f32, Placement::shared});
  const Tensor unused = graph.leaf(1, {{}, DType::f32, Placement::shared});
  const std::vector<Tensor> targets{used, unused};
  const std::vector<Tensor> flows = gradient(multiply(used, used), targets);
  EXPECT_FALSE(graph.node(flows[0].id).traits.constant);
  EXPECT_TRUE(graph.node(flows[1].id).traits.constant);
  EXPECT_EQ(graph.node(flows[1].id).op->attributes(), "value=0 f32[]");
}

}  // namespace
}  // namespace tpulab::gradient_test

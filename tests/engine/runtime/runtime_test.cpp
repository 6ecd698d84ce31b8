#include "engine/runtime/runtime.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/base/workers.h"
#include "engine/ops/ops.h"

namespace tpulab::runtime_test {
namespace {

class RuntimeTest : public ::testing::Test {
 protected:
  Runtime make(const std::string& slice, std::vector<int> devices, bool separate = false) {
    return {{.slice = slice_named(slice),
             .host = &host_named("tpu-vm"),
             .stack = &stack_named("pytorch-xla"),
             .devices = std::move(devices)},
            cache_,
            workers_,
            metrics_,
            {.separate_replicas = separate}};
  }
  static Array filled(Shape shape, float first, float step) {
    Array values(shape);
    for (std::int64_t i = 0; i < values.elements(); ++i) {
      values[i] = first + step * static_cast<float>(i);
    }
    return values;
  }

  ProgramCache cache_;
  WorkerPool workers_{2};
  Metrics metrics_;
};

const Type vector_of_4{{4}, DType::f32, Placement::shared};

TEST_F(RuntimeTest, a_full_cut_computes_what_is_alive) {
  Runtime runtime = make("v3-8", {0});
  runtime.begin_step(StepKind::train, 0, 1);
  const BufferId x = runtime.place(vector_of_4, filled({4}, 1, 1), "x");
  const Tensor leaf = runtime.leaf(x);
  const Live square{multiply(leaf, leaf)};
  const BufferId kept = runtime.mark_step({&square, 1}, "test", "")[0];
  runtime.end_step();
  EXPECT_EQ(runtime.peek(kept)[3], 16);
  EXPECT_EQ(runtime.graph().size(), 0);
}

TEST_F(RuntimeTest, the_same_trace_compiles_once) {
  Runtime runtime = make("v3-8", {0});
  const BufferId x = runtime.place(vector_of_4, filled({4}, 1, 1), "x");
  for (int i = 0; i < 3; ++i) {
    runtime.begin_step(StepKind::train, i, 1);
    const Live next{add(runtime.leaf(x), runtime.leaf(x)), x};
    runtime.mark_step({&next, 1}, "test", "");
    runtime.end_step();
  }
  EXPECT_EQ(metrics_.counter("UncachedCompile"), 1);
  EXPECT_EQ(metrics_.counter("CachedCompile"), 2);
  EXPECT_EQ(metrics_.counter("MarkStep"), 3);
  EXPECT_EQ(runtime.peek(x)[0], 8);
}

TEST_F(RuntimeTest, an_update_is_written_where_the_old_value_lay) {
  Runtime runtime = make("v3-8", {0});
  const BufferId x = runtime.place(vector_of_4, filled({4}, 1, 1), "x");
  const float* const before = runtime.peek(x).values().data();
  runtime.begin_step(StepKind::train, 0, 1);
  const Live next{add(runtime.leaf(x), runtime.leaf(x)), x};
  runtime.mark_step({&next, 1}, "test", "");
  runtime.end_step();
  EXPECT_EQ(runtime.peek(x).values().data(), before);
  EXPECT_EQ(runtime.peek(x)[3], 8);
}

TEST_F(RuntimeTest, an_old_value_that_is_still_read_is_not_written_over) {
  Runtime runtime = make("v3-8", {0});
  const BufferId x = runtime.place(vector_of_4, filled({4}, 1, 1), "x");
  const BufferId y = runtime.place(vector_of_4, filled({4}, 10, 10), "y");
  runtime.begin_step(StepKind::train, 0, 1);
  const Tensor old_x = runtime.leaf(x);
  const Tensor old_y = runtime.leaf(y);
  const Tensor seen = reshape(old_y, Shape{2, 2});
  const std::vector<Live> live{{add(old_x, old_y), x},       // read by y's in the same loop
                               {multiply(old_y, old_x), y},  // and y by a product behind it
                               {reduce_sum(matmul(seen, seen), 0)}};
  const BufferId sums = runtime.mark_step(live, "test", "")[2];
  runtime.end_step();
  EXPECT_EQ(runtime.peek(x)[3], 44);
  EXPECT_EQ(runtime.peek(y)[3], 160);
  EXPECT_EQ(runtime.peek(sums)[0], 10 * 10 + 20 * 30 + 30 * 10 + 40 * 30);
}

TEST_F(RuntimeTest, item_cuts_only_what_it_needs) {
  Runtime runtime = make("v3-8", {0});
  runtime.begin_step(StepKind::train, 0, 1);
  const BufferId x = runtime.place(vector_of_4, filled({4}, 1, 1), "x");
  const Tensor sum = reduce_sum(runtime.leaf(x), 0);
  EXPECT_EQ(runtime.item(sum, "sum.item()"), 10);
  // The graph is still pending: the sum is computed again at the full cut.
  const Live twice{add(sum, sum)};
  const BufferId kept = runtime.mark_step({&twice, 1}, "test", "")[0];
  runtime.end_step();
  EXPECT_EQ(runtime.peek(kept)[0], 20);
  EXPECT_EQ(metrics_.counter("UncachedCompile"), 2);
  EXPECT_EQ(metrics_.counter("aten::_local_scalar_dense"), 1);
}

TEST_F(RuntimeTest, a_host_op_cuts_runs_on_the_cpu_and_comes_back) {
  Runtime runtime = make("v3-8", {0});
  runtime.begin_step(StepKind::train, 0, 1);
  const BufferId x = runtime.place({{4}, DType::f32, Placement::per_core}, filled({4}, -1, 1), "x");
  const Tensor doubled = add(runtime.leaf(x), runtime.leaf(x));
  const Tensor found = nonzero(doubled);  // -2 0 2 4
  ASSERT_EQ(found.shape(), (Shape{3}));
  const Live picked{gather(doubled, found)};
  const BufferId kept = runtime.mark_step({&picked, 1}, "test", "")[0];
  const StepTimeline step = runtime.end_step();
  EXPECT_EQ(runtime.peek(kept)[0], -2);
  EXPECT_EQ(runtime.peek(kept)[2], 4);
  EXPECT_EQ(metrics_.counter("aten::nonzero"), 1);
  EXPECT_GT(step.shares[index_of(Share::cpu_fallback)].count(), 0);
}

TEST_F(RuntimeTest, cores_that_would_run_different_programs_are_refused) {
  Runtime runtime = make("v3-8", {0, 1, 2, 3, 4, 5, 6, 7});
  runtime.begin_step(StepKind::train, 0, 1);
  // Core 0 holds a zero, the others none.
  const BufferId x = runtime.place({{2}, DType::f32, Placement::per_core}, filled({16}, 0, 1), "x");
  try {
    nonzero(runtime.leaf(x));
    FAIL() << "different shapes went through";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("would hang"), std::string::npos);
  }
}

TEST_F(RuntimeTest, merged_and_separate_replicas_agree) {
  std::vector<std::vector<float>> results;
  for (const bool separate : {false, true}) {
    Runtime runtime = make("v3-8", {0, 1, 2, 3, 4, 5, 6, 7}, separate);
    runtime.begin_step(StepKind::train, 0, 1);
    const BufferId x =
        runtime.place({{4, 3}, DType::f32, Placement::per_core}, filled({32, 3}, -1, 0.02f), "x");
    const BufferId w =
        runtime.place({{3, 5}, DType::f32, Placement::shared}, filled({3, 5}, 0.5f, -0.07f), "w");
    const Tensor y =
        matmul(runtime.leaf(x), runtime.leaf(w), {.precision = MatmulPrecision::highest});
    const Live sum{all_reduce(reduce_sum(relu(y), 0), 8, true)};
    const Array& result = runtime.peek(runtime.mark_step({&sum, 1}, "test", "")[0]);
    results.emplace_back(result.values().begin(), result.values().end());
    EXPECT_EQ(runtime.merged(), !separate);
  }
  for (std::size_t i = 0; i < results[0].size(); ++i) {
    EXPECT_NEAR(results[0][i], results[1][i], 1e-5 * std::abs(results[1][i]) + 1e-7);
  }
}

TEST_F(RuntimeTest, a_program_that_does_not_fit_says_what_needs_how_much) {
  Runtime runtime = make("v2-8", {0});
  runtime.begin_step(StepKind::train, 0, 1);
  // 12 GiB of f32 on a v2 core of 8 GiB; seen from the shapes, before a value is computed.
  const Type big{{12, 1024, 1024, 256}, DType::f32, Placement::shared};
  const BufferId x = runtime.place({{1}, DType::f32, Placement::shared}, Array({1}), "x");
  const Live huge{broadcast_to(reduce_sum(runtime.leaf(x), 0), big.shape)};
  try {
    runtime.mark_step({&huge, 1}, "test", "");
    FAIL() << "12 GiB went through";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("RESOURCE_EXHAUSTED"), std::string::npos);
  } catch (const std::bad_alloc&) {
    FAIL() << "memory was taken before the check";
  }
}

}  // namespace
}  // namespace tpulab::runtime_test

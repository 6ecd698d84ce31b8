#include "engine/session/answers/xla_debug.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/session/engine.h"
#include "tests/engine/session/run_to_end.h"

namespace tpulab::xla_debug_test {
namespace {

class XlaDebugLines : public testing::Test {
 protected:
  std::vector<std::string> lines(std::int64_t most = 1'000'000) {
    Settings settings = test::small_run();
    settings.devices = "1";
    settings.max_epochs = 1;
    settings.numbers = false;
    settings.item_every_n_steps = 1;
    test::run_to_end(engine_, settings);
    evidence_ = engine_.newest_evidence();
    return xla_debug_of(*evidence_, most);
  }
  std::int64_t counted(std::string_view name) { return evidence_->counters.count(name); }

  Engine engine_;
  std::optional<RunEvidence> evidence_;
};

std::int64_t with(const std::vector<std::string>& lines, std::string_view part) {
  return std::ranges::count_if(
      lines, [part](const std::string& line) { return line.find(part) != line.npos; });
}

TEST_F(XlaDebugLines, have_an_analysis_for_each_compile_and_each_execution_that_was_counted) {
  const std::vector<std::string> printed = lines();
  EXPECT_EQ(with(printed, "Compilation Analysis: Compilation Cause"), counted("UncachedCompile"));
  EXPECT_EQ(with(printed, "Execution Analysis: Execution Cause"), counted("ExecuteComputation"));
  EXPECT_EQ(with(printed, "Execution Analysis:   user torch_xla.sync"), counted("MarkStep"));
}

// The form of the original, of the step that creates Adam's state: six arrays and two that come
// with the batch, six scalars; six weights, twelve moments and the loss.
TEST_F(XlaDebugLines, name_cause_graph_and_frame_as_the_original_does) {
  const std::vector<std::string> printed = lines();
  const auto cause = std::ranges::find(printed, "Compilation Analysis:   user torch_xla.sync");
  ASSERT_GT(printed.end() - cause, 8);
  EXPECT_EQ(cause[-2], "Compilation Analysis: " + std::string(80, '='));
  EXPECT_EQ(cause[1], "Compilation Analysis: Graph Info: ");
  EXPECT_EQ(cause[2].size(), std::string("Compilation Analysis:   Graph Hash: ").size() + 32);
  EXPECT_EQ(cause[5], "Compilation Analysis: Python Frame Triggered Execution: ");
  EXPECT_EQ(cause[6], "Compilation Analysis:   sync (torch_xla/torch_xla.py)");
}

TEST_F(XlaDebugLines, alias_no_more_than_the_inputs_and_outputs_of_a_graph) {
  const std::vector<std::string> printed = lines();
  const auto gigabytes = [](const std::string& line) {
    return std::stod(line.substr(line.rfind(": ") + 2));
  };
  int aliased = 0;
  for (std::size_t i = 2; i < printed.size(); ++i) {
    if (printed[i].find("Aliased Input size: ") == std::string::npos) continue;
    EXPECT_LE(gigabytes(printed[i]), gigabytes(printed[i - 1]));
    EXPECT_LE(gigabytes(printed[i]), gigabytes(printed[i - 2]));
    aliased += gigabytes(printed[i]) > 0 ? 1 : 0;
  }
  EXPECT_GT(aliased, 0);
}

TEST_F(XlaDebugLines, complain_where_the_profiler_does) {
  const std::vector<std::string> printed = lines();
  // 23 steps, each with a read, and two reads for the length of each of two loaders.
  EXPECT_EQ(with(printed, "pt-xla-profiler: CompileTime too frequent"), 0);
  const std::string first = "pt-xla-profiler: TransferFromDeviceTime too frequent: ";
  EXPECT_EQ(with(printed, first), 23);
  EXPECT_EQ(with(printed, "during 23 steps"), 1);
}

TEST_F(XlaDebugLines, begin_with_what_cannot_be_known_here) {
  const std::vector<std::string> printed = lines();
  EXPECT_EQ(std::ranges::find_if_not(
                printed, [](const std::string& line) { return line.starts_with("# "); }) -
                printed.begin(),
            3);
}

TEST_F(XlaDebugLines, are_pytorch_xlas_alone) {
  lines();
  evidence_->machine.stack = &stack_named("jax");
  EXPECT_THROW(xla_debug_of(*evidence_, 1), Error);
}

TEST_F(XlaDebugLines, of_the_newest_steps_count_what_was_before) {
  const std::vector<std::string> printed = lines(2);
  EXPECT_LT(with(printed, "Execution Cause"), 5);
  EXPECT_EQ(with(printed, "during 23 steps"), 1);
}

}  // namespace
}  // namespace tpulab::xla_debug_test

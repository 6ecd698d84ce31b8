#include "engine/formats/xla_debug_reader.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace tpulab::xla_debug_reader_test {
namespace {

Counters read(std::string_view text) { return read_xla_debug(text, "log.txt").counters; }

// As the documentation of torch_xla shows them.
constexpr std::string_view complaints =
    "pt-xla-profiler: CompileTime too frequent: 21 counts during 11 steps\n"
    "pt-xla-profiler: TransferFromServerTime too frequent: 11 counts during 11 steps\n"
    "pt-xla-profiler: Op(s) not lowered: aten::_ctc_loss, aten::_ctc_loss_backward,  Please open a "
    "GitHub issue with the above op lowering requests.\n"
    "pt-xla-profiler: CompileTime too frequent: 23 counts during 12 steps\n"
    "pt-xla-profiler: TransferFromDeviceTime too frequent: 12 counts during 12 steps\n";

TEST(XlaDebugReader, takes_the_newest_of_the_profilers_sums) {
  const Counters counters = read(complaints);
  EXPECT_EQ(counters.count("MarkStep"), 12);
  EXPECT_EQ(counters.samples("CompileTime"), 23);
  EXPECT_EQ(counters.samples("TransferFromDeviceTime"), 12);
  EXPECT_EQ(counters.count("aten::_ctc_loss"), 6);  // two share them
  EXPECT_EQ(counters.count("aten::_local_scalar_dense"), 0);
}

TEST(XlaDebugReader, counts_compiles_executions_and_their_causes_of_old_and_new_words) {
  const Counters counters = read(
      "Compilation Analysis: Compilation Cause\n"
      "Compilation Analysis:   mark_step in parallel loader at step end\n"
      "Post Compilation Analysis: Graph input size: 1.548000 GB\n"
      "I0101 Execution Analysis: Execution Cause\n"
      "I0101 Execution Analysis:   mark_step in parallel loader at step end\n"
      "Execution Analysis: Execution Cause\n"
      "Execution Analysis:   user torch_xla.sync\n"
      "Execution Analysis: Execution Cause\n"
      "Execution Analysis:   most likely user code trying to access tensor value before "
      "mark_step\n");
  EXPECT_EQ(counters.samples("CompileTime"), 1);
  EXPECT_EQ(counters.samples("ExecuteTime"), 3);
  EXPECT_EQ(counters.count("MarkStep"), 2);
  EXPECT_EQ(counters.count("aten::_local_scalar_dense"), 1);
}

TEST(XlaDebugReader, refuses_a_broken_count_with_its_line) {
  try {
    read("a log\npt-xla-profiler: CompileTime too frequent: many counts during 3 steps\n");
    FAIL();
  } catch (const Error& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("log.txt:2: 'many counts"));
  }
  EXPECT_TRUE(is_xla_debug(complaints));
  EXPECT_FALSE(is_xla_debug("Metric: CompileTime\n"));
}

}  // namespace
}  // namespace tpulab::xla_debug_reader_test

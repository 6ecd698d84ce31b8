#include <gtest/gtest.h>

#include "tests/commands/desk.h"
#include "tests/temporary_folder.h"

namespace tpulab::analyse_test {
namespace {

const std::string item_report = TPULAB_SOURCE_DIR "/tests/engine/formats/reports/loop-item.txt";

TEST(AnalyseVerb, tells_cause_evidence_and_change) {
  Desk desk;
  const Reply reply = desk.type("analyse " + item_report);
  ASSERT_FALSE(reply.failed) << reply.lines.back();
  const std::string answer = desk.answer("analyse " + item_report);
  EXPECT_NE(answer.find("1. a value is read inside the step (habit)"), std::string::npos);
  EXPECT_NE(answer.find("certain: aten::_local_scalar_dense 90 in 91 syncs"), std::string::npos);
  EXPECT_NE(answer.find("cannot tell ("), std::string::npos);
  EXPECT_EQ(reply.rows.front().event, "analyse.found");
}

// As the process prints that has started those of eight devices.
TEST(AnalyseVerb, a_process_in_which_nothing_ran_is_told_so) {
  const test::TemporaryFolder folder;
  const std::string file =
      folder.write("report.txt", "Counter: RegisterXLAFunctions\n  Value: 1\n").string();
  Desk desk;
  const std::string answer = desk.answer("analyse " + file);
  EXPECT_NE(answer.find("nothing ran in this process"), std::string::npos) << answer;
  EXPECT_EQ(answer.find("nothing is wrong"), std::string::npos) << answer;
}

TEST(AnalyseVerb, causes_it_names_can_be_tried_as_they_are_typed) {
  Desk desk;
  desk.type("model mlp");
  const Reply reply = desk.type("item_every_n_steps 1; run; item_every_n_steps 0; run");
  EXPECT_FALSE(reply.failed);
}

TEST(AnalyseVerb, refuses_what_is_no_report_and_goes_on) {
  const test::TemporaryFolder folder;
  folder.write("no.txt", "dear diary\n");
  folder.write("broken.txt", "Metric: CompileTime\n  TotalSamples: x\nCounter: A\n  Value: 1\n");
  Desk desk;
  for (const std::string name : {"no.txt", "broken.txt", "missing.txt"}) {
    const Reply reply = desk.type("analyse " + (folder.path() / name).string());
    EXPECT_TRUE(reply.failed) << name;
    EXPECT_NE(reply.lines.at(0).find(name), std::string::npos) << reply.lines.at(0);
  }
  EXPECT_TRUE(desk.type("analyse " + folder.path().string()).failed);
  EXPECT_TRUE(desk.type("analyse").failed);
  EXPECT_FALSE(desk.type("analyse " + item_report).failed);
}

TEST(AnalyseVerb, does_not_read_the_prompt_as_a_report) {
  Desk desk;
  desk.context.interactive = true;
  EXPECT_NE(desk.answer("analyse -").find("which is the prompt here"), std::string::npos);
}

}  // namespace
}  // namespace tpulab::analyse_test

#include "engine/session/run/record_text.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/base/error.h"

namespace tpulab::record_text_test {
namespace {

TEST(RecordText, comes_back_bit_for_bit) {
  RunRecord record;
  record.view.state = RunState::stopped;
  record.view.model = "mlp \xff";  // whatever a file was called
  record.view.loss = 0.1 + 0.2;
  record.view.test_accuracy = std::nan("");
  record.view.tpu_time = Picoseconds(123'456'789'012'345'678);
  record.compile = Picoseconds(7);
  record.losses = record.view.from_digest = 0xffff'ffff'ffff'fff1;
  record.view.changed = "batch";
  record.own_machine = "base v6e, hbm 64 GiB";
  record.cold = ColdRun{.found = 2, .compiles = 3, .evaluations = {Picoseconds(5)}};
  record.cold->steady = ColdStep{{{"idle", Picoseconds(6)}}, Picoseconds(6), 7.5};
  record.phases = {{"compute", Picoseconds(9)}};
  record.accuracies = {{.epoch = 1, .accuracy = 0.9, .tpu_time = Picoseconds(4)}};
  const RunRecord back = record_of_text(text_of_record(record));
  EXPECT_EQ(back.view.state, RunState::stopped);
  EXPECT_EQ(back.view.loss, 0.1 + 0.2);
  EXPECT_TRUE(std::isnan(back.view.test_accuracy));
  EXPECT_EQ(back.view.tpu_time, record.view.tpu_time);
  EXPECT_EQ(back.compile, record.compile);
  EXPECT_EQ(back.losses, record.losses);
  EXPECT_EQ(back.view.from_digest, record.view.from_digest);
  EXPECT_EQ(back.view.changed, "batch");
  EXPECT_EQ(back.own_machine, "base v6e, hbm 64 GiB");
  EXPECT_EQ(back.cold->found, 2);
  EXPECT_EQ(back.cold->evaluations, record.cold->evaluations);
  EXPECT_EQ(back.cold->steady->phases[0].time, Picoseconds(6));
  EXPECT_EQ(back.cold->steady->time, Picoseconds(6));
  EXPECT_EQ(back.cold->steady->rate, 7.5);
  EXPECT_EQ(back.phases[0].time, Picoseconds(9));
  EXPECT_EQ(back.accuracies[0].accuracy, 0.9);
}

TEST(RecordText, of_an_empty_object_is_an_empty_record_and_what_is_unknown_is_passed_over) {
  const RunRecord record = record_of_text(R"({"of a later tpulab": [1, 2]})");
  EXPECT_EQ(record.view.state, RunState::none);
  EXPECT_FALSE(record.cold);
  EXPECT_TRUE(record.own_machine.empty());  // as older ones kept none
  EXPECT_TRUE(std::isnan(record.view.loss));
}

TEST(RecordText, refuses_what_is_no_such_object) {
  for (const char* text : {"", "{", "[]", "7", R"({"steps": "x"})", R"({"cold": 7})"}) {
    EXPECT_THROW(record_of_text(text), Error) << text;
  }
}

}  // namespace
}  // namespace tpulab::record_text_test

// `export tensorboard`: what it writes, held against the run's own answers.
#include <gtest/gtest.h>

#include <map>

#include "engine/base/file.h"
#include "engine/base/text.h"
#include "engine/session/answers/exports.h"
#include "tests/commands/desk.h"
#include "tests/event_file.h"
#include "tests/temporary_folder.h"

namespace tpulab::tensorboard_export_test {
namespace {

namespace fs = std::filesystem;
using Series = std::map<std::int64_t, float>;

std::vector<fs::path> event_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  return files;
}

std::map<std::string, Series> series_of(const std::vector<test::DecodedEvent>& events) {
  std::map<std::string, Series> series;
  for (const auto& event : events) {
    for (const auto& [tag, value] : event.scalars) {
      EXPECT_TRUE(series[tag].emplace(event.step, value).second) << tag << " twice " << event.step;
    }
  }
  return series;
}

std::vector<test::DecodedEvent> exported(Desk& desk, const test::TemporaryFolder& folder) {
  const Reply reply = desk.type("export tensorboard " + folder.path().string());
  EXPECT_FALSE(reply.failed) << reply.lines.at(0);
  const std::vector<fs::path> files = event_files(folder.path());
  if (files.size() != 1) return {};
  EXPECT_NE(files[0].filename().string().find("tfevents"), std::string::npos);
  return test::decode_events(read_file(files[0]));
}

TEST(TensorBoardExport, has_the_loss_of_every_step_and_the_accuracy_of_every_epoch) {
  const test::TemporaryFolder folder;
  Desk desk;
  desk.type("run max_epochs=2 max_steps=-1");
  desk.engine.wait();
  auto series = series_of(exported(desk, folder));
  const auto& losses = *desk.engine.latest()->losses;
  ASSERT_GT(losses.size(), 5U);
  EXPECT_EQ(series["train/loss"].size(), losses.size());
  for (const LossPoint& point : losses) {
    EXPECT_EQ(series["train/loss"].at(static_cast<std::int64_t>(point.step)), point.loss);
  }
  const RunRecord run = desk.engine.ended_runs().back();
  const Series& accuracy = series["test/accuracy"];
  ASSERT_EQ(accuracy.size(), 2U);
  EXPECT_EQ(accuracy.begin()->first * 2, run.view.step);
  EXPECT_EQ(accuracy.rbegin()->first, run.view.step);
  EXPECT_EQ(accuracy.rbegin()->second, static_cast<float>(run.view.test_accuracy));
}

// The table of steps is written by other lines of code.
TEST(TensorBoardExport, tpu_time_is_that_of_the_table_of_steps) {
  const test::TemporaryFolder folder;
  Desk desk;
  desk.type("run max_steps=12 item_every_n_steps=2");
  desk.engine.wait();
  auto series = series_of(exported(desk, folder));
  const std::vector<std::string> lines =
      split(steps_of(*desk.engine.newest_evidence(), StepLines::csv).text, '\n');
  const std::vector<std::string> names = split(lines[0], ',');
  std::int64_t steps = 0;
  for (const std::string& line : lines) {
    const std::vector<std::string> row = split(line, ',');
    if (row.size() < 2 || row[1] != "train") continue;
    ++steps;
    const std::int64_t step = std::stoll(row[0]);
    EXPECT_NEAR(series["tpu_time_estimated/end_s"].at(step), std::stod(row[4]), 1e-6);
    EXPECT_NEAR(series["tpu_time_estimated/step_s"].at(step), std::stod(row[4]) - std::stod(row[3]),
                1e-6);
    for (std::size_t i = 6; names[i].ends_with("_s"); ++i) {
      const auto share = series.find("tpu_time_estimated/" + names[i]);
      EXPECT_NEAR(share == series.end() ? 0 : share->second.at(step), std::stod(row[i]), 1e-6);
    }
  }
  EXPECT_EQ(steps, 12);
}

TEST(TensorBoardExport, wall_times_lie_within_the_run_and_never_go_back) {
  const test::TemporaryFolder folder;
  Desk desk;
  desk.type("run max_epochs=2 max_steps=-1");
  desk.engine.wait();
  const RunRecord run = desk.engine.ended_runs().back();
  double newest = static_cast<double>(run.began);
  const auto events = exported(desk, folder);
  for (const auto& event : events) {
    EXPECT_GE(event.wall_time, newest);
    newest = event.wall_time;
    if (event.step != run.accuracies.front().step) continue;
    EXPECT_NEAR(event.wall_time - static_cast<double>(run.began),
                run.accuracies.front().wall_seconds, 1e-5);
  }
  EXPECT_NEAR(newest, static_cast<double>(run.began) + run.view.wall_seconds, 1e-5);
}

TEST(TensorBoardExport, a_run_in_time_only_has_no_loss_and_says_nothing_that_is_no_number) {
  const test::TemporaryFolder folder;
  Desk desk;
  desk.type("model resnet18; numbers off; run max_steps=3");
  desk.engine.wait();
  auto series = series_of(exported(desk, folder));
  EXPECT_FALSE(series.contains("train/loss"));
  EXPECT_FALSE(series.contains("test/accuracy"));
  EXPECT_EQ(series["tpu_time_estimated/step_s"].size(), 3U);
}

TEST(TensorBoardExport, again_replaces_the_runs_own_file_and_another_run_gets_its_own_folder) {
  const test::TemporaryFolder folder;
  Desk desk;
  const std::string line = "export tensorboard " + folder.path().string();
  desk.type("run");
  desk.engine.wait();
  EXPECT_FALSE(desk.type(line).failed);
  EXPECT_FALSE(desk.type(line).failed);
  ASSERT_EQ(event_files(folder.path()).size(), 1U);
  desk.type("run");
  desk.engine.wait();
  EXPECT_FALSE(desk.type(line).failed);
  const auto files = event_files(folder.path());
  ASSERT_EQ(files.size(), 2U);
  EXPECT_NE(files[0].parent_path(), files[1].parent_path());
}

TEST(TensorBoardExport, says_what_is_in_the_way_and_leaves_it) {
  const test::TemporaryFolder folder;
  const fs::path file = folder.write("notes.txt", "mine");
  Desk desk;
  EXPECT_TRUE(desk.type("export tensorboard " + folder.path().string()).failed);  // no run
  EXPECT_TRUE(event_files(folder.path()).size() == 1);
  desk.type("run");
  desk.engine.wait();
  const std::string in_the_way = desk.answer("export tensorboard " + file.string());
  EXPECT_NE(in_the_way.find("notes.txt"), std::string::npos) << in_the_way;
  EXPECT_EQ(read_file(file), "mine");
  const std::string nowhere = desk.answer("export tensorboard /proc/logs");
  EXPECT_NE(nowhere.find("cannot make the folder /proc/logs"), std::string::npos) << nowhere;
  EXPECT_TRUE(desk.type("export tensorboard").failed);
  EXPECT_TRUE(desk.type("export tensorboard " + folder.path().string() + " 3").failed);
}

}  // namespace
}  // namespace tpulab::tensorboard_export_test

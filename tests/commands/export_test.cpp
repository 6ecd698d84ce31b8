// What the verb writes, held against the simulator and against itself.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/machine/own_generations.h"
#include "engine/session/answers/exports.h"
#include "tests/commands/desk.h"
#include "tests/temporary_folder.h"

namespace tpulab::export_test {
namespace {

using Json = nlohmann::json;

RunEvidence evidence_of(const std::string& line) {
  Desk desk;
  EXPECT_FALSE(desk.type(line).failed);
  desk.engine.wait();
  return *desk.engine.newest_evidence();
}

std::vector<Json> events_of(const RunEvidence& run, std::int64_t steps) {
  std::vector<Json> events;
  const Json trace = Json::parse(trace_of(run, steps).text);
  for (const Json& one : trace["traceEvents"]) {
    if (one["ph"] == "X") events.push_back(one);
  }
  return events;
}

TEST(TraceExport, no_line_of_a_track_overlaps_itself) {
  std::map<std::pair<int, int>, double> ends;
  for (const Json& one : events_of(evidence_of("run max_steps=12"), 100)) {
    double& end = ends[{one["pid"], one["tid"]}];
    EXPECT_GE(one["ts"].get<double>(), end) << one;
    end = one["ts"].get<double>() + one["dur"].get<double>();
  }
  EXPECT_EQ(ends.size(), 5U);  // host, loader twice, where time goes, kernels
}

// The simulator lays programs out by itself; the trace by their kernels.
TEST(TraceExport, kernels_take_the_time_that_devices_spend_in_programs) {
  for (const char* line : {"run max_steps=12", "run max_steps=12 devices=1",
                           "straggler core:0:2; run max_steps=12 devices=1",
                           "model resnet18; numbers off; run max_steps=3"}) {
    double kernels = 0;
    double programs = 0;
    double end = 0;
    const RunEvidence run = evidence_of(line);
    for (const Json& one : events_of(run, 100)) {
      if (one["pid"] != 3) continue;
      const std::string name = one["name"];
      const bool inside =
          name == "compute" || name == "HBM-bound" || name.starts_with("collective");
      if (one["tid"] == 2) kernels += one["dur"].get<double>();
      if (one["tid"] == 1 && inside) programs += one["dur"].get<double>();
      end = std::max(end, one["ts"].get<double>() + one["dur"].get<double>());
    }
    EXPECT_GT(kernels, 0) << line;
    EXPECT_NEAR(kernels / programs, 1, 1e-6) << line;
    Simulator simulator(run.machine);
    for (const StepRecord& record : run.records) simulator.step(record);
    EXPECT_LE(end, in_seconds(simulator.now()) * 1e6 * 1.000001) << line;
  }
}

TEST(TraceExport, says_how_much_of_the_run_it_holds) {
  const RunEvidence run = evidence_of("run max_steps=12");
  const Exported some = trace_of(run, 3);
  EXPECT_EQ(some.steps, 3);
  EXPECT_GT(some.recorded, 12);  // setup, sanity check, steps, evaluations
  EXPECT_LT(some.lines, trace_of(run, 1000).lines);
}

TEST(TraceExport, ends_when_the_run_ends) {
  const RunEvidence run = evidence_of("run max_epochs=1 max_steps=-1");
  double devices = 0;
  for (const Json& one : events_of(run, 1000)) {
    if (one["pid"] != 3) continue;
    devices = std::max(devices, one["ts"].get<double>() + one["dur"].get<double>());
  }
  const Picoseconds end = simulate(run.records, run.machine).total;  // the host reads an accuracy
  EXPECT_NEAR(devices, in_seconds(end) * 1e6, 1e-3);
}

TEST(StepsExport, parts_of_a_step_add_up_to_it) {
  const RunEvidence run = evidence_of("run max_steps=12 item_every_n_steps=2");
  const std::vector<std::string> lines = split(steps_of(run, StepLines::jsonl).text, '\n');
  int steps = 0;
  for (const std::string& line : lines) {
    if (line.empty()) continue;
    const Json step = Json::parse(line);
    double sum = 0;
    for (const auto& [name, value] : step.items()) {
      if (name.ends_with("_s") && name != "begin_s" && name != "end_s") sum += value.get<double>();
    }
    EXPECT_NEAR(sum, step["end_s"].get<double>() - step["begin_s"].get<double>(), 1e-7);
    steps += step["kind"] == "train";
  }
  EXPECT_EQ(steps, 12);
  const std::vector<std::string> rows = split(steps_of(run, StepLines::csv).text, '\n');
  EXPECT_EQ(rows.size(), lines.size() + 1);
  EXPECT_EQ(split(rows[0], ',').size(), split(rows[1], ',').size());
}

TEST(StepsExport, is_what_is_named_to_who_asks_for_its_form) {
  Desk desk;
  for (const char* const line : {"export csv", "export csv a.csv", "export json a b"}) {
    const Reply refused = desk.type(line);
    ASSERT_TRUE(refused.failed);
    EXPECT_NE(refused.lines.front().find("`export steps steps.csv`"), std::string::npos) << line;
  }
}

TEST(StepsExport, tells_what_each_step_came_to) {
  Desk desk;
  desk.type("run max_epochs=2 max_steps=-1");
  desk.engine.wait();
  const RunEvidence run = *desk.engine.newest_evidence();
  std::vector<double> losses;
  std::vector<double> accuracies;
  int steady = 0;
  double steady_time = 0;
  for (const std::string& line : split(steps_of(run, StepLines::jsonl).text, '\n')) {
    if (line.empty()) continue;
    const Json step = Json::parse(line);
    if (step.contains("loss")) losses.push_back(step["loss"]);
    if (step.contains("test_accuracy")) accuracies.push_back(step["test_accuracy"]);
    EXPECT_EQ(step.contains("loss"), step["kind"] == "train");
    if (!step["steady"].get<bool>()) continue;
    ++steady;
    steady_time += step["end_s"].get<double>() - step["begin_s"].get<double>();
  }
  ASSERT_EQ(losses.size(), run.curves.losses.size());
  for (std::size_t i = 0; i < losses.size(); ++i) {
    EXPECT_NEAR(losses[i], run.curves.losses[i].loss, 1e-6);
  }
  EXPECT_NEAR(steady_time / steady, in_seconds(desk.engine.latest()->run.step_time), 1e-9);
  ASSERT_EQ(accuracies.size(), 2U);  // one an epoch
  EXPECT_NEAR(accuracies.back(), run.curves.accuracies.back().accuracy, 1e-6);
}

TEST(StepsExport, calls_no_step_compiled_whose_programs_come_from_disk) {
  for (const bool filled : {false, true}) {
    const RunEvidence run =
        evidence_of(filled ? "cache_persistent filled; run max_steps=3" : "run max_steps=3");
    const std::vector<std::string> rows = split(steps_of(run, StepLines::csv).text, '\n');
    const bool compiled = std::ranges::any_of(
        rows, [](const std::string& row) { return !row.empty() && split(row, ',').at(5) == "1"; });
    EXPECT_EQ(compiled, !filled);
  }
}

TEST(StepsExport, ends_when_the_run_ends) {
  for (const char* const line :
       {"run max_epochs=1 max_steps=-1", "run max_steps=12", "progress_bar on; step 5",
        "slice v3-32; straggler host:2:2; run fallback_op=median max_steps=5"}) {
    const RunEvidence run = evidence_of(line);
    Simulator simulator(run.machine);
    for (const StepRecord& record : run.records) simulator.step(record);
    const std::vector<std::string> rows = split(steps_of(run, StepLines::csv).text, '\n');
    EXPECT_NEAR(std::stod(split(rows.at(rows.size() - 2), ',').at(4)), in_seconds(simulator.now()),
                1e-9)
        << line;
  }
}

// A change of the batch lets the records of before go.
TEST(StepsExport, keeps_the_clock_of_the_run_where_its_first_steps_are_gone) {
  const test::TemporaryFolder folder;
  Desk desk;
  desk.type("step 3");
  desk.engine.wait();
  const double before = in_seconds(desk.engine.latest()->run.tpu_time);
  desk.type("batch 64; step 3");
  desk.engine.wait();
  const RunEvidence run = *desk.engine.newest_evidence();
  std::vector<std::string> rows = split(steps_of(run, StepLines::csv).text, '\n');
  rows.pop_back();
  EXPECT_EQ(split(rows.at(1), ',').at(0), "4");
  EXPECT_GE(std::stod(split(rows.at(1), ',').at(3)), 0.99 * before);
  EXPECT_NEAR(std::stod(split(rows.back(), ',').at(4)), in_seconds(run.curves.tpu_time), 0.01);
  double first = 1e18;
  for (const Json& one : events_of(run, 1)) first = std::min(first, one["ts"].get<double>());
  EXPECT_GE(first, 0.99 * before * 1e6);
  const auto answer = [&](const std::string& line) { return desk.answer("export " + line); };
  EXPECT_NE(answer("steps " + (folder / "s.csv").string())
                .find(fmt::format("the newest {} steps and evaluations, from step 4 on",
                                  rows.size() - 1)),
            std::string::npos);
  EXPECT_NE(
      answer("trace " + (folder / "t.json").string() + " 2").find("the first 2 of the newest"),
      std::string::npos);
}

TEST(StepsExport, begins_with_the_clock_of_a_whole_run) {
  const RunEvidence run = evidence_of("run max_steps=12");
  const std::vector<std::string> rows = split(steps_of(run, StepLines::csv).text, '\n');
  EXPECT_EQ(std::stod(split(rows.at(1), ',').at(3)), 0);
  EXPECT_EQ(steps_of(run, StepLines::csv).first_step, 0);
}

TEST(StepsExport, says_whose_shares_they_are_where_devices_differ) {
  const test::TemporaryFolder folder;
  const std::string line = "export steps " + (folder / "s.csv").string();
  Desk desk;
  desk.type("run max_steps=2");
  EXPECT_EQ(desk.answer(line).find("shares are those"), std::string::npos);
  desk.type("slice v3-32; straggler host:0:1.4; run max_steps=2");
  EXPECT_NE(
      desk.answer(line).find("; shares are those of core 8, as of 24 cores in all: what these "
                             "wait for others, compiles too, is collective wait"),
      std::string::npos)
      << desk.answer(line);
}

TEST(LightningScript, says_what_the_settings_say) {
  Desk desk{Settings{}};
  desk.type("trainer = Trainer('tpu', devices=8, accumulate_grad_batches=4, max_epochs=3)");
  desk.type("slice v5e-8; batch 64; hidden (32,16); optimizer sgd; item_every_n_steps 1");
  EXPECT_EQ(lightning_script(desk.settings).find("torch_xla.sync()"), std::string::npos);
  desk.type("sync_validation on");
  const std::string script = lightning_script(desk.settings);
  for (const char* part :
       {"--accelerator-type=v5litepod-8", "nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 16)",
        "nn.Linear(16, 10)", "torch.optim.SGD(self.parameters(), lr=0.001, momentum=0.9)",
        "accumulate_grad_batches=4", "max_epochs=3", "devices=8", "batch_size=64",
        "        loss.item()\n", "x[:1437]", "import torch_xla\n",
        "right, sync_dist=True)\n        torch_xla.sync()\n"}) {
    EXPECT_NE(script.find(part), std::string::npos) << part << "\n" << script;
  }
}

TEST(LightningScript, names_accelerator_types_as_gcloud_does) {
  Desk desk{Settings{}};
  for (const auto& [slice, type] : {std::pair{"v3-8", "v3-8"}, std::pair{"v5e-4", "v5litepod-4"},
                                    std::pair{"v7-8", "tpu7x-8"}}) {
    desk.type(std::string("slice ") + slice);
    EXPECT_NE(lightning_script(desk.settings).find(std::string("--accelerator-type=") + type + " "),
              std::string::npos)
        << slice;
  }
}

TEST(LightningScript, names_no_accelerator_type_that_cannot_be_created) {
  Settings settings;
  settings.slice = "2xv5e-256";
  const std::string joined = lightning_script(settings);
  EXPECT_EQ(joined.find("--accelerator-type"), std::string::npos);
  EXPECT_NE(
      joined.find("# gcloud has no accelerator type for 2xv5e-256: create 2 slices of "
                  "v5litepod-256 (multislice).\n# There, on all 128 hosts at once: pip install "),
      std::string::npos)
      << joined;
  settings.slice = "2xv3-32";
  EXPECT_NE(lightning_script(settings).find(
                "# gcloud joins no slices of v3 (multislice): that begins with v4.\n"),
            std::string::npos);
  const test::TemporaryFolder folder;
  folder.write("slices.d/mine.toml", "base = \"v3\"\nhbm = \"64 GiB\"\n");
  ASSERT_TRUE(read_own_generations(std::vector{folder.path()}).empty());
  settings.slice = "mine-8";
  const std::string own = lightning_script(settings);
  read_own_generations({});
  EXPECT_EQ(own.find("--accelerator-type"), std::string::npos);
  EXPECT_NE(own.find("is a machine of your own: gcloud has no accelerator type"), std::string::npos)
      << own;
}

TEST(LightningScript, is_started_on_every_host_of_a_slice) {
  Settings settings;
  const std::string one = lightning_script(settings);
  EXPECT_NE(one.find("\n# There: pip install "), std::string::npos) << one;
  EXPECT_EQ(one.find("--worker=all"), std::string::npos) << one;
  settings.slice = "v3-32";
  const std::string four = lightning_script(settings);
  EXPECT_NE(four.find("\n# There, on all 4 hosts at once, from here:\n"), std::string::npos)
      << four;
  for (const char* const part : {"scp THIS_FILE NAME: ", "ssh NAME "}) {
    EXPECT_NE(
        four.find(std::string("gcloud compute tpus tpu-vm ") + part + "--zone=ZONE --worker=all"),
        std::string::npos)
        << four;
  }
  EXPECT_NE(four.find("--command=\"python THIS_FILE\" > report.txt\n"), std::string::npos) << four;
}

std::string script_after(std::string_view line) {
  Desk desk;
  EXPECT_FALSE(desk.type(line).failed) << line;
  return lightning_script(desk.settings);
}

TEST(LightningScript, writes_a_line_of_layers_in_words_of_pytorch) {
  EXPECT_NE(script_after("model \"dense 512 relu | layernorm | dense 10\"")
                .find("self.net = nn.Sequential(nn.Linear(64, 512), nn.ReLU(), nn.LayerNorm(512), "
                      "nn.Linear(512, 10))"),
            std::string::npos);
  EXPECT_NE(
      script_after("model \"conv 16 3x3 stride 2 relu | batchnorm | maxpool 2 | dense 10\"")
          .find("nn.Sequential(nn.Unflatten(1, (1, 8, 8)), nn.Conv2d(1, 16, (3, 3), stride=2, "
                "padding=(1, 1)), nn.ReLU(), nn.BatchNorm2d(16), nn.MaxPool2d(2), nn.Flatten(), "
                "nn.Linear(64, 10))"),
      std::string::npos);
  Desk desk;
  for (const char* const of_sequences :
       {"attention 2 | flatten | dense 10", "relu | layernorm | flatten | dense 10"}) {
    ASSERT_FALSE(desk.type(fmt::format("model \"{}\"", of_sequences)).failed);
    EXPECT_THROW(lightning_script(desk.settings), Error) << of_sequences;
  }
}

TEST(LightningScript, says_who_loads_and_when_it_saves) {
  const std::string script = script_after("loader_workers 4; save_every_n_steps 50");
  EXPECT_NE(script.find("drop_last=False, num_workers=4),"), std::string::npos) << script;
  EXPECT_NE(script.find("ModelCheckpoint(every_n_train_steps=50)]"), std::string::npos) << script;
}

TEST(LightningScript, refuses_what_it_does_not_know) {
  Settings settings;
  settings.model = "resnet50";
  EXPECT_THROW(lightning_script(settings), Error);
  settings = {};
  settings.class_weights = true;
  EXPECT_THROW(lightning_script(settings), Error);
}

}  // namespace
}  // namespace tpulab::export_test

#include "engine/advice/diagnosis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/advice/lowered.h"

namespace tpulab::diagnosis_test {
namespace {

const Diagnosis& diagnosis(std::string_view name) {
  const auto all = all_diagnoses();
  const auto found = std::ranges::find(all, name, &Diagnosis::name);
  if (found == all.end()) throw std::runtime_error("no diagnosis " + std::string(name));
  return **found;
}

Event of(EventKind kind, std::int64_t count = 0) { return {.kind = kind, .count = count}; }

class DiagnosisTest : public ::testing::Test {
 protected:
  static Machine machine(std::vector<Straggler> stragglers = {}) {
    return {.slice = slice_named("v3-8"),
            .host = &host_named("tpu-vm"),
            .stack = &stack_named("pytorch-xla"),
            .devices = {0, 1, 2, 3, 4, 5, 6, 7},
            .stragglers = std::move(stragglers)};
  }
  Event dispatch(const char* name = "train step") const {
    return {.kind = EventKind::dispatch, .program = program_, .name = name};
  }
  static Event read() {
    return {.kind = EventKind::read_back, .received = {4}, .name = "aten::_local_scalar_dense"};
  }
  // Steps of so many rows on all devices.
  RecordedRun run_of_rows(const std::vector<std::int64_t>& rows) const {
    std::vector<StepRecord> records;
    std::set<std::int64_t> known;
    for (const std::int64_t samples : rows) {
      std::vector<Event> events;
      if (known.insert(samples).second) {
        events.push_back({.kind = EventKind::compile, .count = 50, .program = program_});
      }
      events.push_back(dispatch());
      records.push_back({StepKind::train, std::ssize(records), samples,
                         std::make_shared<const std::vector<Event>>(std::move(events))});
    }
    return {std::move(records), machine(), {}};
  }
  // Twelve steps, all alike.
  RecordedRun run(const std::vector<Event>& events, const Machine& on = machine()) const {
    const auto shared = std::make_shared<const std::vector<Event>>(events);
    std::vector<StepRecord> records;
    for (std::int64_t step = 0; step < 12; ++step) {
      records.push_back({StepKind::train, step, 256, shared});
    }
    return {std::move(records), on, {}};
  }
  static bool found(std::string_view name, const RecordedRun& run) {
    return diagnosis(name).in_run(run).verdict == Verdict::found;
  }

  std::shared_ptr<Program> program_ = std::make_shared<Program>();
};

TEST_F(DiagnosisTest, a_read_before_the_steps_program_is_inside_and_one_behind_it_is_not) {
  const Event trace = of(EventKind::trace, 50);
  const RecordedRun inside = run({trace, dispatch("loss.item()"), read(), dispatch()});
  EXPECT_TRUE(found("item", inside));
  EXPECT_FALSE(found("logging", inside));
  const RecordedRun after = run({trace, dispatch(), read()});
  EXPECT_FALSE(found("item", after));
  EXPECT_TRUE(found("logging", after));
  EXPECT_FALSE(found("progress_bar", after));
}

TEST_F(DiagnosisTest, two_reads_behind_each_step_are_a_bars_and_a_third_is_logged) {
  const Event trace = of(EventKind::trace, 50);
  const RecordedRun bar = run({trace, dispatch(), read(), read()});
  EXPECT_TRUE(found("progress_bar", bar));
  EXPECT_FALSE(found("logging", bar));
  const RecordedRun both = run({trace, dispatch(), read(), read(), read()});
  EXPECT_TRUE(found("progress_bar", both));
  EXPECT_TRUE(found("logging", both));
}

// Of twelve steps that sum two batches, each read inside.
TEST_F(DiagnosisTest, steps_with_reads_inside_are_counted_once_however_many_they_read) {
  const Finding told =
      diagnosis("item").in_run(run({dispatch("loss.item()"), read(), dispatch("accumulation"),
                                    dispatch("loss.item()"), read(), dispatch()}));
  ASSERT_EQ(told.verdict, Verdict::found);
  EXPECT_NE(told.certain.at(0).find("inside 12 of the newest 12 steady steps, 24 times, last in"),
            std::string::npos)
      << told.certain.at(0);
}

TEST_F(DiagnosisTest, what_a_bar_reads_between_batches_is_the_bars) {
  const RecordedRun bar =
      run({dispatch("progress bar"), read(), dispatch("accumulation"), dispatch(), read(), read()});
  EXPECT_FALSE(found("item", bar));
  const Finding told = diagnosis("progress_bar").in_run(bar);
  ASSERT_EQ(told.verdict, Verdict::found);
  EXPECT_NE(told.certain.at(0).find("2 times after the cut in each of the newest 12 steady steps, "
                                    "and 12 times between their batches"),
            std::string::npos)
      << told.certain.at(0);
}

TEST_F(DiagnosisTest, what_a_step_does_is_that_of_all_its_programs) {
  const Shape rows{1024, 1024};
  program_->world = 8;
  program_->kernels = {
      {.name = "layers",
       .nodes = {},
       .work = {{VectorWork{.shape = rows, .cheap = 1}}, {{rows, DType::f32}}, {}},
       .runs = 7,
       .empty = 3},
      {.name = "all-gather",
       .nodes = {},
       .work = {{CollectiveWork{CollectiveKind::all_gather, {64 << 20}, {.size = 8}}}, {}, {}},
       .collective = true,
       .runs = 5}};
  const RecordedRun two = run({dispatch("accumulation"), dispatch()});
  const auto certain = [&](const char* name) { return diagnosis(name).in_run(two).certain.at(0); };
  EXPECT_NE(certain("exchanges").find(": 10 all-gather"), std::string::npos)
      << certain("exchanges");
  EXPECT_NE(certain("wide_storage").find("56.0 MiB of f32"), std::string::npos)
      << certain("wide_storage");
  EXPECT_NE(certain("bubble").find("6 of 14 runs"), std::string::npos) << certain("bubble");
}

// Each second of ten steps is followed by what takes as long as five.
TEST_F(DiagnosisTest, validation_is_told_in_steps_that_would_take_as_long) {
  const auto traces = [](std::int64_t operations) {
    return std::make_shared<const std::vector<Event>>(1, of(EventKind::trace, operations));
  };
  std::vector<StepRecord> records{{StepKind::evaluate, 0, 0, traces(50'000)}};
  for (std::int64_t step = 0; step < 10; ++step) {
    records.push_back({StepKind::train, step, 256, traces(10'000)});
    if (step % 2 == 1) records.push_back({StepKind::evaluate, step + 1, 0, traces(50'000)});
  }
  const Finding told =
      diagnosis("frequent_validation").in_run(RecordedRun(std::move(records), machine(), {}));
  ASSERT_EQ(told.verdict, Verdict::found);
  EXPECT_NE(
      told.certain.at(0).find("behind step 10 takes 1.00 s, as long as 5 steps; 2 steps from"),
      std::string::npos)
      << told.certain.at(0);
  EXPECT_FALSE(found("frequent_validation", run({of(EventKind::trace, 50)})));
}

TEST_F(DiagnosisTest, a_shorter_last_batch_and_rows_that_change_are_told_apart) {
  const RecordedRun last = run_of_rows({256, 256, 160, 256, 256, 160});
  EXPECT_TRUE(found("last_batch", last));
  EXPECT_FALSE(found("recompiles", last));
  const RecordedRun changing = run_of_rows({256, 248, 160, 256, 248, 160});
  EXPECT_FALSE(found("last_batch", changing));
  const Finding finding = diagnosis("recompiles").in_run(changing);
  ASSERT_EQ(finding.verdict, Verdict::found);
  EXPECT_NE(finding.certain.at(0).find("3 compiles in 6 steps whose batches have 3 different"),
            std::string::npos)
      << finding.certain.at(0);
  EXPECT_NE(finding.certain.at(0).find("in step 3, of 20 rows a device"), std::string::npos);
  EXPECT_FALSE(found("recompiles", run_of_rows({256, 256, 256})));
  // Of two sizes, too: a last batch comes alone.
  EXPECT_TRUE(found("recompiles", run_of_rows({256, 256, 160, 160, 256, 160})));
}

TEST_F(DiagnosisTest, what_a_step_that_is_traced_once_returns_is_read_behind_it) {
  const std::vector<Event> events{dispatch(), read()};
  Machine traced_once = machine();
  traced_once.stack = &stack_named("jax");
  const Finding told = diagnosis("logging").in_run(run(events, traced_once));
  ASSERT_EQ(told.verdict, Verdict::found);
  EXPECT_EQ(told.certain.at(0).find("aten::"), std::string::npos) << told.certain.at(0);
  EXPECT_NE(told.traced_once.find("jax.device_get"), std::string::npos);
  EXPECT_EQ(told.tries, (std::vector<std::string>{"log_every_n_steps 50", "item_every_n_steps 0"}));
  EXPECT_TRUE(diagnosis("logging").in_run(run(events)).traced_once.empty());
}

TEST_F(DiagnosisTest, a_tensor_that_is_sent_besides_the_batch_is_made_on_the_cpu) {
  const Event batch{.kind = EventKind::upload, .sent = {8192}};
  const Event scalar{.kind = EventKind::upload, .sent = {4}};
  const Event constant{.kind = EventKind::upload, .sent = {128}};
  const Event load = of(EventKind::load, 32);
  EXPECT_TRUE(found("cpu_constant", run({load, batch, constant, scalar, dispatch()})));
  EXPECT_FALSE(found("cpu_constant", run({load, batch, scalar, dispatch()})));
}

TEST_F(DiagnosisTest, a_fallback_is_named_with_what_is_lowered_in_its_place) {
  const Event op{
      .kind = EventKind::host_op, .sent = {40}, .received = {128}, .name = "aten::bincount"};
  const Finding finding = diagnosis("fallback").in_run(run({op, dispatch()}));
  ASSERT_EQ(finding.verdict, Verdict::found);
  EXPECT_NE(finding.certain.at(0).find("aten::bincount 12 times"), std::string::npos);
  EXPECT_NE(finding.certain.at(0).find("one_hot"), std::string::npos);
  EXPECT_FALSE(found("dynamic_shape", run({op, dispatch()})));
}

TEST_F(DiagnosisTest, a_slow_host_of_a_pod_and_of_a_board_are_both_seen) {
  const Event trace = of(EventKind::trace, 50);
  EXPECT_FALSE(found("straggler", run({trace, dispatch()})));
  // All eight cores of a board have the one host; of a pod's hosts one is slower than the others.
  const Straggler slow{.kind = StragglerKind::host, .index = 0, .factor = 1.4};
  EXPECT_TRUE(found("straggler", run({trace, dispatch()}, machine({slow}))));
  Machine pod = machine({slow});
  pod.slice = slice_named("v3-32");
  for (int device = 8; device < 32; ++device) pod.devices.push_back(device);
  EXPECT_TRUE(found("straggler", run({trace, dispatch()}, pod)));
}

TEST_F(DiagnosisTest, devices_that_do_nothing_are_counted) {
  Machine one = machine();
  one.devices = {3};
  const Finding finding = diagnosis("unused_devices").in_run(run({dispatch()}, one));
  ASSERT_EQ(finding.verdict, Verdict::found);
  EXPECT_EQ(finding.certain.at(0), "1 of 8 cores of v3-8 run the program");
  EXPECT_FALSE(found("unused_devices", run({dispatch()})));
}

TEST_F(DiagnosisTest, a_larger_batch_is_tried_from_the_rows_that_were_seen) {
  const Finding finding =
      diagnosis("small_batch").in_run(run({of(EventKind::trace, 500), dispatch()}));
  ASSERT_EQ(finding.verdict, Verdict::found);
  // 256 samples on 8 cores.
  EXPECT_EQ(finding.tries.at(0), "batch 64");
  EXPECT_NE(finding.inferred.find("host traces"), std::string::npos);
}

TEST_F(DiagnosisTest, a_run_without_a_steady_step_is_no_reason_to_fail) {
  const RecordedRun empty({}, machine(), {});
  for (const Diagnosis* one : all_diagnoses()) {
    if (one->in_run == nullptr) continue;
    EXPECT_NE(one->in_run(empty).verdict, Verdict::cannot_tell) << one->name;
  }
}

TEST(Diagnoses, have_names_of_their_own_and_look_somewhere) {
  std::set<std::string_view> names;
  for (const Diagnosis* one : all_diagnoses()) {
    EXPECT_TRUE(names.insert(one->name).second) << one->name;
    EXPECT_FALSE(one->title.empty()) << one->name;
    EXPECT_FALSE(one->change.empty()) << one->name;
    EXPECT_TRUE(one->in_run != nullptr || one->in_report != nullptr) << one->name;
  }
}

TEST(Lowered, shapes_that_depend_on_values_are_known_in_every_overload) {
  EXPECT_TRUE(has_dynamic_shape("aten::nonzero"));
  EXPECT_TRUE(has_dynamic_shape("aten::_unique2"));
  EXPECT_TRUE(has_dynamic_shape("torchvision::nms"));
  EXPECT_FALSE(has_dynamic_shape("aten::bincount"));
}

}  // namespace
}  // namespace tpulab::diagnosis_test

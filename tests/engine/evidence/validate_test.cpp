#include "engine/evidence/validate.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include "engine/evidence/bands.h"
#include "engine/evidence/calibration.h"
#include "engine/machine/machine.h"
#include "tests/engine/evidence/shipped_validation.h"
#include "tests/engine/forecast/generation_constants.h"

namespace tpulab::validate_test {
namespace {

TEST(Validate, steps_of_described_models_are_met_in_sample) {
  const ErrorSummary& steps = shipped().in_sample.at("step");
  EXPECT_GE(steps.count, 30);
  EXPECT_LE(steps.median, 0.10);
  EXPECT_LE(steps.p90, 0.25);
}

TEST(Validate, steps_are_met_when_their_model_or_their_generation_is_left_out) {
  for (const Summaries* left_out : {&shipped().without_model, &shipped().without_generation}) {
    EXPECT_LE(left_out->at("step").median, 0.15);
    EXPECT_LE(left_out->at("step").p90, 0.35);
    EXPECT_GE(left_out->at("step").kendall_tau, 0.9);
  }
}

TEST(Validate, constants_are_few_and_inside_their_ranges) {
  EXPECT_GE(shipped().fitting_points, 5 * shipped().fitted_constants);
  for (const FittedStackConstant& fit : fitted_stack_constants()) {
    const Constant& constant = stack_named(fit.stack).*fit.constant;
    EXPECT_EQ(constant.mark, Mark::fitted) << fit.name;
    EXPECT_GE(constant, fit.least) << fit.name;
    EXPECT_LE(constant, fit.most) << fit.name;
  }
}

TEST(Validate, constants_read_off_validated_points_say_so) {
  for (const ReadConstant& read : read_constants()) {
    EXPECT_EQ((generation_named(read.generation).*read.constant).mark, Mark::derived) << read.name;
  }
  // With the power of beside() there is one for five points still.
  const auto constants =
      static_cast<std::size_t>(shipped().fitted_constants) + 1 + read_constants().size();
  EXPECT_GE(shipped().points.size(), 5 * constants);
}

TEST(Validate, most_points_of_each_class_lie_inside_the_printed_band) {
  for (const auto& [name, count] : shipped().inside) {
    if (count.points < 8) continue;
    EXPECT_GE(static_cast<double>(count.inside) / count.points, 0.85) << name;
  }
  EXPECT_NE(text_of(shipped()).find("inside the printed band"), std::string::npos);
}

// Joining slices of one model on one generation costs what was measured, within eight points.
TEST(Validate, the_efficiency_of_joined_slices_is_met_within_eight_points) {
  const auto ratio = [](const char* more, const char* one, double ValidatedPoint::*value) {
    double top = 0;
    double bottom = 1;
    for (const ValidatedPoint& point : shipped().points) {
      if (point.id == more) top = point.*value;
      if (point.id == one) bottom = point.*value;
    }
    return top / bottom;
  };
  for (const auto& [more, one] : {std::pair{"C-P25.4", "C-P25.1"},
                                  {"C-P25.8", "C-P25.1"},
                                  {"C-P26.4", "C-P26.1"},
                                  {"C-P26.32", "C-P26.1"},
                                  {"C-P26.32b.8", "C-P26.32b"},
                                  {"C-P27.64b.16", "C-P27.64b"},
                                  {"C-P27.128b", "C-P27.128b.1"},
                                  {"C-P28.2", "C-P28"},
                                  {"C-P29", "C-P29.1"}}) {
    EXPECT_NEAR(ratio(more, one, &ValidatedPoint::predicted),
                ratio(more, one, &ValidatedPoint::measured), 0.08)
        << more;
  }
}

// Nine of ten errors of a class, each point left out with its model and with its generation.
TEST(Validate, the_band_of_a_class_is_its_held_out_error) {
  for (const ErrorBand& band : error_bands) {
    std::vector<double> without_model;
    std::vector<double> without_generation;
    for (const ValidatedPoint& point : shipped().points) {
      if (point.kind != band.kind) continue;
      const auto measured = std::ranges::find(shipped_points(), point.id, &MeasuredPoint::id);
      if (class_of(*measured) != band.name) continue;
      without_model.push_back(std::abs(point.without_model));
      without_generation.push_back(std::abs(point.without_generation));
    }
    const double worst = std::max(quantile(without_model, 0.9), quantile(without_generation, 0.9));
    EXPECT_NEAR(band.width, std::ceil(worst * 100) / 100, 0.001) << band.name << " " << worst;
    EXPECT_EQ(band.points, static_cast<int>(without_model.size())) << band.name;
  }
}

// Time measured over time estimated, less one, of all runs with ordinary software.
TEST(Validate, ordinary_runs_take_so_much_longer_than_their_causes_tell) {
  std::vector<double> delays;
  for (const ValidatedPoint& point : shipped().points) {
    if (point.kind != PointKind::step && point.kind != PointKind::with_eval) continue;
    const auto measured = std::ranges::find(shipped_points(), point.id, &MeasuredPoint::id);
    if (!measured->model || stack_named(measured->stack).effort != Effort::ordinary) continue;
    const double ratio = point.predicted / point.measured;
    delays.push_back((measured->measure.is_time() ? 1 / ratio : ratio) - 1);
  }
  EXPECT_EQ(std::ssize(delays), ordinary_points);
  EXPECT_NEAR(ordinary_delay, std::ceil(quantile(delays, 0.9) * 100) / 100, 0.001);
}

// Images a second on a core of larger slices, against those of a core of v3-32.
TEST(Validate, the_scaling_of_resnet_over_a_pod_is_met_within_fourteen_points) {
  const auto of_a_core = [](const char* id, double ValidatedPoint::*value) {
    const auto point = std::ranges::find(shipped().points, id, &ValidatedPoint::id);
    const auto measured = std::ranges::find(shipped_points(), id, &MeasuredPoint::id);
    return (*point).*value / slice_named(measured->hardware).devices();
  };
  for (const char* id : {"M06.v3-128", "C-P5", "C-P6", "M06.v3-2048", "C-P7"}) {
    const double predicted =
        of_a_core(id, &ValidatedPoint::predicted) / of_a_core("C-P4", &ValidatedPoint::predicted);
    const double measured =
        of_a_core(id, &ValidatedPoint::measured) / of_a_core("C-P4", &ValidatedPoint::measured);
    EXPECT_NEAR(predicted, measured, 0.14) << id;
  }
}

// Every constant that is marked as fitted is refitted with the others.
TEST(Validate, no_constant_is_fitted_in_secret) {
  for (const Generation& row : generations()) {
    for (const auto constant : test::generation_constants) {
      const bool listed = std::ranges::any_of(fitted_constants(), [&](const FittedConstant& fit) {
        return fit.generation == row.name && fit.constant == constant;
      });
      EXPECT_EQ((row.*constant).mark == Mark::fitted, listed)
          << row.name << ": " << (row.*constant).source;
    }
  }
}

TEST(Validate, the_constants_of_steps_are_near_the_best_fit) {
  std::vector<MeasuredStep> steps;
  for (const MeasuredPoint& point : shipped_points()) {
    if (point.model && point.kind == PointKind::step && why_not_predicted(point).empty()) {
      steps.push_back({&point, step_point(point)});
    }
  }
  const Stacks rows{stack_rows().begin(), stack_rows().end()};
  EXPECT_LE(mean_error(rows, steps), mean_error(fitted(rows, steps), steps) + 0.005);
}

TEST(Validate, a_bound_is_scored_on_one_side) {
  // The step is at most 1,000 s, and at most 1 us.
  const char* text = R"([defaults]
hardware = "v3-8"
stack = "jax"
year = 2021
precision = "bf16"
remat = "none"
quant = "none"
noise = 0.01
source = "made up"
model = "resnet50"
batch = 1024
kind = "upper_bound"
unit = "ms/step"

[[group]]
points = [{id = "slow", value = 1e6}, {id = "fast", value = 1e-3}]
)";
  const Validation validation = validate(parse_points(text, "bounds.toml"));
  EXPECT_EQ(validation.points[0].error, 0);
  EXPECT_GT(validation.points[1].error, 1);
}

TEST(Validate, all_shipped_points_fit_the_memory_of_their_device) {
  for (const ValidatedPoint& point : shipped().points) {
    EXPECT_TRUE(point.fits) << point.id;
  }
}

TEST(Validate, marks_a_point_that_memory_refuses) {
  const Validation validation = validate(parse_points(R"(
[[point]]
id = "large"
kind = "step"
hardware = "v3-8"
stack = "jax"
model = "resnet50"
batch = 65536
precision = "bf16"
value = 1.0
unit = "s/step"
)",
                                                      "memory.toml"));
  ASSERT_EQ(validation.points.size(), 1u);
  EXPECT_FALSE(validation.points[0].fits);
  EXPECT_NE(text_of(validation).find("does not fit HBM"), std::string::npos);
}

// Four times the devices with four times the rows, measured as if they were no faster: the ratio is
// missed by what they gain. The third run is of another source.
TEST(Validate, tells_ratios_of_two_runs_of_one_source_apart_from_their_times) {
  const std::vector<MeasuredPoint> points = parse_points(R"(
[[group]]
kind = "step"
stack = "jax"
model = "bert-large"
sequence = 128
precision = "bf16"
unit = "samples/s"
points = [
  {id = "one", hardware = "v3-8", batch = 512, value = 1.0, source = "A, table 1"},
  {id = "four", hardware = "v3-32", batch = 2048, value = 1.0, source = "A, table 2"},
  {id = "other", hardware = "v3-8", batch = 512, value = 1.0, source = "B"},
]
)",
                                                         "ratios.toml");
  const Validation validation = validate(points);
  EXPECT_EQ(validation.ratios.count, 1);
  const double ratio = validation.points[1].predicted / validation.points[0].predicted;
  EXPECT_GT(ratio, 3.5);
  EXPECT_NEAR(validation.ratios.mean, ratio - 1, 1e-9);
  EXPECT_GT(shipped().ratios.count, 40);
  EXPECT_LT(shipped().ratios.median, 0.05);
}

TEST(Validate, points_of_models_that_are_not_described_are_listed_and_not_scored) {
  const bool listed = std::ranges::any_of(shipped().skipped, [](const SkippedPoint& point) {
    return point.id == "C-S7" && point.reason == "the model shapemask-r101 is not described";
  });
  EXPECT_TRUE(listed);
}

TEST(Validate, a_value_may_hold_evaluation_a_shared_norm_and_a_second_length) {
  const char* text = R"([defaults]
kind = "with_eval"
stack = "tensorflow"
precision = "bf16"
value = 1
unit = "ms/step"

[[group]]
model = "resnet50"
hardware = "v3-32"
batch = 256
points = [{id = "plain"}, {id = "norm", norm_cores = 8},
          {id = "evaluated", eval_rows = 512, eval_every = 2560}]

[[group]]
model = "bert-base"
hardware = "v3-32"
batch = 256
points = [{id = "short", sequence = 128}, {id = "long", sequence = 512},
          {id = "mixed", sequence = 128, late_sequence = 512, late_percent = 25}]
)";
  const auto points = validate(parse_points(text, "mine.toml")).points;
  ASSERT_EQ(points.size(), 6U);
  // 53 layers, two all-reduces each of 19 us and two phases over two hops, and a few bytes.
  EXPECT_NEAR(points[1].predicted - points[0].predicted, 106 * 0.023, 0.1);
  // Two forward passes every ten steps, each less than half a step.
  const double evaluation = points[2].predicted - points[0].predicted;
  EXPECT_GT(evaluation, 0.02 * points[0].predicted);
  EXPECT_LT(evaluation, 0.1 * points[0].predicted);
  EXPECT_NEAR(points[5].predicted, 0.75 * points[3].predicted + 0.25 * points[4].predicted, 1e-6);
}

TEST(Validate, what_is_not_described_or_does_not_fit_is_listed_and_stops_nothing) {
  const char* text = R"([defaults]
kind = "step"
hardware = "v3-8"
stack = "jax"
precision = "bf16"
value = 1

[[point]]
id = "kernel"
kind = "device"
kernel = "conv5d"
unit = "us"

[[point]]
id = "batch"
model = "resnet50"
batch = 1001
unit = "ms/step"

[[point]]
id = "good"
model = "ResNet-50"
batch = 1024
unit = "ms/step"
)";
  const Validation validation = validate(parse_points(text, "mine.toml"));
  ASSERT_EQ(validation.points.size(), 1U);
  EXPECT_EQ(validation.points[0].id, "good");
  ASSERT_EQ(validation.skipped.size(), 2U);
  EXPECT_EQ(validation.skipped[0].reason, "the kernel conv5d is not described");
  EXPECT_NE(validation.skipped[1].reason.find("1,001 rows do not divide"), std::string::npos);
  // The constants were fitted to the shipped points, not to these.
  EXPECT_EQ(validation.fitting_points, shipped().fitting_points);
}

TEST(Validate, the_unit_of_a_point_does_not_change_its_error) {
  const char* text = R"([defaults]
kind = "device"
hardware = "v6e-1"
precision = "bf16"
kernel = "gemm"
m = 8192
k = 8192
n = 8192

[[group]]
points = [{id = "us", value = 1534.156, unit = "us"},
          {id = "clocks", value = 5372614, unit = "cycles"},
          {id = "rate", value = 716.69, unit = "TFLOP/s"}]
)";
  const auto points = validate(parse_points(text, "units.toml")).points;
  ASSERT_EQ(points.size(), 3U);
  EXPECT_NEAR(points[1].error, points[0].error, 2e-3);
  EXPECT_NEAR(1 / (1 + points[2].error) - 1, points[0].error, 2e-3);
}

TEST(Validate, the_json_holds_points_and_a_summary_of_each_class) {
  const auto json = nlohmann::json::parse(json_of(shipped()));
  ASSERT_EQ(json.size(), 2U);
  const auto& point = json["points"][0];
  for (const char* key : {"id", "class", "predicted", "measured", "unit", "noise", "error"}) {
    EXPECT_TRUE(point.contains(key)) << key;
  }
  for (const char* name : {"device", "host_timed", "step", "all"}) {
    for (const char* key : {"count", "mean", "median", "p90", "kendall_tau"}) {
      EXPECT_TRUE(json["summary"][name].contains(key)) << name << " " << key;
    }
  }
  EXPECT_EQ(json["summary"]["all"]["count"], shipped().points.size());
}

TEST(Validate, answers_in_json_with_one_object_on_one_line) {
  const std::string text = json_of(shipped());
  EXPECT_TRUE(text.starts_with("{\"points\":["));
  EXPECT_EQ(text.find('\n'), text.size() - 1);
}

}  // namespace
}  // namespace tpulab::validate_test

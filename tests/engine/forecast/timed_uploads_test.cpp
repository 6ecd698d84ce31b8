// What the host of a timed training sends by itself.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/forecast/timed_training.h"

namespace tpulab::timed_uploads_test {
namespace {

std::int64_t bytes_of_constant(ForecastRequest request) {
  request.stack = "pytorch-xla";
  ProgramCache cache;
  Metrics metrics;
  TimedTraining training(machine_of(request), cache, metrics,
                         {.request = request,
                          .plan = {.max_steps = 2},
                          .habits = {.log_every_n_steps = 1000, .cpu_constant = true}});
  while (training.records().empty() || training.records().back().kind != StepKind::train) {
    training.advance();
  }
  const std::vector<Event>& events = *training.records().back().events;
  const auto upload = std::ranges::find(events, EventKind::upload, &Event::kind);
  return upload == events.end() ? -1 : upload->sent.value;
}

TEST(TimedUploads, have_a_weight_for_each_loss_of_a_device) {
  EXPECT_EQ(bytes_of_constant({.model = "resnet50", .slice = "v3-8", .batch = 64}), 8 * 4);
  EXPECT_EQ(
      bytes_of_constant({.model = "bert-base", .slice = "v3-8", .batch = 64, .sequence = 128}),
      8 * 128 * 4);
  EXPECT_EQ(bytes_of_constant({.model = "lm-1b",
                               .slice = "v4-16",
                               .batch = 4,
                               .sequence = 512,
                               .mesh = {.data = 4, .tensor = 2}}),
            512 * 4);
}

}  // namespace
}  // namespace tpulab::timed_uploads_test

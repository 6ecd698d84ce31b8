#include "engine/forecast/known_steps.h"

#include <gtest/gtest.h>

#include <functional>
#include <thread>

#include "engine/base/error.h"
#include "engine/machine/scaled_machine.h"

namespace tpulab::known_steps_test {
namespace {

ForecastRequest bert() {
  return {.model = "bert-base", .slice = "v3-8", .stack = "pytorch-xla", .batch = 64};
}

TEST(KnownSteps, the_same_request_is_worked_out_once) {
  const ForecastRequest request = bert();
  const Machine machine = machine_of(request);
  const auto step = known_step(request, machine);
  EXPECT_EQ(known_step(request, machine), step);
  EXPECT_EQ(known_programs(request, machine), known_programs(request, machine));
  EXPECT_EQ(&known_programs(request, machine)->step(), step.get());
}

TEST(KnownSteps, a_request_that_differs_in_anything_is_another) {
  using Change = std::function<void(ForecastRequest&)>;
  const std::vector<Change> changes{
      [](ForecastRequest& r) { r.model = "bert-large"; },
      [](ForecastRequest& r) { r.slice = "v3-32"; },
      [](ForecastRequest& r) { r.host = "colab-vm"; },
      [](ForecastRequest& r) { r.stack = "jax"; },
      [](ForecastRequest& r) { r.precision = "32-true"; },
      [](ForecastRequest& r) { r.matmul = "high"; },
      [](ForecastRequest& r) { r.batch = 128; },
      [](ForecastRequest& r) { r.sequence = 128; },
      [](ForecastRequest& r) { r.mesh.tensor = 2; },
      [](ForecastRequest& r) { r.remat = Remat::full; },
      [](ForecastRequest& r) { r.optimizer = OptimizerKind::sgd; },
  };
  const auto step = known_step(bert(), machine_of(bert()));
  for (const Change& change : changes) {
    ForecastRequest other = bert();
    change(other);
    EXPECT_NE(known_step(other, machine_of(other)), step);
  }
  ForecastRequest decoder{.model = "llama2-7b", .slice = "v5p-16", .remat = Remat::full};
  const auto at_once = known_step(decoder, machine_of(decoder));
  decoder.loss_pieces = 4;
  EXPECT_NE(known_step(decoder, machine_of(decoder)), at_once);
  decoder.loss_pieces = 1;
  decoder.attention = "scores";
  EXPECT_NE(known_step(decoder, machine_of(decoder)), at_once);
  ForecastRequest larger = bert();
  larger.model = "resnet50";
  const auto images = known_step(larger, machine_of(larger));
  larger.image = 128;
  EXPECT_NE(known_step(larger, machine_of(larger)), images);
  larger.slice = "v6e-8";
  const auto floats = known_step(larger, machine_of(larger));
  larger.quant = "int8";
  EXPECT_NE(known_step(larger, machine_of(larger)), floats);
}

TEST(KnownSteps, rows_that_were_changed_are_not_taken_for_those_of_the_tables) {
  const Machine machine = machine_of(bert());
  const auto step = known_step(bert(), machine);
  ScaledMachine faster(machine);
  faster.speed_up(Resource::hbm, 2);
  EXPECT_NE(known_step(bert(), faster.machine()), step);
}

TEST(KnownSteps, threads_that_ask_at_once_get_the_same) {
  ForecastRequest request = bert();
  request.batch = 96;
  const Machine machine = machine_of(request);
  std::vector<std::shared_ptr<TimedPrograms>> got(4);
  {
    std::vector<std::jthread> threads;
    for (auto& one : got) {
      threads.emplace_back([&] {
        one = known_programs(request, machine);
        one->of({.rows = 8}, machine);
      });
    }
  }
  for (const auto& one : got) EXPECT_EQ(one, got.front());
}

}  // namespace
}  // namespace tpulab::known_steps_test

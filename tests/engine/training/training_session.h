// A trainer with all that it borrows, for tests of training.
#pragma once

#include <optional>

#include "engine/base/workers.h"
#include "engine/training/networks/blocks.h"
#include "engine/training/trainer.h"

namespace tpulab::test {

inline Machine machine_of(const std::string& slice, std::vector<int> devices) {
  return {.slice = slice_named(slice),
          .host = &host_named("tpu-vm"),
          .stack = &stack_named("pytorch-xla"),
          .devices = std::move(devices)};
}

// A hidden layer of 16, half of which training drops.
inline Model dropping_perceptron() {
  return {.input = Input::numbers,
          .name = [](const Example&) { return std::string("dropping"); },
          .forward =
              [](Scope& scope, Tensor x, const Example& example) {
                const Tensor hidden = relu(dense(scope, "layer1", x, 16));
                return dense(scope, "layer2", dropout(hidden, scope.dropping(0.5)),
                             example.classes);
              },
          .drops = true};
}

struct Bench {
  std::string slice = "v3-8";
  std::vector<int> devices{0, 1, 2, 3, 4, 5, 6, 7};
  TrainerOptions options{};
  ExecuteOptions execution{};
  int workers = 2;
};

// Owns what a trainer borrows.
struct Session {
  explicit Session(const Bench& bench)
      : workers(bench.workers),
        trainer(machine_of(bench.slice, bench.devices), cache, workers, metrics, bench.options,
                bench.execution) {}

  // The losses of the next `steps` optimizer steps.
  std::vector<float> train(int steps) {
    std::vector<float> losses;
    while (static_cast<int>(losses.size()) < steps) {
      const StepReport report = trainer.advance();
      compiles.insert(compiles.end(), report.compiles.begin(), report.compiles.end());
      if (report.loss) losses.push_back(*report.loss);
    }
    return losses;
  }
  // The test accuracy behind the last epoch, if there was one to measure.
  std::optional<double> train_to_the_end() {
    std::optional<double> accuracy;
    while (!trainer.done()) {
      const StepReport report = trainer.advance();
      compiles.insert(compiles.end(), report.compiles.begin(), report.compiles.end());
      if (report.test_accuracy) accuracy = report.test_accuracy;
    }
    return accuracy;
  }
  std::vector<std::string> causes(const std::string& graph) const {
    std::vector<std::string> found;
    for (const CompileNotice& notice : compiles) {
      if (notice.graph == graph) found.push_back(notice.cause);
    }
    return found;
  }

  ProgramCache cache;
  WorkerPool workers;
  Metrics metrics;
  Trainer trainer;
  std::vector<CompileNotice> compiles;
};

}  // namespace tpulab::test

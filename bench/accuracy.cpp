// What the default experiment and the small networks reach on rows they have not seen: the last
// epoch's test accuracy, median of five seeds, and how long a default run takes (wall time).
// Hyper-parameters are chosen on the split `validation`.
#include <algorithm>
#include <chrono>
#include <vector>

#include "bench/row.h"
#include "engine/base/workers.h"
#include "engine/session/settings/plan.h"

namespace tpulab::bench {
namespace {

constexpr int seeds = 5;

struct Result {
  double accuracy = 0;
  double wall_seconds = 0;
};

Result train(const Settings& settings) {
  const auto start = std::chrono::steady_clock::now();
  ProgramCache cache;
  Metrics metrics;
  WorkerPool workers;
  Trainer trainer(machine_for(settings), cache, workers, metrics, trainer_options(settings),
                  execute_options(settings));
  Result result;
  while (!trainer.done()) {
    const StepReport report = trainer.advance();
    if (report.test_accuracy) result.accuracy = *report.test_accuracy;
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  result.wall_seconds = took.count();
  return result;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

struct Medians {
  double accuracy = 0;
  double wall_seconds = 0;
};

Medians over_seeds(Settings settings) {
  std::vector<double> accuracy;
  std::vector<double> seconds;
  for (int seed = 1; seed <= seeds; ++seed) {
    settings.seed = seed;
    const Result result = train(settings);
    accuracy.push_back(result.accuracy);
    seconds.push_back(result.wall_seconds);
  }
  return {median(accuracy), median(seconds)};
}

void measure_default(const std::string& split, double goal) {
  Settings settings;
  settings.split = split;
  const Medians found = over_seeds(settings);
  row("accuracy", fmt::format("default run, split {}", split), found.accuracy, "of test rows", goal,
      "higher");
  row("accuracy", fmt::format("default run, split {}, wall time", split), found.wall_seconds, "s",
      5, "lower");
}

// Digits as images, and as sequences of rows.
void measure_small(const std::string& model) {
  Settings settings;
  settings.model = model;
  settings.split = "shuffled";
  settings.devices = "1";
  settings.max_epochs = 12;
  row("accuracy", fmt::format("{}, one core, 12 epochs, split shuffled", model),
      over_seeds(settings).accuracy, "of test rows", 0.94, "higher");
}

}  // namespace
}  // namespace tpulab::bench

int main(int argc, char** argv) {
  if (!tpulab::bench::parse_bench_arguments(argc, argv)) return 2;
  tpulab::bench::measure_default("rows", 0.91);
  tpulab::bench::measure_default("shuffled", 0.97);
  for (const char* model : {"lenet", "cnn", "resnet8", "tcn", "bert-tiny"}) {
    tpulab::bench::measure_small(model);
  }
}

// What the default experiment reaches on rows it has not seen: the last epoch's test accuracy,
// median of five seeds, and how long a run takes (wall time). Hyper-parameters are chosen on the
// split `validation`.
#include <algorithm>
#include <chrono>
#include <vector>

#include "bench/row.h"
#include "engine/base/workers.h"
#include "engine/session/plan.h"

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

void measure(const std::string& split, double goal) {
  std::vector<double> accuracy;
  std::vector<double> seconds;
  for (int seed = 1; seed <= seeds; ++seed) {
    Settings settings;
    settings.split = split;
    settings.seed = seed;
    const Result result = train(settings);
    accuracy.push_back(result.accuracy);
    seconds.push_back(result.wall_seconds);
  }
  row("accuracy", fmt::format("default run, split {}", split), median(accuracy), "of test rows",
      goal, "higher");
  row("accuracy", fmt::format("default run, split {}, wall time", split), median(seconds), "s", 5,
      "lower");
}

}  // namespace
}  // namespace tpulab::bench

int main(int argc, char** argv) {
  if (!tpulab::bench::parse_bench_arguments(argc, argv)) return 2;
  tpulab::bench::measure("rows", 0.91);
  tpulab::bench::measure("shuffled", 0.97);
}

// The training step of 64-1024-1024-10 with Adam in f32 at `highest`, on one thread of this
// computer, beside PyTorch's fastest of three optimizer loops (bench/torch_step.py): time on a CPU,
// in turns, each side its lower decile. TPULAB_PYTHON names a python that has torch; without one
// there is nothing to set beside and only our own time is printed.
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <vector>

#include "bench/fma_peak.h"
#include "bench/row.h"
#include "engine/base/workers.h"
#include "engine/session/settings/plan.h"

namespace tpulab::bench {
namespace {

constexpr int rounds = 5;
constexpr std::int64_t copies = 12;  // of the digits: 17,244 rows, two batches of the largest

// The digits again and again, so that a large batch is not cut short.
Dataset many_digits() {
  Dataset data = digits();
  const auto once = data;
  data.training_rows = copies * once.training_rows;
  data.values.clear();
  data.labels.clear();
  for (std::int64_t copy = 0; copy < copies; ++copy) {
    for (std::int64_t row = 0; row < once.training_rows; ++row) {
      data.values.insert(data.values.end(), once.values_of(row).begin(), once.values_of(row).end());
      data.labels.insert(data.labels.end(), once.labels_of(row).begin(), once.labels_of(row).end());
    }
  }
  const auto last = once.rows() - 1;  // the only row that is tested
  data.values.insert(data.values.end(), once.values_of(last).begin(), once.values_of(last).end());
  data.labels.insert(data.labels.end(), once.labels_of(last).begin(), once.labels_of(last).end());
  return data;
}

class Ours {
 public:
  Ours(const Dataset& data, std::int64_t batch, std::int64_t cores)
      : workers_(1),
        trainer_(machine(cores), cache_, workers_, metrics_, options(data, batch, cores), {}) {}

  // Milliseconds of this thread, of so many steps.
  double decile(int steps) {
    std::vector<double> times;
    while (std::ssize(times) < steps) {
      const double start = thread_seconds();
      const StepReport report = trainer_.advance();
      if (report.optimizer_step) times.push_back(1e3 * (thread_seconds() - start));
    }
    std::ranges::sort(times);
    return times[times.size() / 10];
  }

 private:
  static Settings settings(std::int64_t cores) {
    Settings settings;
    settings.devices = cores == 1 ? "1" : "auto";
    settings.matmul_precision = "highest";
    settings.max_epochs = -1;
    return settings;
  }
  static Machine machine(std::int64_t cores) { return machine_for(settings(cores)); }
  static TrainerOptions options(const Dataset& data, std::int64_t batch, std::int64_t cores) {
    TrainerOptions options = trainer_options(settings(cores));
    options.batch = batch / cores;
    options.data = &data;
    options.drop_last = true;
    return options;
  }

  ProgramCache cache_;
  Metrics metrics_;
  WorkerPool workers_;
  Trainer trainer_;
};

// Milliseconds of a step, as the script prints them; empty where there is no torch.
std::optional<double> torch_milliseconds(std::int64_t batch, int steps) {
  const char* python = std::getenv("TPULAB_PYTHON");
  const std::string command =
      fmt::format("OMP_NUM_THREADS=1 {} {}/bench/torch_step.py {} {} 2>/dev/null",
                  python != nullptr ? python : "python3", TPULAB_SOURCE_DIR, batch, steps);
  FILE* script = popen(command.c_str(), "r");
  if (script == nullptr) return std::nullopt;
  double milliseconds = 0;
  const int read = std::fscanf(script, "%lf", &milliseconds);
  const int status = pclose(script);
  return read == 1 && status == 0 ? std::optional(milliseconds) : std::nullopt;
}

void measure(const Dataset& data, std::int64_t batch) {
  const int steps = static_cast<int>(std::clamp<std::int64_t>(16'384 / batch, 8, 60));
  Ours alone(data, batch, 1), eight(data, batch, 8);
  alone.decile(4);
  eight.decile(4);
  std::vector<double> ours, of_eight, ratio, ratio_of_eight;
  for (int round = 0; round < rounds; ++round) {
    ours.push_back(alone.decile(steps));
    of_eight.push_back(eight.decile(steps));
    if (const auto torch = torch_milliseconds(batch, steps)) {
      ratio.push_back(*torch / ours.back());
      ratio_of_eight.push_back(*torch / of_eight.back());
    }
  }
  row("torch", fmt::format("batch {}, one core", batch), median(ours), "ms", std::nullopt, "lower");
  row("torch", fmt::format("batch {}, 8 cores", batch), median(of_eight), "ms", std::nullopt,
      "lower");
  if (ratio.size() < rounds) return;
  row("torch", fmt::format("batch {}, one core", batch), median(ratio), "x torch", 1, "higher");
  row("torch", fmt::format("batch {}, 8 cores", batch), median(ratio_of_eight), "x torch", 1,
      "higher");
}

}  // namespace
}  // namespace tpulab::bench

int main(int argc, char** argv) {
  if (!tpulab::bench::parse_bench_arguments(argc, argv)) return 2;
  const tpulab::Dataset data = tpulab::bench::many_digits();
  for (const std::int64_t batch : {128, 256, 1024, 8192}) tpulab::bench::measure(data, batch);
}

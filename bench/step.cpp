// How fast the default experiment really trains on this computer (wall time), and what share that
// is of the fused multiply-adds the same threads can do at all, measured in the same rounds.
#include <vector>

#include "bench/fma_peak.h"
#include "bench/row.h"
#include "engine/base/workers.h"
#include "engine/session/settings/plan.h"

namespace tpulab::bench {
namespace {

constexpr int rounds = 11;
constexpr int steps_per_round = 60;  // ten epochs, their short last batches included

// What a round of training steps did; evaluations are left out.
struct Round {
  double seconds = 0;
  double samples = 0;
  double operations = 0;  // matrix products of all cores, unpadded
};

class Run {
 public:
  explicit Run(const Settings& settings)
      : workers_(static_cast<int>(settings.workers)),
        trainer_(machine_for(settings), cache_, workers_, metrics_, trainer_options(settings),
                 execute_options(settings)) {}

  Round next() {
    Round round;
    for (int step = 0; step < steps_per_round;) {
      const double start = wall_seconds();
      const StepReport report = trainer_.advance();
      const double seconds = wall_seconds() - start;
      if (!report.loss) continue;
      ++step;
      round.seconds += seconds;
      round.samples += static_cast<double>(report.timeline.samples);
      round.operations += static_cast<double>(report.timeline.useful.value) * world();
    }
    return round;
  }
  int workers() const { return workers_.workers(); }
  int world() const { return trainer_.runtime().world(); }

 private:
  ProgramCache cache_;
  Metrics metrics_;
  WorkerPool workers_;
  Trainer trainer_;
};

void measure() {
  Settings settings;
  settings.max_epochs = -1;
  Run run(settings);
  run.next();  // compiles, and warms the caches
  std::vector<double> rate, speed, peak, share;
  for (int i = 0; i < rounds; ++i) {
    const Round round = run.next();
    rate.push_back(round.samples / round.seconds);
    speed.push_back(round.operations / round.seconds * 1e-9);
    if (!has_fma()) continue;
    peak.push_back(fma_gigaflops_together(run.workers()));
    share.push_back(100 * speed.back() / peak.back());
  }
  row("step", "default step", median(rate), "samples/s", std::nullopt, "higher");
  row("step", "its matrix products", median(speed), "GFLOP/s", std::nullopt, "higher");
  if (peak.empty()) return;
  row("step", fmt::format("FMA peak of {} threads", run.workers()), median(peak), "GFLOP/s",
      std::nullopt, "higher");
  row("step", "share of the FMA peak", median(share), "%", std::nullopt, "higher");
}

}  // namespace
}  // namespace tpulab::bench

int main(int argc, char** argv) {
  if (!tpulab::bench::parse_bench_arguments(argc, argv)) return 2;
  tpulab::bench::measure();
}

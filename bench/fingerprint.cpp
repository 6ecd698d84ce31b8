// Whether behaviour has changed: one hash over the losses of 20 fixed steps, and the TPU time that
// they took. With the reference backend both are the same on every x86-64.
#include <bit>
#include <cstdint>

#include "bench/row.h"
#include "engine/base/workers.h"
#include "engine/session/settings/plan.h"

namespace tpulab::bench {
namespace {

struct Fingerprint {
  std::uint64_t losses = 14695981039346656037U;  // FNV-1a over the bits of every loss
  Picoseconds tpu_time{};

  void add(float loss) {
    const auto bits = std::bit_cast<std::uint32_t>(loss);
    for (int shift = 0; shift < 32; shift += 8) {
      losses = (losses ^ ((bits >> shift) & 0xFFU)) * 1099511628211U;
    }
  }
  // Folded to 48 bits, which a JSON number holds exactly.
  std::uint64_t hash() const { return (losses >> 48U) ^ (losses & 0xFFFFFFFFFFFFU); }
};

// The default experiment on all cores: 20 steps cross the ends of three epochs, so that a shorter
// batch, a second program and evaluations belong to it.
Fingerprint trained() {
  Settings settings;
  settings.backend = "reference";
  settings.max_steps = 20;
  ProgramCache cache;
  Metrics metrics;
  WorkerPool workers(0);
  Trainer trainer(machine_for(settings), cache, workers, metrics, trainer_options(settings),
                  execute_options(settings));
  Fingerprint print;
  while (!trainer.done()) {
    const StepReport report = trainer.advance();
    if (report.loss) print.add(*report.loss);
    print.tpu_time = report.timeline.end;
  }
  return print;
}

void print(const Fingerprint& found) {
  if (json_rows()) {
    row("fingerprint", "hash of the losses", static_cast<double>(found.hash()), "hash", {},
        "lower");
    row("fingerprint", "TPU time", static_cast<double>(found.tpu_time.count()), "ps", {}, "lower");
  } else {
    fmt::print("fingerprint: losses {:012x}, TPU time {} ps\n", found.hash(),
               found.tpu_time.count());
  }
}

}  // namespace
}  // namespace tpulab::bench

int main(int argc, char** argv) {
  if (!tpulab::bench::parse_bench_arguments(argc, argv)) return 2;
  tpulab::bench::print(tpulab::bench::trained());
}

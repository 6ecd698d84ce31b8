#include "engine/session/memory_check.h"

#include <gtest/gtest.h>

#include "engine/base/workers.h"
#include "engine/session/plan.h"

namespace tpulab {
namespace {

// HBM that the compiled step really takes on one device.
Bytes planned_peak(const Settings& settings) {
  ProgramCache cache;
  WorkerPool workers(1);
  Metrics metrics;
  ExecuteOptions execution = execute_options(settings);
  execution.numbers = false;
  Trainer trainer(machine_for(settings), cache, workers, metrics, trainer_options(settings),
                  execution);
  trainer.advance();
  return trainer.runtime().hbm_used();
}

TEST(MemoryCheck, counts_at_least_what_the_compiler_plans) {
  for (const std::string optimizer : {"adam", "sgd"}) {
    for (const std::string devices : {"auto", "1"}) {
      for (const std::vector<std::int64_t>& hidden :
           {std::vector<std::int64_t>{1}, {64}, {1024, 1024}, {2048, 2048}, {100, 300, 500}}) {
        Settings settings;
        settings.optimizer = optimizer;
        settings.devices = devices;
        settings.hidden = hidden;
        settings.batch = 128;
        const MemoryNeed need = memory_need(settings);
        const Bytes counted = need.state() + need.per_row * settings.batch;
        EXPECT_GE(counted.value, planned_peak(settings).value)
            << optimizer << " on " << devices << ", " << layer_widths_text(settings);
      }
    }
  }
}

}  // namespace
}  // namespace tpulab

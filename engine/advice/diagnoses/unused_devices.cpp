// unused_devices: parts of the slice do nothing.
#include <fmt/format.h>

#include "engine/advice/diagnosis.h"

namespace tpulab::unused_devices_diagnosis {

namespace {

Finding in_run(const RecordedRun& run) {
  const std::int64_t all = run.machine.slice.devices();
  const std::int64_t used = run.machine.world();
  if (used >= all) return {};
  return found({fmt::format("{} of {} {}s of {} run the program", used, all,
                            run.machine.slice.device_word(), run.machine.slice.name)},
               "the others could train other rows of the same step", {"devices auto"});
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "unused_devices",
    .title = "devices of the slice do nothing",
    .family = Family::hardware,
    .caused_by = "devices 1",
    .cured_by = "devices auto",
    .change = "Trainer(accelerator=\"tpu\", devices=\"auto\")",
    .in_run = in_run,
};

}  // namespace tpulab::unused_devices_diagnosis

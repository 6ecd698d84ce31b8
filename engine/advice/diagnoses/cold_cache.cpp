// cold_cache: a new process compiles what the one before it had compiled.
#include <fmt/format.h>

#include <set>

#include "engine/advice/diagnosis.h"
#include "engine/base/text.h"

namespace tpulab::cold_cache_diagnosis {

namespace {

// Up to 2.9 PyTorch/XLA cannot read on a TPU what it has written: pytorch/xla #9094.
bool reads_back(const StackRow& stack) {
  return stack.can_keep_programs() && !stack.traces_each_step();
}

Finding in_run(const RecordedRun& run) {
  if (!reads_back(*run.machine.stack)) return {};
  std::set<FingerprintKey> before;
  std::int64_t again = 0;
  Picoseconds time{};
  std::string first;
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    for (const TimedEvent& timed : run.steps[i].events) {
      const Event& event = *timed.event;
      if (event.program == nullptr) continue;
      const FingerprintKey& key = event.program->fingerprint.key;
      if (run.records[i].process == 0) before.insert(key);
      const bool compiles = event.kind == EventKind::compile && !event.from_disk;
      if (run.records[i].process == 0 || !compiles || !before.contains(key)) continue;
      if (again++ == 0) {
        first = fmt::format("step {}: compile {} ({})", run.steps[i].step, event.name,
                            text_of(timed.compile()));
      }
      time += timed.compile();
    }
  }
  if (again == 0) return {};
  Finding finding = found(
      {fmt::format("{} compiled again in {} by the process that took over; the first is "
                   "{}",
                   count_with(again, "program"), text_of(time), first)},
      "programs are kept in the memory of their process, and go with it", {"cache_persistent on"});
  finding.traced_once =
      "in JAX: jax.config.update(\"jax_compilation_cache_dir\", path) before the first step";
  return finding;
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "cold_cache",
    .title = "a new process compiles what an earlier one had compiled",
    .family = Family::shapes,
    .caused_by = "model resnet50; batch 128; numbers off; max_steps 80; stack jax; preempt host@40",
    .cured_by = "cache_persistent on",
    .change =
        "torch_xla.runtime.initialize_cache(path) writes what no TPU reads back up to 2.9 "
        "(pytorch/xla #9094); in JAX jax_compilation_cache_dir is read back",
    .in_run = in_run,
};

}  // namespace tpulab::cold_cache_diagnosis

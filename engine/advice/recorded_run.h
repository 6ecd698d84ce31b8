// A run as a diagnosis may see it: what its steps did and when. Its settings are not in it.
#pragma once

#include <string>
#include <vector>

#include "engine/machine/machine.h"
#include "engine/runtime/counters.h"
#include "engine/runtime/record.h"
#include "engine/runtime/simulate.h"

namespace tpulab {

struct StepProduct {
  const MatrixWork* work;
  std::int64_t runs;  // of its kernel, in a step
};

struct RecordedRun {
  RecordedRun(std::vector<StepRecord> records, const Machine& machine, Counters counters);
  // A copy would point into the original.
  RecordedRun(RecordedRun&&) = default;
  RecordedRun& operator=(RecordedRun&&) = default;

  Machine machine;
  Counters counters;                // of the whole run, under PyTorch/XLA's names
  std::vector<StepRecord> records;  // oldest first; the timelines point into them
  std::vector<StepTimeline> steps;  // one a record, TPU time estimated
  std::vector<DeviceGroup> groups;  // the first is that of StepTimeline's own shares
  Picoseconds time{};               // of all of it
  // Training steps that compile nothing: the newest 64, or those that tell().
  std::vector<const StepTimeline*> steady;
  // In all of these, of a device of each group, for others that evaluate longer: part of no step.
  std::vector<Picoseconds> waits_for_evaluations;

  void tell(std::vector<const StepTimeline*> told);
  double share(Share share, std::size_t group) const;  // of the steady steps' time
  // That has most of it: the others wait for that one.
  std::size_t group_with_most(Share share) const;
  double share(Share share) const;     // in that group
  Picoseconds mean_step() const;       // of the steady steps
  std::int64_t usual_samples() const;  // over all devices, of the steady step with the most rows
  std::int64_t usual_rows() const;     // of one device
  // How many numbers of rows training steps have had: 2 with a shorter last batch.
  std::int64_t sizes_of_batches() const;
  // What the newest steady step of the usual size runs; nothing before one.
  std::vector<std::shared_ptr<const Program>> train_programs() const;
  // Each product of matrices of these programs.
  std::vector<StepProduct> products() const;
  int most_passes() const;  // bf16 ones, of any of these; 1 at least
  // The last of them, which updates; null before one.
  const Program* train_program() const;
};

// "12.3 ms of a step of 40.1 ms".
std::string of_a_step(const RecordedRun& run, Picoseconds time);

}  // namespace tpulab

// What a run advances: the digits experiment with its numbers, or the steps of a named network of
// which only the time is known.
#pragma once

#include <variant>

#include "engine/forecast/timed_training.h"
#include "engine/session/settings.h"
#include "engine/training/trainer.h"

namespace tpulab {

// Throws Impossible for a named model with numbers on.
void check_can_begin(const Settings& settings);

class Stepper {
 public:
  // Throws Error for settings that do not fit together, for a named model with numbers on, and
  // RESOURCE_EXHAUSTED.
  Stepper(const Settings& settings, ProgramCache& cache, WorkerPool& workers, Metrics& metrics);

  StepReport advance();
  bool done() const;
  // As if so many steps had gone by: what follows from their count alone. Nothing follows from it
  // for a named model.
  void skip(std::int64_t steps);
  // Takes over what may change between steps. Throws Error and goes on as it was.
  void change(const Settings& settings);

  std::int64_t step() const;
  std::int64_t planned_steps() const;  // 0 if there is no limit
  bool last_step_done() const;         // at most an evaluation is left
  std::int64_t epoch() const;          // 0 where the data has no length
  std::string model_name() const;
  std::int64_t parameters() const;
  const Machine& machine() const;
  const std::vector<DeviceGroup>& groups() const;
  const std::vector<StepRecord>& records() const;
  Picoseconds now() const;
  Bytes hbm_used() const;

  // Null for a named network.
  const Trainer* trainer() const { return std::get_if<Trainer>(&steps_); }
  // Null for the digits experiment.
  const TimedTraining* timed() const { return std::get_if<TimedTraining>(&steps_); }

 private:
  std::variant<Trainer, TimedTraining> steps_;
};

}  // namespace tpulab

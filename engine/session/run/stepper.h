// What a run advances: the trainer of a network that computes here, or the steps of a named one, of
// which mostly the time alone is known.
#pragma once

#include <variant>

#include "engine/forecast/timed_training.h"
#include "engine/session/settings/settings.h"
#include "engine/training/trainer.h"

namespace tpulab {

// Throws Impossible for numbers of a named model that nobody computes.
void check_can_begin(const Settings& settings);

class Stepper {
 public:
  // Throws Error for settings that do not fit together, where check_can_begin() does, and
  // RESOURCE_EXHAUSTED.
  // Of a named network's steps `detail` says how finely they are laid out.
  Stepper(const Settings& settings, ProgramCache& cache, WorkerPool& workers, Metrics& metrics,
          Detail detail = Detail::kernels);

  // Of a trainer, before its first step. Throws Error where check_fits() does.
  void restore(const TrainerState& state);
  StepReport advance();
  bool done() const;
  // As if so many steps had gone by: what follows from their count alone.
  void skip(std::int64_t steps);
  // Of a named network: as if the newest step had come so many times more, its records with it.
  void repeat(std::int64_t steps);
  // Takes over what may change between steps. Throws Error and goes on as it was.
  void change(const Settings& settings);

  const Loop& loop() const;
  std::int64_t step() const { return loop().step(); }
  std::int64_t planned_steps() const { return loop().planned_steps(); }  // 0 if there is no limit
  bool last_step_done() const;  // at most an evaluation is left
  std::int64_t epoch() const { return loop().epoch(); }
  // Steps that send as many scalars of their own as the newest; all_steps where all do.
  std::int64_t steps_alike_ahead() const;
  std::string model_name() const;
  std::int64_t parameters() const;
  const Machine& machine() const;
  const std::vector<DeviceGroup>& groups() const;
  const std::vector<StepRecord>& records() const;
  Picoseconds now() const;
  std::vector<Picoseconds> clocks() const;  // of its simulator
  Bytes hbm_used() const;

  // Null for a named network.
  const Trainer* trainer() const { return std::get_if<Trainer>(&steps_); }
  // Null for a network that computes here.
  const TimedTraining* timed() const { return std::get_if<TimedTraining>(&steps_); }

 private:
  std::variant<Trainer, TimedTraining> steps_;
};

}  // namespace tpulab

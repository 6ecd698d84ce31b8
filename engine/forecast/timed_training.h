// Training a named network without its values: every step is priced and simulated like one of the
// trainer's, so that clocks, counters and panes are alive for networks that no laptop trains.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/compiler/cache.h"
#include "engine/forecast/step_time.h"
#include "engine/runtime/runtime.h"
#include "engine/training/trainer.h"

namespace tpulab {

struct TimedOptions {
  ForecastRequest request;  // its batch is global
  std::int64_t max_steps = -1;
  std::int64_t log_every_n_steps = 50;  // a read-back of the loss after such a step
  std::int64_t item_every_n_steps = 0;  // one inside the step; 0: never
  bool progress_bar = false;            // two after each step
};

class TimedTraining {
 public:
  // Where the options set no limit; an epoch of data that is not here has no length.
  static constexpr std::int64_t usual_steps = 500;

  // Throws Error for what forecast() refuses, and RESOURCE_EXHAUSTED where HBM is too small.
  TimedTraining(Machine machine, ProgramCache& cache, Metrics& metrics, TimedOptions options);

  StepReport advance();
  bool done() const { return step_ >= planned_steps(); }
  // Takes over what may change between steps; another batch or precision compiles another program.
  // Throws Error and goes on as it was.
  void change(const TimedOptions& options);

  std::int64_t step() const { return step_; }
  std::int64_t planned_steps() const;
  const std::string& model_name() const { return step_now_.request.model; }
  std::int64_t parameters() const { return step_now_.work.parameters(); }
  const Mesh& mesh() const { return step_now_.mesh; }
  const PricedStep& step_now() const { return step_now_; }
  const Machine& machine() const { return simulator_.machine(); }
  const std::vector<DeviceGroup>& groups() const { return simulator_.groups(); }
  const std::vector<StepRecord>& records() const { return records_; }
  Picoseconds now() const { return simulator_.now(); }
  Bytes hbm_used() const;

 private:
  PricedStep checked_step(const TimedOptions& options) const;
  std::vector<Event> events_of_step();
  std::shared_ptr<const Program> made_program(const PricedStep& step) const;
  void make_programs();
  void add_program(std::vector<Event>& events, const std::shared_ptr<const Program>& made,
                   const std::string& name);

  ProgramCache& cache_;
  Metrics& metrics_;
  Simulator simulator_;
  TimedOptions options_;
  PricedStep step_now_;
  std::shared_ptr<const Program> whole_;
  std::shared_ptr<const Program> up_to_loss_;  // made where it is asked for
  std::vector<CompileNotice> notices_;
  std::vector<StepRecord> records_;
  RecentEvents recent_events_;
  std::int64_t step_ = 0;
};

}  // namespace tpulab

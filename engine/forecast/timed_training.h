// Training a named network without its values: every step is priced and simulated like one of the
// trainer's, so that clocks, counters and panes are alive for networks that no laptop trains.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "engine/compiler/cache.h"
#include "engine/forecast/timed_programs.h"
#include "engine/runtime/runtime.h"
#include "engine/training/trainer.h"

namespace tpulab {

struct TimedOptions {
  ForecastRequest request;  // its batch is global
  LoopRows rows{};          // of the data, as the sampler fills them up
  LoopPlan plan{};          // its batch is that of the request
  Habits habits{};
  Detail detail = Detail::kernels;  // of the steps' timelines, as the run begins
  std::function<float()> loss{};    // of the next step, where somebody computes it; may be empty
};

class TimedTraining {
 public:
  // Throws Error for what forecast() refuses, and RESOURCE_EXHAUSTED where HBM is too small.
  TimedTraining(Machine machine, ProgramCache& cache, Metrics& metrics, TimedOptions options);

  // One optimizer step, or what else Lightning's loop has next. Throws Error.
  StepReport advance();
  bool done() const { return loop_.done(); }
  void skip(std::int64_t steps) { loop_.skip(steps); }
  // As if the newest step had come so many times more: in its records, not in the clocks.
  void repeat(std::int64_t steps);
  // Takes over what may change between steps; another batch or precision compiles another program.
  // Throws Error and goes on as it was.
  void change(const TimedOptions& options);

  const Loop& loop() const { return loop_; }
  bool settled() const { return true; }  // no scalar is sent
  const std::string& model_name() const { return step_now().request.model; }
  std::int64_t parameters() const { return step_now().work.parameters(); }
  const Mesh& mesh() const { return step_now().mesh; }
  const PricedStep& step_now() const { return programs_->step(); }
  const Machine& machine() const { return simulator_.machine(); }
  const std::vector<DeviceGroup>& groups() const { return simulator_.groups(); }
  const std::vector<StepRecord>& records() const { return records_; }
  Picoseconds now() const { return simulator_.now(); }
  std::vector<Picoseconds> clocks() const { return simulator_.clocks(); }
  // What was held at most so far, of a step at least.
  ForecastMemory memory() const;
  Bytes hbm_used() const { return memory().total(); }

 private:
  // Events of what is under way.
  using Events = std::vector<Event>;

  static LoopPlan plan_of(const TimedOptions& options, const TimedPrograms& programs);
  bool as_lightning() const { return machine().stack->traces_each_step(); }
  // What is pending is cut before the next batch.
  bool cuts_batches() const { return as_lightning() && machine().world() > 1; }
  bool cuts_validation() const {
    return options_.habits.cuts_validation(as_lightning(), machine().world());
  }
  void train_step(StepReport& report);
  void check_sanity(StepReport& report);
  void evaluate(StepReport& report);
  void restart(StepReport& report);
  std::int64_t kept(std::int64_t rows) const;  // of all devices
  bool lengths_vary() const;
  std::int64_t tokens_now() const;  // as in ProgramKind
  Events events_of_step(std::int64_t rows);
  void add_checkpoint(Events& events) const;
  void add_update(Events& events, const ProgramKind& kind);
  Events begun();
  static Event read_back(Bytes received);  // of a value, by the host
  void add_batch(Events& events, std::int64_t rows, std::int64_t tokens = 0);
  void add_validation(Events& events, std::int64_t rows, bool runs);
  void add_length(Events& events);
  void add_constant(Events& events, std::int64_t rows) const;
  bool refreshes_bar(std::int64_t rows) const;  // behind so many rows of the step under way
  void add_program(Events& events, const ProgramKind& kind, const std::string& name);
  void add_fallback(Events& events, const ProgramKind& step);
  void add_item(Events& events, const ProgramKind& step, const std::string& name);
  using CallsOf = CallCounts StepCalls::*;
  void count_calls(std::initializer_list<CallsOf> parts);
  StepTimeline keep(StepKind kind, std::int64_t samples, Events events);
  void add_record(StepRecord record);

  ProgramCache& cache_;
  Metrics& metrics_;
  Simulator simulator_;
  TimedOptions options_;
  std::shared_ptr<TimedPrograms> programs_;
  Loop loop_;
  int process_ = 0;
  bool has_state_ = false;           // the optimizer's, which the first step makes
  std::int64_t most_validated_ = 0;  // batches in one graph
  std::vector<CompileNotice> notices_;
  std::vector<StepRecord> records_;
  RecentEvents recent_events_;
  std::function<float()> loss_;
};

}  // namespace tpulab

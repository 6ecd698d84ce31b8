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
#include "engine/runtime/sent_scalars.h"
#include "engine/training/lightning.h"

namespace tpulab {

struct TimedOptions {
  ForecastRequest request;  // its batch is global
  LoopRows rows{};          // of the data, as the sampler fills them up
  LoopPlan plan{};          // its batch is that of the request
  Habits habits{};
  Detail detail = Detail::kernels;  // of the steps' timelines, as the run begins
  std::function<float()> loss{};    // of the next step, where somebody computes it; may be empty
};

class TimedTraining final : LightningParts {
 public:
  // Throws Error for what resolved_step() refuses, and RESOURCE_EXHAUSTED where HBM is too small.
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
  // Steps that send as many scalars of their own as the newest; all_steps where all do.
  std::int64_t steps_alike_ahead() const;
  const std::string& model_name() const { return step_now().request.model; }
  std::int64_t parameters() const { return step_now().work.parameters(); }
  const Mesh& mesh() const { return step_now().mesh; }
  const ResolvedStep& step_now() const { return programs_->step(); }
  const Machine& machine() const override { return simulator_.machine(); }
  const std::vector<DeviceGroup>& groups() const { return simulator_.groups(); }
  const std::vector<StepRecord>& records() const { return records_; }
  Picoseconds now() const { return simulator_.now(); }
  std::vector<Picoseconds> clocks() const { return simulator_.clocks(); }
  // What was held at most so far, of a step at least.
  ForecastMemory memory() const;
  Bytes hbm_used() const { return memory().total(); }

 private:
  static LoopPlan plan_of(const TimedOptions& options, const TimedPrograms& programs);
  const Habits& habits() const override { return options_.habits; }
  std::int64_t batch() const override { return programs_->batch(); }
  void begin(StepKind kind, std::int64_t rows) override;
  StepTimeline end() override;
  void load_training(std::int64_t first, std::int64_t rows) override;
  void load_validation(std::int64_t first, std::int64_t rows) override;
  void cut_nothing() override { events_.push_back({.kind = EventKind::mark_step}); }
  void trace_forward() override;
  void trace_backward() override;
  void read_batch_loss(const std::string& reader) override;
  void hold_sums() override;
  void cut_update() override;
  void save() override;
  void read_loss() override;
  std::optional<float> loss() const override;
  void begin_validation(bool apart) override;
  void trace_validation() override;
  void cut_validation() override;
  double end_validation(std::int64_t rows, bool reads) override;
  void check_length(std::int64_t batches) override;
  StepTimeline restart() override;
  std::int64_t kept(std::int64_t rows) const;  // of all devices
  bool lengths_vary() const;
  std::int64_t tokens_now() const;  // as in ProgramKind
  RowShare row_now();
  void add_batch(std::int64_t rows);
  void add_trace(std::int64_t ops);
  void add_upload(Bytes bytes);
  void add_read(Bytes received);  // of a value, by the host
  void add_program(const ProgramKind& kind, const std::string& name);
  bool trains() const;
  bool sends_scalars() const;
  OptimizerOptions optimizer() const { return {.kind = *step_now().request.optimizer}; }
  void send_scalars();
  void add_fallback();
  std::int64_t losses_of_device() const;
  using CallsOf = CallCounts StepCalls::*;
  void count_calls(std::initializer_list<CallsOf> parts);

  ProgramCache& cache_;
  Metrics& metrics_;
  Simulator simulator_;
  TimedOptions options_;
  std::shared_ptr<TimedPrograms> programs_;
  Loop loop_;
  int process_ = 0;
  SentScalars sent_scalars_;         // of the optimizer; a program's constants go unsaid
  bool has_state_ = false;           // the optimizer's, which the first step makes
  std::int64_t most_validated_ = 0;  // batches in one graph
  // Of what is under way: its record so far, its events, and what the next program holds.
  StepRecord record_{};
  std::vector<Event> events_;
  ProgramKind kind_{};
  bool pending_ = false;  // a batch whose trace no cut has ended
  std::vector<CompileNotice> notices_;
  std::vector<StepRecord> records_;
  RecentEvents recent_events_;
  std::function<float()> loss_;
};

}  // namespace tpulab

// One run: its steps, its meter and what there is to say about it.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/session/run/lead.h"
#include "engine/session/run/meter.h"
#include "engine/session/run/output_log.h"
#include "engine/session/run/prediction.h"
#include "engine/session/run/replay.h"
#include "engine/session/run/run_record.h"
#include "engine/session/run/stepper.h"
#include "engine/session/run/timeline_log.h"
#include "engine/session/settings/plan.h"

namespace tpulab {

class Run {
 public:
  // Throws Error for settings that do not fit together. `from`: where it goes on, null at the
  // beginning.
  Run(std::int64_t number, const Settings& settings, ProgramCache& cache, WorkerPool& workers,
      Metrics& metrics, OutputLog& log, const TrainerState* from = nullptr);

  // One step or one evaluation; tells the log what happened. Throws Error, also for a loss that is
  // no finite number.
  void advance();
  bool done() const { return steps_.done(); }
  // The summary sets it beside what was reached, unless settings change meanwhile.
  void expect(std::optional<Prediction> prediction) { prediction_ = std::move(prediction); }
  // At its end it is set beside a kept run, unless that is null.
  void repeats(std::shared_ptr<const RunRecord> again) { again_ = std::move(again); }
  // Where it goes on from a checkpoint: its file, by which it can be told to do so again.
  void came_from(std::string file) { from_file_ = std::move(file); }
  // What all wait for is not told: somebody shall find it.
  void keep_quiet() { told_slow_ = true; }
  // Sets the record of this run, which has ended, beside the one that it repeats.
  void say_repeated(const RunRecord& now) const;
  // Takes the named settings over, between steps; what this run cannot follow is refused in the
  // log.
  void change(const Settings& settings, std::span<const std::string> names);
  void set_state(RunState state);
  RunState state() const { return state_; }
  void fail(const std::exception& error);
  void add_wall_time(std::chrono::duration<double> time) { wall_ += time; }
  // Of the pace, which only slows the run down to be watched.
  void add_pause(std::chrono::duration<double> time) { pauses_ += time; }
  // Ends with what was reached, where the time went and what it was worth.
  void summarise() const;

  // Where it stands between two steps, as the text of a file. Throws Impossible where it has no
  // weights, has failed, or is too large.
  std::string checkpoint() const;
  bool resumed() const { return from_step_ > 0; }
  bool has_weights() const { return steps_.trainer() != nullptr && settings_.numbers; }

  std::int64_t number() const { return number_; }
  const Settings& settings() const { return settings_; }
  Picoseconds tpu_time() const { return steps_.now(); }
  std::int64_t step() const { return steps_.step(); }
  const Stepper& steps() const { return steps_; }

  RunView view() const;
  std::vector<CoreView> cores() const;
  StripView strip() const;
  std::shared_ptr<const RunTimeline> timeline() const { return timeline_.timeline(); }
  RunRecord record() const;
  RunCurves curves() const;
  const Meter& meter() const { return meter_; }

 private:
  std::chrono::duration<double> elapsed() const { return wall_ + pauses_; }
  bool computes_one_device() const;
  std::int64_t computed_samples() const;
  void announce() const;
  void announce_slowness() const;
  void announce_restored() const;
  void announce_sampler(const Trainer& trainer) const;
  void announce_timed(const TimedTraining& timed) const;
  void announce_processes() const;
  void check_loss(const StepReport& report) const;
  CoreView working_core(std::size_t group) const;
  void say(std::string text, std::string event, std::vector<EventField> fields) const;
  void say_result() const;
  void say_clocks() const;
  void say_cores() const;
  void say_bound() const;
  std::optional<ColdRun> from_cold() const;  // none of a run too long to be kept
  void say_prediction() const;
  void tell_restart(const StepReport& report);
  void tell_compiles(const StepReport& report);
  void tell_fallbacks(const StepReport& report);
  void tell_slow_part();
  bool tell_slow_link() const;     // whether there is one to tell
  bool tell_slow_devices() const;  // the same
  void tell_epoch(const StepReport& report) const;
  void look_at_bounds();
  ToldRecords records_that_bind() const;
  Binding bound_now() const;
  bool compiles_most() const;  // of the newest steps
  SlowPart slow_now() const;

  std::int64_t number_;
  Settings settings_;
  std::uint64_t contents_;  // of its model's file, as it began
  // What is said of them, asked once: files of models may be gone while a run goes on.
  struct Words {
    std::string batch, precision, products, peak;
    bool epochs = false;
  };
  static Words words_of(const Settings& settings);
  Words words_;
  OutputLog& log_;
  Lead lead_;
  Stepper steps_;
  Meter meter_;
  TimelineLog timeline_;
  RunState state_ = RunState::training;
  std::string failure_;
  bool impossible_ = false;  // it is what the hardware or the stack cannot do
  std::optional<Prediction> prediction_;
  std::shared_ptr<const RunRecord> again_;
  Binding bound_;                  // of RunView, found anew every few steps
  bool compiled_most_ = false;     // when that was looked at
  SlowPart slow_;                  // the same
  std::int64_t began_ = 0;         // seconds since 1970, UTC
  std::string changed_;            // of RunView
  std::int64_t from_step_ = 0;     // the same
  std::string from_file_;          // the same
  std::uint64_t from_digest_ = 0;  // the same
  // When and where the first step that compiled nothing ended.
  std::optional<std::pair<std::int64_t, std::chrono::duration<double>>> first_warm_;
  std::int64_t alike_since_ = 0;            // the step from which all do the same
  std::chrono::duration<double> wall_{};    // that the numbers took
  std::chrono::duration<double> pauses_{};  // of the pace
  std::vector<AccuracyPoint> accuracies_;
  std::vector<std::string> told_;  // fallback ops the log has named already
  bool told_slow_ = false;         // and what the others wait for
};

}  // namespace tpulab

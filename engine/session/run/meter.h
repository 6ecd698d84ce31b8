// Adds up what the steps of a run did, into the figures that people read.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "engine/base/random_bits.h"
#include "engine/session/run/phase_time.h"
#include "engine/session/run/steady_steps.h"
#include "engine/session/snapshot.h"
#include "engine/training/trainer.h"

namespace tpulab {

// A `group` is as in SteadySteps.
class Meter {
 public:
  void add(const StepReport& report);
  // In the place of those so far; none where what steps do has changed.
  void set_steady(SteadySteps steps) { steady_ = std::move(steps); }

  // Shares of the device over the newest 16 steps; all of them idle before the first step.
  Shares recent_shares(std::size_t group = 0) const;
  int recent_steps() const;  // how many of these, at most 16, train
  // Unpadded matrix operations over bf16 peak, of one device.
  double recent_utilisation(const Machine& machine, std::size_t group = 0) const;
  std::vector<float> duty_history(std::size_t group = 0) const;
  // What was added so far, and as if what came since had come `times` more.
  struct Totals;
  Totals totals() const;
  void add_again(const Totals& before, std::int64_t times);
  void add_again(const StepTimeline& step, std::int64_t times);
  double rate_with_compile(Picoseconds tpu_time) const;
  const SteadySteps& steady() const { return steady_; }
  std::int64_t samples() const { return samples_; }
  // Without what they compiled.
  const Evaluations& evaluations() const { return evaluations_; }

  const CompileView& compiles() const { return compiles_; }
  std::vector<FallbackRow> fallbacks() const;  // most time first
  const std::vector<LossPoint>& losses() const { return losses_; }
  const std::deque<StepTimeline>& window() const { return window_; }
  double newest_loss() const { return newest_loss_; }
  // A hash of the bits of every loss, in order: two runs that agree had the same ones.
  std::uint64_t hash_of_losses() const { return hash_of_losses_.value; }
  double newest_accuracy() const { return newest_accuracy_; }

 private:
  SteadySteps::Sum recent(std::size_t group) const;
  void count_compiles(const StepReport& report);
  bool comes_again(const Event& compile, std::int64_t step);
  void count_fallbacks(const StepTimeline& step);
  void keep_loss(double step, float loss);

  std::deque<StepTimeline> window_;  // the newest 64 steps
  SteadySteps steady_;
  std::int64_t samples_ = 0;
  Evaluations evaluations_;
  CompileView compiles_;
  std::map<std::string, std::int64_t> seen_;  // programs by name: the step of the first compile
  std::map<std::string, FallbackRow> fallbacks_;
  std::vector<LossPoint> losses_;
  std::int64_t loss_stride_ = 1;
  std::int64_t losses_seen_ = 0;
  Fnv hash_of_losses_;
  double newest_loss_ = std::nan("");
  double newest_accuracy_ = std::nan("");
};

struct Meter::Totals {
  std::vector<SteadySteps::Sum> steady;
  std::int64_t samples = 0;
  Evaluations evaluations;
};

}  // namespace tpulab

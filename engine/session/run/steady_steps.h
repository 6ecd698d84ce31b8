// Training steps that compiled nothing, since what steps do changed last; without the first, which
// fills pipelines, without those that took batches which slow loaders had made ready while a
// program compiled, and without the wait for devices that validate longer: that belongs to none.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/machine/machine.h"
#include "engine/runtime/evaluation_wait.h"
#include "engine/runtime/simulate.h"
#include "engine/session/snapshot.h"

namespace tpulab {

// What the slowest host's loader needs for the batch of a step, in the background; 0 where none is
// taken.
Picoseconds batch_time(const StepTimeline& step);

// A `group` is one of the simulator's groups of devices; 0 is the largest.
class SteadySteps {
 public:
  // Of steps of one group of devices.
  struct Sum {
    std::array<Picoseconds, share_count> shares{};
    std::array<Picoseconds, share_count> host{};  // at work; its loaders, as input
    Picoseconds time{};
    std::int64_t steps = 0;
    std::int64_t samples = 0;
    RowShare rows{0, 0};  // of all samples
    double useful = 0;    // operations; many steps of a large model are more than 63 bits hold

    void add(const StepTimeline& step, std::size_t group, std::int64_t times);
    // As if what came since `before` had come `times` more.
    void add_again(const Sum& before, std::int64_t times);
    void leave_out(Share share, Picoseconds part);
    Shares fractions() const;  // all of it idle where nothing was added
    double utilisation(const Machine& machine) const;
  };

  // Nothing if it is none of them, and whether it is one.
  bool add(const StepTimeline& step, std::int64_t times = 1);
  void add_again(const std::vector<Sum>& before, std::int64_t times);
  const std::vector<Sum>& sums() const { return sums_; }  // a group each

  Shares shares(std::size_t group = 0) const;
  // What a device of the group waits for others in collectives, in a step, in the mean.
  Picoseconds wait(std::size_t group) const;
  // In a step, in the mean: what hosts and loaders do while devices do something else. A host that
  // waits for a value does nothing.
  std::array<Picoseconds, share_count> beside() const;
  // Unpadded matrix operations over bf16 peak, of one device.
  double utilisation(const Machine& machine, std::size_t group = 0) const;
  double duty_cycle(std::size_t group = 0) const;
  // What follows is told alone, steps that live on what loaders had ready, too.
  void forget();
  bool left_out() const { return left_out_; }  // some were, as they live on a lead
  double rate() const;                         // samples per second of TPU time
  RowShare row() const;                        // of a sample, in the mean
  // In the mean, as all figures here; 0: none.
  Picoseconds step_time(std::size_t group = 0) const;

 private:
  Sum sum(std::size_t group) const;
  bool counts(const StepTimeline& step);

  std::vector<Sum> sums_;
  EvaluationWait evaluation_wait_;
  // What came since the last compile, or the beginning, lives on batches that were ready then.
  bool on_lead_ = true;
  bool counts_lead_ = false;
  bool filled_ = false;  // the first step has, which compiles where programs are not there yet
  bool left_out_ = false;
};

}  // namespace tpulab

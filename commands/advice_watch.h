// The one change that helps a run most, worked out beside it before anybody asks.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "commands/command.h"

namespace tpulab {

class AdviceWatch {
 public:
  // `wake` is called from a thread of the watch when there is something new.
  AdviceWatch(const Engine& engine, std::function<void()> wake);

  // With each new snapshot or setting; never blocks. Once a run has some steps its evidence is
  // looked at; what was found of other settings counts no more.
  void look(const Snapshot& now, const Settings& settings);
  // Nothing is said of this run, nor of those before it: a lesson or another run has left it.
  void pass_over(std::int64_t run) { passed_over_ = std::max(passed_over_, run); }
  // "bound: host tracing, saves 91 % if free -> batch 128: +179 % samples/s", without the saving,
  // or the bound, where that is longer than `columns`, and without the change, which `advise` then
  // names, where that alone is; "... samples/s with compile" of what spares
  // the run most of its compiles; that a change changes what is learned where that has room, before
  // what binds has; "core 5 takes 3x as long as the others -> `straggler none` mends
  // it: ..." of a part of the machine. Empty where nothing that was tried helps by 5 %, where the
  // next run would take other steps, and while what is left of a run would gain less than the
  // compile that a change needs.
  std::string line(const Snapshot& now, int columns) const;
  // What sets it, "batch 128"; empty without a line.
  std::string take() const;
  // `change`, as take() gave it, was applied: the summary of a run with it tells what came of it.
  void promise(std::string_view change, CommandContext& context) const;

 private:
  struct Found {
    std::mutex mutex;
    bool working = false;
    std::int64_t about = 0;  // which look it answers
    std::optional<Advice> advice;
  };
  bool repays(const Remedy& remedy) const;
  std::optional<std::size_t> best(const Advice& advice) const;
  std::optional<Advice> advice() const;

  const Engine& engine_;
  std::function<void()> wake_;
  std::shared_ptr<Found> found_ = std::make_shared<Found>();
  std::int64_t looks_ = 0;
  std::int64_t asked_ = 0;  // the look that was last worked on
  std::int64_t passed_over_ = 0;
  std::string run_;  // what it is about
  Settings settings_;
  std::int64_t since_step_ = 0;
  bool goes_on_ = false;        // the run, for a number of steps that is known
  bool compiles_bind_ = false;  // it, or took most of it
  Picoseconds left_{};          // of its steps, TPU time
  Picoseconds one_compile_{};   // on average
  std::jthread thread_;         // the last member: it ends first
};

}  // namespace tpulab

// A run of several processes: the one with the prompt tells the others what its run does, and they
// do the same, so that each is where all are when they meet in a sum.
#pragma once

#include <functional>
#include <string>

#include "engine/base/peers.h"
#include "engine/session/settings/settings.h"
#include "engine/training/checkpoint.h"
#include "engine/training/trainer.h"

namespace tpulab {

// Throws Error unless each of the processes can own as many consecutive cores. Null: none do.
void check_can_share(const Settings& settings, const Peers* peers);

// What it tells, the word before what belongs to it.
namespace told {
inline constexpr std::string_view begin = "begin";    // settings
inline constexpr std::string_view resume = "resume";  // a checkpoint
inline constexpr std::string_view begun = "begun";    // all say whether they could
inline constexpr std::string_view advance = "advance";
inline constexpr std::string_view change = "change";  // settings
inline constexpr std::string_view leave = "leave";
}  // namespace told

// Says nothing without peers, and of a run without numbers, which is rank 0's alone.
class Lead {
 public:
  // A run begins, or goes on from there.
  Lead(Peers* peers, const Settings& settings, const TrainerState* from);

  // Once it has begun here. Throws Error in the words of a process that could not.
  void begun();
  // The others do what `step` does here. What only this one meets ends all of them.
  StepReport advance(const std::function<StepReport()>& step);
  void change(const Settings& settings);
  // 1 where the run is this process's alone.
  int processes() const { return peers_ != nullptr ? peers_->size() : 1; }

 private:
  void tell(std::string_view word, const std::string& rest = {});

  Peers* peers_;
};

}  // namespace tpulab

// The programs that a run of a named network hands to the devices, each made where it is first
// asked for.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "engine/forecast/step_program.h"

namespace tpulab {

// Forward and backward: what such a turn computes is fused with the losses, and takes no time.
inline constexpr int ops_of_a_turn = 2;

struct ProgramKind {
  enum class Part : std::uint8_t {
    step,
    loss,        // what loss.item() needs
    sums,        // gradients of a batch that the step takes up later
    evaluation,  // right answers of batches
    length,      // whether a loader has no batch, and whether it has one
  };
  Part part = Part::step;
  std::int64_t rows = 0;    // of all devices, in the last batch; of a length 0 or 1
  std::int64_t tokens = 0;  // of each row; 0: as many as the network reads
  std::int64_t before = 0;  // whole batches before it, in the same graph
  bool held = false;        // takes up sums of gradients
  bool state = false;       // finds optimizer state that another program has made
  std::int64_t turns = 0;   // of a script's loop over the losses of each batch
  bool keeps = false;       // the losses of the last batch are a result, too
  bool operator==(const ProgramKind&) const = default;
};

// Runs that are alike share them, from any thread.
class TimedPrograms {
 public:
  explicit TimedPrograms(std::shared_ptr<const ResolvedStep> step);  // with a whole batch

  const ResolvedStep& step() const { return *step_; }
  std::int64_t batch() const { return batch_; }  // rows of all devices
  // The step whose batch has so many rows on all devices, of so many tokens. Throws Error.
  const ResolvedStep& step_of(std::int64_t rows, std::int64_t tokens, const Machine& machine);
  std::shared_ptr<const Program> of(const ProgramKind& kind, const Machine& machine);
  // Of a step of a network.
  const StepCalls& calls(const Machine& machine);

 private:
  const ResolvedStep& shorter(std::int64_t rows, std::int64_t tokens, const Machine& machine);
  Program made(const ProgramKind& kind, const Machine& machine);
  int nodes(const ProgramKind& kind, const Machine& machine) const;

  std::shared_ptr<const ResolvedStep> step_;
  std::int64_t batch_ = 0;
  std::mutex mutex_;                                                       // of what follows
  std::map<std::pair<std::int64_t, std::int64_t>, ResolvedStep> shorter_;  // by rows and tokens
  std::vector<std::pair<ProgramKind, std::shared_ptr<const Program>>> programs_;
  std::optional<StepCalls> calls_;
};

}  // namespace tpulab

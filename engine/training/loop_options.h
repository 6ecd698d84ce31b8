// What Lightning's Trainer arguments say of its loop: how much of an epoch is seen, and when it is
// validated.
#pragma once

#include <cstdint>

#include "engine/base/portion.h"

namespace tpulab {

// A host that its owner takes back behind that step, and with it the whole slice. 0: none is.
struct Preemption {
  int host = 0;
  std::int64_t step = 0;
  bool operator==(const Preemption&) const = default;
};

enum class Clip : std::uint8_t { norm, value };

struct LoopOptions {
  Portion train_batches{};          // limit_train_batches
  Portion val_batches{};            // limit_val_batches
  bool in_order = false;            // overfit_batches: no shuffling
  Portion check_interval{};         // val_check_interval: batches between validations
  std::int64_t check_epochs = 1;    // check_val_every_n_epoch; 0: batches of all epochs count
  std::int64_t sanity_batches = 2;  // num_sanity_val_steps, -1: all
  std::int64_t accumulate = 1;      // batches whose gradients one optimizer step sums
  double clip_at = 0;               // gradient_clip_val, 0: never
  Clip clip = Clip::norm;
  std::int64_t save_every = 0;  // steps between two checkpoints; 0: one behind each epoch
  Preemption preemption{};
  bool operator==(const LoopOptions&) const = default;
};

}  // namespace tpulab

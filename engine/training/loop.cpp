// Where a run stands in Lightning's loop, and what comes next.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/training/trainer.h"

namespace tpulab {

// Lightning's words for portions that leave nothing, or lie outside an epoch.
void Trainer::check_loop() const {
  const std::int64_t batches = batches_in(train_sampler_.rows_per_core());
  const LoopOptions& loop = options_.loop;
  if (train_batches() == 0 && batches > 0) {
    throw Error(fmt::format(
        "You requested to check {} of the `train_dataloader` but {} * {} < 1. Please increase the "
        "`limit_train_batches` argument. Try at least `limit_train_batches={:.3g}`",
        loop.train_batches.share, loop.train_batches.share, batches,
        1.0 / static_cast<double>(batches)));
  }
  if (loop.check_interval.count > train_batches()) {
    throw Error(fmt::format(
        "`val_check_interval` ({}) must be less than or equal to the number of the training "
        "batches ({}). If you want to disable validation set `limit_val_batches` to 0.0 instead",
        loop.check_interval.count, train_batches()));
  }
}

bool Trainer::done() const {
  const bool enough_epochs = options_.max_epochs >= 0 && epoch_ >= options_.max_epochs;
  // What is due is evaluated even where the step limit falls on it.
  const bool enough_steps =
      options_.max_steps >= 0 && step_ >= options_.max_steps && !evaluation_due();
  return enough_epochs || enough_steps;
}

void Trainer::begin_epoch() {
  ++epoch_;
  cursor_ = 0;
  checks_ = 0;
  if (runtime_.numbers()) train_sampler_.begin_epoch(epoch_);
}

void Trainer::skip(std::int64_t steps) {
  step_ += steps;
  epoch_ += steps / steps_per_epoch();
}

std::int64_t Trainer::batches_in(std::int64_t rows) const {
  return options_.drop_last ? rows / options_.batch : (rows + options_.batch - 1) / options_.batch;
}

std::int64_t Trainer::train_batches() const {
  return options_.loop.train_batches.of(batches_in(train_sampler_.rows_per_core()));
}

std::int64_t Trainer::batches_seen() const {
  return (cursor_ + options_.batch - 1) / options_.batch;
}

std::int64_t Trainer::steps_in(std::int64_t rows) const {
  const std::int64_t together = options_.loop.accumulate;
  return (batches_in(rows) + together - 1) / together;
}

std::int64_t Trainer::steps_per_epoch() const { return steps_in(rows_of_epoch()); }

std::int64_t Trainer::planned_steps() const {
  std::int64_t planned = 0;
  if (options_.max_epochs >= 0) {
    const std::int64_t this_epoch = steps_in(rows_left());
    const std::int64_t more = std::max<std::int64_t>(options_.max_epochs - epoch_ - 1, 0);
    planned = epoch_ >= options_.max_epochs ? step_ : step_ + this_epoch + more * steps_per_epoch();
  }
  if (options_.max_steps >= 0) {
    planned = options_.max_epochs >= 0 ? std::min(planned, options_.max_steps) : options_.max_steps;
  }
  return planned;
}

std::int64_t Trainer::rows_of_epoch() const {
  return std::min(train_sampler_.rows_per_core(), train_batches() * options_.batch);
}

std::int64_t Trainer::rows_left() const {
  const std::int64_t left = std::max<std::int64_t>(rows_of_epoch() - cursor_, 0);
  return options_.drop_last ? left / options_.batch * options_.batch : left;
}

bool Trainer::epoch_over() const { return rows_left() == 0; }

std::int64_t Trainer::val_rows(std::int64_t batches) const {
  return std::min(test_sampler_.rows_per_core(), batches * options_.batch);
}

std::int64_t Trainer::val_batches() const {
  const std::int64_t rows = test_sampler_.rows_per_core();
  return options_.loop.val_batches.of((rows + options_.batch - 1) / options_.batch);
}

std::int64_t Trainer::check_interval() const {
  return std::max<std::int64_t>(options_.loop.check_interval.of(train_batches()), 1);
}

bool Trainer::evaluation_due() const {
  if (cursor_ == 0 || val_batches() == 0 || (epoch_ + 1) % options_.loop.check_epochs != 0) {
    return false;
  }
  if (check_interval() >= train_batches()) return epoch_over() && checks_ == 0;
  return batches_seen() / check_interval() > checks_;
}

}  // namespace tpulab

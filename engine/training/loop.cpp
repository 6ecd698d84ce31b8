#include "engine/training/loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/base/error.h"

namespace tpulab {

Loop::Loop(const LoopRows& rows, const LoopPlan& plan, bool sane)
    : rows_(rows), plan_(plan), sane_(sane), begins_sane_(sane) {
  check();
}

void Loop::change(const LoopPlan& plan) {
  Loop changed(rows_, plan, sane_);
  changed.check_epoch();
  changed.step_ = step_;
  changed.epoch_ = epoch_;
  changed.rows_seen_ = rows_seen_;
  changed.begins_sane_ = begins_sane_;
  changed.restarted_ = restarted_;
  changed.saved_ = saved_;
  changed.take_up(checks_, evaluation_due());
  *this = changed;
  begin_epoch_if_over();
}

// Checks count intervals of the plan: what was due stays due, what was done is not done again.
void Loop::take_up(std::int64_t checks, bool due) {
  if (checks_across_epochs() || check_interval() < train_batches()) {
    const std::int64_t intervals = batches_counted() / check_interval();
    checks_ = std::max<std::int64_t>(intervals - (due ? 1 : 0), 0);
  } else if (rows_left() == 0 && !due) {
    checks_ = checks;
  }
}

void Loop::check() const {
  const std::int64_t batches = batches_in(rows_.training);
  const LoopOptions& loop = plan_.options;
  if (train_batches() == 0 && batches > 0 && !loop.train_batches.nothing()) {
    throw Error(fmt::format(
        "You requested to check {0} of the `train_dataloader` but {0} * {1} < 1. Please increase "
        "the `{2}` argument. Try at least `{2}={3:.4g}`",
        loop.train_batches.share, batches,
        loop.in_order ? "overfit_batches" : "limit_train_batches",
        std::ceil(1e4 / static_cast<double>(batches)) / 1e4));
  }
  if (loop.check_interval.count > train_batches() && train_batches() > 0 &&
      !checks_across_epochs()) {
    throw Error(fmt::format(
        "`val_check_interval` ({}) must be less than or equal to the number of the training "
        "batches ({}). If you want to disable validation set `limit_val_batches` to 0.0 instead. "
        "If you want to validate based on the total training batches, set "
        "`check_val_every_n_epoch=None`",
        loop.check_interval.count, train_batches()));
  }
}

bool Loop::done() const {
  if (plan_.options.train_batches.nothing()) return sane_;
  const bool enough_epochs = has_epochs() && plan_.max_epochs >= 0 && epoch_ >= plan_.max_epochs;
  // What is due is evaluated even where the step limit falls on it.
  const bool enough_steps = plan_.max_steps >= 0 && step_ >= plan_.max_steps && !evaluation_due();
  return enough_epochs || enough_steps;
}

void Loop::check_epoch() const {
  if (rows_of_step() > 0 || rows_seen_ > 0 || plan_.options.train_batches.nothing()) return;
  throw Error(fmt::format(
      "no training batches: the {} rows of an epoch fill no batch of {}, and drop_last leaves out "
      "one that is not full; use a smaller batch or drop_last off",
      rows_.training, plan_.batch));
}

std::int64_t Loop::rows_of_step() const {
  return std::min(plan_.options.accumulate * plan_.batch, rows_left());
}

void Loop::stepped(std::int64_t rows) {
  const bool saves = saves_in_step();
  ++step_;
  rows_seen_ += rows;
  begin_epoch_if_over();
  if (saves) saved_ = place();
}

bool Loop::saves_in_step() const {
  const std::int64_t every = plan_.options.save_every;
  return every > 0 && (step_ + 1) % every == 0;
}

bool Loop::restart_ahead() const { return !restarted_ && plan_.options.preemption.step > 0; }

bool Loop::restart_due() const { return restart_ahead() && step_ >= plan_.options.preemption.step; }

void Loop::restarted() {
  restarted_ = true;
  if (saved_.step > 0) return go_on_from(saved_);
  sane_ = begins_sane_;
  step_ = 0;
  epoch_ = 0;
  rows_seen_ = 0;
  checks_ = 0;
}

void Loop::evaluated() {
  checks_ = batches_counted() / check_interval();
  begin_epoch_if_over();
}

void Loop::begin_epoch_if_over() {
  // An epoch of no batches is never trained, so none is over.
  if (plan_.options.train_batches.nothing() || rows_left() > 0 || evaluation_due()) return;
  ++epoch_;
  rows_seen_ = 0;
  if (!checks_across_epochs()) checks_ = 0;
  if (plan_.options.save_every == 0) saved_ = place();
}

void Loop::skip(std::int64_t steps) {
  const bool inside = steps <= whole_steps_left();
  const bool due = evaluation_due();
  step_ += steps;
  restarted_ = restarted_ || restart_due();
  if (inside) {
    rows_seen_ += steps * plan_.options.accumulate * plan_.batch;
    begin_epoch_if_over();
  } else if (has_epochs()) {
    epoch_ += steps / steps_per_epoch();
    if (checks_across_epochs()) take_up(checks_, due);
  }
}

bool Loop::has_epochs() const {
  return rows_.training < rows_without_end || plan_.options.train_batches.count >= 0;
}

std::int64_t Loop::whole_steps_left() const {
  const std::int64_t rows = plan_.options.accumulate * plan_.batch;
  std::int64_t left = rows_left() / rows;
  const bool inside = checks_across_epochs() || check_interval() < train_batches();
  if (val_batches() > 0 && validates_in_this_epoch() && inside) {
    const std::int64_t next = (checks_ + 1) * check_interval() - batches_counted();
    left = std::min(left, next / plan_.options.accumulate);
  }
  const std::int64_t planned = planned_steps();
  return std::max<std::int64_t>(planned > 0 ? std::min(left, planned - step_) : left, 0);
}

std::int64_t Loop::batches_in(std::int64_t rows) const {
  return plan_.drop_last ? rows / plan_.batch : (rows + plan_.batch - 1) / plan_.batch;
}

std::int64_t Loop::train_batches() const {
  return plan_.options.train_batches.of(batches_in(rows_.training));
}

std::int64_t Loop::batches_seen() const { return (rows_seen_ + plan_.batch - 1) / plan_.batch; }

bool Loop::validates_in_this_epoch() const {
  return checks_across_epochs() || (epoch_ + 1) % plan_.options.check_epochs == 0;
}

std::int64_t Loop::batches_counted() const {
  return batches_seen() + (checks_across_epochs() ? epoch_ * train_batches() : 0);
}

// Where batches of all epochs count, until an epoch ends with a validation again.
std::int64_t Loop::epochs_per_period() const {
  if (!checks_across_epochs()) return plan_.options.check_epochs;
  return check_interval() / std::gcd(check_interval(), train_batches());
}

bool Loop::refreshes_bar(std::int64_t every, std::int64_t rows) const {
  const std::int64_t batches = (rows_seen_ + rows + plan_.batch - 1) / plan_.batch;
  return batches % every == 0 || batches == train_batches();
}

std::int64_t Loop::quiet_steps(std::int64_t every) const {
  const std::int64_t seen = batches_seen();
  const std::int64_t together = plan_.options.accumulate;
  if (seen % every < together) return 0;
  const std::int64_t next = std::min((seen / every + 1) * every, train_batches());
  return std::max<std::int64_t>(next - seen - 1, 0) / together;
}

std::int64_t Loop::steps_in(std::int64_t rows) const {
  const std::int64_t together = plan_.options.accumulate;
  return (batches_in(rows) + together - 1) / together;
}

std::int64_t Loop::planned_steps() const {
  std::int64_t planned = 0;
  const bool counts = has_epochs() && plan_.max_epochs >= 0;
  if (counts) {
    const std::int64_t this_epoch = steps_in(rows_left());
    const std::int64_t more = std::max<std::int64_t>(plan_.max_epochs - epoch_ - 1, 0);
    planned = epoch_ >= plan_.max_epochs ? step_ : step_ + this_epoch + more * steps_per_epoch();
  }
  if (plan_.max_steps >= 0) {
    planned = counts ? std::min(planned, plan_.max_steps) : plan_.max_steps;
  }
  return planned;
}

std::int64_t Loop::rows_of_epoch() const {
  return std::min(rows_.training, train_batches() * plan_.batch);
}

std::int64_t Loop::rows_trained(std::int64_t rows) const {
  return plan_.drop_last ? rows / plan_.batch * plan_.batch : rows;
}

std::int64_t Loop::rows_left() const {
  return rows_trained(std::max<std::int64_t>(rows_of_epoch() - rows_seen_, 0));
}

std::int64_t Loop::val_rows(std::int64_t batches) const {
  return std::min(rows_.validation, batches * plan_.batch);
}

std::int64_t Loop::val_batches() const {
  return plan_.options.val_batches.of((rows_.validation + plan_.batch - 1) / plan_.batch);
}

std::int64_t Loop::sanity_batches() const {
  const std::int64_t asked = plan_.options.sanity_batches;
  return asked < 0 ? val_batches() : std::min(asked, val_batches());
}

std::int64_t Loop::check_interval() const {
  if (checks_across_epochs()) return std::max<std::int64_t>(plan_.options.check_interval.count, 1);
  return std::max<std::int64_t>(plan_.options.check_interval.of(train_batches()), 1);
}

bool Loop::evaluation_due() const {
  if (rows_seen_ == 0 || val_batches() == 0 || !validates_in_this_epoch()) return false;
  if (!checks_across_epochs() && check_interval() >= train_batches()) {
    return rows_left() == 0 && checks_ == 0;
  }
  return batches_counted() / check_interval() > checks_;
}

void Loop::go_on_from(const LoopPlace& place) {
  step_ = place.step;
  epoch_ = place.epoch;
  rows_seen_ = place.rows_seen;
  saved_ = place;
  restarted_ = restarted_ || restart_due();
  // One may be due, unless another plan counted otherwise.
  const std::int64_t all = batches_counted() / check_interval();
  take_up(place.checks, place.checks < all && place.checks >= all - plan_.options.accumulate);
  sane_ = true;
  begin_epoch_if_over();
}

}  // namespace tpulab

// Lightning's loop: where a run stands in its epochs, and what comes next. Counts rows, of one
// device in the trainer and of all in timed training, batches and steps; knows neither graph nor
// runtime.
#pragma once

#include <cstdint>
#include <limits>

#include "engine/training/loop_options.h"

namespace tpulab {

// Of data whose length nobody knows: an epoch of it does not end.
inline constexpr std::int64_t rows_without_end = std::numeric_limits<std::int64_t>::max() / 4;

struct LoopRows {
  std::int64_t training = rows_without_end;
  std::int64_t validation = 0;
};

struct LoopPlan {
  std::int64_t batch = 32;       // rows, of as many devices as LoopRows
  std::int64_t max_epochs = -1;  // -1: no limit
  std::int64_t max_steps = -1;   // -1: no limit
  bool drop_last = false;
  LoopOptions options{};
};

// Between two steps.
struct LoopPlace {
  std::int64_t step = 0;
  std::int64_t epoch = 0;
  std::int64_t rows_seen = 0;  // of this epoch
  std::int64_t checks = 0;     // evaluations of this epoch; of all, where these count batches
  bool operator==(const LoopPlace&) const = default;
};

class Loop {
 public:
  // `sane`: Lightning's sanity check does not come first. Throws Error, in Lightning's words, for
  // portions that leave nothing, or lie outside an epoch.
  Loop(const LoopRows& rows, const LoopPlan& plan, bool sane);
  // From the next step on; an epoch that is over under the new plan ends. Throws Error, and goes on
  // as it was, for a plan that Loop() refuses or that leaves an epoch no batch.
  void change(const LoopPlan& plan);

  bool done() const;
  bool sanity_check_due() const { return !sane_; }
  bool evaluation_due() const;
  // Throws Error where an epoch has no batch.
  void check_epoch() const;
  // Rows of the next step, of all batches that it sums.
  std::int64_t rows_of_step() const;
  // The processes are lost now, before the next step.
  bool restart_due() const;
  bool restart_ahead() const;  // or due
  const Preemption& preemption() const { return plan_.options.preemption; }
  // What was due is over; each begins the next epoch where this one is.
  void sanity_checked() { sane_ = true; }
  void evaluated();
  void stepped(std::int64_t rows);
  // Goes on from saved(); from the beginning, sanity check included, where nothing was saved.
  void restarted();
  // As if so many steps had gone by: those of whole batches that are left, or whole epochs.
  void skip(std::int64_t steps);

  LoopPlace place() const { return {step_, epoch_, rows_seen_, checks_}; }
  // Goes on from there, without a sanity check, as Lightning does.
  void go_on_from(const LoopPlace& place);

  // Where its newest checkpoint stands, as Lightning's ModelCheckpoint makes them.
  LoopPlace saved() const { return saved_; }
  bool just_saved() const { return step_ > 0 && saved_ == place(); }
  bool saves_in_step() const;  // behind the step under way, in the middle of an epoch
  std::int64_t step() const { return step_; }
  std::int64_t epoch() const { return epoch_; }
  std::int64_t rows_seen() const { return rows_seen_; }  // of this epoch
  // Data without end has epochs where limit_train_batches counts them.
  bool has_epochs() const;
  // Of all steps of an epoch; 0 where there are none.
  std::int64_t rows_per_epoch() const { return has_epochs() ? rows_trained(rows_of_epoch()) : 0; }
  std::int64_t steps_per_epoch() const { return has_epochs() ? steps_in(rows_of_epoch()) : 0; }
  // Until epochs and their evaluations come round again; 0 where there are none.
  std::int64_t steps_per_period() const { return steps_per_epoch() * epochs_per_period(); }
  // Steps of whole batches before the next evaluation, the end of the epoch or the last step.
  std::int64_t whole_steps_left() const;
  // Optimizer steps of the whole run, 0 if there is no limit.
  std::int64_t planned_steps() const;
  std::int64_t train_batches() const;
  std::int64_t val_batches() const;
  std::int64_t sanity_batches() const;
  // Rows of so many batches of validation.
  std::int64_t val_rows(std::int64_t batches) const;
  // Whether a bar that is refreshed every so many batches is so behind `rows` more of this epoch.
  bool refreshes_bar(std::int64_t every, std::int64_t rows) const;
  // Steps before the next that refreshes such a bar; 0 if the newest did.
  std::int64_t quiet_steps(std::int64_t every) const;

 private:
  void check() const;
  // Evaluations that another plan may have counted, of which one may be due.
  void take_up(std::int64_t checks, bool due);
  std::int64_t batches_in(std::int64_t rows) const;
  std::int64_t steps_in(std::int64_t rows) const;
  std::int64_t rows_of_epoch() const;
  std::int64_t rows_trained(std::int64_t rows) const;  // without those that drop_last leaves out
  std::int64_t rows_left() const;
  std::int64_t batches_seen() const;
  // val_check_interval counts the batches of all epochs.
  bool checks_across_epochs() const { return plan_.options.check_epochs == 0; }
  bool validates_in_this_epoch() const;
  std::int64_t batches_counted() const;  // those in which check_interval() is counted
  std::int64_t check_interval() const;
  std::int64_t epochs_per_period() const;
  void begin_epoch_if_over();

  LoopRows rows_;
  LoopPlan plan_;
  bool sane_;
  bool begins_sane_;
  bool restarted_ = false;
  LoopPlace saved_{};
  std::int64_t step_ = 0;
  std::int64_t epoch_ = 0;
  std::int64_t rows_seen_ = 0;
  std::int64_t checks_ = 0;  // as in LoopPlace
};

}  // namespace tpulab

// What Lightning does on XLA, in its order: an optimizer step, an evaluation, the sanity check. Who
// trains says what each part is: arrays and traces (trainer.h), or prices (timed_training.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/machine/machine.h"
#include "engine/runtime/record.h"
#include "engine/runtime/runtime.h"
#include "engine/training/habits.h"
#include "engine/training/loop.h"

namespace tpulab {

// What one step did, an evaluation, or what else comes next.
struct StepReport {
  StepTimeline timeline;
  std::vector<CompileNotice> compiles;
  bool optimizer_step = false;          // else an evaluation, the sanity check, or a restart
  std::optional<float> loss;            // after an optimizer step with numbers: mean over the cores
  std::optional<double> test_accuracy;  // after an evaluation; NaN without numbers
};

// Rows are as the loop counts them.
class LightningParts {
 public:
  virtual ~LightningParts() = default;
  virtual const Machine& machine() const = 0;
  virtual const Habits& habits() const = 0;
  virtual std::int64_t batch() const = 0;  // rows

  // Between them lies all that one report tells.
  virtual void begin(StepKind kind, std::int64_t rows) = 0;
  virtual StepTimeline end() = 0;
  // True if a step like it was remembered, and is told from that: no part of it is asked for.
  virtual bool retell(StepKind, std::int64_t /*rows*/, StepReport&) { return false; }
  virtual void remember() {}

  // `first`: the rows of its portion that lie before it.
  virtual void load_training(std::int64_t first, std::int64_t rows) = 0;
  virtual void load_validation(std::int64_t first, std::int64_t rows) = 0;
  virtual void cut_nothing() = 0;  // a sync where nothing is pending

  // Of the newest batch, what training_step traces, and what its gradients do.
  virtual void trace_forward() = 0;
  virtual void trace_backward() = 0;
  virtual void read_batch_loss(const std::string& reader) = 0;  // cuts what its value needs
  virtual void hold_sums() = 0;   // cuts the gradients of a batch that is not the step's last
  virtual void cut_update() = 0;  // traced, and cut: the step's program
  virtual void save() = 0;
  virtual void read_loss() = 0;                   // of the step, whose program has run
  virtual std::optional<float> loss() const = 0;  // told to people, at no cost

  // `apart`: each batch is a program of its own, which adds to a sum on the device.
  virtual void begin_validation(bool apart) = 0;
  virtual void trace_validation() = 0;  // of the newest batch
  virtual void cut_validation() = 0;    // the newest batch, where they are apart
  // The share of answers that are right; what is not read has not run where nothing was cut.
  virtual double end_validation(std::int64_t rows, bool reads) = 0;
  virtual void check_length(std::int64_t batches) = 0;

  // Goes on from the newest checkpoint, in other processes.
  virtual StepTimeline restart() = 0;

  bool as_lightning() const { return machine().stack->traces_each_step(); }
  // With several devices the loader's next() cuts what is pending.
  bool cuts_batches() const { return as_lightning() && machine().world() > 1; }
  // loss.item() cuts a graph where it stands; a compiled step is cut nowhere.
  bool reads_inside(const Loop& loop) const {
    return as_lightning() && habits().item_inside(loop.step());
  }
  // Behind `rows` more of this epoch.
  bool refreshes_bar(const Loop& loop, std::int64_t rows) const {
    return habits().progress_bar && loop.refreshes_bar(habits().progress_bar_every, rows);
  }
  bool cuts_validation() const {
    return habits().cuts_validation(as_lightning(), machine().world());
  }
};

// One optimizer step, or what else the loop has next. Throws Error.
StepReport next_in_order(LightningParts& parts, Loop& loop);

}  // namespace tpulab

#include "engine/training/lightning.h"

#include <algorithm>
#include <cmath>

namespace tpulab {

namespace {

// Batches, each with a read inside if one is asked for. Nothing is pending behind a step, as the
// optimizer's hook has cut, so the loader's sync of its first batch cuts nothing.
void train_on_batches(LightningParts& parts, const Loop& loop, std::int64_t rows) {
  for (std::int64_t seen = 0; seen < rows;) {
    const std::int64_t taken = std::min(parts.batch(), rows - seen);
    parts.load_training(loop.rows_seen() + seen, taken);
    if (seen == 0 && parts.cuts_batches()) parts.cut_nothing();
    seen += taken;
    parts.trace_forward();
    if (parts.reads_inside(loop)) parts.read_batch_loss("loss.item()");
    parts.trace_backward();
    if (seen == rows) break;
    // Its second read finds the value of the first.
    if (parts.as_lightning() && parts.refreshes_bar(loop, seen)) {
      parts.read_batch_loss(std::string(program_of_bar));
    }
    if (parts.cuts_batches()) parts.hold_sums();
  }
}

// What was asked of a compiled step, between its batches too, is there when it returns.
int reads_behind(const LightningParts& parts, const Loop& loop, std::int64_t rows) {
  int reads = parts.habits().logged_after(loop.step()) ? 1 : 0;
  bool bar = parts.refreshes_bar(loop, rows);
  if (!parts.as_lightning()) {
    if (parts.habits().item_inside(loop.step())) ++reads;
    for (std::int64_t seen = parts.batch(); seen < rows; seen += parts.batch()) {
      bar = bar || parts.refreshes_bar(loop, seen);
    }
  }
  return reads + (bar ? reads_of_a_bar : 0);
}

void train_step(LightningParts& parts, Loop& loop, StepReport& report) {
  const std::int64_t rows = loop.rows_of_step();
  report.optimizer_step = true;
  if (!parts.retell(StepKind::train, rows, report)) {
    parts.begin(StepKind::train, rows);
    train_on_batches(parts, loop, rows);
    parts.cut_update();
    if (loop.saves_in_step()) parts.save();
    for (int read = reads_behind(parts, loop, rows); read > 0; --read) parts.read_loss();
    report.loss = parts.loss();
    report.timeline = parts.end();
    parts.remember();
  }
  loop.stepped(rows);
}

double validate(LightningParts& parts, std::int64_t rows, bool reads) {
  const bool apart = parts.cuts_validation();
  parts.begin_validation(apart);
  for (std::int64_t first = 0; first < rows;) {
    const std::int64_t taken = std::min(parts.batch(), rows - first);
    parts.load_validation(first, taken);
    parts.trace_validation();
    if (apart) parts.cut_validation();
    first += taken;
  }
  return parts.end_validation(rows, reads);
}

// What it validates is not read: where something cuts, evaluation compiles before training; else
// nothing runs. [xla-counts, Lightning]
void check_sanity(LightningParts& parts, Loop& loop, StepReport& report) {
  const std::int64_t batches = loop.val_batches();
  const std::int64_t rows = loop.val_rows(loop.sanity_batches());
  parts.begin(rows > 0 ? StepKind::evaluate : StepKind::check, 0);
  if (rows > 0) {
    parts.check_length(batches);
    validate(parts, rows, false);
  }
  parts.check_length(loop.train_batches());
  if (batches > 0) parts.check_length(batches);
  report.timeline = parts.end();
  loop.sanity_checked();
}

void evaluate(LightningParts& parts, Loop& loop, StepReport& report) {
  report.test_accuracy = std::nan("");
  if (!parts.retell(StepKind::evaluate, 0, report)) {
    parts.begin(StepKind::evaluate, 0);
    report.test_accuracy = validate(parts, loop.val_rows(loop.val_batches()), true);
    report.timeline = parts.end();
    parts.remember();
  }
  loop.evaluated();
}

}  // namespace

StepReport next_in_order(LightningParts& parts, Loop& loop) {
  loop.check_epoch();
  StepReport report;
  if (loop.restart_due()) {
    report.timeline = parts.restart();
    loop.restarted();
  } else if (loop.sanity_check_due()) {
    check_sanity(parts, loop, report);
  } else if (loop.evaluation_due()) {
    evaluate(parts, loop, report);
  } else {
    train_step(parts, loop, report);
  }
  return report;
}

}  // namespace tpulab

// Validation of a named network, in the order and with the cuts of the trainer's.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/forecast/memory.h"
#include "engine/forecast/timed_training.h"

namespace tpulab {

namespace {

using Part = ProgramKind::Part;

Event upload(Bytes bytes) { return {.kind = EventKind::upload, .sent = bytes}; }

void check_batches_fit(const PricedStep& step, std::int64_t batches, const Slice& slice) {
  const ForecastMemory memory = memory_of_validation(step, batches, slice);
  if (memory.fits()) return;
  const Bytes others = memory.total() - memory.validation_rows;
  const Bytes free{std::max<std::int64_t>((memory.limit - others).value, 0)};
  const std::int64_t fit = free.value / std::max<std::int64_t>(step.work.batch.value, 1);
  throw Impossible(
      fmt::format("RESOURCE_EXHAUSTED: one {} validates {} batches in one graph, whose rows need "
                  "{} of HBM, and {} is free; use `sync_validation on`, or limit_val_batches {}",
                  slice.device_word(), text_with_commas(batches), text_of(memory.validation_rows),
                  text_of(free), fit));
}

}  // namespace

// What is validated is not read: where nothing cuts, nothing runs.
void TimedTraining::check_sanity(StepReport& report) {
  const std::int64_t rows = loop_.val_rows(loop_.sanity_batches());
  Events events = begun();
  if (rows > 0) {
    add_length(events);
    add_validation(events, rows, cuts_validation());
  }
  add_length(events);
  if (loop_.val_batches() > 0) add_length(events);
  report.timeline = keep(StepKind::evaluate, 0, std::move(events));
  loop_.sanity_checked();
}

// Lightning asks a loader's length on the device: whether it is 0, and whether it is more.
void TimedTraining::add_length(Events& events) {
  const Bytes integer{bytes_of(machine().stack->integers)};
  events.push_back(upload(integer));
  if (cuts_batches()) return events.push_back(read_back(integer));
  for (const int more : {0, 1}) {
    events.push_back({.kind = EventKind::trace, .count = 1});
    metrics_.count("xla::gt");
    add_program(events, {.part = Part::length, .rows = more}, "length of a loader");
    events.push_back(read_back(Bytes{1}));
  }
}

// A program for each batch where something cuts between them, else one for all.
void TimedTraining::add_validation(Events& events, std::int64_t rows, bool runs) {
  const bool apart = cuts_validation();
  ProgramKind kind{.part = Part::evaluation};
  for (std::int64_t left = rows; left > 0; left -= kind.rows) {
    kind.rows = std::min(programs_->batch(), left);
    add_batch(events, kind.rows);
    events.push_back({.kind = EventKind::trace, .count = step_now().work.forward_ops});
    count_calls({&StepCalls::forward});
    if (apart) {
      add_program(events, kind, "evaluation");
      events.push_back({.kind = EventKind::mark_step});
    } else if (left > kind.rows) {
      ++kind.before;
    }
  }
  if (apart || !runs) return;
  check_batches_fit(step_now(), kind.before + 1, machine().slice);
  most_validated_ = std::max(most_validated_, kind.before + 1);
  add_program(events, kind, "evaluation");
}

void TimedTraining::evaluate(StepReport& report) {
  constexpr Bytes sum{4};
  Events events = begun();
  if (cuts_validation()) events.push_back(upload(sum));
  add_validation(events, loop_.val_rows(loop_.val_batches()), true);
  events.push_back(read_back(sum));
  report.timeline = keep(StepKind::evaluate, 0, std::move(events));
  report.test_accuracy = std::nan("");
  loop_.evaluated();
}

}  // namespace tpulab

// Validation of a named network.
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

constexpr Bytes sum_bytes{4};

void check_batches_fit(const ResolvedStep& step, std::int64_t batches, const Slice& slice) {
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

// Lightning asks a loader's length on the device: whether it is 0, and whether it is more.
void TimedTraining::check_length(std::int64_t) {
  const Bytes integer{bytes_of(machine().stack->integers)};
  add_upload(integer);
  if (cuts_batches()) return add_read(integer);
  for (const int more : {0, 1}) {
    add_trace(1);
    metrics_.count("xla::gt");
    add_program({.part = Part::length, .rows = more}, "length of a loader");
    add_read(Bytes{1});
  }
}

void TimedTraining::begin_validation(bool apart) {
  if (apart) add_upload(sum_bytes);
  kind_ = {.part = Part::evaluation};
  pending_ = false;
}

void TimedTraining::load_validation(std::int64_t, std::int64_t rows) { add_batch(rows); }

void TimedTraining::trace_validation() {
  add_trace(step_now().work.forward_ops);
  count_calls({&StepCalls::forward});
}

void TimedTraining::cut_validation() {
  add_program(kind_, "evaluation");
  events_.push_back({.kind = EventKind::mark_step});
  pending_ = false;
}

double TimedTraining::end_validation(std::int64_t, bool reads) {
  if (!reads) return std::nan("");
  if (pending_) {
    const std::int64_t batches = kind_.before + 1;
    check_batches_fit(step_now(), batches, machine().slice);
    most_validated_ = std::max(most_validated_, batches);
    add_program(kind_, "evaluation");
  }
  add_read(sum_bytes);
  return std::nan("");
}

}  // namespace tpulab

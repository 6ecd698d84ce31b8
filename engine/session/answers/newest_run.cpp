#include "engine/session/answers/newest_run.h"

#include <algorithm>
#include <array>
#include <span>

#include "engine/session/settings/same_steps.h"

namespace tpulab {

namespace {

constexpr std::size_t kept_records = 4096;

// Records come in this order, and no two have the same place.
RecordPlace place_of(const StepRecord& record) {
  constexpr std::array order{StepKind::setup, StepKind::check, StepKind::evaluate, StepKind::train};
  if (record.kind == StepKind::restart) return {record.process, -1, 0};
  const auto kind = std::ranges::find(order, record.kind);
  return {record.process, record.step, static_cast<int>(kind - order.begin())};
}

// Those after the place. The run lets its oldest go, so their number tells nothing.
std::span<const StepRecord> since(const std::optional<RecordPlace>& place,
                                  std::span<const StepRecord> records) {
  if (!place) return records;
  const auto first = std::ranges::upper_bound(records, *place, {}, place_of);
  return records.subspan(static_cast<std::size_t>(first - records.begin()));
}

}  // namespace

void NewestRun::note(std::int64_t number, const Run& run,
                     const std::shared_ptr<const Metrics>& metrics) {
  const std::vector<StepRecord>& records = run.steps().records();
  const std::lock_guard lock(mutex_);
  if (!evidence_ || evidence_->number != number) {
    begin(number, run);
    noted_.reset();
  } else if (!same_steps(evidence_->settings, run.settings())) {
    begin(number, run);
    if (!records.empty()) noted_ = place_of(records.back());
  }
  evidence_->settings = run.settings();
  evidence_->curves = run.curves();
  metrics_ = metrics;
  std::vector<StepRecord>& kept = evidence_->records;
  const auto more = since(noted_, records);
  kept.insert(kept.end(), more.begin(), more.end());
  if (!records.empty()) noted_ = place_of(records.back());
  if (kept.size() < 2 * kept_records) return;
  kept.erase(kept.begin(), kept.end() - static_cast<std::ptrdiff_t>(kept_records));
}

void NewestRun::begin(std::int64_t number, const Run& run) {
  evidence_ = RunEvidence{.number = number,
                          .settings = run.settings(),
                          .machine = run.steps().machine(),
                          .records = {},
                          .counters = {},
                          .curves = {}};
}

void NewestRun::forget() {
  const std::lock_guard lock(mutex_);
  evidence_.reset();
  metrics_.reset();
}

std::optional<RunEvidence> NewestRun::copy() const {
  const std::lock_guard lock(mutex_);
  if (!evidence_) return std::nullopt;
  RunEvidence copied = *evidence_;
  copied.counters = counters_of(metrics_->copy());
  return copied;
}

}  // namespace tpulab

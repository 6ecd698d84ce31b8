#include "engine/session/newest_run.h"

#include <algorithm>

namespace tpulab {

namespace {

constexpr std::size_t kept_records = 4096;

}  // namespace

void NewestRun::note(std::int64_t number, const Run& run,
                     const std::shared_ptr<const Metrics>& metrics) {
  const std::vector<StepRecord>& records = run.steps().records();
  const std::lock_guard lock(mutex_);
  if (!evidence_ || evidence_->number != number) {
    begin(number, run);
    noted_ = 0;
  } else if (evidence_->settings != run.settings()) {
    begin(number, run);
    noted_ = records.size();
  }
  metrics_ = metrics;
  // The run itself lets its oldest go.
  noted_ = std::min(noted_, records.size());
  std::vector<StepRecord>& kept = evidence_->records;
  kept.insert(kept.end(), records.begin() + static_cast<std::ptrdiff_t>(noted_), records.end());
  noted_ = records.size();
  if (kept.size() < 2 * kept_records) return;
  kept.erase(kept.begin(), kept.end() - static_cast<std::ptrdiff_t>(kept_records));
}

void NewestRun::begin(std::int64_t number, const Run& run) {
  evidence_ = RunEvidence{.number = number,
                          .settings = run.settings(),
                          .machine = run.steps().machine(),
                          .records = {},
                          .counters = {}};
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

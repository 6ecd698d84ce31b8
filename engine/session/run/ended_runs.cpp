#include "engine/session/run/ended_runs.h"

#include <utility>

#include "engine/session/run/run.h"

namespace tpulab {

namespace {

constexpr std::size_t kept_records = 64;
constexpr std::size_t kept_losses = 5;
constexpr std::size_t kept_timelines = 2;

}  // namespace

void EndedRuns::add(const Run& run, RunRecord record) {
  auto ended = std::make_shared<const EndedRun>(
      EndedRun{std::move(record), run.timeline(),
               std::make_shared<const std::vector<LossPoint>>(run.meter().losses())});
  const std::lock_guard lock(mutex_);
  records_.push_back(ended->record);
  if (records_.size() > kept_records) records_.pop_front();
  newest_.push_back(std::move(ended));
  if (newest_.size() > kept_losses) newest_.erase(newest_.begin());
  keep_timelines(kept_timelines);
}

void EndedRuns::make_room() {
  const std::lock_guard lock(mutex_);
  keep_timelines(1);
}

// Snapshots share what is here, so an older run becomes another one without its timeline.
void EndedRuns::keep_timelines(std::size_t count) {
  for (std::size_t i = 0; i + count < newest_.size(); ++i) {
    if (newest_[i]->timeline == nullptr) continue;
    EndedRun without = *newest_[i];
    without.timeline.reset();
    newest_[i] = std::make_shared<const EndedRun>(std::move(without));
  }
}

std::vector<RunRecord> EndedRuns::records() const {
  const std::lock_guard lock(mutex_);
  return {records_.begin(), records_.end()};
}

EndedRuns::Newest EndedRuns::newest() const {
  const std::lock_guard lock(mutex_);
  return newest_;
}

}  // namespace tpulab

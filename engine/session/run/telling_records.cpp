#include "engine/session/run/telling_records.h"

#include <algorithm>
#include <vector>

namespace tpulab {

namespace {

constexpr std::size_t least_told = 32;

bool alike(const StepRecord& a, const StepRecord& b) {
  return a.events == b.events && a.kind == b.kind && a.samples == b.samples;
}

// Of the longest end of the records that goes round twice, where what is before it is an eighth at
// most; 0: there is none. By how much of each end is its beginning, too (Knuth, Morris, Pratt).
std::size_t period_of(std::span<const StepRecord> records) {
  const std::size_t count = records.size();
  const auto from_end = [&](std::size_t i) -> const StepRecord& { return records[count - 1 - i]; };
  std::vector<std::size_t> same(count + 1, 0);
  std::size_t period = 0;
  for (std::size_t length = 2; length <= count; ++length) {
    std::size_t kept = same[length - 1];
    while (kept > 0 && !alike(from_end(kept), from_end(length - 1))) kept = same[kept];
    same[length] = alike(from_end(kept), from_end(length - 1)) ? kept + 1 : 0;
    const std::size_t turn = length - same[length];
    if (2 * turn <= length && length >= count - count / 8) period = turn;
  }
  return period;
}

bool compiles(const StepRecord& record) {
  return std::ranges::find(*record.events, EventKind::compile, &Event::kind) !=
         record.events->end();
}

// A compile comes once, and lets the host start anew behind it: what is before the last of them
// goes where that is an eighth at most, as above.
std::span<const StepRecord> behind_early_compiles(std::span<const StepRecord> records) {
  const auto last = std::ranges::find_if(records.rbegin(), records.rend(), compiles);
  const auto begins = static_cast<std::size_t>(records.rend() - last);
  return begins <= records.size() / 8 ? records.subspan(begins) : records;
}

}  // namespace

std::span<const StepRecord> telling_records(std::span<const StepRecord> records, std::size_t most) {
  records = behind_early_compiles(records.last(std::min(records.size(), most)));
  // What comes before all training comes once.
  while (!records.empty() && records.front().kind != StepKind::train) records = records.subspan(1);
  const std::size_t period = period_of(records);
  if (period == 0) return records;
  const std::size_t turns = (least_told + period - 1) / period;
  return records.last(std::min(records.size(), turns * period));
}

}  // namespace tpulab

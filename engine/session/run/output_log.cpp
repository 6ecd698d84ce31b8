#include "engine/session/run/output_log.h"

#include <algorithm>

namespace tpulab {

void OutputLog::add(OutputLine line) {
  const std::lock_guard lock(mutex_);
  line.id = next_++;
  lines_.push_back(std::move(line));
  if (lines_.size() > kept) lines_.pop_front();
}

void OutputLog::add(OutputLine::Kind kind, std::string text, std::string event,
                    std::vector<EventField> fields) {
  add({.id = 0,
       .kind = kind,
       .text = std::move(text),
       .event = std::move(event),
       .fields = std::move(fields)});
}

std::vector<OutputLine> OutputLog::since(std::int64_t id) const {
  const std::lock_guard lock(mutex_);
  const auto first = std::ranges::upper_bound(lines_, id, {}, &OutputLine::id);
  return {first, lines_.end()};
}

std::vector<OutputLine> OutputLog::newest(std::size_t count) const {
  const std::lock_guard lock(mutex_);
  const std::size_t shown = std::min(count, lines_.size());
  return {lines_.end() - static_cast<std::ptrdiff_t>(shown), lines_.end()};
}

}  // namespace tpulab

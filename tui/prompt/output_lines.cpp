#include "tui/prompt/output_lines.h"

#include <algorithm>
#include <utility>

#include "engine/base/text.h"
#include "engine/base/utf8.h"
#include "engine/session/engine.h"

namespace tpulab {

int OutputLines::take(const Snapshot& now, const Engine& engine) {
  if (now.output.empty() || now.output.back().id <= newest_id_) return 0;
  const bool gap = now.output.front().id > newest_id_ + 1;
  int added = 0;
  const auto take_new = [&](const std::vector<OutputLine>& lines) {
    for (const auto& line : lines) {
      if (line.id <= newest_id_) continue;
      newest_id_ = line.id;
      for (std::string& part : split(line.text, '\n')) {
        push(line);
        lines_.back().text = std::move(part);
        ++added;
      }
    }
  };
  if (gap) take_new(engine.output_since(newest_id_));
  take_new(now.output);
  return added;
}

void OutputLines::add(OutputLine::Kind kind, std::string_view text) {
  for (auto& part : split(text, '\n')) {
    OutputLine line;
    line.kind = kind;
    line.text = std::move(part);
    push(std::move(line));
  }
}

std::span<const OutputLine> OutputLines::since(std::int64_t count) const {
  const auto wanted = static_cast<std::size_t>(std::max<std::int64_t>(0, count_ - count));
  return lines().last(std::min(wanted, lines_.size()));
}

// Cut in one go now and then, so that adding stays cheap.
void OutputLines::push(OutputLine line) {
  line.text = printable(line.text);
  lines_.push_back(std::move(line));
  ++count_;
  if (lines_.size() >= kept_lines + kept_lines / 4) {
    lines_.erase(lines_.begin(), lines_.end() - static_cast<std::ptrdiff_t>(kept_lines));
  }
}

}  // namespace tpulab

// The output pane's lines: what the engine says and what the prompt answers, in order of arrival.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/session/snapshot.h"

namespace tpulab {

class Engine;

class OutputLines {
 public:
  static constexpr std::size_t kept_lines = 4096;

  // Takes the engine's lines that are new in `now`. Only if more came than a snapshot holds, the
  // engine is asked for the rest. Answers how many were added.
  int take(const Snapshot& now, const Engine& engine);
  void add(OutputLine::Kind kind, std::string_view text);  // text may hold several lines
  void clear() { lines_.clear(); }

  std::span<const OutputLine> lines() const { return lines_; }
  std::int64_t count() const { return count_; }  // of all that ever came
  // Those that came after the count was that, as far as they are kept.
  std::span<const OutputLine> since(std::int64_t count) const;

 private:
  void push(OutputLine line);  // its text made printable

  std::vector<OutputLine> lines_;
  std::int64_t count_ = 0;
  std::int64_t newest_id_ = 0;  // of the engine's lines taken so far
};

}  // namespace tpulab

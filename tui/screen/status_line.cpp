#include "tui/screen/status_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/base/text.h"
#include "tui/draw/fit.h"

namespace tpulab {

namespace {

std::string_view state_mark(const RunView& run, Glyphs glyphs) {
  const bool ascii = glyphs == Glyphs::ascii;
  if (run.compiling) return ascii ? "K" : "▓";
  switch (run.state) {
    case RunState::none:
      return ascii ? "-" : "○";
    case RunState::training:
      return ascii ? ">" : "▶";
    case RunState::paused:
      return ascii ? "=" : "‖";
    case RunState::finished:
      return ascii ? "ok" : "✓";
    case RunState::stopped:
      return ascii ? "[]" : "■";
    case RunState::failed:
      return ascii ? "X" : "✗";
  }
  return "";
}

// "▶ training", or what is more telling.
StatusSegment state_segment(const RunView& run, Glyphs glyphs) {
  const std::string mark(state_mark(run, glyphs));
  const bool busy = run.state == RunState::training && !run.compiling;
  const std::string word(run.compiling ? "compiling" : name_of(run.state));
  return {mark + " " + word, busy ? mark : mark + " " + word, true};
}

// Right-aligned to the planned number, so that the row stays still.
StatusSegment step_segment(const RunView& run) {
  const std::string step = text_with_commas(run.step);
  if (run.steps_total <= 0) return {"step " + right_aligned(step, 7), step};
  const std::string total = text_with_commas(run.steps_total);
  const std::string both = right_aligned(step, display_width(total)) + "/" + total;
  return {"step " + both, both};
}

std::string loss_text(double loss) {
  if (std::isnan(loss)) return "     -";
  if (!std::isfinite(loss) || std::abs(loss) >= 1e5) return "! huge";
  return fmt::format("{:>6.{}f}", loss, std::abs(loss) >= 1000 ? 0 : std::abs(loss) >= 10 ? 2 : 4);
}

StatusSegment rate_segment(const RunView& run) {
  const std::string rate =
      run.tpu_rate_steady > 0 ? text_of_count(run.tpu_rate_steady) : std::string("-");
  const std::string number = right_aligned(rate, 5);
  return {number + " samples/s TPU time (est.)", number + "/s TPU (est.)"};
}

// "  12 s wall time left": of a planned run, by what its steps took since the first compiles, the
// pace's pauses among them.
StatusSegment left_segment(const RunView& run) {
  const auto steps_left = static_cast<double>(run.steps_total - run.step);
  const double seconds = run.wall_step_seconds * steps_left;
  const double minutes = seconds / 60;
  const std::string number = seconds < 100   ? fmt::format("{:.0f} s", seconds)
                             : minutes < 100 ? fmt::format("{:.0f} min", minutes)
                                             : fmt::format("{:.0f} h", minutes / 60);
  const std::string aligned = right_aligned(number, 6);
  return {aligned + " wall time left", aligned + " left"};
}

// What it saves is another number than the shares of time below, and never shown without its words.
StatusSegment bound_segment(const RunView& run, double compiling) {
  const bool ended = run.state == RunState::finished || run.state == RunState::stopped;
  std::string of = run.bound.between_compiles ? "between compiles: " : "bound: ";
  std::string before;
  if (run.bound.between_compiles && ended && compiling > 0) {
    of = fmt::format("compile {}; steady: ", text_of_share(compiling));
    before = "of the run: ";
  }
  return {before + of + run.bound.text(), of + run.bound.name, true, true, false,
          before + of + run.bound.brief()};
}

// Small screens have a row of its own for the loss.
StatusSegment loss_segment(const RunView& run) {
  const std::string loss = "loss " + loss_text(run.loss);
  return {.full = loss, .brief = loss, .yields = true};
}

int width_of(const std::vector<std::string>& parts) {
  int columns = 1;
  for (const std::string& part : parts) columns += display_width(part) + 3;
  return columns - 2;  // one blank at each end, " | " between
}

void let_bound_in(std::vector<StatusSegment>& segments, int columns) {
  const auto bound = std::ranges::find(segments, true, &StatusSegment::full_first);
  if (bound == segments.end()) return;
  std::vector<std::string> all;
  std::vector<std::string> staying;
  for (auto it = segments.begin(); it <= bound; ++it) {
    all.push_back(it->brief);
    if (!it->yields) staying.push_back(it->brief);
  }
  if (width_of(all) <= columns || width_of(staying) > columns) return;
  std::erase_if(segments, [](const StatusSegment& segment) { return segment.yields; });
}

// One of them in another form; of those behind it none where they do not fit, down to `least`.
std::vector<std::string> with(std::vector<std::string> parts, std::size_t i,
                              const std::string& form, std::size_t least, int columns) {
  parts[i] = form;
  while (parts.size() > least && width_of(parts) > columns) parts.pop_back();
  return parts;
}

// As many segments as fit in their brief form; then the full form wherever it fits, from the left.
std::vector<std::string> fitted(const std::vector<StatusSegment>& segments, int columns) {
  std::vector<std::string> parts;
  parts.reserve(segments.size());
  for (const StatusSegment& segment : segments) parts.push_back(segment.brief);
  while (parts.size() > 1 && width_of(parts) > columns) parts.pop_back();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!segments[i].full_first) continue;
    const std::vector<std::string> with_full = with(parts, i, segments[i].full, i + 1, columns);
    const std::vector<std::string> shorter = with(parts, i, segments[i].middle, i + 2, columns);
    const bool alone = with_full.size() == i + 1 && parts.size() > i + 1;
    if (alone && !segments[i].middle.empty() && width_of(shorter) <= columns) {
      parts = shorter;
    } else if (width_of(with_full) <= columns) {
      parts = with_full;
    }
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string before = std::exchange(parts[i], segments[i].full);
    if (width_of(parts) > columns) parts[i] = before;
  }
  return parts;
}

}  // namespace

std::vector<StatusSegment> status_segments(const RunView& run, Glyphs glyphs, double compiling) {
  const auto same = [](const std::string& text) { return StatusSegment{text, text}; };
  std::vector<StatusSegment> segments;
  if (run.state == RunState::none) {
    segments.push_back(state_segment(run, glyphs));
    segments.push_back(same("type run and press Enter"));
  } else {
    const std::string number = fmt::format("#{}", run.number);
    segments.push_back({number + " " + run.model, number});
    segments.push_back(state_segment(run, glyphs));
    if (!run.failure.empty()) segments.push_back({run.failure, clipped(run.failure, 40, glyphs)});
    segments.push_back(step_segment(run));
    const bool goes_on = run.state == RunState::training && run.steps_total > run.step;
    if (goes_on && run.wall_step_seconds > 0) {
      segments.push_back(left_segment(run));
    }
    if (run.numbers) segments.push_back(loss_segment(run));
    if (!run.bound.empty()) segments.push_back(bound_segment(run, compiling));
    segments.push_back(rate_segment(run));
  }
  const std::vector<std::string> batch_words = split(run.batch, '=');
  for (const std::string& text : {run.machine, run.devices}) {
    if (!text.empty()) segments.push_back(same(text));
  }
  if (!run.batch.empty()) {
    const std::string global(trimmed(batch_words.back()));
    segments.push_back({"batch " + run.batch, "batch " + global});
  }
  if (!run.precision.empty()) segments.push_back(same(run.precision));
  return segments;
}

void draw_status_line(const RunView& run, Canvas& canvas, Glyphs glyphs, double compiling) {
  for (int column = 0; column < canvas.columns(); ++column) {
    canvas.put(0, column, U' ', Role::status);
  }
  std::vector<StatusSegment> segments = status_segments(run, glyphs, compiling);
  let_bound_in(segments, canvas.columns());
  const std::vector<std::string> parts = fitted(segments, canvas.columns());
  const std::string_view between = glyphs == Glyphs::ascii ? " | " : " │ ";
  int column = 1;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) column = canvas.write(0, column, between, Role::status);
    const Role role = segments[i].strong ? Role::status_strong : Role::status;
    const std::string shown = clipped(parts[i], canvas.columns() - column, glyphs);
    column = canvas.write(0, column, shown, role, segments[i].strong);
  }
}

}  // namespace tpulab

#include "tui/panes_keys.h"

#include <algorithm>
#include <array>

namespace tpulab {
namespace {

struct Row {
  std::string_view key;
  PanesAction action;
  std::string_view question;  // with a run under way; empty: acts at once
};

constexpr std::array<Row, 10> rows{{
    {"p", PanesAction::pause, ""},
    {"s", PanesAction::step, ""},
    {"r", PanesAction::run, "a run is under way: r again ends it and starts a new one"},
    {"x", PanesAction::stop, "x again ends the run; p pauses it"},
    {"q", PanesAction::quit, "a run is under way: q again quits and loses it"},
    {"?", PanesAction::help, ""},
    {"\x04", PanesAction::quit, ""},  // Ctrl-D
    {":", PanesAction::leave_panes, ""},
    {"i", PanesAction::leave_panes, ""},
    {"\r", PanesAction::leave_panes, ""},
}};

}  // namespace

PanesAction PanesKeys::press(std::string_view key, bool run_is_active) {
  const bool again = !asked_.empty() && asked_ == key;
  forget();
  const auto* row = std::ranges::find(rows, key, &Row::key);
  if (row == rows.end()) return PanesAction::nothing;
  if (again || !run_is_active || row->question.empty()) return row->action;
  asked_ = key;
  question_ = row->question;
  return PanesAction::nothing;
}

void PanesKeys::forget() {
  asked_.clear();
  question_.clear();
}

}  // namespace tpulab

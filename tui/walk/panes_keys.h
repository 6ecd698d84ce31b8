// The one table of keys: what they do while the panes have the focus, the row of keys above the
// prompt and the list that ? shows are made of it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tpulab {

enum class PanesAction {
  nothing,
  pause,
  step,
  run,
  stop,
  keys,
  help,
  quit,
  leave_panes,
  next_pane,
  earlier_pane,
  open,
  each_device,
  map_metric,
  zoom,
  inside,
  profile,
  roofline,
  play,
  timeline,
  beside,
  zoom_in,
  zoom_out,
  all_time,
  pan_left,
  pan_right,
  first,
  last,
  copy,
  search,
  next_match,
  earlier_match,
  freeze,
  save,
  mouse,
  output,
  up,
  down,
  left,
  right,
};

struct PaneKey {
  std::string_view shown;  // "Tab"
  std::string_view typed;  // the bytes; empty for a function key
  int function = 0;        // 2: F2, which acts at the prompt, too
  PanesAction action = PanesAction::nothing;
  std::string_view pane;      // whose row of keys has it first; empty: every pane's
  std::string_view brief;     // in the row; empty: not there
  std::string_view help;      // in the list; empty: as the key before it
  std::string_view question;  // with a run under way; empty: acts at once
};
std::span<const PaneKey> pane_keys();

// Null for what is no key. Arrows and Shift-Tab are known in the forms of all terminals.
const PaneKey* pane_key(std::string_view typed);
const PaneKey* pane_key(int function);

// "Up Down choose  Enter its cause in full | ? keys  p pause": those of the pane first, as many as
// fit into so many columns, and ? keys in any case.
std::string key_row(std::string_view pane, int columns);
// Behind the pane's title, which gives way where a key of the pane would have no room beside it.
std::string titled_key_row(std::string_view pane, std::string_view title, int columns);
// The list of all keys, a line each.
std::vector<std::string> key_list();

// Keys that end a run must come twice.
class PanesKeys {
 public:
  // What to do; nothing if it is asked first.
  PanesAction press(const PaneKey& key, bool run_is_active);
  // Asked by the last key, or empty: "a run is under way: q again ...".
  const std::string& question() const { return question_; }
  void forget();  // the answer was another key

 private:
  std::string asked_;
  std::string question_;
};

}  // namespace tpulab

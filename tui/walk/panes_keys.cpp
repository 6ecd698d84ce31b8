#include "tui/walk/panes_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/text.h"
#include "tui/draw/canvas.h"

namespace tpulab {
namespace {

using enum PanesAction;

// In the order of the list; a row of keys leaves out the last ones first.
constexpr std::array rows{
    PaneKey{"Left", "\x1b[D", 0, left, "cores", "Right choose",
            "the tile or pane to the left, in the timeline: a moment earlier", ""},
    PaneKey{"Right", "\x1b[C", 0, right, "", "",
            "the tile or pane to the right, in the timeline: a moment later", ""},
    PaneKey{"Up", "\x1b[A", 0, up, "compiles", "Down choose", "the row above, in the output: back",
            ""},
    PaneKey{"Up", "\x1b[A", 0, up, "fallbacks", "Down choose", "", ""},
    PaneKey{"Up", "\x1b[A", 0, up, "output", "Down scroll", "", ""},
    PaneKey{"Down", "\x1b[B", 0, down, "", "", "the row below", ""},
    PaneKey{"k", "k", 0, up, "", "", "as Up", ""},
    PaneKey{"j", "j", 0, down, "", "", "as Down", ""},
    PaneKey{"Enter", "\r", 0, open, "cores", "explain it", "what is chosen, in full; Esc returns",
            ""},
    PaneKey{"Enter", "\r", 0, open, "strip", "explain the step", "", ""},
    PaneKey{"Enter", "\r", 0, open, "loss", "all of the screen", "", ""},
    PaneKey{"Enter", "\r", 0, open, "compiles", "its cause in full", "", ""},
    PaneKey{"Enter", "\r", 0, open, "fallbacks", "cost and cure", "", ""},
    PaneKey{"Enter", "\r", 0, open, "output", "all of it", "", ""},
    PaneKey{"/", "/", 0, search, "output", "search",
            "search the output, back from the newest; in the kernels: only those with it", ""},
    PaneKey{"n", "n", 0, next_match, "output", "N more", "the next place that was searched for",
            ""},
    PaneKey{"N", "N", 0, earlier_match, "", "", "the one before it", ""},
    PaneKey{"Left", "\x1b[D", 0, left, "inside", "Right clock", "", ""},
    PaneKey{"Up", "\x1b[A", 0, up, "inside", "Down kernel", "", ""},
    PaneKey{"Space", " ", 0, play, "inside", "play", "play the clocks inside a core, or stop", ""},
    PaneKey{"Enter", "\r", 0, open, "inside", "explain", "", ""},
    PaneKey{"c", "c", 0, inside, "cores", "inside",
            "look into a core: a matrix unit, clock by clock", ""},
    PaneKey{"Up", "\x1b[A", 0, up, "profile", "Down choose", "", ""},
    PaneKey{"Left", "\x1b[D", 0, left, "profile", "Right sort", "", ""},
    PaneKey{"/", "/", 0, search, "profile", "search", "", ""},
    PaneKey{"g", "g", 0, roofline, "profile", "roofline", "the kernels as a roofline, or as a list",
            ""},
    PaneKey{"Enter", "\r", 0, open, "profile", "explain", "", ""},
    PaneKey{"Left", "\x1b[D", 0, left, "timeline", "Left Right", "", ""},
    PaneKey{"Up", "\x1b[A", 0, up, "timeline", "Down lane", "", ""},
    PaneKey{"+", "+", 0, zoom_in, "timeline", "- zoom",
            "in the timeline: closer, down to one kernel", ""},
    PaneKey{"-", "-", 0, zoom_out, "", "", "further away, up to the whole run", ""},
    PaneKey{"0", "0", 0, all_time, "", "", "the whole run", ""},
    PaneKey{"<", "<", 0, pan_left, "timeline", "> pan", "the timeline half a screen to the left",
            ""},
    PaneKey{">", ">", 0, pan_right, "", "", "and to the right", ""},
    PaneKey{"Home", "\x1b[H", 0, first, "timeline", "",
            "the first moment, the first row, the oldest output", ""},
    PaneKey{"End", "\x1b[F", 0, last, "", "", "the newest moment, which it follows; the last row",
            ""},
    PaneKey{"Enter", "\r", 0, open, "timeline", "explain", "", ""},
    PaneKey{"Left", "\x1b[D", 0, left, "beside", "Right mark", "", ""},
    PaneKey{"+", "+", 0, zoom_in, "beside", "- zoom", "", ""},
    PaneKey{"<", "<", 0, pan_left, "beside", "> pan", "", ""},
    PaneKey{"Enter", "\r", 0, open, "beside", "in words", "", ""},
    PaneKey{"b", "b", 0, beside, "timeline", "beside",
            "the newest run beside the one before it, on one scale", ""},
    PaneKey{"t", "t", 0, PanesAction::timeline, "beside", "timeline", "", ""},
    PaneKey{"t", "t", 0, PanesAction::timeline, "strip", "timeline",
            "the timeline of the whole run: pan, zoom, what a moment was for", ""},
    PaneKey{"o", "o", 0, profile, "strip", "kernels", "the kernels of a step by their time", ""},
    PaneKey{"e", "e", 0, each_device, "cores", "each", "a tile for each device, or one for all",
            ""},
    PaneKey{"m", "m", 0, map_metric, "cores", "map",
            "the next on a pod's map: wait, busy, useful, HBM, fallback, link", ""},
    PaneKey{"?", "?", 0, keys, "", "keys", "this list", ""},
    PaneKey{"Tab", "\t", 0, next_pane, "", "pane", "the next pane; a click focuses one, too", ""},
    PaneKey{"S-Tab", "\x1b[Z", 0, earlier_pane, "", "", "the pane before it", ""},
    PaneKey{":", ":", 0, leave_panes, "", "prompt", "to the prompt; Esc and any word go there, too",
            ""},
    PaneKey{"p", "p", 0, pause, "", "pause", "pause the run or go on", ""},
    PaneKey{"z", "z", 0, zoom, "", "zoom", "this pane on all of the screen, or all of them", ""},
    PaneKey{"y", "y", 0, copy, "", "copy", "this pane as text to the clipboard (OSC 52)", ""},
    PaneKey{"s", "s", 0, step, "", "step", "one step, then pause", ""},
    PaneKey{"r", "r", 0, run, "", "run", "run; twice while a run goes on",
            "a run is under way: r again ends it and starts a new one"},
    PaneKey{"x", "x", 0, stop, "", "stop", "end the run; twice while it goes on",
            "x again ends the run; p pauses it"},
    PaneKey{"f", "f", 0, freeze, "", "freeze", "hold the figures still, or let them go on", ""},
    PaneKey{"q", "q", 0, quit, "", "quit", "leave; twice while a run goes on",
            "a run is under way: q again quits and loses it"},
    PaneKey{"Ctrl-D", "\x04", 0, quit, "", "", "leave", ""},
    PaneKey{"F1", "", 1, help, "", "", "help", ""},
    PaneKey{"F2", "", 2, each_device, "", "", "as e", ""},
    PaneKey{"F3", "", 3, output, "", "", "all of the output", ""},
    PaneKey{"F4", "", 4, map_metric, "", "", "as m", ""},
    PaneKey{"F5", "", 5, pause, "", "", "as p", ""},
    PaneKey{"F7", "", 7, mouse, "", "", "the mouse off and on; off, the terminal selects text", ""},
    PaneKey{"F8", "", 8, zoom, "", "", "zoom pane by pane", ""},
    PaneKey{"F9", "", 9, save, "", "F9 saves", "save the screen as SVG and as text", ""},
};

// ESC O A and ESC [ A are one key, whatever the cursor mode is; Home and End have four forms.
std::string plain_form(std::string_view typed) {
  std::string form(typed);
  if (form.size() == 3 && form.starts_with("\x1bO")) form[1] = '[';
  if (form == "\x1b[1~" || form == "\x1b[7~") return "\x1b[H";
  if (form == "\x1b[4~" || form == "\x1b[8~") return "\x1b[F";
  return form == "\n" ? "\r" : form;
}

std::string words_of(const PaneKey& key) {
  const bool named = key.shown.size() > 1 && key.brief.starts_with(key.shown);
  return named ? std::string(key.brief) : fmt::format("{} {}", key.shown, key.brief);
}

}  // namespace

std::span<const PaneKey> pane_keys() { return rows; }

const PaneKey* pane_key(std::string_view typed) {
  const std::string form = plain_form(typed);
  return form.empty() ? nullptr : find_row(rows, form, &PaneKey::typed);
}

const PaneKey* pane_key(int function) {
  return function == 0 ? nullptr : find_row(rows, function, &PaneKey::function);
}

std::string key_row(std::string_view pane, int columns) {
  std::string row;
  int room = columns - display_width(" | ? keys");  // which tells the others
  const auto add = [&](const PaneKey& key, std::string_view between) {
    const std::string words = words_of(key);
    if (display_width(row) + display_width(words) + 3 > room) return;
    row += fmt::format("{}{}", row.empty() ? "" : between, words);
  };
  for (const PaneKey& key : rows) {
    if (!key.brief.empty() && !pane.empty() && key.pane == pane) add(key, "  ");
  }
  room = columns;
  std::string_view between = " | ";
  for (const PaneKey& key : rows) {
    if (!key.brief.empty() && key.pane.empty()) add(key, std::exchange(between, "  "));
  }
  return row;
}

std::string titled_key_row(std::string_view pane, std::string_view title, int columns) {
  const std::string head = fmt::format("{}: ", title);
  const std::string beside = key_row(pane, columns - display_width(head));
  const std::string alone = key_row(pane, columns);
  const auto own = [](const std::string& row) { return row.substr(0, row.find(" | ")); };
  return own(beside) == own(alone) ? head + beside : alone;
}

std::vector<std::string> key_list() {
  std::vector<std::string> lines;
  for (const PaneKey& key : rows) {
    if (!key.help.empty()) lines.push_back(fmt::format("{:<7} {}", key.shown, key.help));
  }
  lines.emplace_back("Letters that are no key, and words, go to the prompt.");
  return lines;
}

PanesAction PanesKeys::press(const PaneKey& key, bool run_is_active) {
  const bool again = !asked_.empty() && asked_ == key.shown;
  forget();
  if (again || !run_is_active || key.question.empty()) return key.action;
  asked_ = key.shown;
  question_ = key.question;
  return PanesAction::nothing;
}

void PanesKeys::forget() {
  asked_.clear();
  question_.clear();
}

}  // namespace tpulab

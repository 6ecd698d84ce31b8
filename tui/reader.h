// What is read on the screen: the place in the output pane, and a text over the panes where the
// pane is too small for it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "tui/dialogue.h"
#include "tui/screen.h"
#include "tui/text_view.h"

namespace tpulab {

// The row of keys while a text is open.
inline constexpr std::string_view view_note =
    "Esc closes | PgUp PgDn Up Down Space scroll | letters go to the prompt";

class Reader {
 public:
  Reader(Dialogue& dialogue, Glyphs glyphs) : dialogue_(dialogue), glyphs_(glyphs) {}

  const TextView& view() const { return view_; }
  bool open() const { return view_.open(); }
  void close() { view_ = {}; }
  void show(TextView view) { view_ = std::move(view); }
  void toggle_help();    // closes whatever is open
  void toggle_output();  // all of it, from its end
  // False if the event means nothing to the text.
  bool press(const InputEvent& event) { return view_.press(event, text_rows_); }

  // What came since that count of the output is the reply to what was typed: where the pane is too
  // small for it, it lies over the panes.
  void show_reply(std::int64_t first);
  // The same for what came unasked; not while something is read or, as `typing` says, typed. False
  // if it is too long for the pane and not shown.
  bool offer(std::span<const OutputLine> lines, const std::string& title, bool typing);

  int output_scroll() const { return output_scroll_; }  // lines back from the newest
  void scroll(int lines);
  void scroll_pages(int pages);
  void scroll_to_newest() { output_scroll_ = 0; }

  // The sizes on the newest screen.
  void measure(const DrawnScreen& drawn);

 private:
  bool is_long(std::span<const OutputLine> lines) const;

  Dialogue& dialogue_;
  Glyphs glyphs_;
  TextView view_;
  int output_scroll_ = 0;
  Rect pane_{};
  int text_rows_ = 1;
};

}  // namespace tpulab

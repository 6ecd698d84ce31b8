// What is read on the screen: the place in the output pane, and a text over the panes where the
// pane is too small for it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "tui/prompt/dialogue.h"
#include "tui/screen/screen.h"
#include "tui/screen/text_view.h"

namespace tpulab {

// The row of keys while a text is open, over the prompt and over the panes.
inline constexpr std::string_view view_note =
    "Esc closes | Up Down PgUp PgDn scroll | letters to prompt";
inline constexpr std::string_view view_note_with_more =
    "Enter reads on | Esc closes | Up Down PgUp PgDn scroll";
inline constexpr std::string_view view_note_in_panes =
    "Esc closes | Up Down PgUp PgDn scroll | y copies";

// Of what was asked of the engine and has come.
inline constexpr std::string_view answer_title = "answer";
// Of what commands say by and by, as a lesson does.
inline constexpr std::string_view reply_title = "reply";

class Reader {
 public:
  Reader(Dialogue& dialogue, Glyphs glyphs) : dialogue_(dialogue), glyphs_(glyphs) {}

  const TextView& view() const { return view_; }
  bool open() const { return view_.open(); }
  void close() {
    view_ = {};
    awaiting_.reset();
  }
  void show(TextView view) { view_ = std::move(view); }
  void toggle_help();  // closes whatever is open
  void toggle_keys();
  void toggle_output();  // all of it, from its end
  // What Enter opened in a pane; the answer to its command follows the lines when it has come. What
  // came since that count of the output is a part of it.
  void open_chosen(const Opened& opened, std::int64_t first, bool answer_will_come);
  // False if the event means nothing to the text.
  bool press(const InputEvent& event);

  // What came since that count of the output is the reply to what was typed: where the pane is too
  // small for it, it lies over the panes; that of several commands not over those of a run: false.
  // What a lesson says to an empty line is to be read, whatever lies below.
  bool show_reply(std::int64_t first, bool of_lesson = false);
  // The same for what came unasked; not while something is read or, as `typing` says, typed. False
  // if it is too long for the pane and not shown. A lesson's follows the answer that it speaks of.
  bool offer(std::span<const OutputLine> lines, const std::string& title, bool typing);
  bool offer_of_lesson(std::span<const OutputLine> lines, bool typing);

  int output_scroll() const { return output_scroll_; }  // lines back from the newest
  void scroll(int lines);
  void scroll_pages(int pages);
  // To the next line of the output that holds `sought`, further back or nearer than the last one
  // found; false, and nothing moves, if there is none.
  bool find(std::string_view sought, bool back);
  void scroll_to_newest() { output_scroll_ = 0; }

  // The sizes on the newest screen.
  void measure(const DrawnScreen& drawn);

 private:
  bool is_long(std::span<const OutputLine> lines) const;

  Dialogue& dialogue_;
  Glyphs glyphs_;
  TextView view_;
  // Of the open text, so many lines stay when the answer that belongs to it comes; the others say
  // that it will.
  std::optional<std::size_t> awaiting_;
  int output_scroll_ = 0;
  std::string sought_;
  std::int64_t found_ = 0;  // of all lines that ever came, the one a search found; 0: none yet
  Rect pane_{};
  int text_rows_ = 1;
};

}  // namespace tpulab

// Bytes of a terminal -> events: text for the line editor, keys of the screen, pastes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tpulab {

enum class Key {
  text,      // whole UTF-8 characters and control characters, for the line editor
  sequence,  // one whole escape sequence (an arrow, Meta and a character), for the line editor
  paste,     // everything between the paste brackets, line ends as '\n', no other controls
  escape,    // ESC alone
  redraw,    // Ctrl-L
  page_up,   // with or without modifiers
  page_down,
  function,  // F1 to F12
  click,     // of the left button
  wheel_up,
  wheel_down,
  answer,  // of the terminal, to a question about itself: what stands between ESC ] and its end
};

struct InputEvent {
  Key key = Key::text;
  std::string text{};    // of text, sequence, paste and answer
  int number = 0;        // of function
  bool clipped = false;  // of paste: more than the limit came, the rest is gone
  int row = 0;           // of the mouse, from the upper left
  int column = 0;
  bool operator==(const InputEvent&) const = default;
};

// What the parser cannot decide without waiting.
enum class Waiting {
  nothing,
  escape,  // is it ESC or the start of a sequence: call give_up() some 40 ms later
  paste,   // the end of a paste: call give_up() after a second without input
};

// Accepts any bytes: what is not UTF-8 and what is not a known sequence falls away.
class InputParser {
 public:
  static constexpr std::size_t paste_limit = std::size_t{1} << 20;

  std::vector<InputEvent> take(std::string_view bytes);
  // The time is up: what waits is taken for what it is.
  std::vector<InputEvent> give_up();
  Waiting waiting() const;

 private:
  bool take_paste(std::vector<InputEvent>& events);
  bool take_one(std::vector<InputEvent>& events);
  bool take_escape(std::vector<InputEvent>& events);
  bool take_answer(std::vector<InputEvent>& events);
  bool take_control_sequence(std::vector<InputEvent>& events);
  bool take_character(std::vector<InputEvent>& events);
  void finish_sequence(std::size_t length, std::vector<InputEvent>& events);
  void finish_paste(std::vector<InputEvent>& events);
  std::string cut(std::size_t length);

  std::string pending_;  // bytes not decided yet
  std::string paste_;
  bool in_paste_ = false;
  bool paste_clipped_ = false;
};

// Length of the UTF-8 character that starts with `lead`; 0 if none does.
std::size_t character_length(char lead);

}  // namespace tpulab

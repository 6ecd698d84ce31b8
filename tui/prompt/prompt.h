// The line editor of the prompt (GNU readline), fed with keys and asked what to show; it never
// touches the terminal.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tpulab {

// What the prompt's row shows now.
struct PromptView {
  std::string prompt;      // as set, or "(reverse-i-search)`ba': "
  std::string line;        // controls made visible: a pasted line end is the mark, Ctrl-A is ^A
  std::size_t cursor = 0;  // byte offset into line
};

// There can be one at a time: readline keeps its state for itself.
class Prompt {
 public:
  // The candidates for the last word of a line.
  using Complete = std::function<std::vector<std::string>(std::string_view line_before_cursor)>;

  // `history`: oldest first. `line_end_mark` stands for a line end inside a pasted line.
  Prompt(Complete complete, const std::vector<std::string>& history, std::string line_end_mark);
  ~Prompt();
  Prompt(const Prompt&) = delete;
  Prompt& operator=(const Prompt&) = delete;

  void set_prompt(std::string_view prompt);
  void type(std::string_view whole_characters);
  // One escape sequence; those without a meaning are ignored.
  void press(std::string_view sequence);
  // Inserted as it is; line ends wait inside the line until Enter.
  void paste(std::string_view text);
  void clear_line();
  // Leaves a Ctrl-R search, keeping what it found.
  void end_search();

  PromptView view() const;
  std::string line() const;
  std::string line_before_cursor() const;
  bool empty() const;
  bool searching() const;     // inside Ctrl-R
  bool wants_escape() const;  // readline's vi mode

  // Lines entered since the last call: a pasted text counts as its lines, of which empty ones are
  // dropped; Enter alone is an empty one.
  std::vector<std::string> take_entered();
  // Ctrl-D on an empty line, once.
  bool take_end_of_input();
  // What Tab could not decide between; shown until the next key.
  const std::vector<std::string>& candidates() const { return candidates_; }

 private:
  struct Readline;  // its callbacks
  void feed(std::string_view whole);
  void enter(std::string_view line);
  void leave_prefix();
  void limit_line();

  Complete complete_;
  std::string line_end_mark_;
  std::string prompt_;
  std::string ring_;  // bytes readline has not read yet
  std::vector<std::string> entered_;
  std::vector<std::string> candidates_;
  bool end_of_input_ = false;
  int commands_of_key_ = 0;
};

}  // namespace tpulab

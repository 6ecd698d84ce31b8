// Which theme the screen has: the one that is named or, for "auto", dark or light as the terminal's
// background is.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tui/draw/theme.h"
#include "tui/prompt/output_lines.h"

namespace tpulab {

inline constexpr std::string_view automatic_theme = "auto";

// theme_names() and "auto".
std::vector<std::string> theme_choices();

// "15;0", "0;default;15": the last number is the background's of 16. Empty if it says nothing.
std::optional<bool> light_by_colorfgbg(std::string_view value);
// The answer to OSC 11, "11;rgb:ffff/ffff/eeee": is it nearer to white? Empty for other words.
std::optional<bool> light_by_answer(std::string_view answer);

class ThemeChoice {
 public:
  // Dark until somebody knows better, $COLORFGBG or the terminal.
  explicit ThemeChoice(std::string name);

  bool automatic() const { return name_ == automatic_theme; }
  // Throws Error as theme_named() does. None for light backgrounds where it is black.
  Theme theme() const;
  // A theme with an error in it is said, and one that could not be read here; the screen opens all
  // the same.
  Theme theme_or_built_in(OutputLines& log) const;
  // One with an error in it is said, and the choice stays as it was: false.
  bool choose(std::string name, OutputLines& log);
  // What the terminal answered to OSC 11. True if the theme is another one now.
  bool take_answer(std::string_view answer);
  // What was chosen, and how to leave it to the terminal again.
  std::string words(bool kept) const;

 private:
  Theme wanted() const;

  std::string name_;
  bool light_ = false;
  bool black_ = false;  // the background, whatever anybody says: the console of Linux
};

}  // namespace tpulab

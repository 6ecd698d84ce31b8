#include "tui/help_text.h"

#include <algorithm>

namespace tpulab {

int line_step(std::string_view keys) {
  if (keys == "\x1b[A" || keys == "\x1bOA" || keys == "k") return -1;
  if (keys == "\x1b[B" || keys == "\x1bOB" || keys == "j") return 1;
  return 0;
}

void HelpText::press(const InputEvent& event, int page_lines) {
  const int last = std::max(0, static_cast<int>(lines_.size()) - 1);
  if (event.key == Key::escape || event.text == "q") open_ = false;
  if (event.key == Key::page_up) scroll_ -= page_lines;
  if (event.key == Key::page_down || event.text == " ") scroll_ += page_lines;
  if (event.text == "g") scroll_ = 0;
  if (event.text == "G") scroll_ = last;
  scroll_ = std::clamp(scroll_ + line_step(event.text), 0, last);
}

}  // namespace tpulab

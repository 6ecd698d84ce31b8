#include "tui/screen/text_view.h"

namespace tpulab {
namespace {

constexpr int furthest_line = 1 << 20;  // wrapped lines are more than lines: the screen knows

bool is_enter(const InputEvent& event) { return event.text == "\r" || event.text == "\n"; }

bool closes(const InputEvent& event) {
  return event.key == Key::escape || event.text == "q" || is_enter(event);
}

bool is_home(std::string_view keys) {
  return keys == "\x1b[H" || keys == "\x1bOH" || keys == "\x1b[1~" || keys == "g";
}

bool is_end(std::string_view keys) {
  return keys == "\x1b[F" || keys == "\x1bOF" || keys == "\x1b[4~" || keys == "G";
}

// As `less` has them. Ctrl-D must not leave the program from here.
int page_step(const InputEvent& event) {
  const bool up = event.key == Key::page_up || event.text == "\x02" || event.text == "\x15";
  const bool down = event.key == Key::page_down || event.text == " " || event.text == "\x04" ||
                    event.text == "\x06";
  return down ? 1 : up ? -1 : 0;
}

}  // namespace

int line_step(std::string_view keys) {
  if (keys == "\x1b[A" || keys == "\x1bOA" || keys == "k") return -1;
  if (keys == "\x1b[B" || keys == "\x1bOB" || keys == "j") return 1;
  return 0;
}

bool TextView::press(const InputEvent& event, int page_lines) {
  if (event.key == Key::paste) return false;
  const bool turns = reads_on() && is_enter(event);
  const int step = line_step(event.text) + (turns ? 1 : page_step(event)) * page_lines;
  if (closes(event) && !turns) {
    open_ = false;
  } else if (step != 0) {
    scroll_ = std::clamp(scroll_ + step, 0, furthest_line);
  } else if (is_home(event.text)) {
    scroll_ = 0;
  } else if (is_end(event.text)) {
    to_end();
  } else {
    return false;
  }
  return true;
}

void TextView::to_end() { scroll_ = furthest_line; }

}  // namespace tpulab

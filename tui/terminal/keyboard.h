// Bytes of the terminal and the time between them -> events.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "tui/terminal/events.h"
#include "tui/terminal/input.h"

namespace tpulab {

class Keyboard {
 public:
  // Call it also when nothing came: what waits in vain is then taken for what it is.
  std::vector<InputEvent> take(std::string_view bytes);
  // When an unfinished escape sequence or paste has waited long enough; none if nothing waits.
  std::optional<Events::Clock::time_point> deadline() const;

 private:
  InputParser parser_;
  Events::Clock::time_point newest_{};
};

}  // namespace tpulab

#include "tui/terminal/keyboard.h"

#include <chrono>

namespace tpulab {
namespace {

constexpr auto escape_limit = std::chrono::milliseconds(40);  // ESC alone, if nothing follows
constexpr auto paste_limit = std::chrono::seconds(1);         // a paste whose end never comes

}  // namespace

std::vector<InputEvent> Keyboard::take(std::string_view bytes) {
  if (!bytes.empty()) {
    newest_ = Events::Clock::now();
    return parser_.take(bytes);
  }
  const auto until = deadline();
  if (!until || Events::Clock::now() < *until) return {};
  return parser_.give_up();
}

std::optional<Events::Clock::time_point> Keyboard::deadline() const {
  const auto waiting = parser_.waiting();
  if (waiting == Waiting::nothing) return std::nullopt;
  if (waiting == Waiting::paste) return newest_ + paste_limit;
  return newest_ + escape_limit;
}

}  // namespace tpulab

// A pane as text for other programs: without frames, marks and blanks at its ends.
#pragma once

#include <string>
#include <string_view>

#include "tui/screen/screen.h"

namespace tpulab {

// What is in the pane; of the output all of its lines, as far back as a clipboard takes them.
// Empty if the screen has no such pane.
std::string pane_text(const ScreenState& state, const DrawnScreen& drawn, std::string_view pane);

// RFC 4648, with padding: how bytes travel in a control sequence.
std::string base64(std::string_view bytes);

}  // namespace tpulab

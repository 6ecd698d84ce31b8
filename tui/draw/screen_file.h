// The screen as a file: a picture (SVG) and text.
#pragma once

#include <filesystem>
#include <string>

#include "tui/draw/canvas.h"
#include "tui/draw/theme.h"

namespace tpulab {

// A cell is 8 x 16; colours are the theme's, the terminal's own are black and white.
std::string svg_of(const Canvas& canvas, const Theme& theme);

// Writes tpulab-screen-N.svg and .txt into the folder, with the first N that is free, and answers
// the picture's name. Throws Error if they cannot be written.
std::string save_screen(const Canvas& canvas, const Theme& theme,
                        const std::filesystem::path& folder);

}  // namespace tpulab

// A theme: for each role of the canvas a style, read from a TOML file.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tui/draw/canvas.h"

namespace tpulab {

// One colour in three depths; the terminal takes the best it can show. -1: none given.
struct Color {
  bool terminal_default = true;
  std::uint8_t red = 0, green = 0, blue = 0;
  int index_256 = -1;
  int index_16 = -1;
};

// Of a terminal's eight colours: the bright ones are their dark ones, but for the grey and the
// blue, which would be black and hardly seen on black.
int index_8(const Color& color, bool on_light);

struct Style {
  Color foreground;
  Color background;
  bool bold = false;
};

struct Theme {
  std::string name;
  bool light = false;
  std::array<Style, role_count> styles;
};

// The embedded themes and the user's own in $XDG_CONFIG_HOME/tpulab/themes/NAME.toml (which win).
// Throws Error (file, line, what).
Theme theme_named(std::string_view name);
// The embedded one, whatever files the user has: what is left when theirs has an error.
Theme embedded_theme(std::string_view name);
std::vector<std::string> theme_names();

}  // namespace tpulab

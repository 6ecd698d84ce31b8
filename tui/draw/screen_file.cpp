#include "tui/draw/screen_file.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/base/write_file.h"

namespace tpulab {
namespace {

constexpr int cell_width = 8;
constexpr int cell_height = 16;
constexpr int most_files = 1000;

std::string hex(const Color& color, std::string_view terminals_own) {
  if (color.terminal_default) return std::string(terminals_own);
  return fmt::format("#{:02x}{:02x}{:02x}", color.red, color.green, color.blue);
}

struct Look {
  std::string foreground;
  std::string background;
  bool bold = false;
  bool operator==(const Look&) const = default;
};

Look look_of(const Cell& cell, const Theme& theme) {
  const Style& style = theme.styles[static_cast<std::size_t>(cell.role)];
  Look look{hex(style.foreground, theme.light ? "#000000" : "#e0e0e0"),
            hex(style.background, theme.light ? "#ffffff" : "#000000"), cell.bold || style.bold};
  if (cell.reverse) std::swap(look.foreground, look.background);
  return look;
}

// Neighbours that look alike are one box and one text; textLength keeps every column in its place.
void append_row(std::string& svg, const Canvas& canvas, int row, const Theme& theme) {
  for (int column = 0; column < canvas.columns();) {
    const Look look = look_of(canvas.at(row, column), theme);
    std::string text;
    int end = column;
    for (; end < canvas.columns() && look_of(canvas.at(row, end), theme) == look; ++end) {
      const char32_t glyph = canvas.at(row, end).glyph;
      if (glyph != 0) append_utf8(text, glyph);
    }
    const int x = column * cell_width;
    const int width = (end - column) * cell_width;
    svg += fmt::format(R"(<rect x="{}" y="{}" width="{}" height="{}" fill="{}"/>)", x,
                       row * cell_height, width, cell_height, look.background);
    if (text.find_first_not_of(' ') != std::string::npos) {
      svg += fmt::format(R"(<text x="{}" y="{}" textLength="{}" fill="{}"{}>{}</text>)", x,
                         row * cell_height + 12, width, look.foreground,
                         look.bold ? R"( font-weight="bold")" : "", escaped_for_xml(text));
    }
    svg += '\n';
    column = end;
  }
}

}  // namespace

std::string svg_of(const Canvas& canvas, const Theme& theme) {
  const int width = canvas.columns() * cell_width;
  const int height = canvas.rows() * cell_height;
  std::string svg = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" )"
      R"(font-family="DejaVu Sans Mono, monospace" font-size="13" xml:space="preserve">)"
      "\n",
      width, height);
  for (int row = 0; row < canvas.rows(); ++row) append_row(svg, canvas, row, theme);
  return svg + "</svg>\n";
}

std::string save_screen(const Canvas& canvas, const Theme& theme,
                        const std::filesystem::path& folder) {
  for (int number = 1; number <= most_files; ++number) {
    const auto picture = folder / fmt::format("tpulab-screen-{}.svg", number);
    std::filesystem::path text = picture;
    text.replace_extension(".txt");
    std::error_code unknown;
    if (std::filesystem::exists(picture, unknown) || std::filesystem::exists(text, unknown)) {
      continue;
    }
    create_file(picture, svg_of(canvas, theme));
    create_file(text, canvas.text() + "\n");
    return picture.filename().string();
  }
  throw Error(fmt::format("{} screens are saved here already; move some away", most_files));
}

}  // namespace tpulab

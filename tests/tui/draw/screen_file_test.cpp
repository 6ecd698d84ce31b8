#include "tui/draw/screen_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "engine/base/error.h"
#include "tests/temporary_folder.h"
#include "tests/tui/example_snapshot.h"

namespace tpulab::screen_file_test {
namespace {

std::string content(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(ScreenFile, a_picture_and_its_text_are_written_and_never_overwritten) {
  const test::TemporaryFolder folder;
  const Theme theme = embedded_theme("dark");
  const ScreenState state = example_screen(example_events_snapshot());
  const Canvas canvas = draw_screen(state, 24, 80).canvas;
  EXPECT_EQ(save_screen(canvas, theme, folder.path()), "tpulab-screen-1.svg");
  EXPECT_EQ(save_screen(canvas, theme, folder.path()), "tpulab-screen-2.svg");
  EXPECT_EQ(content(folder.path() / "tpulab-screen-1.txt"), canvas.text() + "\n");
  const std::string svg = content(folder.path() / "tpulab-screen-2.svg");
  EXPECT_TRUE(svg.starts_with("<svg xmlns=")) << svg.substr(0, 80);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_THROW(save_screen(canvas, theme, folder.path() / "none"), Error);
}

TEST(ScreenFile, what_xml_reads_as_marks_is_written_out) {
  Canvas canvas(1, 8);
  canvas.write(0, 0, "a<b>&\"c", Role::text);
  const std::string svg = svg_of(canvas, embedded_theme("dark"));
  EXPECT_NE(svg.find(">a&lt;b&gt;&amp;&quot;c"), std::string::npos) << svg;
}

TEST(ScreenFile, cells_have_the_colours_of_the_theme_and_reversed_ones_change_them) {
  const Theme theme = embedded_theme("dark");
  const Color& warning = theme.styles[static_cast<std::size_t>(Role::warning)].foreground;
  ASSERT_FALSE(warning.terminal_default);
  Canvas canvas(1, 4);
  canvas.put(0, 0, U'!', Role::warning);
  canvas.put(0, 2, U'!', Role::warning, false, true);
  const std::string svg = svg_of(canvas, theme);
  char color[8];
  std::snprintf(color, sizeof color, "#%02x%02x%02x", warning.red, warning.green, warning.blue);
  EXPECT_NE(svg.find(std::string("textLength=\"8\" fill=\"") + color + "\">!"), std::string::npos);
  EXPECT_NE(svg.find(std::string("width=\"8\" height=\"16\" fill=\"") + color), std::string::npos);
}

}  // namespace
}  // namespace tpulab::screen_file_test

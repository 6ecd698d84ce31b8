#include "tui/draw/theme.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "engine/base/error.h"

namespace tpulab::theme_test {

namespace {

namespace fs = std::filesystem;

// A user's configuration folder for one test.
class UserThemes : public testing::Test {
 protected:
  UserThemes() : folder_(fs::temp_directory_path() / ("tpulab_theme_test_" + name())) {
    fs::create_directories(folder_ / "tpulab" / "themes");
    setenv("XDG_CONFIG_HOME", folder_.c_str(), 1);
  }
  ~UserThemes() override {
    unsetenv("XDG_CONFIG_HOME");
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  void write(const std::string& theme, const std::string& text) const {
    std::ofstream(folder_ / "tpulab" / "themes" / (theme + ".toml")) << text;
  }
  std::string error_of(const std::string& text) const {
    write("mine", text);
    try {
      theme_named("mine");
    } catch (const Error& error) {
      const std::string what = error.what();
      EXPECT_NE(what.find("mine.toml"), std::string::npos) << what;
      return what;
    }
    return "no error";
  }

 private:
  static std::string name() {
    return testing::UnitTest::GetInstance()->current_test_info()->name();
  }
  fs::path folder_;
};

const Style& style_of(const Theme& theme, Role role) {
  return theme.styles[static_cast<std::size_t>(role)];
}

// WCAG 2.1: relative luminance and contrast ratio.
double luminance(const Color& color) {
  const auto linear = [](double part) {
    part /= 255;
    return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue);
}

// xterm's palette: 16 colours, a cube of 6 x 6 x 6, 24 greys.
Color xterm_color(int index) {
  static constexpr std::array<unsigned, 16> first{
      0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
      0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF};
  const auto byte = [](unsigned value) { return static_cast<std::uint8_t>(value & 0xFF); };
  const auto number = static_cast<unsigned>(index);
  Color color;
  if (index < 16) {
    const unsigned rgb = first.at(number);
    color.red = byte(rgb >> 16);
    color.green = byte(rgb >> 8);
    color.blue = byte(rgb);
  } else if (index < 232) {
    const auto level = [&byte](unsigned step) { return byte(step == 0 ? 0 : 55 + 40 * step); };
    color.red = level((number - 16) / 36);
    color.green = level((number - 16) / 6 % 6);
    color.blue = level((number - 16) % 6);
  } else {
    color.red = color.green = color.blue = byte(8 + 10 * (number - 232));
  }
  return color;
}

double contrast(double a, double b) { return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05); }

TEST_F(UserThemes, eight_themes_are_built_in_dark_and_light_ones) {
  EXPECT_EQ(theme_names(),
            (std::vector<std::string>{"contrast", "contrast-light", "dark", "gruvbox", "light",
                                      "nord", "solarized-dark", "solarized-light"}));
  for (const std::string& name : theme_names()) {
    EXPECT_EQ(theme_named(name).light, name.ends_with("light")) << name;
    EXPECT_EQ(theme_named(name).name, name);
  }
}

TEST_F(UserThemes, built_in_themes_name_every_depth_of_every_colour) {
  for (const std::string& name : theme_names()) {
    const Theme theme = theme_named(name);
    for (int i = 0; i < role_count; ++i) {
      const Color& color = theme.styles[static_cast<std::size_t>(i)].foreground;
      if (static_cast<Role>(i) == Role::text) continue;  // the terminal's own
      EXPECT_FALSE(color.terminal_default) << name << " " << name_of(static_cast<Role>(i));
      EXPECT_GE(color.index_256, 16);
      EXPECT_GE(color.index_16, 0);
    }
  }
}

TEST_F(UserThemes, every_colour_but_that_of_frames_stands_out_from_its_background) {
  for (const std::string& name : theme_names()) {
    const Theme theme = theme_named(name);
    for (int i = 0; i < role_count; ++i) {
      const auto role = static_cast<Role>(i);
      const Style& style = theme.styles[static_cast<std::size_t>(i)];
      if (role == Role::border || style.foreground.terminal_default) continue;
      const double behind = !style.background.terminal_default ? luminance(style.background)
                            : theme.light                      ? 1.0
                                                               : 0.0;
      EXPECT_GE(contrast(luminance(style.foreground), behind), 3.0) << name << " " << name_of(role);
    }
  }
}

// The ground a theme is made for, beside black and white.
TEST_F(UserThemes, every_colour_stands_out_from_the_ground_it_is_made_for) {
  struct Ground {
    const char* theme;
    std::uint8_t red, green, blue;
    double least;
  };
  for (const Ground& ground : {Ground{"dark", 0x1E, 0x1E, 0x1E, 2.8},
                               {"contrast", 0, 0, 0, 7},
                               {"contrast-light", 255, 255, 255, 7},
                               {"gruvbox", 0x28, 0x28, 0x28, 3},
                               {"nord", 0x2E, 0x34, 0x40, 3},
                               {"solarized-dark", 0x00, 0x2B, 0x36, 3},
                               {"solarized-light", 0xFD, 0xF6, 0xE3, 3}}) {
    Color color;
    color.red = ground.red;
    color.green = ground.green;
    color.blue = ground.blue;
    const Theme theme = theme_named(ground.theme);
    for (int i = 0; i < role_count; ++i) {
      const Style& style = theme.styles[static_cast<std::size_t>(i)];
      if (style.foreground.terminal_default || !style.background.terminal_default) continue;
      const double least = static_cast<Role>(i) == Role::border ? 2.0 : ground.least;
      EXPECT_GE(contrast(luminance(style.foreground), luminance(color)), least)
          << ground.theme << " " << name_of(static_cast<Role>(i));
    }
  }
}

// Of xterm's palette, which is the harshest in use: yellow on white is the least of what passes.
TEST_F(UserThemes, nothing_is_invisible_with_256_16_or_8_colours) {
  for (const std::string& name : theme_names()) {
    const Theme theme = theme_named(name);
    for (int i = 0; i < role_count; ++i) {
      const Style& style = theme.styles[static_cast<std::size_t>(i)];
      if (style.foreground.terminal_default) continue;
      const auto seen = [&](int (*index)(const Color&, bool)) {
        const double ground = theme.light ? 1.0 : 0.0;
        const bool own = !style.background.terminal_default;
        return contrast(
            luminance(xterm_color(index(style.foreground, theme.light))),
            own ? luminance(xterm_color(index(style.background, theme.light))) : ground);
      };
      const std::string_view role = name_of(static_cast<Role>(i));
      EXPECT_GE(seen([](const Color& color, bool) { return color.index_256; }), 2.0)
          << name << " " << role;
      EXPECT_GE(seen([](const Color& color, bool) { return color.index_16; }), 1.5)
          << name << " " << role;
      EXPECT_GE(seen(index_8), 1.5) << name << " " << role;
      if (role != "warning" && role != "error") continue;  // small words that matter
      EXPECT_GE(seen([](const Color& color, bool) { return color.index_16; }), 3.0)
          << name << " " << role;
      EXPECT_GE(seen(index_8), 3.0) << name << " " << role;
    }
  }
}

TEST_F(UserThemes, bars_are_not_the_dark_blue_of_eight_colours_on_black) {
  constexpr int blue = 4;
  for (const std::string& name : theme_names()) {
    const Theme theme = theme_named(name);
    if (theme.light) continue;
    EXPECT_NE(index_8(style_of(theme, Role::compute).foreground, false), blue) << name;
  }
  // As a ground it stays, and on white.
  EXPECT_EQ(index_8(style_of(theme_named("dark"), Role::status).background, false), blue);
  EXPECT_EQ(index_8(style_of(theme_named("light"), Role::compute).foreground, true), blue);
}

TEST_F(UserThemes, a_users_theme_takes_what_it_leaves_out_from_dark_or_light) {
  write("mine", "light = true\n[roles]\ncompute = { foreground = \"#123456\", bold = true }\n");
  const Theme mine = theme_named("mine");
  EXPECT_TRUE(mine.light);
  EXPECT_EQ(mine.name, "mine");
  EXPECT_EQ(style_of(mine, Role::compute).foreground.green, 0x34);
  EXPECT_TRUE(style_of(mine, Role::compute).bold);
  const Theme light = theme_named("light");
  EXPECT_EQ(style_of(mine, Role::fallback).foreground.red,
            style_of(light, Role::fallback).foreground.red);
  EXPECT_TRUE(std::ranges::count(theme_names(), "mine") == 1);
}

TEST_F(UserThemes, a_users_theme_wins_over_a_built_in_one_of_its_name) {
  write("dark", "[roles]\ntext = { foreground = \"#FF0000\" }\n");
  EXPECT_EQ(style_of(theme_named("dark"), Role::text).foreground.red, 255);
  // What it leaves out still comes from the built-in one.
  EXPECT_EQ(style_of(theme_named("dark"), Role::fallback).foreground.index_256, 166);
}

TEST_F(UserThemes, a_hex_colour_alone_finds_its_nearest_palette_entries) {
  write("mine", "[roles]\ngood = { foreground = \"#00FF00\", background = \"#767676\" }\n");
  const Style style = style_of(theme_named("mine"), Role::good);
  EXPECT_EQ(style.foreground.index_256, 46);   // 16 + 6 * 5, the pure green of the cube
  EXPECT_EQ(style.foreground.index_16, 10);    // bright green
  EXPECT_EQ(style.background.index_256, 243);  // 8 + 10 * 11 = 118 = 0x76
  EXPECT_EQ(style.background.index_16, 8);     // the dark grey
}

TEST_F(UserThemes, an_unknown_theme_names_the_nearest_one) {
  try {
    theme_named("darkk");
    FAIL() << "there is no such theme";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "unknown theme 'darkk'; did you mean dark?; there are: contrast, contrast-light, "
                 "dark, gruvbox, light, nord, solarized-dark, solarized-light");
  }
}

TEST_F(UserThemes, errors_name_file_line_and_what) {
  EXPECT_NE(error_of("[roles]\n\ncompuet = { foreground = \"default\" }")
                .find("mine.toml:3: unknown role 'compuet'; did you mean compute?"),
            std::string::npos);
  EXPECT_NE(error_of("[roles]\ntext = { foreground = \"red\" }").find("mine.toml:2: a colour is"),
            std::string::npos);
  EXPECT_NE(error_of("[roles]\ntext = { foreground = [\"#000000\", 999, 1] }")
                .find("mine.toml:2: a colour index is a number from 0 to 255"),
            std::string::npos);
  EXPECT_NE(error_of("light = 3\n").find("mine.toml:1: light is true or false"), std::string::npos);
  EXPECT_NE(error_of("\nlights = true\n")
                .find("mine.toml:2: unknown entry 'lights'; did you mean light?"),
            std::string::npos);
  EXPECT_NE(error_of("[roles]\ntext = { size = 3 }").find("mine.toml:2: a role has"),
            std::string::npos);
  EXPECT_NE(error_of("[roles]\ntext = 3").find("mine.toml:2: a role is a table"),
            std::string::npos);
  EXPECT_NE(error_of("\na = = 1\n").find("mine.toml:2:"), std::string::npos);
}

TEST_F(UserThemes, a_name_cannot_lead_out_of_the_folder) {
  EXPECT_THROW(theme_named("../themes/mine"), Error);
  EXPECT_THROW(theme_named(""), Error);
}

}  // namespace

}  // namespace tpulab::theme_test

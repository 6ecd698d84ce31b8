#include "tui/theme.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "engine/base/error.h"

namespace tpulab {

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

double contrast(double a, double b) { return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05); }

}  // namespace

TEST_F(UserThemes, a_dark_and_a_light_theme_are_built_in) {
  EXPECT_EQ(theme_names(), (std::vector<std::string>{"dark", "light"}));
  EXPECT_FALSE(theme_named("dark").light);
  EXPECT_TRUE(theme_named("light").light);
  EXPECT_EQ(theme_named("light").name, "light");
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
  EXPECT_EQ(theme_names(), (std::vector<std::string>{"dark", "light", "mine"}));
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
  EXPECT_EQ(style.background.index_16, 7);
}

TEST_F(UserThemes, an_unknown_theme_names_the_nearest_one) {
  try {
    theme_named("darkk");
    FAIL() << "there is no such theme";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "unknown theme 'darkk'; did you mean dark?; there are: dark, light");
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

}  // namespace tpulab

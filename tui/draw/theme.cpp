#include "tui/draw/theme.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <set>

#include "engine/base/embedded.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/text.h"
#include "engine/base/toml.h"
#include "engine/base/xdg.h"

namespace tpulab {

std::span<const EmbeddedFile> embedded_themes();

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& file, const toml::source_region& where,
                       std::string_view what) {
  throw toml_error(file, where, what);
}

// The nearest of the 6x6x6 cube and the 24 greys of the 256-colour palette (xterm's values).
int nearest_256(const Color& color) {
  static constexpr std::array levels{0, 95, 135, 175, 215, 255};
  const auto distance = [&color](int red, int green, int blue) {
    const int r = red - color.red;
    const int g = green - color.green;
    const int b = blue - color.blue;
    return r * r + g * g + b * b;
  };
  int best = 16;
  int best_distance = distance(0, 0, 0);
  for (int i = 17; i < 256; ++i) {
    const int cube = i - 16;
    const int grey = 8 + 10 * (i - 232);
    const auto level = [](int step) { return levels[static_cast<std::size_t>(step)]; };
    const int off = i >= 232 ? distance(grey, grey, grey)
                             : distance(level(cube / 36), level(cube / 6 % 6), level(cube % 6));
    if (off < best_distance) {
      best = i;
      best_distance = off;
    }
  }
  return best;
}

// Bit 0 red, 1 green, 2 blue, 3 bright: the order of the 16 ANSI colours.
int nearest_16(const Color& color) {
  const int brightest = std::max({color.red, color.green, color.blue});
  if (brightest < 64) return 0;
  const auto lit = [brightest](int part) { return part * 3 >= brightest * 2 ? 1 : 0; };
  const int bits = lit(color.red) | lit(color.green) << 1 | lit(color.blue) << 2;
  constexpr int grey = 7;
  if (bits == grey && brightest < 150) return 8;  // the dark one of the two greys
  return bits | (brightest >= 192 ? 8 : 0);
}

std::optional<Color> color_from_hex(std::string_view hex) {
  if (hex.size() != 7 || hex[0] != '#') return std::nullopt;
  unsigned value = 0;
  const auto [end, error] = std::from_chars(hex.data() + 1, hex.data() + 7, value, 16);
  if (error != std::errc() || end != hex.data() + 7) return std::nullopt;
  Color color;
  color.terminal_default = false;
  color.red = static_cast<std::uint8_t>(value >> 16);
  color.green = static_cast<std::uint8_t>(value >> 8 & 0xFF);
  color.blue = static_cast<std::uint8_t>(value & 0xFF);
  color.index_256 = nearest_256(color);
  color.index_16 = nearest_16(color);
  return color;
}

int index_in(const toml::array& parts, std::size_t place, int count, const std::string& file) {
  const toml::node& node = parts[place];
  const auto index = node.value<std::int64_t>();
  if (!index || *index < 0 || *index >= count) {
    fail(file, node.source(), fmt::format("a colour index is a number from 0 to {}", count - 1));
  }
  return static_cast<int>(*index);
}

Color color_from(const toml::node& node, const std::string& file) {
  static constexpr std::string_view forms =
      "a colour is \"default\", \"#RRGGBB\" or [\"#RRGGBB\", index of 256, index of 16]";
  if (node.value<std::string_view>() == "default") return {};
  const toml::array* parts = node.as_array();
  if (parts && parts->size() != 3) fail(file, node.source(), forms);
  const auto hex = parts ? (*parts)[0].value<std::string_view>() : node.value<std::string_view>();
  std::optional<Color> color = hex ? color_from_hex(*hex) : std::nullopt;
  if (!color) fail(file, node.source(), forms);
  if (parts) {
    color->index_256 = index_in(*parts, 1, 256, file);
    color->index_16 = index_in(*parts, 2, 16, file);
  }
  return *color;
}

std::string with_nearest(std::string_view what, std::string_view typed,
                         const std::vector<std::string>& names) {
  const std::string nearest = nearest_name(typed, names);
  if (nearest.empty()) return fmt::format("unknown {} '{}'", what, typed);
  return fmt::format("unknown {} '{}'; did you mean {}?", what, typed, nearest);
}

Style style_from(const toml::node& node, const std::string& file) {
  const toml::table* table = node.as_table();
  if (!table) fail(file, node.source(), "a role is a table: { foreground = ..., bold = true }");
  Style style;
  for (const auto& [key, value] : *table) {
    if (key == "foreground") {
      style.foreground = color_from(value, file);
    } else if (key == "background") {
      style.background = color_from(value, file);
    } else if (key == "bold" && value.is_boolean()) {
      style.bold = value.value_or(false);
    } else {
      fail(file, key.source(), "a role has foreground, background and bold (true or false)");
    }
  }
  return style;
}

std::vector<std::string> role_names() {
  std::vector<std::string> names;
  names.reserve(role_count);
  for (int i = 0; i < role_count; ++i) names.emplace_back(name_of(static_cast<Role>(i)));
  return names;
}

void read_roles(Theme& theme, const toml::node& node, const std::string& file) {
  const toml::table* table = node.as_table();
  if (!table) fail(file, node.source(), "roles is a table: [roles]");
  const std::vector<std::string> names = role_names();
  for (const auto& [key, value] : *table) {
    const auto found = std::find(names.begin(), names.end(), key.str());
    if (found == names.end()) fail(file, key.source(), with_nearest("role", key.str(), names));
    theme.styles[static_cast<std::size_t>(found - names.begin())] = style_from(value, file);
  }
}

Theme theme_from(std::string_view text, const std::string& file, std::string_view name) {
  const toml::table table = parse_toml(text, file);
  Theme theme;
  const toml::node* light = table.get("light");
  if (light && !light->is_boolean()) fail(file, light->source(), "light is true or false");
  const bool on_light = light && light->value_or(false);
  const std::string_view base = on_light ? "light" : "dark";
  for (const EmbeddedFile& embedded : embedded_themes()) {
    const bool same = embedded.text.data() == text.data();
    if (!same && embedded.name == fmt::format("{}.toml", base)) {
      theme = theme_from(embedded.text, std::string(embedded.name), base);
    }
  }
  theme.name = name;
  theme.light = on_light;
  for (const auto& [key, value] : table) {
    if (key == "roles") {
      read_roles(theme, value, file);
    } else if (key != "light") {
      fail(file, key.source(), with_nearest("entry", key.str(), {"light", "roles"}));
    }
  }
  return theme;
}

std::optional<fs::path> user_folder() {
  const std::optional<fs::path> folder = user_config_folder();
  if (!folder) return std::nullopt;
  return *folder / "themes";
}

// Names of the files NAME.toml in the user's folder; a folder that cannot be read has none.
std::set<std::string> user_names() {
  std::set<std::string> names;
  const std::optional<fs::path> folder = user_folder();
  if (!folder) return names;
  std::error_code ignored;
  fs::directory_iterator entry(*folder, ignored);
  for (; !ignored && entry != fs::directory_iterator(); entry.increment(ignored)) {
    if (entry->path().extension() == ".toml") names.insert(entry->path().stem().string());
  }
  return names;
}

}  // namespace

int index_8(const Color& color, bool on_light) {
  constexpr int cyan = 6;
  if (color.index_16 == 8) return on_light ? 0 : 7;
  if (color.index_16 == 12 && !on_light) return cyan;
  return color.index_16 % 8;
}

std::vector<std::string> theme_names() {
  std::set<std::string> names = user_names();
  for (const EmbeddedFile& embedded : embedded_themes()) {
    names.insert(fs::path(embedded.name).stem().string());
  }
  return {names.begin(), names.end()};
}

Theme embedded_theme(std::string_view name) {
  for (const EmbeddedFile& embedded : embedded_themes()) {
    if (embedded.name == fmt::format("{}.toml", name)) {
      return theme_from(embedded.text, std::string(embedded.name), name);
    }
  }
  const std::vector<std::string> names = theme_names();
  throw Error(
      fmt::format("{}; there are: {}", with_nearest("theme", name, names), fmt::join(names, ", ")));
}

Theme theme_named(std::string_view name) {
  if (!user_names().contains(std::string(name))) return embedded_theme(name);
  const fs::path path = *user_folder() / fmt::format("{}.toml", name);
  return theme_from(read_file(path), path.string(), name);
}

}  // namespace tpulab

// Settings as TOML: what `save` writes and `load` reads, and how config.toml spells a value.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/toml.h"
#include "engine/session/settings/settings.h"

namespace tpulab {

// As it would be typed at the prompt; nothing for a date or a table.
std::optional<std::string> typed_value(const toml::node& node);

// A setting with its value in a TOML file.
struct SettingEntry {
  Assignment assignment;
  toml::source_region where;
};

// Calls `take` with each key ("matmul.precision" is a table with a key in TOML) and its node.
template <class Take>
void for_each_key(const toml::table& table, const std::string& inside, const Take& take) {
  for (const auto& [key, node] : table) {
    const std::string name = inside + std::string(key.str());
    if (const toml::table* part = node.as_table()) {
      for_each_key(*part, name + ".", take);
    } else {
      take(name, key.source(), node);
    }
  }
}

// Throws Error, as toml_error() makes it, for a key that is no setting (with the nearest one) and
// for a value that nobody could type. `others`: keys that are no settings.
SettingEntry entry_of(const std::string& file, const std::string& name,
                      const toml::source_region& where, const toml::node& node,
                      const std::vector<std::string>& others);

// In the user's state folder: those that the newest session ended with, if it had changed any.
inline constexpr std::string_view settings_of_last_session = "settings.toml";

struct RefusedEntry {
  SettingEntry entry;
  std::string why = {};
};
// All at once or, if that is refused, one by one until no more of them fit, as a value may need
// another one first. Answers what did not fit.
std::vector<RefusedEntry> take_entries(Settings& settings, std::span<const SettingEntry> entries);

// "batch = 64", a line; `shown` as SettingRow::show has it.
std::string toml_line(std::string_view name, const std::string& shown);

// Of a file wherever the program is begun.
std::string whole_path(std::string_view file);
// A setting's shown value, with the whole paths of files that it names: it means the same in every
// folder.
std::string shown_anywhere(std::string_view name, const std::string& shown);

// Every setting that is not as built in, a line each; `load` finds the rest built in.
std::string text_of_settings(const Settings& settings);
// The settings that such a text holds, over what is built in. Throws Error "FILE:LINE: what" for
// the first that is wrong.
Settings settings_of_text(std::string_view text, const std::string& file);

}  // namespace tpulab

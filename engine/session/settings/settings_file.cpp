#include "engine/session/settings/settings_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "engine/base/text.h"
#include "engine/session/settings/imported_models.h"
#include "engine/session/settings/own_data_files.h"

namespace tpulab {

namespace {

bool is_number(const std::string& text) { return number_in<double>(text).has_value(); }

std::string toml_string(std::string_view text) {
  std::string all = "\"";
  for (const char byte : text) {
    const int number = static_cast<unsigned char>(byte);
    if (byte == '"' || byte == '\\') all += '\\';
    const bool control = number < ' ' || number == 0x7f;
    all += control ? fmt::format("\\u{:04X}", number) : std::string(1, byte);
  }
  return all + '"';
}

std::string toml_value(const std::string& shown) {
  if (shown == "on") return "true";
  if (shown == "off") return "false";
  return is_number(shown) ? shown : toml_string(shown);
}

std::string unknown_setting(const std::string& name, std::vector<std::string> others) {
  const std::string near = setting_meant_by(name, std::move(others));
  if (near.empty()) return fmt::format("there is no setting '{}'", name);
  return fmt::format("there is no setting '{}'; did you mean {}?", name, near);
}

}  // namespace

std::optional<std::string> typed_value(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto yes = node.value_exact<bool>()) return *yes ? "on" : "off";
  if (const auto whole = node.value_exact<std::int64_t>()) return std::to_string(*whole);
  if (const auto real = node.value_exact<double>())
    return fmt::format("{:#}", *real);  // 1.0 is no 1
  const toml::array* const array = node.as_array();
  if (array == nullptr) return std::nullopt;
  std::string list;
  for (const toml::node& item : *array) {
    const auto text = item.is_array() ? std::nullopt : typed_value(item);
    if (!text) return std::nullopt;
    list += (list.empty() ? "" : ", ") + *text;
  }
  return "[" + list + "]";
}

SettingEntry entry_of(const std::string& file, const std::string& name,
                      const toml::source_region& where, const toml::node& node,
                      const std::vector<std::string>& others) {
  if (find_setting(name) == nullptr) throw toml_error(file, where, unknown_setting(name, others));
  if (const auto value = typed_value(node)) return {{name, *value}, node.source()};
  throw toml_error(file, node.source(),
                   fmt::format("{} takes {}", name, setting_named(name).values));
}

std::string toml_line(std::string_view name, const std::string& shown) {
  const bool quoted = name.find('.') != std::string_view::npos;
  return fmt::format("{} = {}\n", quoted ? fmt::format("\"{}\"", name) : std::string(name),
                     toml_value(shown));
}

std::string whole_path(std::string_view file) {
  const std::filesystem::path named(trimmed(file));
  std::error_code error;  // the folder may be gone
  const auto path = std::filesystem::absolute(named, error).lexically_normal();
  return (error ? named : path).string();
}

std::string shown_anywhere(std::string_view name, const std::string& shown) {
  if (name == "model" && names_file(shown)) return whole_path(shown);
  if (name != "data" || !names_data_file(shown)) return shown;
  std::string files;
  for (const std::string& file : split(shown, ',')) {
    files += (files.empty() ? "" : ",") + whole_path(file);
  }
  return files;
}

std::string text_of_settings(const Settings& settings) {
  std::string text = "# Settings of tpulab; what does not stand here is as built in.\n";
  for (const auto& [name, value] : changes_between({}, settings)) {
    text += toml_line(name, shown_anywhere(name, value));
  }
  return text;
}

std::vector<RefusedEntry> take_entries(Settings& settings, std::span<const SettingEntry> entries) {
  std::vector<RefusedEntry> left;
  std::vector<Assignment> all;
  for (const SettingEntry& entry : entries) {
    left.push_back({entry});
    all.push_back(entry.assignment);
  }
  try {
    change_all(settings, all);
    return {};
  } catch (const Error&) {
    // Some of them do not fit: which?
  }
  const auto taken = [&settings](RefusedEntry& one) {
    try {
      change(settings, one.entry.assignment.name, one.entry.assignment.value);
      return true;
    } catch (const Error& error) {
      one.why = error.what();
      return false;
    }
  };
  while (std::erase_if(left, taken) > 0) continue;
  return left;
}

Settings settings_of_text(std::string_view text, const std::string& file) {
  std::vector<SettingEntry> entries;
  const toml::table table = parse_toml(text, file);
  for_each_key(table, "", [&](const std::string& name, const auto& where, const toml::node& node) {
    entries.push_back(entry_of(file, name, where, node, {}));
  });
  Settings settings;
  const auto refused = take_entries(settings, entries);
  if (refused.empty()) return settings;
  throw toml_error(file, refused.front().entry.where, refused.front().why);
}

}  // namespace tpulab

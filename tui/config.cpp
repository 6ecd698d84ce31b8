#include "tui/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "engine/base/file.h"
#include "engine/base/text.h"
#include "engine/base/toml.h"
#include "engine/base/xdg.h"
#include "tui/theme_choice.h"

namespace tpulab {

namespace {

namespace fs = std::filesystem;

// As it would be typed at the prompt; nothing for a date or a table.
std::optional<std::string> typed(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto yes = node.value_exact<bool>()) return *yes ? "on" : "off";
  if (const auto whole = node.value_exact<std::int64_t>()) return std::to_string(*whole);
  if (const auto real = node.value_exact<double>())
    return fmt::format("{:#}", *real);  // 1.0 is no 1
  const toml::array* const array = node.as_array();
  if (array == nullptr) return std::nullopt;
  std::string list;
  for (const toml::node& item : *array) {
    const auto text = item.is_array() ? std::nullopt : typed(item);
    if (!text) return std::nullopt;
    list += (list.empty() ? "" : ", ") + *text;
  }
  return "[" + list + "]";
}

class Reading {
 public:
  Reading(Config& config, std::string file) : config_(config), file_(std::move(file)) {}

  void read(const toml::table& table) {
    collect(table, "");
    if (take_all()) return;
    // One by one, until no more of them fit: a value may need another one first.
    while (take_some()) continue;
    for (const Entry& entry : entries_) complain(entry.where, entry.refusal);
  }

 private:
  struct Entry {
    Assignment assignment;
    toml::source_region where;
    std::string refusal = {};
  };

  void complain(const toml::source_region& where, std::string_view what) {
    config_.complaints.push_back(toml_error(file_, where, what).what());
  }

  // `matmul.precision` is a table with a key in TOML, and a name here.
  void collect(const toml::table& table, const std::string& inside) {
    for (const auto& [key, node] : table) {
      const std::string name = inside + std::string(key.str());
      if (const toml::table* part = node.as_table()) {
        collect(*part, name + ".");
      } else if (name == "theme") {
        take_theme(node);
      } else if (find_setting(name) == nullptr) {
        complain(key.source(), unknown(name));
      } else if (const auto value = typed(node)) {
        entries_.push_back({{name, *value}, node.source()});
      } else {
        complain(node.source(), fmt::format("{} takes {}", name, setting_named(name).values));
      }
    }
  }

  static std::string unknown(const std::string& name) {
    std::vector<std::string> names{"theme"};
    for (const SettingRow& row : setting_rows()) names.emplace_back(row.name);
    const std::string near = nearest_name(name, names);
    if (near.empty()) return fmt::format("there is no setting '{}'", name);
    return fmt::format("there is no setting '{}'; did you mean {}?", name, near);
  }

  void take_theme(const toml::node& node) {
    const std::vector<std::string> names = theme_choices();
    const std::string name = typed(node).value_or("");
    if (std::ranges::find(names, name) != names.end()) {
      config_.theme = name;
    } else {
      complain(node.source(),
               fmt::format("there is no theme '{}'; there are: {}", name, fmt::join(names, ", ")));
    }
  }

  bool take_all() {
    std::vector<Assignment> all;
    for (const Entry& entry : entries_) all.push_back(entry.assignment);
    try {
      change_all(config_.settings, all);
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  bool take_some() {
    const auto taken = [this](Entry& entry) {
      try {
        change(config_.settings, entry.assignment.name, entry.assignment.value);
        return true;
      } catch (const Error& error) {
        entry.refusal = error.what();
        return false;
      }
    };
    return std::erase_if(entries_, taken) > 0;
  }

  Config& config_;
  std::string file_;
  std::vector<Entry> entries_;
};

void read_one(Config& config, const fs::path& file) {
  try {
    if (const auto text = read_file_if_there(file)) {
      Reading(config, file.string()).read(parse_toml(*text, file.string()));
    }
  } catch (const Error& error) {
    config.complaints.emplace_back(error.what());
  }
}

bool is_number(const std::string& text) {
  double number = 0;
  const auto end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number);
  return result.ec == std::errc() && result.ptr == end;
}

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

// The shown value of a setting in TOML.
std::string toml_value(const std::string& shown) {
  if (shown == "on") return "true";
  if (shown == "off") return "false";
  return is_number(shown) ? shown : toml_string(shown);
}

std::string entry_text(std::string_view name, const std::string& value, bool built_in) {
  const bool quoted = name.find('.') != std::string_view::npos;
  return fmt::format("{}{} = {}\n", built_in ? "# " : "",
                     quoted ? fmt::format("\"{}\"", name) : std::string(name), value);
}

}  // namespace

Config read_config(Config built_in, const std::vector<fs::path>& files) {
  for (const fs::path& file : files) read_one(built_in, file);
  return built_in;
}

std::vector<fs::path> config_files() {
  std::vector<fs::path> folders = site_config_folders();
  std::ranges::reverse(folders);
  if (const auto own = user_config_folder()) folders.push_back(*own);
  for (fs::path& folder : folders) folder /= "config.toml";
  return folders;
}

std::string config_text(const Config& config) {
  const Config usual;
  std::string text =
      "# What tpulab begins with. Keys are its settings (`show all` at its prompt lists them) and\n"
      "# theme; lines that begin with # hold what is built in.\n\n## Colours of the dashboard.\n";
  text += entry_text("theme", toml_value(config.theme), config.theme == usual.theme);
  for (const SettingRow& row : setting_rows()) {
    const std::string value = row.show(config.settings);
    // It follows from batch and the devices.
    const bool derived = row.name == "batch.global";
    text += fmt::format("\n## {}\n## {}\n", row.help, row.values);
    text += entry_text(row.name, toml_value(value), derived || value == row.show(usual.settings));
  }
  return text;
}

}  // namespace tpulab

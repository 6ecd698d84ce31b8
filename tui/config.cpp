#include "tui/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/file.h"
#include "engine/base/xdg.h"
#include "engine/session/settings/settings_file.h"
#include "tui/theme_choice.h"

namespace tpulab {

namespace {

namespace fs = std::filesystem;

class Reading {
 public:
  Reading(Config& config, std::string file) : config_(config), file_(std::move(file)) {}

  void read(const toml::table& table) {
    collect(table);
    for (const RefusedEntry& refused : take_entries(config_.settings, entries_)) {
      complain(refused.entry.where, refused.why);
    }
  }

 private:
  void complain(const toml::source_region& where, std::string_view what) {
    config_.complaints.push_back(toml_error(file_, where, what).what());
  }

  void collect(const toml::table& table) {
    for_each_key(table, "", [&](const std::string& name, const auto& where, const auto& node) {
      if (name == "theme") return take_theme(node);
      if (name == "history") return take_history(node);
      try {
        entries_.push_back(entry_of(file_, name, where, node, {"theme", "history"}));
      } catch (const Error& error) {
        config_.complaints.emplace_back(error.what());
      }
    });
  }

  void take_theme(const toml::node& node) {
    const std::vector<std::string> names = theme_choices();
    const std::string name = typed_value(node).value_or("");
    if (std::ranges::find(names, name) != names.end()) {
      config_.theme = name;
    } else {
      complain(node.source(),
               fmt::format("there is no theme '{}'; there are: {}", name, fmt::join(names, ", ")));
    }
  }

  void take_history(const toml::node& node) {
    if (const auto yes = node.value_exact<bool>()) {
      config_.history = *yes;
    } else {
      complain(node.source(), "history takes true or false");
    }
  }

  Config& config_;
  std::string file_;
  std::vector<SettingEntry> entries_;
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

std::string entry_text(std::string_view name, const std::string& shown, bool built_in) {
  return (built_in ? "# " : "") + toml_line(name, shown);
}

}  // namespace

Config read_config(Config built_in, const std::vector<fs::path>& files) {
  for (const fs::path& file : files) read_one(built_in, file);
  return built_in;
}

std::vector<fs::path> config_folders() {
  std::vector<fs::path> folders = site_config_folders();
  std::ranges::reverse(folders);
  if (const auto own = user_config_folder()) folders.push_back(*own);
  return folders;
}

std::vector<fs::path> config_files() {
  std::vector<fs::path> files = config_folders();
  for (fs::path& file : files) file /= "config.toml";
  return files;
}

std::string config_text(const Config& config) {
  const Config usual;
  std::string text =
      "# What tpulab begins with. Keys are its settings (`show all` at its prompt lists them) and\n"
      "# theme; lines that begin with # hold what is built in.\n\n## Colours of the dashboard.\n";
  text += entry_text("theme", config.theme, config.theme == usual.theme);
  text += "\n## Whether runs and typed lines are kept for later sessions.\n## true or false\n";
  text += entry_text("history", config.history ? "on" : "off", config.history == usual.history);
  for (const SettingRow& row : setting_rows()) {
    const std::string value = row.show(config.settings);
    text += fmt::format("\n## {}\n## {}\n", row.help, row.values);
    text += entry_text(row.name, value, is_derived(row) || value == row.show(usual.settings));
  }
  return text;
}

}  // namespace tpulab

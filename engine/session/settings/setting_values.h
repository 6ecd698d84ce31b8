// Building blocks of setting rows: how a value is read, shown and offered.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/session/settings/settings.h"

namespace tpulab {

// Nothing if it is not a number of that kind, whole.
std::optional<std::int64_t> whole_number(std::string_view text);
std::optional<double> real_number(std::string_view text);

std::string value_text(const std::string& value);
std::string value_text(std::int64_t value);
std::string value_text(double value);  // the shortest text that reads back the same
std::string value_text(bool value);    // on, off
std::string value_text(const std::vector<std::int64_t>& sizes);  // (1024,1024)
std::string value_text(const Portion& portion);                  // 10, 0.5, 1.0

using Meaning = std::string (*)(const Settings&);

template <auto Field>
std::string show_field(const Settings& settings) {
  return value_text(settings.*Field);
}

template <auto Field>
void copy_field(Settings& to, const Settings& from) {
  to.*Field = from.*Field;
}

struct RowWords {
  std::string_view name;
  std::string_view values;
  std::string_view help;
  Effect effect;
  Meaning meaning = nullptr;
};

// A word out of a constant list.
template <auto Field, const auto& Names>
constexpr SettingRow choice_row(const RowWords& words) {
  return {words.name,
          words.values,
          words.help,
          words.effect,
          [](const Settings&) { return std::vector<std::string>(Names.begin(), Names.end()); },
          [](Settings& settings, std::string_view value) {
            for (const std::string_view name : Names) {
              if (name != value) continue;
              settings.*Field = std::string(name);
              return true;
            }
            return false;
          },
          show_field<Field>,
          copy_field<Field>,
          words.meaning};
}

template <auto Field, std::int64_t Low, std::int64_t High, bool MinusOneToo = false>
constexpr SettingRow whole_row(const RowWords& words) {
  return {words.name,
          words.values,
          words.help,
          words.effect,
          nullptr,
          [](Settings& settings, std::string_view value) {
            const auto number = whole_number(value);
            if (!number) return false;
            const bool unlimited = MinusOneToo && *number == -1;
            if (!unlimited && (*number < Low || *number > High)) return false;
            settings.*Field = *number;
            return true;
          },
          show_field<Field>,
          copy_field<Field>,
          words.meaning};
}

template <auto Field>
constexpr SettingRow switch_row(const RowWords& words) {
  return {words.name,
          words.values,
          words.help,
          words.effect,
          [](const Settings&) {
            return std::vector<std::string>{"on", "off"};
          },
          [](Settings& settings, std::string_view value) {
            const bool on = value == "on" || value == "true" || value == "True";
            if (!on && value != "off" && value != "false" && value != "False") return false;
            settings.*Field = on;
            return true;
          },
          show_field<Field>,
          copy_field<Field>,
          words.meaning};
}

// Read by a function that throws Error, and offered from another.
template <auto Field, auto Read>
constexpr SettingRow read_row(const RowWords& words,
                              std::vector<std::string> (*choices)(const Settings&)) {
  return {words.name,
          words.values,
          words.help,
          words.effect,
          choices,
          [](Settings& settings, std::string_view value) {
            settings.*Field = Read(value, settings);
            return true;
          },
          show_field<Field>,
          copy_field<Field>,
          words.meaning};
}

// What stands between the quotes of a value, or the value where it has none; `devices` reads its
// own: "1" is a str, 1 an int. Throws Error where a quote is not closed.
std::string_view without_quotes(std::string_view value);

}  // namespace tpulab

#include "engine/session/settings/setting_values.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  return number_in<Number>(text);
}

}  // namespace

std::optional<std::int64_t> whole_number(std::string_view text) {
  return number_of<std::int64_t>(text);
}

std::optional<double> real_number(std::string_view text) {
  const auto number = number_of<double>(text);
  if (!number || !std::isfinite(*number)) return std::nullopt;
  return number;
}

std::string value_text(const std::string& value) { return value; }
std::string value_text(std::int64_t value) { return std::to_string(value); }
std::string value_text(double value) { return fmt::format("{}", value); }
std::string value_text(bool value) { return value ? "on" : "off"; }
std::string value_text(const std::vector<std::int64_t>& sizes) {
  return fmt::format("({})", fmt::join(sizes, ","));
}
std::string value_text(const Portion& portion) {
  if (portion.count >= 0) return value_text(portion.count);
  return fmt::format("{:#}", portion.share);
}

std::string_view without_quotes(std::string_view value) {
  if (value.empty() || (value.front() != '"' && value.front() != '\'')) return value;
  if (value.size() >= 2 && value.back() == value.front()) return value.substr(1, value.size() - 2);
  throw Error(fmt::format(
      "{} begins with a quote and does not end with it; close it there, and set several at once as "
      "`set NAME=VALUE NAME=VALUE`",
      value));
}

}  // namespace tpulab

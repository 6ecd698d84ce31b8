#include "tui/theme_choice.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

std::string_view built_in(bool light) { return light ? "light" : "dark"; }

// "ffff" or "ff" as a share of the most that so many digits can say.
std::optional<double> part_of(std::string_view hex) {
  const auto value = hex.size() > 4 ? std::nullopt : number_in<unsigned>(hex, 16);
  if (!value) return std::nullopt;
  return static_cast<double>(*value) / ((1U << 4 * hex.size()) - 1);
}

}  // namespace

std::vector<std::string> theme_choices() {
  std::vector<std::string> names = theme_names();
  names.insert(names.begin(), std::string(automatic_theme));
  return names;
}

std::optional<bool> light_by_colorfgbg(std::string_view value) {
  const int color = number_in<int>(value.substr(value.rfind(';') + 1)).value_or(-1);
  if (color < 0 || color > 15) return std::nullopt;
  return color == 7 || color > 8;  // 8 is the grey that dark palettes have there
}

std::optional<bool> light_by_answer(std::string_view answer) {
  const std::size_t start = answer.find("rgb");
  if (!answer.starts_with("11;") || start == std::string_view::npos) return std::nullopt;
  const std::size_t colon = answer.find(':', start);
  if (colon == std::string_view::npos) return std::nullopt;
  const std::vector<std::string> parts = split(answer.substr(colon + 1), '/');
  if (parts.size() < 3) return std::nullopt;
  // Rec. 709 luma: how bright the mix of the three looks.
  constexpr std::array weights{0.2126, 0.7152, 0.0722};
  double luma = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const auto part = part_of(parts[i]);
    if (!part) return std::nullopt;
    luma += weights[i] * *part;
  }
  return luma > 0.5;
}

ThemeChoice::ThemeChoice(std::string name) : name_(std::move(name)) {
  const char* colors = std::getenv("COLORFGBG");
  if (colors != nullptr) light_ = light_by_colorfgbg(colors).value_or(false);
  const char* terminal = std::getenv("TERM");
  black_ = terminal != nullptr && std::string_view(terminal) == "linux";
}

Theme ThemeChoice::wanted() const {
  return theme_named(automatic() ? built_in(light_ && !black_) : name_);
}

Theme ThemeChoice::theme() const {
  Theme theme = wanted();
  return theme.light && black_ ? embedded_theme(built_in(false)) : theme;
}

Theme ThemeChoice::theme_or_built_in(OutputLines& log) const {
  try {
    Theme all = wanted();
    if (!all.light || !black_) return all;
    log.add(OutputLine::Kind::warning,
            fmt::format("the background of this terminal is black: dark in place of {}", name_));
    return theme();
  } catch (const Error& error) {
    log.add(OutputLine::Kind::error, error.what());
    return embedded_theme(built_in(light_));
  }
}

bool ThemeChoice::choose(std::string name, OutputLines& log) {
  std::swap(name_, name);
  try {
    theme();
    return true;
  } catch (const Error& error) {
    log.add(OutputLine::Kind::error, error.what());
    name_ = std::move(name);
    return false;
  }
}

std::string ThemeChoice::words(bool kept) const {
  const std::string_view later = kept ? ", in later sessions too" : ", in this session";
  if (automatic()) return fmt::format("dark or light, as the terminal's background is{}", later);
  return fmt::format("theme {}{}; `theme auto` follows the terminal's background again", name_,
                     later);
}

bool ThemeChoice::take_answer(std::string_view answer) {
  const bool before = light_;
  light_ = light_by_answer(answer).value_or(light_);
  return light_ != before && automatic();
}

}  // namespace tpulab

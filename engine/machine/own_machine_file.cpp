#include "engine/machine/own_machine_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <deque>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/text.h"
#include "engine/base/toml.h"
#include "engine/machine/own_generations.h"

namespace tpulab {

namespace {

namespace fs = std::filesystem;

struct Unit {
  std::string_view name{};
  double size = 1;  // of the constant's own unit
};

// A key that stands for one constant.
struct OwnKey {
  std::string_view name;
  Constant Generation::*constant;
  std::array<Unit, 3> units;  // the usual one first; none of a plain number
};

constexpr std::array<Unit, 3> speeds{{{"GB/s", 1e9}, {"MB/s", 1e6}, {"TB/s", 1e12}}};
constexpr std::array<OwnKey, 9> own_keys{{
    {"hbm", &Generation::hbm_gib, {{{"GiB", 1}, {"MiB", 1.0 / 1024}, {"TiB", 1024}}}},
    {"hbm_speed", &Generation::hbm_bytes_per_second, speeds},
    {"link_speed", &Generation::link_bytes_per_second, speeds},
    {"network_speed", &Generation::network_bytes_per_second, speeds},
    {"host_link_speed", &Generation::host_link_bytes_per_second, speeds},
    {"clock", &Generation::clock_hertz, {{{"GHz", 1e9}, {"MHz", 1e6}, {}}}},
    {"matrix_units", &Generation::matrix_units, {}},
    {"matrix_side", &Generation::matrix_side, {}},
    {"price", &Generation::own_dollars_per_hour, {{{"$/h", 1}, {}, {}}}},
}};
constexpr std::array<Unit, 3> peaks{{{"TFLOP/s", 1e12}, {"PFLOP/s", 1e15}, {}}};

constexpr double farthest = 1000;  // times a constant of the base, or its share
constexpr double usual_price = 2;  // of a chip in an hour: where the base has none
constexpr std::size_t longest_row = 65'536;

// Texts that rows point to; they are never taken away.
std::string_view kept(std::string text) {
  static std::deque<std::string> all;
  return all.emplace_back(std::move(text));
}

std::string words_of(std::span<const Unit> units) {
  std::vector<std::string_view> names;
  for (const Unit& unit : units) {
    if (!unit.name.empty()) names.push_back(unit.name);
  }
  return names.empty()
             ? "a whole number"
             : fmt::format("a number and its unit in quotes, {}", fmt::join(names, " or "));
}

// "48 GiB" in the constant's unit; nothing where the unit is another.
std::optional<double> quantity(std::string_view text, std::span<const Unit> units) {
  text = trimmed(text);
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc()) return std::nullopt;
  const std::string_view name = trimmed({last, static_cast<std::size_t>(end - last)});
  for (const Unit& unit : units) {
    if (!name.empty() && name == unit.name) return number * unit.size;
  }
  return std::nullopt;
}

// One file: a row or what is wrong with it.
class OwnRow {
 public:
  OwnRow(const fs::path& file, const std::string& name) : file_(file.string()), name_(name) {}

  std::optional<Generation> read(const toml::table& table) {
    if (has_tables(table) || !take_base(table)) return std::nullopt;
    for (const auto& [key, node] : table) take(std::string(key.str()), key.source(), node);
    take_peak(table);
    if (!complaints_.empty()) return std::nullopt;
    row_.name = kept(std::string(own_mark) + name_);
    row_.public_name = kept(fmt::format("{} as {} changes it", base_->public_name, file_));
    // As much of it for a program as the base leaves.
    row_.usable_hbm_gib = {row_.hbm_gib * base_->usable_hbm_gib / base_->hbm_gib, Mark::derived,
                           kept(fmt::format("the share of {}", base_->name))};
    return row_;
  }
  std::vector<std::string> complaints() const { return complaints_; }
  // In the usual units, however it was typed; a peak is the clock that it sets.
  std::string says() const {
    std::string text = fmt::format("base {}", base_->name);
    for (const OwnKey& key : own_keys) {
      const Constant& constant = row_.*key.constant;
      const Unit& unit = key.units.front();
      if (constant.mark != Mark::yours) continue;
      text += fmt::format(", {} {:.9g}{}{}", key.name, constant / unit.size,
                          unit.name.empty() ? "" : " ", unit.name);
    }
    return text;
  }

 private:
  void complain(const toml::source_region& where, std::string_view what) {
    complaints_.push_back(toml_error(file_, where, what).what());
  }

  bool has_tables(const toml::table& table) {
    for (const auto& [key, node] : table) {
      if (!node.is_table() || node.as_table()->is_inline()) continue;
      complain(node.source(), fmt::format("there are no tables in such a file: take [{}] out and "
                                          "leave the keys in it",
                                          key.str()));
      return true;
    }
    return false;
  }

  bool take_base(const toml::table& table) {
    const toml::node* const base = table.get("base");
    const auto name = base == nullptr ? std::nullopt : base->value_exact<std::string>();
    for (const Generation& row : generations()) {
      if (name && row.name == *name) base_ = &row;
    }
    if (base_ == nullptr) {
      const bool own = name && is_own(*name);
      std::vector<std::string_view> names(generations().size());
      std::ranges::transform(generations(), names.begin(), &Generation::name);
      complain(base == nullptr ? table.source() : base->source(),
               fmt::format("{} \"{}\"",
                           own ? "a machine of your own cannot be the base; it is one of"
                               : "base says which generation it is like:",
                           fmt::join(names, "\", \"")));
      return false;
    }
    row_ = *base_;
    return true;
  }

  // Read already or not: files come one by one.
  bool is_own(std::string_view base) const {
    base = without_mark(base);
    const bool is_word = std::ranges::none_of(base, [](char c) { return c == '/' || c == '\0'; });
    std::error_code failure;
    return is_word &&
           fs::exists(fs::path(file_).replace_filename(fmt::format("{}.toml", base)), failure);
  }

  void take(const std::string& name, const toml::source_region& where, const toml::node& node) {
    if (const OwnKey* key = find_row(own_keys, name, &OwnKey::name)) return set(*key, node);
    if (name == "base" || name == "peak") return;
    std::vector<std::string> names = machine_keys();
    names.insert(names.begin(), "base");
    const std::string nearest = nearest_name(name, names);
    complain(where,
             nearest.empty()
                 ? fmt::format("there is no key '{}'; there are {}", name, fmt::join(names, ", "))
                 : fmt::format("there is no key '{}'; did you mean {}?", name, nearest));
  }

  std::optional<double> number(const std::string& name, const toml::node& node,
                               std::span<const Unit> units, double of_base,
                               std::string_view whose) {
    std::optional<double> value;
    if (const auto text = node.value_exact<std::string>()) value = quantity(*text, units);
    const auto whole = node.value_exact<std::int64_t>();
    if (whole && units.front().name.empty()) value = static_cast<double>(*whole);
    if (!value) {
      complain(node.source(), fmt::format("{} takes {}", name, words_of(units)));
    } else if (!(*value > 0)) {
      complain(node.source(), fmt::format("{} must be more than 0", name));
      value.reset();
    } else if (!(*value >= of_base / farthest && *value <= of_base * farthest)) {
      complain(node.source(),
               fmt::format("{} is more than {:g} times away from {}", name, farthest, whose));
      value.reset();
    }
    return value;
  }

  void set(const OwnKey& key, const toml::node& node) {
    const bool price = key.constant == &Generation::own_dollars_per_hour;
    const double of_base = price ? usual_price : (base_->*key.constant).value;
    const std::string whose = price ? "what chips cost" : fmt::format("that of {}", base_->name);
    const auto value = number(std::string(key.name), node, key.units, of_base, whose);
    if (!value) return;
    if (key.constant == &Generation::matrix_side && std::fmod(*value, 8) != 0) {
      return complain(node.source(), "matrix_side is a multiple of 8");
    }
    if (*value < 1 && key.units.front().name.empty()) {
      return complain(node.source(), fmt::format("{} is at least 1", key.name));
    }
    row_.*key.constant = {*value, Mark::yours, source_of(node)};
  }

  // The clock that such a peak needs.
  void take_peak(const toml::table& table) {
    const toml::node* const peak = table.get("peak");
    if (peak == nullptr) return;
    const auto value = number("peak", *peak, peaks, base_->matrix_flops_per_second(),
                              fmt::format("that of {}", base_->name));
    if (!value) return;
    if (table.contains("clock")) {
      return complain(peak->source(), "peak and clock say the same; take one out");
    }
    row_.clock_hertz = {*value / (row_.matrix_flops_per_second() / row_.clock_hertz), Mark::yours,
                        source_of(*peak)};
  }

  std::string_view source_of(const toml::node& node) const {
    return kept(fmt::format("{}:{}", file_, node.source().begin.line));
  }

  std::string file_;
  std::string name_;
  const Generation* base_ = nullptr;
  Generation row_ = generations().front();
  std::vector<std::string> complaints_;
};

}  // namespace

std::vector<std::string> machine_keys() {
  std::vector<std::string> names{"peak"};
  names.reserve(names.size() + own_keys.size());
  for (const OwnKey& one : own_keys) names.emplace_back(one.name);
  return names;
}

OwnMachineFile read_own_machine(const fs::path& file, const std::string& name) {
  try {
    OwnRow own(file, name);
    const auto row = own.read(parse_toml(read_file(file, longest_row), file.string()));
    return {row, row ? own.says() : std::string(), own.complaints()};
  } catch (const Error& error) {
    return {std::nullopt, {}, {error.what()}};
  }
}

}  // namespace tpulab

// The one output format of every bench: a line of text for people, or one JSON object per line.
#pragma once

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tpulab::bench {

inline bool& json_rows() {
  static bool json = false;
  return json;
}

// Takes `--json`; says what else is possible and returns false on anything unknown.
inline bool parse_bench_arguments(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) != "--json") {
      fmt::print(stderr, "{}: unknown argument {}; the only one is --json\n", argv[0], argv[i]);
      return false;
    }
    json_rows() = true;
  }
  return true;
}

inline std::string json_row(std::string_view bench, std::string_view name, double value,
                            std::string_view unit, std::optional<double> goal,
                            std::string_view better) {
  nlohmann::ordered_json row;
  row["bench"] = bench;
  row["name"] = name;
  row["value"] = std::isfinite(value) ? nlohmann::ordered_json(value) : nullptr;
  row["unit"] = unit;
  row["goal"] = goal ? nlohmann::ordered_json(*goal) : nullptr;
  row["better"] = better;
  return row.dump();
}

inline std::string text_row(std::string_view bench, std::string_view name, double value,
                            std::string_view unit, std::optional<double> goal,
                            std::string_view better) {
  const std::string label = fmt::format("{}/{}", bench, name);
  const std::string line = fmt::format("{:<44} {:>12.5g} {:<12}", label, value, unit);
  if (!goal) return fmt::format("{} {} is better", line, better);
  const bool met = better == "higher" ? value >= *goal : value <= *goal;
  return fmt::format("{} goal {} {:g}: {}", line, better == "higher" ? ">=" : "<=", *goal,
                     met ? "met" : "missed");
}

// Prints one measured value. `better` is "higher" or "lower"; a row without a goal is a plain fact.
inline void row(std::string_view bench, std::string_view name, double value, std::string_view unit,
                std::optional<double> goal, std::string_view better) {
  const auto line = json_rows() ? json_row(bench, name, value, unit, goal, better)
                                : text_row(bench, name, value, unit, goal, better);
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

// Of an odd number of rounds.
inline double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace tpulab::bench

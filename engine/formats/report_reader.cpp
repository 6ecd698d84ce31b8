#include "engine/formats/report_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/base/utf8.h"
#include "engine/formats/log_prefix.h"
#include "engine/formats/metrics_report.h"
#include "engine/formats/report_quantity.h"

namespace tpulab {

namespace {

constexpr std::size_t longest_name = 120;
constexpr std::size_t most_names = 4096;  // the fullest real reports have some 300
// What lies beyond is damage, and no clock or sum here could hold it.
constexpr std::int64_t most_counted = 1'000'000'000'000'000;
constexpr double longest_time = 100 * 24 * 3600.0;  // seconds
constexpr double most_measured = 1e18;              // bytes or plain
constexpr double least_measured = 1e-15;            // above none

// A line without the marks of quotes and lists that mail and trackers put before it.
std::string_view bare(std::string_view line) {
  line = trimmed(line);
  while (line.starts_with('>') || line.starts_with('|')) line = trimmed(line.substr(1));
  // A report that is printed behind words: "metrics: Metric: CompileTime".
  const auto at = line.rfind(" Metric: ");
  const bool behind = at != std::string_view::npos && line.find(' ', at + 9) == line.npos;
  return behind ? line.substr(at + 1) : line;
}

// What follows "KEY:", or none.
std::optional<std::string_view> value_of(std::string_view line, std::string_view key) {
  if (!line.starts_with(key) || line.substr(key.size()).substr(0, 1) != ":") return std::nullopt;
  return trimmed(line.substr(key.size() + 1));
}

std::string_view without(std::string_view text, std::string_view end) {
  return text.ends_with(end) ? trimmed(text.substr(0, text.size() - end.size())) : text;
}

bool can_be(const ReportQuantity& one) {
  const double most = one.unit == MetricUnit::time ? longest_time : most_measured;
  return std::isnan(one.value) || one.value == 0 ||
         (one.value >= least_measured && one.value <= most);
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& name, TimeParts parts)
      : text_(text), name_(name), parts_(parts), prefix_(text) {}

  MetricsReport read() {
    while (!text_.empty()) {
      const auto end = text_.find('\n');
      const std::string_view line = text_.substr(0, end);
      last_ = end == std::string_view::npos;
      text_ = last_ ? std::string_view{} : text_.substr(end + 1);
      ++line_;
      read_line(bare(of_first_worker(line)));
    }
    end_metric();
    check_has_values();
    return report_;
  }
  // How often what was read contradicts how parts of times were taken to be printed.
  std::int64_t contradictions() const { return contradictions_; }
  bool says_exact() const { return says_exact_; }

 private:
  // Workers print their reports between each other's lines: one of them is read.
  std::string_view of_first_worker(std::string_view line) const {
    return prefix_.behind(line).value_or("-");
  }

  void read_line(std::string_view line) {
    if (line.empty()) return;
    if (line == exact_times) {
      says_exact_ = true;
      return;
    }
    if (line.starts_with("[MetricsData")) return begin_report(line);
    if (const auto name = value_of(line, "Metric")) return begin_metric(*name);
    if (const auto name = value_of(line, "Counter")) return read_counter(*name);
    if (metric_ && read_field(line)) {
      has_fields_ = true;
      return;
    }
    if (!metric_ && !counter_.empty()) {
      if (const auto value = value_of(line, "Value")) return read_count(*value);
    }
    ++report_.other_lines;
  }

  void check_has_values() const {
    if (!report_.counters.series.empty() || !report_.counters.counts.empty()) return;
    if (report_.reports > 0) {
      throw Error(
          fmt::format("{}: none of the metrics and counters in {} has a value; take away what a "
                      "log put before their lines, so that `TotalSamples: 7` or `Value: 7` "
                      "begins the line behind each name",
                      name_, count_with(line_, "line")));
    }
    throw Error(
        fmt::format("{}: no metrics report in {}; expected lines such as `Metric: "
                    "CompileTime` or `Counter: CachedCompile`, as "
                    "torch_xla.debug.metrics.metrics_report() prints them",
                    name_, count_with(line_, "line")));
  }

  void begin_report(std::string_view head) {
    const auto at = head.find("step=");
    fresh();
    if (at == std::string_view::npos) return;
    const std::string_view rest = head.substr(at + 5);
    report_.step = shortened(rest.substr(0, rest.find_first_of("] ;,")), quoted_bytes);
  }

  void fresh() {
    report_.counters = {};
    report_.step.clear();
    says_exact_ = false;
    seen_.clear();
    metric_ = false;
    counter_.clear();
  }

  // One of which nothing but the name was read would look as if it had measured nothing.
  void end_metric() {
    if (!metric_) return;
    check_mean();
    if (!has_fields_) report_.counters.series.pop_back();
    metric_ = false;
  }

  // Of at most the window's samples, the mean is told twice: by the sums and by the rates.
  void check_mean() {
    const Series& one = report_.counters.series.back();
    if (one.unit != MetricUnit::time || one.samples < 1 || !one.total_per_second) return;
    if (one.samples > std::int64_t{Metrics::window_samples}) return;
    const double times = one.samples_per_second.value_or(0);
    const double mean = one.total / static_cast<double>(one.samples);
    if (times > 0 && std::abs(*one.total_per_second / times - mean) > 0.1 * mean) {
      ++contradictions_;
    }
  }

  // A name that comes again begins another report.
  void note(std::string_view name) {
    if (report_.reports == 0 || seen_.empty()) ++report_.reports;
    if (seen_.size() > most_names) {
      throw Error(
          fmt::format("{}:{}: more than {} names; expected the few hundred that a metrics "
                      "report has",
                      name_, line_, text_with_commas(most_names)));
    }
    if (seen_.emplace(name).second) return;
    fresh();
    ++report_.reports;
    seen_.emplace(name);
  }

  void begin_metric(std::string_view name) {
    end_metric();
    note(name);
    counter_.clear();
    metric_ = true;
    has_fields_ = false;
    has_total_ = false;
    report_.counters.series.push_back({.name = shortened(name, longest_name)});
  }

  // In 2019 the accumulator of a metric was called so, too.
  void read_counter(std::string_view text) {
    if (metric_ && !has_total_ && !text.empty() && is_digit(text.front())) {
      has_fields_ = true;
      return read_total(text);
    }
    end_metric();
    note(text);
    counter_ = shortened(text, longest_name);
  }

  void read_count(std::string_view text) {
    if (const auto count = whole(text)) report_.counters.counts.emplace_back(counter_, *count);
    counter_.clear();
  }

  bool read_field(std::string_view line) {
    Series& series = report_.counters.series.back();
    if (const auto samples = value_of(line, "TotalSamples")) {
      series.samples = whole(*samples).value_or(0);
    } else if (const auto total = value_of(line, "Accumulator")) {
      read_total(*total);
    } else if (const auto rate = value_of(line, "ValueRate")) {
      series.total_per_second = number(without(*rate, "/ second"));
    } else if (const auto times = value_of(line, "Rate")) {
      series.samples_per_second = number(without(*times, "/ second"));
    } else if (const auto percentiles = value_of(line, "Percentiles")) {
      read_percentiles(*percentiles, series);
    } else {
      return value_of(line, "Mean") || value_of(line, "StdDev");
    }
    return true;
  }

  void read_total(std::string_view text) {
    Series& series = report_.counters.series.back();
    const auto total = sample(text);
    if (!total) return;
    has_total_ = true;
    series.unit = total->unit;
    series.total = std::isnan(total->value) ? 0 : total->value;
  }

  void read_percentiles(std::string_view text, Series& series) {
    double before = 0;
    for (const std::string& part : split(text, ';')) {
      const std::string_view one = trimmed(part);
      const auto equals = one.find("%=");
      if (one.empty()) continue;
      if (equals == std::string_view::npos) return expected(one, "percentiles as 50%=001ms2.5us");
      const auto value = sample(one.substr(equals + 2));
      if (!value) return;
      if (std::isnan(value->value)) continue;
      if (value->value < before) ++contradictions_;
      before = value->value;
      if (one.substr(0, equals) == "50") series.median = value->value;
      series.longest = std::max(series.longest, value->value);
    }
  }

  std::optional<ReportQuantity> quantity(std::string_view text) {
    const auto value = read_quantity(text, parts_);
    if (!value) expected(text, "a time as 01s405ms211.447us, bytes as 468.00MB, or a number");
    if (value && !can_be(*value)) {
      expected(text, "a time up to 100 days, or bytes or a number of 0 or from 10^-15 to 10^18");
      return std::nullopt;
    }
    if (value && value->only_exact && parts_ == TimeParts::rounded) ++contradictions_;
    return value;
  }

  // Of the newest series: those that are called times are counted in seconds everywhere.
  std::optional<ReportQuantity> sample(std::string_view text) {
    auto value = quantity(text);
    const bool time = report_.counters.series.back().name.ends_with("Time");
    if (!value || !time || value->unit == MetricUnit::time || std::isnan(value->value)) {
      return value;
    }
    expected(text, "a time as 01s405ms211.447us");
    return std::nullopt;
  }

  std::optional<double> number(std::string_view text) {
    const auto value = quantity(text);
    return value && !std::isnan(value->value) ? std::optional(value->value) : std::nullopt;
  }

  std::optional<std::int64_t> whole(std::string_view text) {
    const auto number = number_in<std::int64_t>(text);
    if (number && *number >= 0 && *number <= most_counted) return number;
    expected(text, "a whole number from 0 to 10^15");
    return std::nullopt;
  }

  // What was copied from a screen may end anywhere; elsewhere a broken value is an error.
  void expected(std::string_view text, std::string_view what) {
    if (last_ || trimmed(text_).empty()) {
      report_.cut_off = true;
      return;
    }
    throw Error(fmt::format("{}:{}: '{}' is not what a metrics report has there; expected {}",
                            name_, line_, shortened(text, quoted_bytes), what));
  }

  std::string_view text_;
  const std::string& name_;
  TimeParts parts_;
  MetricsReport report_;
  LogPrefix prefix_;
  std::set<std::string, std::less<>> seen_;
  std::string counter_;  // whose value comes next
  bool metric_ = false;  // fields of the newest series come next
  bool has_fields_ = false;
  bool has_total_ = false;
  bool last_ = false;
  bool says_exact_ = false;
  std::int64_t line_ = 0;
  std::int64_t contradictions_ = 0;
};

}  // namespace

MetricsReport read_metrics_report(std::string_view text, const std::string& name) {
  Reader rounded(text, name, TimeParts::rounded);
  Reader exact(text, name, TimeParts::exact);
  MetricsReport as_rounded = rounded.read();
  MetricsReport as_exact = exact.read();
  as_rounded.corrected = true;
  const bool is_exact = exact.says_exact() || exact.contradictions() < rounded.contradictions();
  return is_exact ? as_exact : as_rounded;
}

}  // namespace tpulab

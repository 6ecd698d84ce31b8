#include "commands/report_comparison.h"

#include <fmt/format.h>

#include <utility>

#include "commands/estimate_words.h"
#include "commands/names_of_both.h"
#include "commands/table.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

std::string total_text(const Series* series) {
  if (series == nullptr) return "-";
  switch (series->unit) {
    case MetricUnit::time:
      return text_of(picoseconds_from_seconds(series->total));
    case MetricUnit::bytes:
      return text_of(Bytes{static_cast<std::int64_t>(series->total)});
    case MetricUnit::value:
      break;
  }
  return text_of_number(series->total);
}

std::string samples_text(const Series* series) {
  return series == nullptr ? "-" : text_with_commas(series->samples);
}

double mean_of(const Series* series) {
  if (series == nullptr || series->samples <= 0) return 0;
  return series->total / static_cast<double>(series->samples);
}

std::string change_text(double before, double after) {
  if (before <= 0 || after <= 0) return "";
  return before == after ? "0 %" : signed_percent(after / before);
}

EventValue number_or_none(const Series* series, double Series::*field) {
  return series == nullptr ? EventValue() : EventValue(series->*field);
}

void add_metrics(Answer& answer, const Counters& first, const Counters& second) {
  Table table({"metric", "samples", "then", "in all", "then", "one sample"});
  for (const std::string& name : names_of_both(first.series, second.series, &Series::name)) {
    const Series* before = first.find(name);
    const Series* after = second.find(name);
    table.add({name, samples_text(before), samples_text(after), total_text(before),
               total_text(after), change_text(mean_of(before), mean_of(after))});
    add_row(answer, "metrics.metric",
            {{"name", name},
             {"total", number_or_none(before, &Series::total)},
             {"then_total", number_or_none(after, &Series::total)}});
  }
  add_lines(answer, table.lines());
}

void add_counters(Answer& answer, const Counters& first, const Counters& second) {
  Table table({"counter", "value", "then", "difference"});
  using Count = std::pair<std::string, std::int64_t>;
  for (const std::string& name : names_of_both(first.counts, second.counts, &Count::first)) {
    const std::int64_t before = first.count(name);
    const std::int64_t after = second.count(name);
    table.add({name, text_with_commas(before), text_with_commas(after),
               change_text(static_cast<double>(before), static_cast<double>(after))});
    add_row(answer, "metrics.counter", {{"name", name}, {"value", before}, {"then", after}});
  }
  add_lines(answer, table.lines());
}

}  // namespace

Answer compare_reports(const std::string& first_name, const MetricsReport& first,
                       const std::string& second_name, const MetricsReport& second) {
  Answer answer;
  add_line(answer, fmt::format("{}, then {}", first_name, second_name));
  add_metrics(answer, first.counters, second.counters);
  add_counters(answer, first.counters, second.counters);
  return answer;
}

}  // namespace tpulab

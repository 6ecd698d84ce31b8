#include "commands/option_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "commands/estimate_words.h"
#include "commands/gpu_words.h"
#include "commands/table.h"
#include "engine/base/error.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

constexpr double bar_columns = 24;

std::vector<std::string> names_of(const std::vector<Axis>& axes) {
  std::vector<std::string> names;
  names.reserve(axes.size());
  for (const Axis& axis : axes) names.push_back(axis.name);
  return names;
}

Distinction told_apart(const Estimated& row, const Estimated& reference) {
  return distinction(reference.option.settings, reference.estimate, row.option.settings,
                     row.estimate);
}

bool is_told(Distinction told) {
  return told == Distinction::clear || told == Distinction::common_error_cancels;
}

// The rows of each model stand against the one of the highest rate.
class References {
 public:
  explicit References(const std::vector<Estimated>& rows) {
    for (const Estimated& row : rows) {
      if (!row.estimate.failure.empty()) continue;
      most_ = std::max(most_, row.estimate.samples_per_second);
      Reference& one = by_model_[row.estimate.model];
      const bool first = one.row == nullptr;
      if (first || row.estimate.samples_per_second > one.row->estimate.samples_per_second) {
        one.row = &row;
      }
    }
    for (const Estimated& row : rows) {
      if (!row.estimate.failure.empty()) continue;
      Reference& one = by_model_.at(row.estimate.model);
      if (&row != one.row && !is_told(told_apart(row, *one.row))) one.fastest = false;
    }
  }

  bool empty() const { return by_model_.empty(); }
  std::size_t models() const { return by_model_.size(); }
  double most_samples_per_second() const { return most_; }
  const Estimated& of(const Estimated& row) const { return *by_model_.at(row.estimate.model).row; }
  std::string against(const Estimated& row) const {
    const auto& [reference, fastest] = by_model_.at(row.estimate.model);
    if (&row == reference) return fastest ? "fastest" : "reference";
    const Distinction told = told_apart(row, *reference);
    if (told == Distinction::overlapping) return "not distinguishable";
    if (told == Distinction::no_band) return "no band";
    const double own = row.estimate.samples_per_second;
    return signed_percent(own / reference->estimate.samples_per_second);
  }

 private:
  struct Reference {
    const Estimated* row = nullptr;
    bool fastest = true;  // told apart from every other row of its model
  };
  std::map<std::string, Reference> by_model_;
  double most_ = 0;
};

std::string step_cell(const Estimate& estimate) {
  std::string text = text_of(estimate.step);
  if (estimate.band > 0) text += fmt::format(" +-{:.0f} %", estimate.band * 100);
  return text;
}

// Per million samples, and per epoch.
std::string cost_cell(const std::optional<Cost>& cost) {
  if (!cost) return "-";
  std::string text = fmt::format("{:.3g}", cost->dollars_per_million_samples);
  if (cost->dollars_per_epoch) text += fmt::format(" ({:.2g} an epoch)", *cost->dollars_per_epoch);
  return text;
}

std::vector<std::string> cells_of(const Estimated& row, const References& references, bool bars) {
  const Estimate& estimate = row.estimate;
  const auto cost = cost_of(row.option.settings, estimate);
  std::vector<std::string> cells = row.option.values;
  cells.insert(cells.end(), {step_cell(estimate), text_of_count(estimate.samples_per_second),
                             references.against(row), estimate.bound, text_of(estimate.hbm_used),
                             cost_cell(cost), estimate.nearest.empty() ? "-" : estimate.nearest});
  if (bars) {
    const double share = estimate.samples_per_second / references.most_samples_per_second();
    cells.emplace_back(static_cast<std::size_t>(std::lround(share * bar_columns)), '#');
  }
  return cells;
}

// What the table rests on, once for all rows.
std::vector<std::string> notes_of(const std::vector<Estimated>& rows,
                                  const References& references) {
  std::set<std::string> notes;
  for (const Estimated& row : rows) {
    if (!row.estimate.failure.empty()) continue;
    const Estimated& reference = references.of(row);
    if (&row == &reference) continue;
    notes.insert(fmt::format(
        "{}{} against {}: {}", references.models() > 1 ? row.estimate.model + ": " : "",
        row.estimate.machine, reference.estimate.machine, words_of(told_apart(row, reference))));
  }
  std::set<std::string> prices;
  bool epochs = false;
  for (const Estimated& row : rows) {
    const auto cost = cost_of(row.option.settings, row.estimate);
    if (!cost) continue;
    epochs |= cost->dollars_per_epoch.has_value();
    prices.insert(cost->basis);
  }
  std::vector<std::string> lines(notes.begin(), notes.end());
  for (const std::string& price : prices) lines.push_back("price of " + price);
  const bool gpus =
      std::ranges::any_of(rows, [](const Estimated& row) { return !row.estimate.gpus.empty(); });
  lines.push_back(fmt::format("TPU time (estimated){}; HBM of one device; $ per million samples{}",
                              gpus ? ", GPU time (published or rough)" : "",
                              epochs ? "; $ an epoch where its rows are known" : ""));
  return lines;
}

std::string value_text(const EventField& field) {
  return std::visit([](const auto& value) { return fmt::format("{}", value); }, field.value);
}

std::vector<std::string> csv_lines(const std::vector<Axis>& axes,
                                   const std::vector<Estimated>& rows) {
  std::vector<std::string> heads = names_of(axes);
  for (const EventField& field : fields_of(rows[0].option.settings, rows[0].estimate)) {
    const bool axis = std::ranges::find(heads, field.name) != heads.end();
    heads.push_back(axis ? "estimated_" + field.name : field.name);
  }
  Table table(heads);
  for (const Estimated& row : rows) {
    std::vector<std::string> cells = row.option.values;
    for (const EventField& field : fields_of(row.option.settings, row.estimate)) {
      cells.push_back(value_text(field));
    }
    table.add(std::move(cells));
  }
  return table.csv();
}

void add_facts(Answer& answer, const std::vector<Axis>& axes, const std::vector<Estimated>& rows,
               const std::string& event) {
  for (const Estimated& row : rows) {
    std::vector<EventField> fields;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      fields.push_back({axes[axis].name, row.option.values[axis]});
    }
    for (EventField& field : fields_of(row.option.settings, row.estimate)) {
      const bool axis = std::ranges::find(axes, field.name, &Axis::name) != axes.end();
      if (!axis) fields.push_back(std::move(field));
    }
    add_fact(answer, event, std::move(fields));
  }
}

void add_failures(Answer& answer, const std::vector<Estimated>& rows) {
  for (const Estimated& row : rows) {
    if (row.estimate.failure.empty()) continue;
    add_line(answer, fmt::format("{}: {}", fmt::join(row.option.values, " "),
                                 split(row.estimate.failure, '\n').front()));
  }
}

}  // namespace

std::vector<Estimated> estimate_all(std::vector<Combination> options, const std::stop_token& stop) {
  std::vector<Estimated> rows;
  rows.reserve(options.size());
  for (Combination& option : options) {
    if (stop.stop_requested()) throw Error("the sweep was cancelled");
    Estimated row{std::move(option), {}};
    row.estimate.failure = row.option.refusal;
    try {
      if (row.option.refusal.empty()) row.estimate = estimate(row.option.settings, stop);
    } catch (const Error& error) {
      row.estimate = {};
      row.estimate.failure = error.what();
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Answer option_answer(const std::vector<Axis>& axes, const std::vector<Estimated>& rows,
                     const std::string& event, bool csv, bool bars) {
  Answer answer;
  add_facts(answer, axes, rows, event);
  if (csv) {
    add_lines(answer, csv_lines(axes, rows));
    return answer;
  }
  const References references(rows);
  if (!references.empty()) {
    std::vector<std::string> heads = names_of(axes);
    heads.insert(heads.end(), {"step", "samples/s", "against it", "bound", "HBM", "$", "nearest"});
    if (bars) heads.emplace_back("samples/s");
    Table table(heads);
    for (const Estimated& row : rows) {
      if (row.estimate.failure.empty()) table.add(cells_of(row, references, bars));
    }
    add_lines(answer, table.lines());
  }
  add_failures(answer, rows);
  if (!references.empty()) add_lines(answer, notes_of(rows, references));
  add_gpus_per_slice(answer, rows);
  return answer;
}

Reply compare_options(Arguments words, const std::string& event, std::string_view usage,
                      CommandContext& context) {
  // "format csv" may stand behind a sweep as on a line of its own.
  std::vector<std::string> typed(words.begin(), words.end());
  const auto format = std::ranges::find(typed, "format");
  if (format != typed.end() && format + 1 != typed.end()) {
    *format += "=" + *(format + 1);
    typed.erase(format + 1);
  }
  std::vector<Axis> axes = axes_of(typed, usage);
  Settings base = context.settings;
  const auto given = std::ranges::find(axes, "format", &Axis::name);
  if (given != axes.end()) {
    change(base, "format", fmt::format("{}", fmt::join(given->values, ",")));
    axes.erase(given);
  }
  if (axes.empty()) throw Error(fmt::format("there is nothing to compare; usage: {}", usage));
  std::vector<Combination> options = combinations(base, axes);
  const std::string what = fmt::format("{} of {} combinations", event, options.size());
  const bool csv = base.format == "csv";
  const bool bars = context.interactive;
  return answer(
      context, what,
      [axes, options = std::move(options), event, csv, bars](const std::stop_token& stop) {
        return option_answer(axes, estimate_all(options, stop), event, csv, bars);
      });
}

}  // namespace tpulab

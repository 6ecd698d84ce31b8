#include "commands/option_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "commands/ask.h"
#include "commands/estimate_words.h"
#include "commands/gpu_words.h"
#include "commands/idle_axes.h"
#include "commands/mesh_words.h"
#include "commands/option_notes.h"
#include "commands/table.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/session/settings/imported_models.h"
#include "engine/session/settings/plan.h"
#include "engine/session/settings/setting_meanings.h"

namespace tpulab {

namespace {

constexpr double bar_columns = 24;
constexpr std::size_t most_table_rows = 100'000;

std::vector<EstimatedRow> estimated_rows(const std::vector<Estimated>& rows) {
  std::vector<EstimatedRow> estimated;
  for (const Estimated& row : rows) {
    if (row.estimate() != nullptr) estimated.push_back({row.option, *row.estimate()});
  }
  return estimated;
}

Distinction told_apart(const EstimatedRow& row, const EstimatedRow& reference) {
  return distinction(reference.option.settings, reference.estimate, row.option.settings,
                     row.estimate);
}

// The rows of each model stand against the one of the highest rate.
class References {
 public:
  explicit References(const std::vector<EstimatedRow>& rows) {
    for (const EstimatedRow& row : rows) {
      most_ = std::max(most_, row.estimate.samples_per_second);
      Reference& one = by_model_[row.estimate.model];
      const bool first = one.rows++ == 0;
      if (first || row.estimate.samples_per_second > one.row->estimate.samples_per_second) {
        one.row = &row;
      }
    }
    for (const EstimatedRow& row : rows) {
      Reference& one = by_model_.at(row.estimate.model);
      if (&row != one.row && !is_told_apart(told_apart(row, *one.row))) one.fastest = false;
    }
  }

  double most_samples_per_second() const { return most_; }
  const EstimatedRow& of(const EstimatedRow& row) const {
    return *by_model_.at(row.estimate.model).row;
  }
  std::string against(const EstimatedRow& row) const {
    const auto& [reference, fastest, rows] = by_model_.at(row.estimate.model);
    if (by_model_.size() > 1 && rows == 1) return "-";  // also a model of other tokens or pixels
    if (&row == reference) {
      const std::string_view word = fastest ? "fastest" : "reference";
      return by_model_.size() > 1 ? fmt::format("{} of its model", word) : std::string(word);
    }
    const Distinction told = told_apart(row, *reference);
    if (told == Distinction::overlapping) return "not distinguishable";
    if (told == Distinction::no_band) return "no band";
    const double own = row.estimate.samples_per_second;
    return signed_percent(own / reference->estimate.samples_per_second);
  }

 private:
  struct Reference {
    const EstimatedRow* row = nullptr;
    bool fastest = true;  // told apart from every other row of its model
    int rows = 0;         // of its model
  };
  std::map<std::string, Reference> by_model_;
  double most_ = 0;
};

std::string number_cell(std::optional<double> number) {
  return number ? text_of_number(*number) : "-";
}

std::vector<std::string> cells_of(const EstimatedRow& row, const References& references,
                                  bool bars) {
  const Estimate& estimate = row.estimate;
  const auto cost = cost_of(row.option.settings, estimate);
  const std::string band = estimate.band > 0 ? " " + band_text(estimate) : "";
  std::vector<std::string> cells = row.option.values;
  cells.insert(cells.end(),
               {text_of(estimate.step) + band, text_of_count(estimate.samples_per_second),
                references.against(row), estimate.bound,
                estimate.gpus.empty() ? text_of_share(estimate.utilisation) : "-",
                text_of(estimate.hbm_used),
                number_cell(cost ? std::optional(cost->dollars_per_million_samples) : std::nullopt),
                number_cell(cost ? cost->dollars_per_epoch : std::nullopt),
                estimate.nearest.empty() ? "-" : estimate.nearest});
  if (bars) {
    const double share = estimate.samples_per_second / references.most_samples_per_second();
    cells.emplace_back(static_cast<std::size_t>(std::lround(share * bar_columns)), '#');
  }
  return cells;
}

// How far rows can be told from what they stand against: one by one if they are few, else counted.
std::vector<std::string> told_apart_lines(const std::vector<EstimatedRow>& rows,
                                          const References& references) {
  constexpr std::size_t few = 3;
  std::map<std::string_view, std::vector<std::string>> pairs;
  for (const EstimatedRow& row : rows) {
    const EstimatedRow& reference = references.of(row);
    if (&row == &reference) continue;
    pairs[words_of(told_apart(row, reference))].push_back(
        fmt::format("{} against {}", label_of(row), label_of(reference)));
  }
  std::vector<std::string> lines;
  for (const auto& [words, which] : pairs) {
    if (which.size() > few) {
      lines.push_back(
          fmt::format("{} rows against that of the highest rate: {}", which.size(), words));
      continue;
    }
    for (const std::string& pair : which) lines.push_back(fmt::format("{}: {}", pair, words));
  }
  return lines;
}

// A row by its devices alone, or by all that they do not say.
std::string words_of_axes(const std::vector<Axis>& axes, const EstimatedRow& row, bool devices) {
  std::string words;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const bool of_devices = axes[i].name == "slice" || axes[i].name == "devices";
    if (of_devices == devices) words += (words.empty() ? "" : " ") + row.option.values[i];
  }
  return words;
}

// What each device does where their number differs, against the fewest of the same kind.
std::vector<std::string> scaling_lines(const std::vector<Axis>& axes,
                                       const std::vector<EstimatedRow>& rows) {
  constexpr std::size_t most = 12;
  std::map<std::string, std::vector<const EstimatedRow*>> alike;
  for (const EstimatedRow& row : rows) {
    if (!row.estimate.gpus.empty()) continue;
    const std::string others = words_of_axes(axes, row, false);
    alike[fmt::format("{} {}", generation_of(row.option.settings), others)].push_back(&row);
  }
  const auto world = [](const EstimatedRow* row) { return world_of(row->option.settings); };
  const auto each = [&world](const EstimatedRow* row) {
    return row->estimate.samples_per_second / static_cast<double>(world(row));
  };
  std::vector<std::string> lines;
  for (const auto& [kind, group] : alike) {
    const auto [fewest, last] = std::ranges::minmax_element(group, {}, world);
    if (world(*fewest) == world(*last) || group.size() > most) continue;
    std::vector<std::string> parts;
    for (const EstimatedRow* row : group) {
      parts.push_back(fmt::format("{} {} ({})", words_of_axes(axes, *row, true),
                                  text_of_count(each(row)),
                                  text_of_share(each(row) / each(*fewest))));
    }
    lines.push_back(fmt::format("samples/s a device (efficiency){}: {}",
                                alike.size() > 1 ? ", " + kind : "", fmt::join(parts, ", ")));
  }
  return lines;
}

// What the table rests on, once for all rows.
std::vector<std::string> notes_of(const std::vector<EstimatedRow>& rows,
                                  const References& references) {
  std::vector<std::string> prices;
  bool epochs = false;
  bool gpus = false;
  bool kernels = false;
  std::vector<LabelledMesh> meshes;
  for (const EstimatedRow& row : rows) {
    const Settings& settings = row.option.settings;
    meshes.push_back({label_of(row), row.estimate.mesh, row.estimate.devices});
    gpus |= !row.estimate.gpus.empty();
    kernels |= !has_batches(settings) && !names_program(settings.model);
    const auto cost = cost_of(settings, row.estimate);
    if (!cost) continue;
    epochs |= cost->dollars_per_epoch.has_value();
    if (std::ranges::find(prices, cost->basis) == prices.end()) prices.push_back(cost->basis);
  }
  std::vector<std::string> lines = told_apart_lines(rows, references);
  std::ranges::move(step_notes(rows), std::back_inserter(lines));
  std::ranges::move(mesh_lines(meshes), std::back_inserter(lines));
  std::ranges::move(whole_run_lines(rows), std::back_inserter(lines));
  std::ranges::move(notes_on_settings(rows), std::back_inserter(lines));
  for (const std::string& price : prices) lines.push_back("price of " + price);
  lines.push_back(
      fmt::format("TPU time (estimated){}; HBM of one device; $ per million samples{}{}",
                  gpus ? ", GPU time (published or rough)" : "",
                  epochs ? "; $ an epoch where its rows are known" : "",
                  kernels ? "; a sample of a kernel is one call, whatever its size" : ""));
  return lines;
}

// In a table one line each; alone with what would fit. Where all fail the answer does.
void add_failures(Answer& answer, const std::vector<Estimated>& rows, bool all) {
  for (const Estimated& row : rows) {
    if (row.estimate() != nullptr) continue;
    const std::string reason =
        rows.size() == 1 ? row.failure() : split(row.failure(), '\n').front();
    const std::string text = fmt::format("{}: {}", fmt::join(row.option.values, " "), reason);
    all ? add_failure(answer, text) : add_line(answer, text);
  }
}

struct Wanted {
  std::vector<Axis> axes;
  Settings base;
};

// "format csv" may stand behind a sweep as on a line of its own.
Wanted wanted_of(Arguments words, std::string_view usage, const Settings& settings) {
  std::vector<std::string> typed(words.begin(), words.end());
  const auto format = std::ranges::find(typed, "format");
  if (format != typed.end() && format + 1 != typed.end()) {
    *format += "=" + *(format + 1);
    typed.erase(format + 1);
  }
  Wanted wanted{axes_of(typed, usage), settings};
  const auto given = std::ranges::find(wanted.axes, "format", &Axis::name);
  if (given != wanted.axes.end()) {
    change(wanted.base, "format", fmt::format("{}", fmt::join(given->values, ",")));
    wanted.axes.erase(given);
  }
  if (!wanted.axes.empty()) return wanted;
  throw Error(fmt::format("there is nothing to compare; usage: {}", usage));
}

void check_table(std::size_t count, bool interactive) {
  if (count <= most_table_rows) return;
  throw Error(fmt::format(
      "these are {} combinations, and one answer holds 100,000; {}",
      text_with_commas(static_cast<std::int64_t>(count)),
      interactive ? "give fewer values, or --shard I/N of them" : "format csv prints any number"));
}

}  // namespace

Answer option_answer(const std::vector<Axis>& axes, const std::vector<Estimated>& rows,
                     const std::string& event, const TableForm& form) {
  const std::vector<EstimatedRow> estimated = estimated_rows(rows);
  Answer answer;
  for (const Estimated& row : rows) answer.push_back(row_of(axes, row, event));
  add_fields(answer, {{"rows", static_cast<std::int64_t>(rows.size())},
                      {"failures", static_cast<std::int64_t>(rows.size() - estimated.size())}});
  if (estimated.empty()) {
    add_failures(answer, rows, true);
    return answer;
  }
  if (form.csv) {
    if (form.heads) add_line(answer, csv_heads(axes));
    for (const Estimated& row : rows) add_line(answer, csv_row(row));
    return answer;
  }
  const References references(estimated);
  std::vector<std::string> names(axes.size());
  std::ranges::transform(axes, names.begin(), &Axis::name);
  names.insert(names.end(), {"step", "samples/s", "against it", "bound", "useful", "HBM", "$",
                             "$ an epoch", "nearest"});
  if (form.bars) names.emplace_back("");
  Table table(names);
  for (const EstimatedRow& row : estimated) table.add(cells_of(row, references, form.bars));
  // What all rows share is said once, so that the rest fits beside each other.
  const std::vector<std::string> shared = table.take_out_alike({"step", "samples/s"});
  if (!shared.empty()) add_line(answer, fmt::format("in all rows: {}", fmt::join(shared, "; ")));
  // A bar repeats the rate, and words below tell how far rows differ.
  const auto gone = table.fit(form.columns, {"", "nearest", "$ an epoch", "HBM", "$", "useful",
                                             "against it", "bound", "samples/s"});
  add_lines(answer, table.lines());
  if (!gone.empty()) add_line(answer, no_room_line(gone));
  add_failures(answer, rows, false);
  add_lines(answer, scaling_lines(axes, estimated));
  add_lines(answer, notes_of(estimated, references));
  std::vector<const Settings*> settings;
  settings.reserve(estimated.size());
  for (const EstimatedRow& row : estimated) settings.push_back(&row.option.settings);
  add_lines(answer, idle_axes(axes, settings));
  add_gpus_per_slice(answer, rows);
  return answer;
}

Reply compare_options(Arguments words, const RowOptions& options, const std::string& event,
                      std::string_view usage, CommandContext& context) {
  const auto [axes, base] = wanted_of(words, usage, context.settings);
  const bool csv = base.format == "csv";
  if (!csv && (options.shard || !options.heads)) {
    throw Error("--shard and --no-header are of rows, not of a table; add format csv");
  }
  if (csv && context.print_row) return stream_options(base, axes, options, event, context);
  const Points points = points_of(count_of(axes), options.shard.value_or(Shard()));
  check_table(points.end - points.first, context.interactive);
  // Beside a run one core is enough.
  const auto threads = context.interactive ? 1 : static_cast<int>(base.workers);
  const TableForm form{
      .csv = csv, .heads = options.heads, .bars = context.interactive, .columns = context.columns};
  const auto work = [=, axes = axes, base = base](const std::stop_token& stop) {
    WorkerPool workers(threads);
    const auto rows = estimate_points(base, axes, points, workers, stop);
    return option_answer(axes, rows, event, form);
  };
  return answer(context, fmt::format("{} of {} combinations", event, points.end - points.first),
                work);
}

}  // namespace tpulab

#include "commands/run_rows.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <ctime>

#include "commands/answer.h"
#include "engine/base/text.h"
#include "engine/base/utf8.h"

namespace tpulab {

namespace {

// The years of four digits: what a damaged record has beyond them has no date.
bool has_date(std::int64_t seconds) {
  constexpr std::int64_t last_day_of_9999 = 253'402'214'400;
  return seconds >= 0 && seconds < last_day_of_9999;
}

std::string local_time(std::int64_t seconds) {
  if (!has_date(seconds)) return "-";
  return fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(static_cast<std::time_t>(seconds)));
}

std::string utc_time(std::int64_t seconds) {
  if (!has_date(seconds)) return "";
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

// "32 x 8", without what follows from it.
std::string short_batch(const std::string& batch) { return batch.substr(0, batch.find(" = ")); }

// "f32", without why another was asked for in vain.
std::string short_precision(const std::string& text) { return text.substr(0, text.find(" (")); }

// What its figures cannot be held against those of a run from step 1 and an empty cache for.
std::string how_of(const RunRecord& run) {
  std::vector<std::string> words;
  if (run.view.from_step > 0) words.push_back(fmt::format("from step {}", run.view.from_step));
  if (run.preempted) words.emplace_back("preempted");
  if (run.cold && run.cold->found > 0) words.emplace_back("warm");
  return fmt::format("{}", fmt::join(words, ", "));
}

std::vector<EventField> fields_of(const RunRecord& run) {
  const RunView& view = run.view;
  return {{"number", view.number},
          {"began", utc_time(run.began)},
          {"state", std::string(name_of(view.state))},
          {"model", view.model},
          {"slice", view.machine},
          {"batch", view.batch},
          {"precision", view.precision},
          {"stack", run.stack},
          {"steps", view.step},
          {"tpu_seconds", in_seconds(view.tpu_time)},
          {"step_seconds",
           view.step_time.count() > 0 ? EventValue(in_seconds(view.step_time)) : EventValue()},
          {"wall_seconds", view.wall_seconds},
          {"bound", view.bound.empty() ? EventValue() : EventValue(view.bound.name)},
          {"bound_saves", view.bound.saves > 0 ? EventValue(view.bound.saves) : EventValue()},
          {"loss", view.loss},
          {"test_accuracy", view.test_accuracy},
          {"compiles", run.compiles},
          {"found", run.cold ? EventValue(run.cold->found) : EventValue()},
          {"how", how_of(run)}};
}

void add_row_of(Table& table, const RunRecord& run) {
  constexpr std::size_t longest_model = 48;  // `runs N` has all of a line of layers
  const RunView& view = run.view;
  const std::string how = how_of(run);
  table.add(
      {std::to_string(view.number), local_time(run.began), shortened(view.model, longest_model),
       view.machine, short_batch(view.batch), short_precision(view.precision),
       fmt::format("{}{}", view.step,
                   view.state == RunState::finished ? "" : fmt::format(" {}", name_of(view.state))),
       text_of(view.tpu_time), fmt::format("{:.2f} s", view.wall_seconds),
       view.bound.empty() ? "-" : view.bound.brief(), loss_text(view.loss, "-"),
       loss_text(view.test_accuracy, "-"), how.empty() ? "-" : how});
}

bool in_csv(const EventField& field) {
  return field.name != "stack" && field.name != "compiles" && field.name != "found";
}

}  // namespace

std::string loss_text(double value, const char* none) {
  return std::isnan(value) ? none : fmt::format("{:.4g}", value);
}

std::vector<EventField> run_fields_of(const KeptRun& run) {
  std::vector<EventField> fields = fields_of(run.record);
  if (run.trouble.empty()) return fields;
  for (EventField& field : fields) {
    if (field.name != "number" && field.name != "began") field.value = EventValue();
  }
  fields.push_back({"message", run.trouble});
  return fields;
}

namespace {

std::vector<std::string> csv_cells(const KeptRun& run) {
  std::vector<std::string> cells;
  for (const EventField& field : run_fields_of(run)) {
    if (in_csv(field)) cells.push_back(value_text(field));
  }
  if (!run.trouble.empty()) cells[2] = "unreadable";
  return cells;
}

}  // namespace

Table table_of_runs(bool csv) {
  if (!csv) {
    return Table({"run", "when", "model", "slice", "batch", "precision", "steps", "TPU time",
                  "wall", "bound", "loss", "accuracy", "how"});
  }
  std::vector<std::string> heads;
  for (const EventField& field : fields_of(RunRecord{})) {
    if (in_csv(field)) heads.push_back(field.name);
  }
  return Table(std::move(heads));
}

void add_run(Table& table, const KeptRun& run, bool csv) {
  if (csv) return table.add(csv_cells(run));
  if (run.trouble.empty()) return add_row_of(table, run.record);
  constexpr std::size_t unknown_cells = 10;
  std::vector<std::string> cells{std::to_string(run.record.view.number),
                                 local_time(run.record.began), "unreadable"};
  cells.insert(cells.end(), unknown_cells, "-");
  table.add(cells);
}

}  // namespace tpulab

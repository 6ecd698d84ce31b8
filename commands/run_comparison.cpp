#include "commands/run_comparison.h"

#include <fmt/format.h>

#include <algorithm>

#include "commands/estimate_words.h"
#include "commands/names_of_both.h"
#include "commands/table.h"
#include "engine/base/text.h"
#include "engine/session/answers/exports.h"

namespace tpulab {

namespace {

// One of the two, and what it is called: "run 3", "kept run 3".
struct Side {
  const RunRecord& run;
  std::string name;
};

std::string title_of(const Side& side) {
  const RunView& view = side.run.view;
  return fmt::format("{}: {} on {} of {}, batch {}, {}, {}, {} after {} steps", side.name,
                     view.model, view.devices, view.machine, view.batch, view.precision,
                     side.run.stack, name_of(view.state), view.step);
}

// Runs stand at equal cache: each as from an empty one, where that can be told of both.
struct Whole {
  Picoseconds time{};
  Picoseconds compile{};
  std::int64_t compiles = 0;
  double rate = 0;
};

bool warm(const RunRecord& run) { return run.cold && run.cold->found > 0; }

Whole whole_of(const RunRecord& run, bool cold) {
  if (!cold) {
    return {run.view.tpu_time, run.compile, run.compiles, run.view.tpu_rate_with_compile};
  }
  const double samples = run.view.tpu_rate_with_compile * in_seconds(run.view.tpu_time);
  const double seconds = in_seconds(run.cold->time);
  return {run.cold->time, run.cold->compile, run.cold->compiles,
          seconds > 0 ? samples / seconds : 0};
}

// As an older version kept a run, it is told as it went.
ColdStep steady_of(const RunRecord& run, bool cold) {
  if (cold) return *run.cold->steady;
  return {.phases = run.phases, .time = run.view.step_time, .rate = run.view.tpu_rate_steady};
}

// `point` is one of the run's: its place among them is that of the evaluation in the cold run.
Picoseconds time_at(const RunRecord& run, const AccuracyPoint& point, bool cold) {
  const auto place = static_cast<std::size_t>(&point - run.accuracies.data());
  return cold && place < run.cold->evaluations.size() ? run.cold->evaluations[place]
                                                      : point.tpu_time;
}

std::string cache_text(const Side& side) {
  const RunRecord& run = side.run;
  if (!run.cold) return fmt::format("{}: too long to say what it found compiled", side.name);
  if (!warm(run)) return fmt::format("{} began cold", side.name);
  return fmt::format("{} found {} compiled by an earlier run, which spared it {}", side.name,
                     count_with(run.cold->found, "program"),
                     text_of(run.cold->time - run.view.tpu_time));
}

// The figures of a resumed run are those of its own steps.
void add_beginning(Answer& answer, const Side& side) {
  const RunView& run = side.run.view;
  if (run.from_step == 0) return;
  add_line(answer, fmt::format("{} {}: its times are those of the {} since", side.name,
                               beginning_of(run), count_with(run.step - run.from_step, "step")));
}

// Collects one figure of both runs for the table, for CSV and for JSON.
class Rows {
 public:
  explicit Rows(bool csv)
      : csv_(csv),
        table_(csv ? std::vector<std::string>{"figure", "before", "after"}
                   : std::vector<std::string>{"", "before", "after", "difference"}) {}

  void time(const std::string& name, Picoseconds before, Picoseconds after) {
    time(name, name, before, after);
  }
  // Whose column is called otherwise, as its name holds a value.
  void time(const std::string& name, const std::string& column, Picoseconds before,
            Picoseconds after) {
    add(column + " s", name, in_seconds(before), in_seconds(after), text_of(before),
        text_of(after));
  }
  void count(const std::string& name, double before, double after) {
    add(name, name, before, after, text_of_count(before), text_of_count(after));
  }
  void share(const std::string& name, double before, double after) {
    add(name, name, before, after, fmt::format("{:.4g}", before), fmt::format("{:.4g}", after));
  }
  // What both are asked for: the table says it in its rows' names.
  void asked(const std::string& name, double value) {
    fields_.push_back({as_column(name), value});
    if (csv_) table_.add({as_column(name), fmt::format("{}", value), fmt::format("{}", value)});
  }
  std::vector<std::string> lines() const { return csv_ ? table_.csv() : table_.lines(); }
  std::vector<EventField> fields() && { return std::move(fields_); }

 private:
  // A run without a steady step has none of its figures.
  void add(std::string full_name, const std::string& name, double before, double after,
           std::string before_text, std::string after_text) {
    full_name = as_column(std::move(full_name));
    const bool steady = name == "step" || name == "samples/s";
    const bool known = !steady || (before > 0 && after > 0);
    if (steady && before <= 0) before_text = "not known";
    if (steady && after <= 0) after_text = "not known";
    fields_.push_back({"before_" + full_name, value_of(before, steady)});
    fields_.push_back({"after_" + full_name, value_of(after, steady)});
    if (csv_) {
      table_.add({full_name, number_of(before, steady), number_of(after, steady)});
    } else {
      table_.add({name, before_text, after_text,
                  before == after ? "0 %"
                  : known         ? signed_percent(after / before)
                                  : ""});
    }
  }
  static EventValue value_of(double value, bool steady) {
    return steady && value <= 0 ? EventValue() : EventValue(value);
  }
  static std::string number_of(double value, bool steady) {
    return steady && value <= 0 ? "" : fmt::format("{}", value);
  }

  bool csv_;
  Table table_;
  std::vector<EventField> fields_;
};

// Whether both are as from a cold start.
bool add_steady(Rows& rows, const RunRecord& before, const RunRecord& after) {
  const bool cold = before.cold && before.cold->steady && after.cold && after.cold->steady;
  const ColdStep a = steady_of(before, cold);
  const ColdStep b = steady_of(after, cold);
  for (const std::string& name : names_of_both(a.phases, b.phases, &PhaseTime::name)) {
    rows.time(name, time_of(a.phases, name), time_of(b.phases, name));
  }
  rows.time("step", a.time, b.time);
  rows.count("samples/s", a.rate, b.rate);
  return cold;
}

double best_accuracy(const RunRecord& run) {
  double best = 0;
  for (const AccuracyPoint& point : run.accuracies) best = std::max(best, point.accuracy);
  return best;
}

const AccuracyPoint* first_at(const RunRecord& run, double accuracy) {
  return find_row(run.accuracies, true,
                  [&](const AccuracyPoint& one) { return one.accuracy >= accuracy; });
}

std::string reached_text(const Side& side, const AccuracyPoint* point) {
  if (point != nullptr) return fmt::format("{} after epoch {}", side.name, point->epoch);
  return fmt::format("{} never (its best is {:.3f})", side.name, best_accuracy(side.run));
}

std::string add_accuracy(Rows& rows, const Side& first, const Side& second, bool cold,
                         std::optional<double> asked) {
  const RunRecord& before = first.run;
  const RunRecord& after = second.run;
  const auto learns = [](const RunRecord& run) {
    return run.view.numbers && !run.accuracies.empty();
  };
  if (!learns(before) || !learns(after)) {
    return "no time to an accuracy: both runs need a whole epoch with numbers";
  }
  const double target = asked.value_or(std::min(best_accuracy(before), best_accuracy(after)));
  const AccuracyPoint* a = first_at(before, target);
  const AccuracyPoint* b = first_at(after, target);
  if (a != nullptr && b != nullptr) {
    rows.asked("accuracy", target);
    rows.time(fmt::format("TPU time to accuracy {:.3f}", target), "TPU time to accuracy",
              time_at(before, *a, cold), time_at(after, *b, cold));
    rows.share("epochs to it", static_cast<double>(a->epoch), static_cast<double>(b->epoch));
  }
  return fmt::format("test accuracy {:.3f}: {}, {}", target, reached_text(first, a),
                     reached_text(second, b));
}

}  // namespace

Answer compare_runs(const RunRecord& before, const RunRecord& after, bool csv,
                    std::string_view word, std::optional<double> target) {
  const Side first{before, fmt::format("{} {}", word, before.view.number)};
  const Side second{after, fmt::format("{} {}", word, after.view.number)};
  Rows rows(csv);
  const bool cold = before.cold && after.cold;
  const bool cold_steps = add_steady(rows, before, after);
  const Whole a = whole_of(before, cold);
  const Whole b = whole_of(after, cold);
  rows.count("samples/s with compile", a.rate, b.rate);
  rows.time("compile", a.compile, b.compile);
  rows.share("compiles", static_cast<double>(a.compiles), static_cast<double>(b.compiles));
  rows.time("whole run", a.time, b.time);
  const std::string accuracy = add_accuracy(rows, first, second, cold, target);
  Answer answer;
  if (!csv) {
    add_lines(answer, {"before: " + title_of(first), "after:  " + title_of(second)});
    for (const Side* side : {&first, &second}) add_beginning(answer, *side);
  }
  add_lines(answer, rows.lines());
  if (!csv) {
    const bool one_warm = warm(before) || warm(after);
    const std::string as_cold =
        !cold || !one_warm ? ""
                           : fmt::format("; {} of both are those of a cold start",
                                         cold_steps ? "all figures" : "compiles and whole runs");
    add_lines(answer,
              {accuracy, fmt::format("{}; {}{}", cache_text(first), cache_text(second), as_cold),
               "phases of a steady step; TPU time (estimated)"});
  }
  std::vector<EventField> fields = std::move(rows).fields();
  fields.insert(fields.begin(),
                {{"before_run", before.view.number},
                 {"after_run", after.view.number},
                 {"before_found_programs", before.cold ? before.cold->found : EventValue()},
                 {"after_found_programs", after.cold ? after.cold->found : EventValue()}});
  add_fields(answer, std::move(fields));
  return answer;
}

}  // namespace tpulab

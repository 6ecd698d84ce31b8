// whatif: the settings as they are against some others, phase by phase.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>

#include "commands/answer.h"
#include "commands/ask.h"
#include "commands/candidates.h"
#include "commands/estimate_words.h"
#include "commands/gpu_words.h"
#include "commands/mesh_words.h"
#include "commands/names_of_both.h"
#include "commands/table.h"
#include "commands/what_fits.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/session/answers/exports.h"
#include "engine/session/settings/setting_meanings.h"

namespace tpulab::whatif_command {

namespace {

constexpr std::string_view usage = "whatif NAME=VALUE ...";

struct Side {
  Settings settings;
  Estimate estimated;
  std::string differs{};  // " (quant int8)", of what the other side has otherwise
};

// The line of a side says these anyway.
bool is_told_anyway(const SettingRow& row) {
  static constexpr std::array<std::string_view, 8> told{
      "model", "hidden", "sequence", "image", "slice", "batch", "batch.global", "precision"};
  return std::ranges::find(told, row.name) != told.end();
}

std::string differs(const Settings& settings, const std::vector<Assignment>& changes) {
  std::vector<std::string> parts;
  for (const Assignment& change : changes) {
    const SettingRow& row = setting_named(change.name);
    if (!is_told_anyway(row)) parts.push_back(fmt::format("{} {}", row.name, row.show(settings)));
  }
  return parts.empty() ? "" : fmt::format(" ({})", fmt::join(parts, ", "));
}

void add_time(Table& table, const std::string& name, Picoseconds now, Picoseconds then) {
  const double ratio = in_seconds(then) / in_seconds(now);
  table.add({name, text_of(now), text_of(then), now == then ? "0 %" : signed_percent(ratio)});
}

Table table_of(const Side& now, const Side& then) {
  Table table({"", "now", "then", "difference"});
  for (const std::string& name :
       names_of_both(now.estimated.terms, then.estimated.terms, &PhaseTime::name)) {
    add_time(table, name, time_of(now.estimated.terms, name), time_of(then.estimated.terms, name));
  }
  add_time(table, "step", now.estimated.step, then.estimated.step);
  const auto rates = [&](const char* name, double a, double b) {
    if (a > 0 || b > 0) {
      table.add({name, text_of_count(a), text_of_count(b), signed_percent(b / a)});
    }
  };
  rates("samples/s", now.estimated.samples_per_second, then.estimated.samples_per_second);
  rates("tokens/s", now.estimated.tokens_per_second, then.estimated.tokens_per_second);
  table.add({"HBM a device", text_of(now.estimated.hbm_used), text_of(then.estimated.hbm_used),
             signed_percent(then.estimated.hbm_used / now.estimated.hbm_used)});
  const bool compiles = now.estimated.gpus.empty() && then.estimated.gpus.empty();
  if (compiles) add_time(table, "compile", now.estimated.compile, then.estimated.compile);
  const auto& now_run = now.estimated.run;
  const auto& then_run = then.estimated.run;
  if (now_run && then_run) {
    add_time(table, "run", now_run->time, then_run->time);
    rates("samples/s of the run", now_run->samples_per_second, then_run->samples_per_second);
  }
  const auto now_cost = cost_of(now.settings, now.estimated);
  const auto then_cost = cost_of(then.settings, then.estimated);
  if (now_cost && then_cost) {
    const double a = now_cost->dollars_per_million_samples;
    const double b = then_cost->dollars_per_million_samples;
    table.add(
        {"$ per million samples", text_of_number(a), text_of_number(b), signed_percent(b / a)});
  }
  return table;
}

void add_side(Answer& lines, const char* which, const Side& side) {
  const Estimate& estimated = side.estimated;
  add_line(lines, fmt::format("{}{}: {} on {}, batch {}, {}; step {}; bound: {}", which,
                              side.differs, estimated.model, estimated.machine, estimated.batch,
                              effective_precision(side.settings), step_with_band(estimated),
                              estimated.bound));
}

// What changes more comes first: a run gains or loses by compiles, evaluations, the last batches
// and steps that are trained again, which no steady step shows.
std::string difference_of(const Estimate& now, const Estimate& then) {
  const double rate = then.samples_per_second / now.samples_per_second;
  std::string steady = fmt::format("{} samples/s steady", signed_percent(rate));
  if (!now.gpus.empty() || !then.gpus.empty()) return steady;
  if (!now.run || !then.run) return steady + ", of a run without end";
  const double time = in_seconds(then.run->time) / in_seconds(now.run->time);
  std::string whole = fmt::format("{} time of the whole run", signed_percent(time));
  if (now.run->steps != then.run->steps) {
    whole += fmt::format(", of {} steps in place of {}", then.run->steps, now.run->steps);
  }
  return std::abs(std::log(time)) > std::abs(std::log(rate)) ? whole + ", " + steady
                                                             : steady + ", " + whole;
}

Estimated estimated_row(const Side& side) {
  return {.option = {.values = {}, .settings = side.settings, .refusal = {}},
          .outcome = side.estimated};
}

// "now_host_tracing_s", as `compare last` names what was before.
void add_phases(std::vector<EventField>& fields, const Side& now, const Side& then) {
  for (const std::string& name :
       names_of_both(now.estimated.terms, then.estimated.terms, &PhaseTime::name)) {
    const std::string column = as_column(name) + "_s";
    fields.push_back({"now_" + column, in_seconds(time_of(now.estimated.terms, name))});
    fields.push_back({"then_" + column, in_seconds(time_of(then.estimated.terms, name))});
  }
}

Answer compared(const Side& now, const Side& then) {
  Answer lines;
  const Distinction told = distinction(now.settings, now.estimated, then.settings, then.estimated);
  add_side(lines, "now ", now);
  add_side(lines, "then", then);
  add_lines(lines, table_of(now, then).lines());
  add_line(lines,
           fmt::format("{}; {}", difference_of(now.estimated, then.estimated), words_of(told)));
  add_lines(lines, mesh_lines({{"now", now.estimated.mesh, now.estimated.devices},
                               {"then", then.estimated.mesh, then.estimated.devices}}));
  std::vector<EventField> fields = fields_of(then.settings, then.estimated);
  for (EventField& field : fields_of(now.settings, now.estimated)) {
    fields.push_back({"now_" + field.name, std::move(field.value)});
  }
  add_phases(fields, now, then);
  fields.push_back({"distinction", std::string(words_of(told))});
  add_fields(lines, std::move(fields));
  add_gpus_per_slice(lines, {estimated_row(now), estimated_row(then)});
  return lines;
}

Impossible no_step(const char* which, const std::string& why) {
  return Impossible(fmt::format("{} there is no step to compare: {}", which, why));
}

Side side_of(const char* which, const Settings& settings, const std::vector<Assignment>& changes,
             const std::stop_token& stop) {
  try {
    return {settings, estimate(settings, stop), differs(settings, changes)};
  } catch (const DoesNotFit&) {
    throw;
  } catch (const Error& error) {
    throw no_step(which, error.what());
  }
}

// Where the change is what makes it fit there is nothing to set it against.
Impossible no_step_now(const DoesNotFit& refusal, const Settings& then,
                       const std::vector<Assignment>& changes, const std::stop_token& stop) {
  try {
    estimate(then, stop);
  } catch (const Error&) {
    return no_step("now", refusal.what());
  }
  return no_step("now", fmt::format("{}\nWith the change it fits: `{}` tells of it",
                                    refusal.needed(), typed_line("forecast", changes)));
}

Answer compared(const Settings& now, const Settings& then, const std::vector<Assignment>& changes,
                const std::stop_token& stop) {
  std::optional<Side> side;
  try {
    side = side_of("now", now, changes, stop);
  } catch (const DoesNotFit& refusal) {
    throw no_step_now(refusal, then, changes, stop);
  }
  try {
    return compared(*side, side_of("then", then, changes, stop));
  } catch (const DoesNotFit& refusal) {
    throw no_step("then", refusal_of_line(refusal, "whatif", changes));
  }
}

Reply whatif(Arguments arguments, CommandContext& context) {
  if (arguments.empty()) throw Error(fmt::format("whatif needs a change; usage: {}", usage));
  const Settings now = context.settings;
  Settings then = now;
  const std::vector<Assignment> changes = assignments_of(arguments, usage);
  asked_in_line("whatif", now, changes, [&] { return change_all(then, changes); });
  return answer(context, "whatif", [now, then, changes](const std::stop_token& stop) {
    // Why nothing changes is read before a table of nothing.
    Answer lines;
    add_lines(lines, without_effect(then, changes));
    std::ranges::move(compared(now, then, changes, stop), std::back_inserter(lines));
    for (const Settings* side : {&now, &then}) {
      const std::string copies = copies_note(*side);
      if (copies.empty()) continue;
      add_line(lines, copies);
      break;
    }
    const std::vector<std::string> before = said_of_estimate(now);
    for (const std::string& note : said_of_estimate(then)) {
      if (std::ranges::find(before, note) == before.end()) add_line(lines, note);
    }
    return lines;
  });
}

std::vector<std::string> complete(Arguments, const CommandContext& context) {
  return assignment_candidates(context.settings);
}

}  // namespace

extern const Command row;
const Command row{
    "whatif",
    usage,
    "Set the settings as they are against others, phase by phase.",
    "whatif batch=1024 changes nothing: it estimates a steady step and the whole run now and then, "
    "on the TPU's clock, and says whether the two can be told apart. At the prompt the answer "
    "comes while the "
    "run goes on; `stop` or Ctrl-C cancels it.",
    whatif,
    complete,
};

}  // namespace tpulab::whatif_command

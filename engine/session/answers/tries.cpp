#include "engine/session/answers/tries.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "engine/session/settings/memory_check.h"
#include "engine/session/settings/plan.h"
#include "engine/training/networks/networks.h"

namespace tpulab {

namespace {

// A try that comes this close to the best one and changes less is taken.
constexpr double close_to_best = 0.95;
// The sanity check is one of them.
constexpr std::int64_t least_evaluations = 2;

double rate_of(const Trial& trial, const Diagnosis& cause, const Settings& settings) {
  return counts_whole(settings, cause) ? trial.rate_with_compile : trial.steady_rate;
}

// Of an epoch's rows.
double share_left_out(const Settings& settings) {
  const std::int64_t rows = rows_per_device(settings);
  if (!settings.drop_last || rows == 0) return 0;
  return static_cast<double>(rows % settings.batch) / static_cast<double>(rows);
}

// Rows that are left out are not trained faster.
bool leaves_out_more(const Settings& now, const Settings& then) {
  return share_left_out(then) > std::max(share_left_out(now), least_gain_of_a_trade);
}

Assignment assignment_of(const std::string& typed) {
  const auto space = typed.find(' ');
  return {typed.substr(0, space), typed.substr(space + 1)};
}

// A device has no more rows in a step than in an epoch.
Assignment within_epoch(const Settings& settings, Assignment change) {
  const std::int64_t most = rows_per_device(settings);
  if (most > 0 && std::stoll(change.value) > most) change.value = std::to_string(most);
  return change;
}

// A line of layers has its widths in itself. Nothing for a network that has none to change.
std::optional<Assignment> as_typed(const Settings& settings, Assignment change) {
  if (change.name == "batch") return within_epoch(settings, std::move(change));
  if (change.name != "hidden" || settings.model == "mlp") return change;
  Settings wide = settings;
  setting_named(change.name).parse(wide, change.value);
  const auto line = with_widths(settings.model, wide.hidden);
  return line ? std::optional(Assignment{"model", *line}) : std::nullopt;
}

// More rows than an epoch has make no larger step.
bool is_cut_short(const Change& change, const Trial& then) {
  return change.typed.name == "batch" && then.largest_step < global_batch(change.settings);
}

// 0 of a run that ends before it; a run that saves once an epoch counts as one that saves often.
std::int64_t saves_of(const Settings& settings, const Trial& run) {
  return settings.save_every_n_steps == 0 ? run.steps : run.steps / settings.save_every_n_steps;
}

// To do no more of what comes again is no answer to how often.
bool ends_what_recurs(const Diagnosis& cause, const Settings& asked, const Trial& now,
                      const Change& change, const Trial& then) {
  if (change.typed.name == "save_every_n_steps") {
    return then.steps > 0 && saves_of(change.settings, then) == 0 && saves_of(asked, then) > 1;
  }
  return cause.between_steps && then.evaluations < std::min(now.evaluations, least_evaluations);
}

Settings as_far(Settings settings, std::int64_t steps) {
  if (steps > 0 && (settings.max_steps < 0 || settings.max_steps > steps)) {
    settings.max_steps = steps;
  }
  return settings;
}

}  // namespace

bool counts_whole(const Settings& settings) { return settings.preempt != "none"; }

bool counts_whole(const Settings& settings, const Diagnosis& cause) {
  return cause.between_steps || counts_whole(settings);
}

std::optional<Change> changed(const Settings& base, Assignment change) {
  auto typed = as_typed(base, std::move(change));
  if (!typed) return std::nullopt;
  Settings settings = base;
  const SettingRow& row = setting_named(typed->name);
  try {
    if (!row.parse(settings, typed->value) || row.show(settings) == row.show(base)) {
      return std::nullopt;
    }
  } catch (const Error&) {
    return std::nullopt;
  }
  if (leaves_out_more(base, settings)) return std::nullopt;
  return Change{std::move(*typed), std::move(settings)};
}

std::map<std::string, Finding> by_setting(Finding finding) {
  const std::vector<std::string> tries = std::exchange(finding.tries, {});
  std::map<std::string, Finding> parts;
  for (const std::string& typed : tries) {
    const auto part = parts.try_emplace(assignment_of(typed).name, finding).first;
    part->second.tries.push_back(typed);
  }
  return parts;
}

bool has_no_room(const Settings& settings) {
  try {
    return is_named(settings) && !fits_hbm(settings);
  } catch (const Error&) {
    return false;
  }
}

std::optional<Trial> Tries::run(const Settings& settings, std::int64_t times_as_long) const {
  if (stop_.stop_requested()) throw Error("the answer was cancelled");
  try {
    check_settings(settings);
    // A run would ask too, and search for what would fit.
    if (has_no_room(settings)) return std::nullopt;
    return tried(as_far(settings, steps_), stop_, times_as_long);
  } catch (const Error&) {
    if (stop_.stop_requested()) throw;
    return std::nullopt;
  }
}

std::optional<Remedy> Tries::best(const Diagnosis& cause, const Finding& finding,
                                  const Settings& base, const Trial& now) const {
  std::vector<Remedy> all;
  bool there = false;  // one of them is what `base` has
  for (const std::string& text : finding.tries) {
    const Assignment one = assignment_of(text);
    there |= setting_named(one.name).show(base) == one.value;
    const auto change = changed(base, one);
    if (!change) continue;
    // All rows of an epoch in one step only where no smaller batch is larger.
    const bool is_batch = change->typed.name == "batch";
    const bool whole_epoch = is_batch && "batch " + change->typed.value != text;
    if (whole_epoch && (there || !all.empty())) break;
    const auto then = run(change->settings);
    if (!then || is_cut_short(*change, *then) ||
        ends_what_recurs(cause, asked_, now, *change, *then)) {
      if (whole_epoch || (!all.empty() && is_batch)) break;  // nor do larger ones
      continue;
    }
    all.push_back({&cause, finding, change->typed, change->settings, *then, gain_of(now, *then)});
  }
  if (all.empty()) return std::nullopt;
  const auto rate = [&](const Remedy& one) { return rate_of(one.then, cause, base); };
  const double best = rate(*std::ranges::max_element(all, {}, rate));
  const auto chosen = std::ranges::find_if(
      all, [&](const Remedy& one) { return rate(one) >= close_to_best * best; });
  chosen->own = chosen->gain;
  return std::move(*chosen);
}

}  // namespace tpulab

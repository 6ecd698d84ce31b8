#include "engine/session/answers/advise.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <utility>

#include "engine/base/error.h"
#include "engine/session/answers/remedy_worth.h"
#include "engine/session/run/cold_run.h"
#include "engine/session/settings/gpu_settings.h"
#include "engine/session/settings/memory_check.h"
#include "engine/session/settings/plan.h"
#include "engine/training/networks/networks.h"

namespace tpulab {

namespace {

// A run shows its steps' habits from here on.
constexpr std::size_t least_steps = 8;
// A try that comes this close to the best one and changes less is taken.
constexpr double close_to_best = 0.95;
// The sanity check is one of them.
constexpr std::int64_t least_evaluations = 2;

// Where steps are trained again, a run is no beginning of a longer one: its whole time is what
// counts.
bool counts_whole(const Settings& settings) { return settings.preempt != "none"; }

double rate_of(const Trial& trial, const Settings& settings) {
  return counts_whole(settings) ? trial.rate_with_compile : trial.steady_rate;
}

// What is spared between steps may have given a loader time, which steady steps then wait for.
bool costs(const Gain& more, const Diagnosis& cause, const Settings& settings) {
  const bool whole = counts_whole(settings) || cause.between_steps;
  return (whole ? more.with_compile : std::min(more.steady, more.with_compile)) <= -little;
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

class Advisor {
 public:
  // Every try takes at most `steps`; 0: all there are.
  Advisor(const Settings& settings, const std::stop_token& stop, std::int64_t steps = 0)
      : stop_(stop), steps_(steps) {
    advice_.settings = settings;
  }

  Advice on(const RecordedRun& run, const Trial& now) && {
    advice_.now = now;
    const Findings findings = found_in(run);
    compiles_recur_ =
        std::ranges::any_of(findings, [](const auto& one) { return one.first->recurs; });
    for (const auto& [cause, finding] : findings) look_for_remedies(*cause, finding);
    reveal_hidden();
    weigh_trades();
    std::ranges::stable_sort(advice_.remedies, std::greater<>{}, rank_of);
    put_together();
    std::stable_partition(advice_.remedies.begin(), advice_.remedies.end(),
                          std::not_fn(&Remedy::instead));
    return std::move(advice_);
  }

 private:
  using Findings = std::vector<std::pair<const Diagnosis*, Finding>>;

  static Findings found_in(const RecordedRun& run) {
    Findings all;
    for (const Diagnosis* cause : all_diagnoses()) {
      if (cause->in_run == nullptr) continue;
      Finding finding = cause->in_run(run);
      if (finding.verdict == Verdict::found) all.emplace_back(cause, std::move(finding));
    }
    return all;
  }

  Settings as_far(Settings settings) const {
    if (steps_ > 0 && (settings.max_steps < 0 || settings.max_steps > steps_)) {
      settings.max_steps = steps_;
    }
    return settings;
  }

  // None where it changes nothing or cannot be.
  std::optional<Trial> tried(const Settings& settings, std::int64_t times_as_long = 1) const {
    if (stop_.stop_requested()) throw Error("the answer was cancelled");
    try {
      check_settings(settings);
      // A run would ask too, and search for what would fit.
      if (is_named(settings) && !fits_hbm(settings)) return std::nullopt;
      return tpulab::tried(as_far(settings), stop_, times_as_long);
    } catch (const Error&) {
      if (stop_.stop_requested()) throw;
      return std::nullopt;
    }
  }

  static std::optional<Settings> changed(Settings settings, const Assignment& change) {
    const SettingRow& row = setting_named(change.name);
    const std::string before = row.show(settings);
    try {
      if (!row.parse(settings, change.value) || row.show(settings) == before) return std::nullopt;
    } catch (const Error&) {
      return std::nullopt;
    }
    return settings;
  }

  // A device has no more rows in a step than in an epoch.
  static Assignment within_epoch(const Settings& settings, Assignment change) {
    const std::int64_t most = rows_per_device(settings);
    if (most > 0 && std::stoll(change.value) > most) change.value = std::to_string(most);
    return change;
  }

  // A line of layers has its widths in itself. Nothing for a network that has none to change.
  static std::optional<Assignment> as_typed(const Settings& settings, Assignment change) {
    if (change.name == "batch") return within_epoch(settings, std::move(change));
    if (change.name != "hidden" || settings.model == "mlp") return change;
    Settings wide = settings;
    setting_named(change.name).parse(wide, change.value);
    const auto line = with_widths(settings.model, wide.hidden);
    return line ? std::optional(Assignment{"model", *line}) : std::nullopt;
  }

  // More rows than an epoch has make no larger step.
  static bool is_cut_short(const Settings& settings, const Assignment& change, const Trial& then) {
    return change.name == "batch" && then.largest_step < global_batch(settings);
  }

  // To do no more of what lies between steps is no answer to how often.
  static bool ends_validation(const Diagnosis& cause, const Trial& now, const Trial& then) {
    return cause.between_steps && then.evaluations < std::min(now.evaluations, least_evaluations);
  }

  std::optional<Remedy> best_try(const Diagnosis& cause, const Finding& finding,
                                 const Settings& base, const Trial& now) const {
    std::vector<Remedy> all;
    for (const std::string& typed : finding.tries) {
      const auto change = as_typed(base, assignment_of(typed));
      const auto settings = change ? changed(base, *change) : std::nullopt;
      if (!settings || leaves_out_more(base, *settings)) continue;
      // All rows of an epoch in one step only where no smaller batch is larger.
      const bool whole_epoch = change->name == "batch" && "batch " + change->value != typed;
      if (whole_epoch && !all.empty()) break;
      const auto then = tried(*settings);
      if (!then || is_cut_short(*settings, *change, *then) || ends_validation(cause, now, *then)) {
        if (whole_epoch || (!all.empty() && change->name == "batch")) break;  // nor do larger ones
        continue;
      }
      all.push_back({&cause, finding, *change, *settings, *then, gain_of(now, *then)});
    }
    if (all.empty()) return std::nullopt;
    const auto rate = [&](const Remedy& one) {
      return cause.between_steps ? one.then.rate_with_compile : rate_of(one.then, base);
    };
    const double best = rate(*std::ranges::max_element(all, {}, rate));
    const auto chosen = std::ranges::find_if(
        all, [&](const Remedy& one) { return rate(one) >= close_to_best * best; });
    chosen->own = chosen->gain;
    return std::move(*chosen);
  }

  // Values of one setting stand in each other's place; another setting cures a part of its own, as
  // the second of two operations on the CPU.
  static std::map<std::string, Finding> by_setting(Finding finding) {
    const std::vector<std::string> tries = std::exchange(finding.tries, {});
    std::map<std::string, Finding> parts;
    for (const std::string& typed : tries) {
      const auto part = parts.try_emplace(assignment_of(typed).name, finding).first;
      part->second.tries.push_back(typed);
    }
    return parts;
  }

  // Compiles come again and again, and nothing of these changes cures that.
  bool compiles_recur_in(const Together& base) const {
    return compiles_recur_ && std::ranges::none_of(advice_.remedies, [&](const Remedy& one) {
             return one.cause->recurs && sets(base, one.change.name);
           });
  }

  // In a short run what comes once, as a compile, may take longer than what all steps save: that
  // is no reason against it where a longer one gains. Compiles that come again are.
  bool is_worth_it(Remedy& one, const Together& before, const Settings& after) const {
    if (!gains_enough(*one.cause, one.own)) return false;
    if (one.own.with_compile > -little) return true;
    if (counts_whole(before.settings) || compiles_recur_in(before)) return false;
    const auto now = tried(before.settings, times_longer);
    const auto then = now ? tried(after, times_longer) : std::nullopt;
    if (!then) return false;
    one.longer = gain_of(*now, *then);
    return one.longer->with_compile > 0;
  }

  // What lies between steps is the same time, whichever setting spares it.
  void look_for_remedies(const Diagnosis& cause, const Finding& finding) {
    if (cause.changes_training) trades_.emplace_back(&cause, finding);
    if (cause.between_steps) return look_for_remedy(cause, finding);
    for (const auto& [setting, part] : by_setting(finding)) look_for_remedy(cause, part);
  }

  void look_for_remedy(const Diagnosis& cause, const Finding& finding) {
    auto best = best_try(cause, finding, advice_.settings, advice_.now);
    if (!best) return;
    if (is_worth_it(*best, as_it_is(), best->settings)) {
      advice_.remedies.push_back(std::move(*best));
    } else if (!cause.changes_training) {
      hidden_.push_back(std::move(*best));
    }
  }

  Together as_it_is() const {
    return {.changes = {}, .settings = advice_.settings, .then = {}, .gain = {}};
  }

  static bool sets(const Together& all, std::string_view name) {
    return std::ranges::find(all.changes, name, &Assignment::name) != all.changes.end();
  }

  // Not a second value of one setting.
  static void add(const Remedy& one, Together& all) {
    const auto settings = changed(all.settings, one.change);
    if (!settings || sets(all, one.change.name)) return;
    all.settings = *settings;
    all.changes.push_back(one.change);
  }

  // With all remedies that change nothing of what is learned, and the hidden ones but `left_out`.
  Together cured(const Remedy* left_out) const {
    Together all = as_it_is();
    for (const Remedy& one : advice_.remedies) {
      if (!one.cause->changes_training) add(one, all);
    }
    for (const Remedy& one : hidden_) {
      if (&one != left_out) add(one, all);
    }
    return all;
  }

  // Of two habits that drain the pipeline either alone is cured in vain; and a slow host hides
  // behind them.
  void reveal_hidden() {
    const std::optional<Trial> best =
        hidden_.empty() ? std::nullopt : tried(cured(nullptr).settings);
    if (!best) return;
    std::vector<Remedy> worth;
    for (Remedy& one : hidden_) {
      const Together rest = cured(&one);
      const std::optional<Trial> without = tried(rest.settings);
      if (without) one.own = gain_of(*without, *best);
      const bool loses = one.own.with_compile <= -little;
      if (gains_enough(*one.cause, one.own) && !loses) worth.push_back(one);
    }
    hidden_ = std::move(worth);
    const Settings settings = cured(nullptr).settings;
    const std::optional<Trial> then = tried(settings);
    if (hidden_.empty() || !then) return;
    for (Remedy& one : hidden_) {
      one.others = cured(&one).changes;
      one.settings = settings;
      one.then = *then;
      one.gain = gain_of(advice_.now, *then);
    }
    std::ranges::move(hidden_, std::back_inserter(advice_.remedies));
  }

  // What trains otherwise is worth what it adds once the faults are cured, which may hide it.
  void weigh_trades() {
    Together base = as_it_is();
    for (const Remedy& one : advice_.remedies) {
      if (is_a_fault(*one.cause)) add(one, base);
    }
    if (base.changes.empty() || trades_.empty()) return;
    const std::optional<Trial> now = tried(base.settings);
    if (!now) return;
    for (const auto& [cause, finding] : trades_) {
      auto best = best_try(*cause, finding, base.settings, *now);
      if (!best || !is_worth_it(*best, base, best->settings)) continue;
      const auto known = std::ranges::find(advice_.remedies, cause, &Remedy::cause);
      if (known != advice_.remedies.end()) {
        known->own = best->own;
        continue;
      }
      best->others = base.changes;
      best->gain = gain_of(advice_.now, best->then);
      advice_.remedies.push_back(std::move(*best));
    }
  }

  static bool adds(const Gain& more) { return std::max(more.steady, more.with_compile) >= little; }

  // In the order of the list; what adds nothing to those before it, or does so at the other
  // figure's cost, or does not go with those before it is left out, and so is another value of the
  // same setting.
  void put_together() {
    if (advice_.remedies.size() < 2) return;
    Together all = as_it_is();
    for (Remedy& remedy : advice_.remedies) {
      const auto change = as_typed(all.settings, remedy.change);
      const auto settings = change ? changed(all.settings, *change) : std::nullopt;
      if (!settings || sets(all, change->name) || leaves_out_more(all.settings, *settings)) {
        continue;
      }
      const auto then = tried(*settings);
      if (!then) continue;
      const Gain more = gain_of(all.changes.empty() ? advice_.now : all.then, *then);
      remedy.instead = remedy.others.empty() && !adds(more);
      if (remedy.instead || (remedy.others.empty() && costs(more, *remedy.cause, *settings)))
        continue;
      all.changes.push_back(*change);
      all.settings = *settings;
      all.then = *then;
    }
    if (all.changes.size() < 2) return;
    all.gain = gain_of(advice_.now, all.then);
    advice_.together = std::move(all);
  }

  std::stop_token stop_;
  std::int64_t steps_;
  Advice advice_;
  std::vector<Remedy> hidden_;   // found, but not worth it alone
  Findings trades_;              // found, and train otherwise
  bool compiles_recur_ = false;  // of what was found
};

// Steps whose shapes depend on values cannot be tried without them: then the run itself is the
// measure, from a cold start too, and what is tried goes as far as it went. Before it has steady
// steps, and of compiles that an earlier run spared it, the trial shows what they are.
Advice advise_on(const RunEvidence& run, const std::stop_token& stop) {
  ColdRecords cold =
      cold_records(run.records, run.machine, persistence_named(run.settings.cache_persistent));
  const RecordedRun recorded = recorded_run(std::move(cold.records), run.machine, run.counters);
  std::optional<TriedRun> now;
  try {
    now = tried_run(run.settings, stop);
  } catch (const Error&) {
    if (stop.stop_requested() || recorded.steady.empty()) throw;
    const Trial so_far = trial_of(recorded);
    const bool whole = so_far.rate_with_compile > 0;
    const auto steps = std::ranges::count(recorded.records, StepKind::train, &StepRecord::kind);
    return Advisor(run.settings, stop, whole ? steps : 0).on(recorded, so_far);
  }
  const bool tells = recorded.steady.size() >= least_steps && cold.found == 0;
  Advice advice = Advisor(run.settings, stop).on(tells ? recorded : now->run, now->trial);
  advice.replayed = !tells;
  return advice;
}

}  // namespace

std::vector<Assignment> Remedy::typed() const {
  std::vector<Assignment> all = others;
  all.push_back(change);
  return all;
}

Gain gain_of(const Trial& now, const Trial& then) {
  const auto more = [](double before, double after) {
    return before > 0 && after > 0 ? after / before - 1 : 0;
  };
  return {more(now.steady_rate, then.steady_rate),
          more(now.rate_with_compile, then.rate_with_compile)};
}

Advice advise(const Settings& settings, const std::optional<RunEvidence>& run,
              const std::stop_token& stop) {
  if (!run) {
    refuse_to_run_on_gpus(settings);
    const TriedRun now = tried_run(settings, stop);
    Advice advice = Advisor(settings, stop).on(now.run, now.trial);
    advice.replayed = true;
    return advice;
  }
  Advice advice = advise_on(*run, stop);
  advice.run = run->number;
  return advice;
}

}  // namespace tpulab

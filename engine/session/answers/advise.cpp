#include "engine/session/answers/advise.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "engine/base/error.h"
#include "engine/session/answers/remedy_worth.h"
#include "engine/session/answers/tries.h"
#include "engine/session/run/cold_run.h"
#include "engine/session/settings/gpu_settings.h"

namespace tpulab {

namespace {

// A run shows its steps' habits from here on.
constexpr std::size_t least_steps = 8;

// A remedy that gains so much of it gains no less.
constexpr double nearly_all = 0.9;

double most_of(const Gain& gain) { return std::max(gain.steady, gain.with_compile); }

bool adds(const Gain& more) { return most_of(more) >= little; }

// What is spared between steps may have given a loader time, which steady steps then wait for.
bool costs(const Gain& more, const Diagnosis& cause, const Settings& settings) {
  const bool whole = counts_whole(settings, cause);
  return (whole ? more.with_compile : std::min(more.steady, more.with_compile)) <= -little;
}

class Advisor {
 public:
  Advisor(const Settings& settings, const std::stop_token& stop, std::int64_t steps = 0)
      : tries_(settings, stop, steps) {
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
    name_each_once();
    put_together();
    std::ranges::stable_partition(
        advice_.remedies, [](const Remedy& one) { return one.left_out != LeftOut::adds_nothing; });
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
    const auto now = tries_.run(before.settings, times_longer);
    const auto then = now ? tries_.run(after, times_longer) : std::nullopt;
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
    auto best = tries_.best(cause, finding, advice_.settings, advice_.now);
    if (!best) return;
    if (is_worth_it(*best, as_it_is(), best->settings)) {
      advice_.remedies.push_back(std::move(*best));
      return;
    }
    if (best->own.steady > little && !gains_enough(cause, best->own)) {
      advice_.small.push_back(*best);
    }
    if (!cause.changes_training) hidden_.push_back(std::move(*best));
  }

  Together as_it_is() const {
    return {.changes = {}, .settings = advice_.settings, .then = {}, .gain = {}};
  }

  static bool sets(const Together& all, std::string_view name) {
    return std::ranges::find(all.changes, name, &Assignment::name) != all.changes.end();
  }

  static void add(Change change, Together& all) {
    all.settings = std::move(change.settings);
    all.changes.push_back(std::move(change.typed));
  }

  // Not a second value of one setting.
  static std::optional<Change> beside(const Together& all, const Assignment& one) {
    auto change = changed(all.settings, one);
    if (change && sets(all, change->typed.name)) return std::nullopt;
    return change;
  }

  static void add(const Assignment& one, Together& all) {
    if (auto change = beside(all, one)) add(std::move(*change), all);
  }

  // With all remedies that change nothing of what is learned, and the hidden ones but `left_out`.
  Together cured(const Remedy& left_out) const {
    Together all = as_it_is();
    for (const Remedy& one : advice_.remedies) {
      if (!one.cause->changes_training) add(one.change, all);
    }
    for (const Remedy& one : hidden_) {
      if (&one != &left_out) add(one.change, all);
    }
    return all;
  }

  // What a remedy gains beside others.
  std::optional<Remedy> tried_beside(const Together& others, const Remedy& one) const {
    const auto change = beside(others, one.change);
    const auto now = change ? tries_.run(others.settings) : std::nullopt;
    const auto then = now ? tries_.run(change->settings) : std::nullopt;
    if (!then) return std::nullopt;
    Remedy so = one;
    so.others = others.changes;
    so.settings = change->settings;
    so.then = *then;
    so.own = gain_of(*now, *then);
    so.gain = gain_of(advice_.now, *then);
    so.longer.reset();
    return so;
  }

  // Beside the others that it needs alone: without one of them it gains less.
  Remedy with_fewest_others(Remedy one) const {
    const double all = most_of(one.own);
    for (const Assignment& other : std::vector(one.others)) {
      Together fewer = as_it_is();
      for (const Assignment& kept : one.others) {
        if (kept.name != other.name) add(kept, fewer);
      }
      auto so = tried_beside(fewer, one);
      if (so && is_revealed(*so) && most_of(so->own) >= nearly_all * all) one = std::move(*so);
    }
    return one;
  }

  static bool is_revealed(const Remedy& one) {
    return gains_enough(*one.cause, one.own) && one.own.with_compile > -little;
  }

  // Of two habits that drain the pipeline either alone is cured in vain; and a slow host hides
  // behind them.
  void reveal_hidden() {
    std::vector<Remedy> worth;
    for (const Remedy& one : hidden_) {
      const auto so = tried_beside(cured(one), one);
      if (so && is_revealed(*so)) worth.push_back(*so);
    }
    hidden_ = std::move(worth);
    // Beside those alone that are told.
    for (const Remedy& one : hidden_) {
      const auto so = tried_beside(cured(one), one);
      if (so && is_revealed(*so)) advice_.remedies.push_back(with_fewest_others(*so));
    }
  }

  // What trains otherwise is worth what it adds once the faults are cured, which may hide it.
  void weigh_trades() {
    Together base = as_it_is();
    for (const Remedy& one : advice_.remedies) {
      if (is_a_fault(*one.cause)) add(one.change, base);
    }
    if (base.changes.empty() || trades_.empty()) return;
    const std::optional<Trial> now = tries_.run(base.settings);
    if (!now) return;
    for (const auto& [cause, finding] : trades_) {
      auto best = tries_.best(*cause, finding, base.settings, *now);
      if (!best || !is_worth_it(*best, base, best->settings)) continue;
      const auto known = std::ranges::find(advice_.remedies, cause, &Remedy::cause);
      if (known != advice_.remedies.end()) {
        known->own = best->own;
        continue;
      }
      best->others = base.changes;
      best->gain = gain_of(advice_.now, best->then);
      advice_.remedies.push_back(with_fewest_others(std::move(*best)));
    }
  }

  // Of several causes that one change cures the first tells of the others.
  void name_each_once() {
    std::vector<Remedy> each;
    for (Remedy& remedy : advice_.remedies) {
      const auto known = std::ranges::find_if(each, [&](const Remedy& one) {
        return one.change.name == remedy.change.name && one.settings == remedy.settings;
      });
      if (known == each.end()) {
        each.push_back(std::move(remedy));
      } else {
        known->cures_too.emplace_back(remedy.cause, std::move(remedy.finding));
      }
    }
    advice_.remedies = std::move(each);
  }

  // What is named beside others is added whatever it gains beside more of them.
  LeftOut added(const Remedy& remedy, Together& all) const {
    if (sets(all, remedy.change.name)) return LeftOut::sets_the_same;
    auto change = beside(all, remedy.change);
    if (!change) return LeftOut::leaves_out_rows;
    const auto then = tries_.run(change->settings);
    if (!then) return has_no_room(change->settings) ? LeftOut::no_room : LeftOut::refused;
    const Gain more = gain_of(all.changes.empty() ? advice_.now : all.then, *then);
    if (remedy.others.empty()) {
      if (!adds(more)) return LeftOut::adds_nothing;
      if (costs(more, *remedy.cause, all.settings)) return LeftOut::costs_time;
    }
    add(std::move(*change), all);
    all.then = *then;
    return LeftOut::no;
  }

  // In the order of the list.
  void put_together() {
    if (advice_.remedies.size() < 2) return;
    Together all = as_it_is();
    for (Remedy& remedy : advice_.remedies) remedy.left_out = added(remedy, all);
    if (all.changes.size() < 2) return;
    choose_anew(all);
    all.gain = gain_of(advice_.now, all.then);
    advice_.together = std::move(all);
  }

  // Another value than the best alone may be the best beside the others.
  void choose_anew(Together& all) const {
    for (const Remedy& remedy : advice_.remedies) {
      const auto value = std::ranges::find(all.changes, remedy.change.name, &Assignment::name);
      if (value == all.changes.end() || !remedy.others.empty()) continue;
      const auto other = tries_.best(*remedy.cause, remedy.finding, all.settings, all.then);
      if (!other || !adds(other->own) || costs(other->own, *remedy.cause, all.settings)) continue;
      *value = other->change;
      all.settings = other->settings;
      all.then = other->then;
    }
  }

  Tries tries_;
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

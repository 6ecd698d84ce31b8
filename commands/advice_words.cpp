#include "commands/advice_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <ranges>

#include "commands/ask.h"
#include "commands/estimate_words.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/session/settings/plan.h"

namespace tpulab {

namespace {

bool has_whole(const Trial& trial) { return trial.rate_with_compile > 0; }

EventValue whole_rate(const Trial& trial) {
  return has_whole(trial) ? EventValue(trial.rate_with_compile) : EventValue();
}

std::vector<EventField> fields_of(const Gain& gain, const Trial& now, const Trial& then) {
  const bool whole = has_whole(now) && has_whole(then);
  return {{"gain_steady", gain.steady},
          {"gain_with_compile", whole ? EventValue(gain.with_compile) : EventValue()},
          {"samples_per_second_steady", then.steady_rate},
          {"samples_per_second_with_compile", whole_rate(then)}};
}

std::string words_of_share(const Gain& gain) {
  return fmt::format("{} samples/s steady, {} with compile", signed_percent(1 + gain.steady),
                     signed_percent(1 + gain.with_compile));
}

// Which steps are seen below.
std::string replay_words(const Advice& advice) {
  const Trial& now = advice.now;
  if (now.told_behind)
    return "seen in steps that would follow such a run, as it has no steady one:";
  const std::string steps = now.steps > 0 ? " of " + count_with(now.steps, "step") : "";
  return fmt::format("seen in a run{} from a cold start{}:", steps,
                     advice.run > 0 ? ", a replay with its settings" : "");
}

void add_head(Answer& answer, const Advice& advice) {
  const std::string about =
      advice.run > 0 ? fmt::format("run {}", advice.run) : "the settings as they are";
  const std::string whole = has_whole(advice.now)
                                ? fmt::format(", {} with compile from a cold start",
                                              text_of_count(advice.now.rate_with_compile))
                                : "";
  add_line(answer, fmt::format("advice on {}: {}, {}; {} samples/s steady{}; TPU time (estimated)",
                               about, advice.settings.model, run_in_words(advice.settings),
                               text_of_count(advice.now.steady_rate), whole));
  if (advice.replayed && !advice.remedies.empty()) add_line(answer, replay_words(advice));
  add_fields(answer, {{"run", advice.run > 0 ? EventValue(advice.run) : EventValue()},
                      {"remedies", std::ssize(advice.remedies)},
                      {"samples_per_second_steady", advice.now.steady_rate},
                      {"samples_per_second_with_compile", whole_rate(advice.now)}});
}

// The number of the first that is told with the same evidence; its own where there is none.
std::int64_t first_told(const std::vector<Remedy>& remedies, std::int64_t number) {
  const Remedy& remedy = remedies[static_cast<std::size_t>(number - 1)];
  const auto same = std::ranges::find_if(remedies, [&](const Remedy& one) {
    return one.cause == remedy.cause && one.finding.certain == remedy.finding.certain;
  });
  return same - remedies.begin() + 1;
}

// A change for a step that is traced once says itself where it is made.
std::string_view where(const Advice& advice, const Finding& finding) {
  if (!finding.traced_once.empty()) return "";
  const bool torch = machine_for(advice.settings).stack->traces_each_step();
  return torch ? "in PyTorch: " : "as PyTorch calls it: ";
}

std::string change_of(const Diagnosis& cause, const Finding& finding) {
  return finding.traced_once.empty() ? std::string(cause.change) : finding.traced_once;
}

void add_evidence(Answer& answer, const Advice& advice, const Diagnosis& cause,
                  const Finding& finding) {
  for (const std::string& fact : finding.certain) {
    add_line(answer, fmt::format("   seen: {}", fact));
  }
  add_line(answer, fmt::format("   inferred: {}", finding.inferred));
  add_line(answer, fmt::format("   {}{}", where(advice, finding), change_of(cause, finding)));
}

EventValue names_of(const std::vector<std::pair<const Diagnosis*, Finding>>& causes) {
  if (causes.empty()) return {};
  std::string names;
  for (const auto& one : causes) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", one.first->name);
  }
  return names;
}

// Other software, numbers or another mesh may be off to another side than what is there.
class Bands {
 public:
  explicit Bands(const Settings& now) : settings_(now), now_(estimate_of(now)) {}

  // Nothing where no band is known, as of small networks.
  std::optional<bool> overlap(const Settings& then) const {
    if (!now_ || now_->band <= 0) return std::nullopt;
    const auto estimated = estimate_of(then);
    if (!estimated) return std::nullopt;
    const Distinction found = distinction(settings_, *now_, then, *estimated);
    if (found == Distinction::no_band) return std::nullopt;
    return found == Distinction::overlapping;
  }

 private:
  // None of steps that only a run knows.
  static std::optional<Estimate> estimate_of(const Settings& settings) {
    try {
      return estimate(settings);
    } catch (const Impossible&) {
      return std::nullopt;
    }
  }

  const Settings& settings_;
  std::optional<Estimate> now_;
};

void add_remedy(Answer& answer, std::int64_t number, const Advice& advice, const Bands& bands) {
  const Remedy& remedy = advice.remedies[static_cast<std::size_t>(number - 1)];
  const Trial& now = advice.now;
  const Diagnosis& cause = *remedy.cause;
  const std::string command = typed(remedy.typed());
  const std::string gain = words_of(remedy.gain, now, remedy.then);
  add_line(answer, fmt::format("{}. {} ({})", number, cause.title, name_of(cause.family)));
  if (const std::int64_t first = first_told(advice.remedies, number); first < number) {
    add_line(answer, fmt::format("   seen and inferred as {}", first));
  } else {
    add_evidence(answer, advice, cause, remedy.finding);
  }
  for (const auto& [other, finding] : remedy.cures_too) {
    add_line(answer, fmt::format("   cures too: {} ({})", other->title, name_of(other->family)));
    const bool heads_one = std::ranges::find(advice.remedies, other, &Remedy::cause) !=
                           advice.remedies.end();  // and is told there
    if (!heads_one) add_evidence(answer, advice, *other, finding);
  }
  add_line(answer, fmt::format("   here: {}", command));
  if (!remedy.others.empty()) {
    add_line(answer, fmt::format("   {} gains enough only beside {}: {}", typed({remedy.change}),
                                 typed(remedy.others), words_of_share(remedy.own)));
  }
  add_line(answer, fmt::format("   gain, tried: {}", gain));
  if (changes_results(remedy)) {
    add_line(answer, "   changes what is learned: compare the accuracies, too");
  }
  const std::optional<bool> open = bands.overlap(remedy.settings);
  if (open.value_or(false)) {
    add_line(answer, fmt::format("   {}", words_of(Distinction::overlapping)));
  }
  if (remedy.longer) {
    add_line(answer,
             fmt::format("   loses in a run as short as this; tried in one {} times as long: {}",
                         times_longer, words_of_share(*remedy.longer)));
  }
  std::vector<EventField> fields = fields_of(remedy.gain, now, remedy.then);
  fields.insert(fields.begin(), {{"number", number},
                                 {"cause", std::string(cause.name)},
                                 {"title", std::string(cause.title)},
                                 {"family", std::string(name_of(cause.family))},
                                 {"command", command},
                                 {"distinguishable", open ? EventValue(!*open) : EventValue()},
                                 {"changes_what_is_learned", changes_results(remedy)},
                                 {"inferred", remedy.finding.inferred},
                                 {"change", change_of(cause, remedy.finding)},
                                 {"cures_too", names_of(remedy.cures_too)}});
  add_row(answer, "advice.remedy", std::move(fields));
}

// What all together set to another value than alone.
std::vector<Assignment> chosen_anew(const Advice& advice) {
  std::vector<Assignment> anew = advice.together->changes;
  for (const Remedy& one : advice.remedies) {
    std::erase_if(anew, [&](const Assignment& change) {
      return change.name == one.change.name && change.value == one.change.value;
    });
  }
  return anew;
}

std::string_view why(LeftOut left_out) {
  switch (left_out) {
    case LeftOut::adds_nothing:
      return "adds nothing to what is before it";
    case LeftOut::sets_the_same:
      return "is another value of a setting that is set before it";
    case LeftOut::leaves_out_rows:
      return "leaves out rows or changes nothing more";
    case LeftOut::no_room:
      return "does not fit in HBM with what is before it alone";
    case LeftOut::refused:
      return "is refused with what is before it alone";
    case LeftOut::costs_time:
      return "makes the whole run longer beside the others";
    case LeftOut::no:
      break;
  }
  return {};
}

// "3 adds nothing to what is before it; 4 ..": empty where all go together.
std::string left_out(const Advice& advice) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < advice.remedies.size(); ++i) {
    const std::string_view reason = why(advice.remedies[i].left_out);
    if (!reason.empty()) texts.push_back(fmt::format("{} {}", i + 1, reason));
  }
  return fmt::format("{}", fmt::join(texts, "; "));
}

void add_together(Answer& answer, const Advice& advice) {
  const Together& all = *advice.together;
  const Trial& now = advice.now;
  add_line(answer, fmt::format("all together: {}: {}", typed(all.changes),
                               words_of(all.gain, now, all.then)));
  if (const auto anew = chosen_anew(advice); !anew.empty()) {
    add_line(answer, fmt::format("chosen anew beside the others: {}", typed(anew)));
  }
  if (const std::string others = left_out(advice); !others.empty()) {
    add_line(answer, fmt::format("not among them: {}", others));
  }
  std::vector<EventField> fields = fields_of(all.gain, now, all.then);
  fields.insert(fields.begin(), {"command", typed(all.changes)});
  add_row(answer, "advice.together", std::move(fields));
}

}  // namespace

std::string typed(const std::vector<Assignment>& changes) {
  std::string text;
  for (const auto& [name, value] : changes) {
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", name, value);
  }
  return text;
}

bool changes_results(const Remedy& remedy) {
  const std::vector<Assignment> typed = remedy.typed();
  return remedy.cause->changes_training &&
         std::ranges::any_of(typed, [](const Assignment& one) { return one.name != "stack"; });
}

std::string words_of(const Gain& gain, const Trial& now, const Trial& then) {
  std::string steady =
      fmt::format("{} samples/s steady ({} -> {})", signed_percent(1 + gain.steady),
                  text_of_count(now.steady_rate), text_of_count(then.steady_rate));
  if (!has_whole(now) || !has_whole(then)) return steady;
  return fmt::format("{}, {} with compile ({} -> {})", steady,
                     signed_percent(1 + gain.with_compile), text_of_count(now.rate_with_compile),
                     text_of_count(then.rate_with_compile));
}

namespace {

// What changes what is learned gains with compile is no reason for it, and is not told.
std::string small_gains(std::vector<Remedy> small) {
  constexpr std::size_t most = 3;
  std::ranges::stable_sort(small, std::greater<>{},
                           [](const Remedy& one) { return one.own.steady; });
  std::vector<std::string> each;
  for (const Remedy& one : small | std::views::take(most)) {
    std::string gain =
        fmt::format("`{}` {}", typed({one.change}), signed_percent(1 + one.own.steady));
    if (one.cause->changes_training) gain += ", which changes what is learned";
    if (std::ranges::find(each, gain) == each.end()) each.push_back(std::move(gain));
  }
  return fmt::format("{}", fmt::join(each, "; "));
}

}  // namespace

Answer answer_of(const Advice& advice) {
  Answer answer;
  add_head(answer, advice);
  if (advice.remedies.empty()) {
    add_line(answer,
             fmt::format("nothing that was tried helps by {}; a habit of the script would be "
                         "named from {} on, what changes what is learned from {}",
                         text_of_share(least_gain), text_of_share(least_gain_of_a_habit),
                         text_of_share(least_gain_of_a_trade)));
    if (!advice.small.empty())
      add_line(answer, "samples/s steady, less than is named: " + small_gains(advice.small));
    return answer;
  }
  const std::int64_t number = std::ssize(advice.remedies);
  const Bands bands(advice.settings);
  for (std::int64_t i = 1; i <= number; ++i) add_remedy(answer, i, advice, bands);
  if (advice.together) add_together(answer, advice);
  add_line(answer,
           fmt::format("gains below {} are not named, of a habit below {}, of what changes what is "
                       "learned below {}",
                       text_of_share(least_gain), text_of_share(least_gain_of_a_habit),
                       text_of_share(least_gain_of_a_trade)));
  if (number > 1) {
    add_line(
        answer,
        "in the order of gains, of which those of a habit weigh most, then of hardware, shapes, "
        "structure and software");
  }
  if (advice.together) {
    add_line(answer, "`advise 1 apply` sets the first, `advise all apply` all together");
  } else if (number > 1) {
    add_line(answer, fmt::format("no two go together: {}; `advise 1 apply` sets the first",
                                 left_out(advice)));
  } else {
    add_line(answer, "`advise 1 apply` sets it");
  }
  return answer;
}

}  // namespace tpulab

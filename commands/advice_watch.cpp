#include "commands/advice_watch.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <utility>

#include "commands/advice_words.h"
#include "commands/estimate_words.h"
#include "commands/newest_advice.h"
#include "engine/base/text.h"
#include "engine/session/settings/same_steps.h"

namespace tpulab {

namespace {

constexpr std::int64_t enough_steps = 8;
// What a longer run makes good by itself is not worth the line.
constexpr double least_gain_of_compiles = 0.5;

bool is_over(RunState state) { return state == RunState::finished || state == RunState::stopped; }

// What of a run makes its advice another one.
std::string name_of_run(const RunView& run) {
  return fmt::format("{} {} {} {} {} {}", run.number, run.model, run.machine, run.devices,
                     run.batch, run.precision);
}

bool compiles_bind(const Binding& bound) {
  return bound.name == "compile" || bound.between_compiles;
}

// What it would change is so already for the next run.
bool is_set(const Remedy& remedy, const Settings& next) {
  return with_changes(next, remedy.typed()) == next;
}

}  // namespace

AdviceWatch::AdviceWatch(const Engine& engine, std::function<void()> wake)
    : engine_(engine), wake_(std::move(wake)) {}

void AdviceWatch::look(const Snapshot& now, const Settings& settings) {
  const RunView& run = now.run;
  compiles_bind_ = compiles_bind(run.bound) || 2 * now.compiles.total > run.tpu_time;
  goes_on_ = !is_over(run.state) && run.steps_total > run.step;
  left_ = run.step_time * std::max<std::int64_t>(run.steps_total - run.step, 0);
  // A run that finds all programs tells of none: what earlier ones took stands.
  if (now.compiles.compiled > 0) one_compile_ = now.compiles.total / now.compiles.compiled;
  if (run.state == RunState::none || run.number <= passed_over_) {
    if (!std::exchange(run_, {}).empty()) asked_ = ++looks_;  // what was found was of another run
    return;
  }
  if (std::string name = name_of_run(run); name != run_ || !(settings == settings_)) {
    run_ = std::move(name);
    settings_ = settings;
    since_step_ = run.step;
    ++looks_;
  }
  const bool due = run.step >= since_step_ + enough_steps || (is_over(run.state) && run.step > 0);
  if (asked_ == looks_ || !due) return;
  {
    const std::lock_guard lock(found_->mutex);
    if (std::exchange(found_->working, true)) return;
  }
  asked_ = looks_;
  thread_ = std::jthread([found = found_, &engine = engine_, wake = wake_, about = looks_,
                          settings](const std::stop_token& stop) {
    std::optional<Advice> advice;
    try {
      const auto evidence = engine.newest_evidence();
      if (evidence && same_steps(evidence->settings, settings))
        advice = tpulab::advise(evidence->settings, evidence, stop);
      if (advice)
        std::erase_if(advice->remedies, [&](const Remedy& one) { return is_set(one, settings); });
    } catch (const std::exception&) {
      // It cannot be tried, or the program leaves: then there is nothing to say.
    }
    {
      const std::lock_guard lock(found->mutex);
      found->working = false;
      found->about = about;
      found->advice = std::move(advice);
    }
    ::malloc_trim(0);  // replays take 20 MB, which would stay with this thread's arena
    if (!stop.stop_requested()) wake();
  });
}

std::optional<Advice> AdviceWatch::advice() const {
  const std::lock_guard lock(found_->mutex);
  return found_->about == looks_ ? found_->advice : std::nullopt;
}

bool AdviceWatch::repays(const Remedy& remedy) const {
  const auto compiles = [](const Assignment& one) {
    return setting_named(one.name).effect == Effect::recompile;
  };
  if (!goes_on_ || std::ranges::none_of(remedy.typed(), compiles)) return true;
  if (remedy.cause->recurs && compiles_bind_) return true;  // others would follow
  const double saved = in_seconds(left_) * remedy.gain.steady / (1 + remedy.gain.steady);
  return saved > in_seconds(one_compile_);
}

// They are ranked. Where compiles bind, the first that ends them; else the first that makes steady
// steps faster by enough or spares a run compiles that go on, else the first that spares it most of
// its compiles. Where the rest of a run does not repay it, nothing is said yet: another would be
// taken for the first.
std::optional<std::size_t> AdviceWatch::best(const Advice& advice) const {
  const auto first = [&](auto helps) -> std::optional<std::size_t> {
    const auto found = std::ranges::find_if(advice.remedies, helps);
    if (found == advice.remedies.end()) return std::nullopt;
    return static_cast<std::size_t>(found - advice.remedies.begin());
  };
  const auto spares_compiles = [](const Remedy& remedy) {
    return remedy.gain.with_compile >= least_gain_of_compiles && remedy.gain.steady > -least_gain;
  };
  const auto ends_compiles = [&](const Remedy& remedy) {
    return remedy.cause->recurs && spares_compiles(remedy);
  };
  auto found = compiles_bind_ ? first(ends_compiles) : std::nullopt;
  if (!found) {
    found = first([&](const Remedy& remedy) {
      return remedy.gain.steady >= least_gain || ends_compiles(remedy);
    });
  }
  if (!found) found = first(spares_compiles);
  return found && repays(advice.remedies[*found]) ? found : std::nullopt;
}

namespace {

// What the change is about: the bound of the steps with and without what it saves, or the compiles
// of the run.
std::vector<std::string> about(const Snapshot& now, bool compiles) {
  const Binding& bound = now.run.bound;
  if (compiles && bound.name != "compile" && now.run.tpu_time.count() > 0) {
    const double share = in_seconds(now.compiles.total) / in_seconds(now.run.tpu_time);
    const std::string which = now.compiles.which();
    return {fmt::format("of the run: compile {}, {} -> ", text_of_share(share), which),
            fmt::format("of the run: compile {} -> ", text_of_share(share))};
  }
  // While compiles bind, what the steps between them would gain by is not about these.
  if (bound.empty() || (compiles_bind(bound) && !compiles)) return {};
  return {"bound: " + bound.text() + " -> ", "bound: " + bound.name + " -> "};
}

// "straggler none" alone would read as a finding.
std::vector<std::string> about_culprit(const Finding& finding, const std::string& change) {
  if (finding.culprit.empty()) return {};
  return {fmt::format("{} -> `{}` mends it", finding.culprit_text, change),
          fmt::format("slow: {} -> `{}`", finding.culprit, change)};
}

// Half a command would be worse than none.
std::string in_brief(const std::vector<Assignment>& changes) {
  const std::string what = changes.size() == 1 ? fmt::format("a change of {}", changes.front().name)
                                               : count_with(std::ssize(changes), "change");
  return what + " that `advise` names";
}

}  // namespace

std::string AdviceWatch::line(const Snapshot& now, int columns) const {
  const auto found = advice();
  const auto index = found ? best(*found) : std::nullopt;
  if (!index) return {};
  const Remedy& remedy = found->remedies[*index];
  const bool spares_what_binds =
      compiles_bind_ && remedy.cause->recurs && remedy.gain.with_compile > remedy.gain.steady;
  const bool lasting = remedy.gain.steady >= least_gain && !spares_what_binds;
  const double gain = lasting ? remedy.gain.steady : remedy.gain.with_compile;
  const std::string gains =
      fmt::format("{} samples/s{}", signed_percent(1 + gain), lasting ? "" : " with compile");
  const std::string change = typed(remedy.typed());
  std::vector<std::string> lines = about_culprit(remedy.finding, change);
  if (lines.empty()) {
    if (!remedy.cause->between_steps) {
      for (const std::string& words : about(now, !lasting)) lines.push_back(words + change);
    }
    lines.push_back(change);
  }
  const auto fitting = [&](std::string_view price) -> std::string {
    for (const std::string& words : lines) {
      std::string line = fmt::format("{}: {}{}", words, gains, price);
      if (std::ssize(line) <= columns) return line;
    }
    return {};
  };
  std::string line;
  if (changes_results(remedy)) {
    line = fitting(", changes what is learned");
    if (line.empty()) line = fitting(", other results");
  }
  std::string brief = in_brief(remedy.typed());
  lines.push_back(brief);
  if (line.empty()) line = fitting("");
  return line.empty() ? brief : line;
}

std::string AdviceWatch::take() const {
  const auto found = advice();
  const auto index = found ? best(*found) : std::nullopt;
  return index ? typed(found->remedies[*index].typed()) : std::string();
}

void AdviceWatch::promise(std::string_view change, CommandContext& context) const {
  const auto found = advice();
  const auto index = found ? best(*found) : std::nullopt;
  if (!index || typed(found->remedies[*index].typed()) != change) return;
  if (!context.advice) context.advice = std::make_shared<NewestAdvice>();
  context.advice->expect(*found, as_one(found->remedies[*index]));
}

}  // namespace tpulab

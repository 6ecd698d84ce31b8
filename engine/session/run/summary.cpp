// The end of a run in plain lines, and the same facts by name.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/text.h"
#include "engine/session/run/cold_run.h"
#include "engine/session/run/run.h"
#include "engine/session/settings/setting_meanings.h"

namespace tpulab {

namespace {

bool hosts_differ(const std::vector<DeviceGroup>& groups) {
  return std::ranges::any_of(groups, [&groups](const DeviceGroup& group) {
    return group.host_factor != groups.front().host_factor;
  });
}

std::string compile_text(const CompileView& compiles, Picoseconds tpu_time, bool slowest) {
  const double share = tpu_time.count() > 0 ? in_seconds(compiles.total) / in_seconds(tpu_time) : 0;
  return fmt::format(
      "compiles: {} ({}{}{}, {} of all TPU time), {} found in the cache{}", compiles.compiled,
      text_of(compiles.total), slowest ? " on the slowest host" : "",
      compiles.loaded > 0 ? " with loads from disk" : "", text_of_share(share), compiles.cached,
      compiles.loaded > 0 ? fmt::format(", {} of them on disk", compiles.loaded) : "");
}

std::string shares_text(const Shares& shares) {
  std::vector<std::pair<double, Share>> parts;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shares[i] >= 0.0005) parts.emplace_back(shares[i], static_cast<Share>(i));
  }
  std::ranges::sort(parts, std::greater<>{});
  std::string text;
  for (const auto& [share, which] : parts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name_of(which), text_of_share(share));
  }
  return text;
}

// Nothing is known of steady steps before there is one.
EventValue value_of(double value, bool known) { return known ? EventValue(value) : EventValue(); }

std::string rate_text(double rate) { return fmt::format("{} samples/s", text_of_count(rate)); }

// "1.26 s of it 3 validations; "; empty where there was none.
std::string validations_text(const Evaluations& all) {
  if (all.count == 0) return {};
  return fmt::format("{} of it {}; ", text_of(picoseconds_from_seconds(all.seconds)),
                     count_with(all.count, "validation"));
}

// "from 0 to 7" without a gap, ", 0-2 and 4-7" with gaps; the ends alone of many parts.
std::string numbers_text(const std::vector<int>& devices) {
  constexpr std::size_t most_parts = 4;
  std::vector<std::string> parts;
  for (std::size_t first = 0; first < devices.size();) {
    std::size_t last = first;
    while (last + 1 < devices.size() && devices[last + 1] == devices[last] + 1) ++last;
    parts.push_back(first == last ? std::to_string(devices[first])
                                  : fmt::format("{}-{}", devices[first], devices[last]));
    first = last + 1;
  }
  if (parts.size() < 2 || parts.size() > most_parts) {
    return fmt::format(" from {} to {}", devices.front(), devices.back());
  }
  const std::string last = parts.back();
  parts.pop_back();
  return fmt::format(", {} and {}", fmt::join(parts, ", "), last);
}

// What those that there are so far were not.
std::string_view steady_step_text(const SteadySteps& steady) {
  return steady.left_out() ? "step whose rows were not ready when a program had compiled"
                           : "step that compiled nothing";
}

}  // namespace

void Run::say(std::string text, std::string event, std::vector<EventField> fields) const {
  log_.add(OutputLine::Kind::text, std::move(text), std::move(event), std::move(fields));
}

void Run::summarise() const {
  say_result();
  say_clocks();
  if (const Loop& loop = steps_.loop(); loop.restart_ahead()) {
    say(fmt::format("preempt {}: not reached, as no step came behind step {}", settings_.preempt,
                    loop.preemption().step),
        "summary.preempt", {{"preempt", settings_.preempt}});
  }
  say_cores();
  say_bound();
  say(compile_text(meter_.compiles(), tpu_time(), hosts_differ(steps_.groups())),
      "summary.compiles", {});
  for (const CompileEvent& event : meter_.compiles().events) {
    say(fmt::format("  step {} {}, {}: {}", event.step, event.graph, text_of(event.time),
                    event.cause),
        "summary.compile",
        {{"step", event.step},
         {"graph", event.graph},
         {"cause", event.cause},
         {"tpu_seconds", in_seconds(event.time)}});
  }
  const std::vector<FallbackRow> rows = meter_.fallbacks();
  say(rows.empty() ? "CPU fallbacks: none" : "CPU fallbacks and reads (TPU time):",
      "summary.fallbacks", {});
  for (const FallbackRow& row : rows) {
    const std::string waited =
        row.waited > Picoseconds{}
            ? fmt::format(" ({} of it waits for programs)", text_of(row.waited))
            : "";
    say(fmt::format("  {} x {}: download {}{}, CPU {}, upload {}; {}", row.op, row.count,
                    text_of(row.download), waited, text_of(row.cpu), text_of(row.upload), row.why),
        "summary.fallback",
        {{"op", row.op},
         {"count", row.count},
         {"download_seconds", in_seconds(row.download)},
         {"waited_seconds", in_seconds(row.waited)},
         {"cpu_seconds", in_seconds(row.cpu)},
         {"upload_seconds", in_seconds(row.upload)}});
  }
  say_prediction();
}

void Run::say_result() const {
  const RunView now = view();
  const std::string accuracy =
      std::isnan(now.test_accuracy)
          ? fmt::format("{}, so no test accuracy",
                        now.epoch > 0 ? "nothing was validated" : "no epoch ended")
          : fmt::format("test accuracy {:.3f} ({} split)", now.test_accuracy, settings_.split);
  const std::string trained = std::isnan(now.loss) ? "" : fmt::format("loss {:.4f}, ", now.loss);
  const std::string reached =
      settings_.numbers ? trained + accuracy : "time only: no numbers were computed";
  const bool steady = now.tpu_rate_steady > 0;
  const std::string epochs = words_.epochs ? count_with(now.epoch, "epoch") + ", " : "";
  say(fmt::format("run {} {}: {}, {}{}", number_, name_of(state_), count_with(now.step, "step"),
                  epochs, reached),
      "summary",
      {{"run", number_},
       {"state", std::string(name_of(state_))},
       {"steps", now.step},
       {"epochs", now.epoch},
       {"loss", now.loss},
       {"test_accuracy", now.test_accuracy},
       {"tpu_samples_per_second_steady", value_of(now.tpu_rate_steady, steady)},
       {"tpu_samples_per_second_with_compile", now.tpu_rate_with_compile},
       {"wall_samples_per_second", now.wall_rate},
       {"tpu_seconds", in_seconds(now.tpu_time)},
       {"tpu_step_seconds", value_of(in_seconds(now.step_time), steady)},
       {"wall_seconds", now.wall_seconds},
       {"duty_cycle", value_of(meter_.steady().duty_cycle(), steady)},
       {"utilisation", value_of(meter_.steady().utilisation(steps_.machine()), steady)},
       {"bound", now.bound.empty() ? EventValue() : EventValue(now.bound.name)},
       {"bound_saves", value_of(now.bound.saves, now.bound.saves > 0)},
       {"compiles", meter_.compiles().compiled},
       {"cached", meter_.compiles().cached}});
}

void Run::say_clocks() const {
  const RunView now = view();
  const std::string steady = now.tpu_rate_steady > 0
                                 ? fmt::format("{} a step; {} steady", text_of(now.step_time),
                                               rate_text(now.tpu_rate_steady))
                                 : fmt::format("no {} yet", steady_step_text(meter_.steady()));
  say(fmt::format("TPU time (estimated): {} in all, {}{}; {} including compile",
                  text_of(now.tpu_time), validations_text(meter_.evaluations()), steady,
                  rate_text(now.tpu_rate_with_compile)),
      "summary.tpu_time", {});
  const std::string products = now.products.empty() ? "" : "; products by " + now.products;
  const std::string_view computed = computes_one_device() ? ", the rows of one device" : "";
  const std::string paced =
      now.pause_seconds > 0 ? fmt::format(", {:.2f} s of it `pace`", now.pause_seconds) : "";
  say(fmt::format("wall time (this computer): {:.2f} s{}; {}{}{}", now.wall_seconds, paced,
                  rate_text(now.wall_rate), computed, products),
      "summary.wall_time", {{"products", now.products}});
}

std::optional<ColdRun> Run::from_cold() const {
  return cold_run(steps_.records(), steps_.machine(), persistence_named(settings_.cache_persistent),
                  alike_since_);
}

void Run::say_prediction() const {
  if (!prediction_) return;
  const bool whole = prediction_->spares_compiles();
  const auto rate = [whole](const Rates& rates) { return whole ? rates.from_cold : rates.steady; };
  const double before = rate(prediction_->before);
  const double after = rate(prediction_->after);
  if (before <= 0) return;
  // As it was predicted: what this run found compiled, it would have waited for.
  const std::optional<ColdRun> cold = from_cold();
  const bool warm = cold && cold->found > 0 && cold->steady;
  const double of_steps = warm ? cold->steady->rate : meter_.steady().rate();
  const double found = !whole ? of_steps : cold ? meter_.rate_with_compile(cold->time) : 0;
  if (found <= 0) {
    return say(
        fmt::format("advice `{}`: predicted {}; what it gains cannot be told before a {}",
                    prediction_->change, signed_percent(after / before),
                    steady_step_text(meter_.steady())),
        "summary.prediction",
        {{"change", prediction_->change}, {"predicted_gain", after / before - 1}, {"gain", {}}});
  }
  const auto gain = [before](double now) {
    return fmt::format("{} to {}", signed_percent(now / before), rate_text(now));
  };
  say(fmt::format("advice `{}`: predicted {}, found {}; {}, TPU time (estimated)",
                  prediction_->change, gain(after), gain(found),
                  whole  ? "whole run from a cold start"
                  : warm ? "steady, as from a cold start"
                         : "steady"),
      "summary.prediction",
      {{"change", prediction_->change},
       {"predicted_gain", after / before - 1},
       {"gain", found / before - 1}});
}

// Of a steady step, and of the whole run where compiling took most of it.
void Run::say_bound() const {
  if (bound_.empty()) {
    say(fmt::format("bound: not known before a {}", steady_step_text(meter_.steady())),
        "summary.bound", {{"bound", {}}, {"bound_saves", {}}, {"compile_share", {}}});
    return;
  }
  const double compiling = in_seconds(meter_.compiles().total) / in_seconds(tpu_time());
  const bool steady = meter_.steady().step_time() > Picoseconds{};
  say(fmt::format("bound: {}{}{}", bound_.text(),
                  steady ? "; time of a steady step: " + shares_text(meter_.steady().shares())
                         : ", of steps that would follow, as none so far is steady",
                  compiling > 0.5
                      ? fmt::format("; of the whole run: compile {}", text_of_share(compiling))
                      : ""),
      "summary.bound",
      {{"bound", bound_.name},
       {"bound_saves", value_of(bound_.saves, bound_.saves > 0)},
       {"compile_share", compiling}});
}

// One line for all devices that do the same.
void Run::say_cores() const {
  const bool known = meter_.steady().rate() > 0;
  const Machine& machine = steps_.machine();
  const std::vector<DeviceGroup>& groups = steps_.groups();
  const std::string_view word = machine.slice.device_word();
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const double duty = meter_.steady().duty_cycle(group);
    const double useful = meter_.steady().utilisation(machine, group);
    const std::string figures =
        known ? fmt::format("duty cycle {}, useful utilisation {} of {}", text_of_share(duty),
                            text_of_share(useful), words_.peak)
              : fmt::format("duty cycle not known before a {}", steady_step_text(meter_.steady()));
    const std::vector<int>& devices = groups[group].devices;
    const bool one = devices.size() == 1;
    const std::string who =
        one ? fmt::format("{} {}", word, devices.front())
            : fmt::format("{} {}s{}, each", devices.size(), word, numbers_text(devices));
    say(fmt::format("{}: {}", who, figures), one ? "summary.core" : "summary.cores",
        {{"core", std::int64_t{devices.front()}},
         {"cores", std::ssize(devices)},
         {"duty_cycle", value_of(duty, known)},
         {"utilisation", value_of(useful, known)}});
  }
}

}  // namespace tpulab

#include "commands/estimate_words.h"

#include <fmt/format.h>

#include <cmath>

#include "commands/gpu_words.h"
#include "engine/base/text.h"
#include "engine/session/answers/machine_words.h"
#include "engine/session/settings/gpu_settings.h"
#include "engine/session/settings/imported_models.h"
#include "engine/session/settings/no_effect.h"
#include "engine/session/settings/plan.h"
#include "engine/session/settings/setting_meanings.h"

namespace tpulab {

namespace {

std::string rate_words(const Estimate& estimate) {
  std::string text = fmt::format("{} samples/s steady", text_of_count(estimate.samples_per_second));
  if (estimate.tokens_per_second > 0) {
    text += fmt::format(", {} tokens/s", text_of_count(estimate.tokens_per_second));
  }
  return text;
}

std::string bound_words(const Estimate& estimate) {
  if (estimate.bound.empty()) return "bound: not known";
  std::string text = "bound: " + estimate.bound;
  if (!estimate.next_bound.empty()) {
    text += fmt::format("; if that were free a step would take {}, and the next is {}",
                        text_of(estimate.next_bound_step), estimate.next_bound);
  }
  return text;
}

std::string listed(const Phases& terms, std::string_view start, std::string_view between) {
  std::string text;
  for (const PhaseTime& term : terms) {
    text += fmt::format("{}{} {}", text.empty() ? start : between, term.name, text_of(term.time));
  }
  return text;
}

std::string memory_words(const Estimate& estimate) {
  std::string text = fmt::format("HBM {} of {} on each device", text_of(estimate.hbm_used),
                                 text_of(estimate.hbm_limit));
  std::string_view between = ": ";
  for (const MemoryPart& part : estimate.memory) {
    text += fmt::format("{}{} {}", between, part.name, text_of(part.bytes));
    between = ", ";
  }
  if (estimate.squeezed) text += "; to fit, the compiler makes arrays again where they are read";
  return text;
}

std::string busy_words(const Settings& settings, const Estimate& estimate) {
  std::string text =
      fmt::format("duty cycle {}, useful utilisation {} of {}", text_of_share(estimate.duty_cycle),
                  text_of_share(estimate.utilisation), peak_meaning(settings));
  if (estimate.tflops_per_chip > 0) {
    text += fmt::format("; MFU {}, {} TFLOP/s a chip", text_of_share(estimate.mfu),
                        text_of_number(estimate.tflops_per_chip));
  }
  if (estimate.bubble > 0) {
    text += fmt::format("; in {} of the step stages have no rows (the pipeline's bubble)",
                        text_of_share(estimate.bubble));
  }
  return text;
}

EventValue field_value(std::optional<double> number) {
  if (number) return *number;
  return {};
}

// An estimate has 0 or an empty text for what it does not know.
EventValue known(double number) {
  if (number > 0) return number;
  return {};
}
EventValue known_count(std::int64_t count) {
  if (count > 0) return count;
  return {};
}
EventValue known(Bytes bytes) {
  if (bytes.value > 0) return bytes.value;
  return {};
}
EventValue known(const std::string& text) {
  if (!text.empty()) return text;
  return {};
}

// Empty of a program, whose types its text says.
EventValue precision_value(const Settings& settings) {
  if (on_gpus(settings)) return settings.gpu_precision;
  if (names_program(settings.model)) return {};
  return settings.precision;
}

// Compile times of one graph differ between machines and releases: least and most stand behind.
std::string run_words(const Estimate& estimate) {
  const std::string spread =
      fmt::format("{} to {}", text_of(estimate.compile_least), text_of(estimate.compile_most));
  if (!estimate.run)
    return fmt::format("run without end, or of over 100 days: no time in all; compiles {}", spread);
  const RunEstimate& run = *estimate.run;
  const std::string epochs = run.epochs > 0 ? count_with(run.epochs, "epoch") + ", " : "";
  const std::string loads =
      run.loaded > 0 ? " and " + count_with(run.loaded, "load") + " from disk" : std::string();
  const std::string validations =
      run.evaluations.count > 0
          ? fmt::format(", {} {}", text_of(picoseconds_from_seconds(run.evaluations.seconds)),
                        count_with(run.evaluations.count, "validation"))
          : std::string();
  return fmt::format("run of {}{} from a cold start: {}, {} of it {}{} ({}){}; {} samples/s in all",
                     epochs, count_with(run.steps, "step"), text_of(run.time),
                     text_of(estimate.compile), count_with(run.compiles, "compile"), loads, spread,
                     validations, text_of_count(run.samples_per_second)) +
         (estimate.follows_run
              ? "; none of its steps is steady, and the one above would follow them"
              : "");
}

std::string dollars(double value) {
  constexpr double cents_tell_nothing = 10'000;
  if (value >= cents_tell_nothing) {
    return "$" +
           (value < 1e15 ? text_with_commas(std::llround(value)) : fmt::format("{:.3g}", value));
  }
  return "$" + (value >= 1 ? fmt::format("{:.2f}", value) : text_of_number(value));
}

}  // namespace

std::optional<Cost> cost_of(const Settings& settings, const Estimate& estimate) {
  const auto price = price_of_slice(settings.slice);
  if (!price || estimate.samples_per_second <= 0) return std::nullopt;
  const double a_second = price->dollars_per_hour / 3600;
  const double a_sample = a_second / estimate.samples_per_second;
  Cost cost{.dollars_per_million_samples = a_sample * 1e6};
  std::string epoch;
  if (estimate.epoch_steps > 0) {
    cost.dollars_per_epoch = a_sample * static_cast<double>(estimate.epoch_rows);
    epoch = fmt::format(", {} per epoch of {}", dollars(*cost.dollars_per_epoch),
                        count_with(estimate.epoch_steps, "step"));
  }
  std::string tokens;
  if (estimate.tokens_per_second > 0) {
    const double a_token = a_second / estimate.tokens_per_second;
    tokens = fmt::format(", {} per million tokens", dollars(a_token * 1e6));
  }
  cost.basis = fmt::format("{} at ${:.10g} an hour {}, {}", settings.slice, price->dollars_per_hour,
                           price->terms, price->source);
  std::string run;
  if (estimate.run) {
    cost.dollars_of_run = a_second * in_seconds(estimate.run->time);
    run = fmt::format("; the run {}", dollars(*cost.dollars_of_run));
  }
  cost.words =
      fmt::format("at the steady rate {} per million samples{}{}{} ({})",
                  dollars(cost.dollars_per_million_samples), tokens, epoch, run, cost.basis);
  return cost;
}

std::string band_text(const Estimate& estimate) {
  if (estimate.slower == 0) return fmt::format("+-{:.0f} %", estimate.band * 100);
  return fmt::format("+{:.0f} -{:.0f} %", estimate.slower * 100, estimate.band * 100);
}

RateBand rate_band(const Estimate& estimate) {
  const double slower = estimate.slower > 0 ? estimate.slower : estimate.band;
  return {.least = 1 / (1 + slower), .most = 1 / (1 - estimate.band)};
}

namespace {

// Whole where every step has as many: the rate knows them to some picoseconds.
double rows_in_step(const Estimate& estimate) {
  const double rows = estimate.samples_per_second * in_seconds(estimate.step);
  return std::abs(rows - std::round(rows)) < 1e-3 ? std::round(rows) : rows;
}

}  // namespace

std::string rows_a_step(const Estimate& estimate) {
  const double rows = rows_in_step(estimate);
  const bool whole = std::abs(rows - std::round(rows)) < 0.01;
  return fmt::format("{:.{}f}", rows, whole ? 0 : 1);
}

std::string fewer_rows(const Estimate& estimate) {
  constexpr double nearly_all = 0.995;
  const double rows = rows_in_step(estimate);
  if (rows >= nearly_all * static_cast<double>(estimate.global_batch)) return {};
  return fmt::format("{} of {} rows", rows_a_step(estimate), estimate.global_batch);
}

std::string step_with_band(const Estimate& estimate) {
  std::string text = text_of(estimate.step);
  if (estimate.band > 0) {
    text += " " + band_text(estimate);
    text += estimate.nearest.empty() ? ", no measured point has this model"
                                     : ", nearest " + estimate.nearest;
    if (!estimate.nearest_found.empty()) text += ": " + estimate.nearest_found;
    const std::string wider = estimate.band_wider.empty() ? "" : "; " + estimate.band_wider;
    if (!estimate.band_source.empty()) text += fmt::format(" ({}{})", estimate.band_source, wider);
  } else {
    text += fmt::format(", no band: {}", estimate.band_source);
  }
  const std::string fewer = fewer_rows(estimate);
  return fewer.empty() ? text : fmt::format("{}, the mean of steps with {}", text, fewer);
}

std::vector<std::string> lines_of(const Settings& settings, const Estimate& estimate) {
  if (!estimate.gpus.empty()) return gpu_lines_of(estimate);
  std::vector<std::string> lines;
  std::string mesh;
  if (!estimate.mesh.empty()) mesh = ", " + division_text(settings, estimate.mesh);
  if (no_effect(settings, "quant").empty() && settings.quant == "int8") {
    mesh += ", products with weights in int8, one pass each";
  }
  if (settings.attention != "auto" && no_effect(settings, "attention").empty()) {
    mesh += ", attention " + settings.attention;
  }
  lines.push_back(fmt::format("{} on {}, batch {}, {}, {}{}", estimate.model, estimate.machine,
                              estimate.batch, settings.stack, effective_precision(settings), mesh));
  lines.push_back("  step " + step_with_band(estimate) + "; TPU time (estimated)");
  lines.push_back("  " + rate_words(estimate));
  lines.push_back("  " + bound_words(estimate));
  lines.push_back("  " + listed(estimate.terms, "step = ", " + "));
  if (!estimate.hidden.empty())
    lines.push_back("  " + listed(estimate.hidden, "beside it: ", ", "));
  lines.push_back("  " + busy_words(settings, estimate));
  lines.push_back("  " + memory_words(estimate));
  for (const std::string& note : said_of_estimate(settings)) lines.push_back("  " + note);
  lines.push_back("  " + run_words(estimate));
  const auto cost = cost_of(settings, estimate);
  const std::string hint = cost ? std::string() : price_hint_of_slice(settings.slice);
  lines.push_back("  " + (cost ? cost->words : "dollars: no price is known" + hint));
  return lines;
}

std::vector<EventField> fields_of(const Settings& settings, const Estimate& estimate) {
  const auto cost = cost_of(settings, estimate);
  const bool replayed = estimate.gpus.empty();
  const RunEstimate run = estimate.run.value_or(RunEstimate());
  return {
      {"machine", estimate.machine},
      {"model", estimate.model},
      {"stack", on_gpus(settings) ? estimate.gpu_stack : settings.stack},
      {"precision", precision_value(settings)},
      {"global_batch", estimate.global_batch},
      {"rows_a_step", rows_in_step(estimate)},
      {"step_seconds", in_seconds(estimate.step)},
      {"samples_per_second", estimate.samples_per_second},
      {"tokens_per_second", known(estimate.tokens_per_second)},
      {"duty_cycle", replayed ? EventValue(estimate.duty_cycle) : EventValue()},
      {"utilisation", replayed ? EventValue(estimate.utilisation) : EventValue()},
      {"mfu", known(estimate.mfu)},
      {"bound", known(estimate.bound)},
      {"next_bound", known(estimate.next_bound)},
      {"next_bound_step_seconds", known(in_seconds(estimate.next_bound_step))},
      {"hbm_bytes", known(estimate.hbm_used)},
      {"hbm_limit_bytes", known(estimate.hbm_limit)},
      {"compile_seconds", known(in_seconds(estimate.compile))},
      {"compile_least_seconds", known(in_seconds(estimate.compile_least))},
      {"compile_most_seconds", known(in_seconds(estimate.compile_most))},
      {"run_seconds", known(in_seconds(run.time))},
      {"run_samples_per_second", known(run.samples_per_second)},
      {"run_steps", known_count(run.steps)},
      {"run_epochs", known_count(run.epochs)},
      {"run_validation_seconds", known(run.evaluations.seconds)},
      {"run_compiles", estimate.run ? EventValue(run.compiles) : EventValue()},
      {"mesh", known(estimate.mesh)},
      {"tflops_per_chip", known(estimate.tflops_per_chip)},
      {"band", known(estimate.band)},
      {"band_slower", known(estimate.slower)},
      {"band_source", known(estimate.band_source)},
      {"band_wider", known(estimate.band_wider)},
      {"nearest", known(estimate.nearest)},
      {"nearest_error", field_value(estimate.nearest_error)},
      {"dollars_per_million_samples",
       field_value(cost ? std::optional(cost->dollars_per_million_samples) : std::nullopt)},
      {"dollars_per_epoch", field_value(cost ? cost->dollars_per_epoch : std::nullopt)},
      {"dollars_of_run", field_value(cost ? cost->dollars_of_run : std::nullopt)},
      {"gpus", known(estimate.gpus)},
      {"figure", known(estimate.figure)},
      {"follows_run", replayed ? EventValue(std::int64_t{estimate.follows_run}) : EventValue()}};
}

std::vector<EventField> fields_of(const Settings& settings, const EstimateOrNot& outcome) {
  const Estimate* estimate = std::get_if<Estimate>(&outcome);
  std::vector<EventField> fields =
      fields_of(settings, estimate != nullptr ? *estimate : Estimate());
  fields.push_back({"failure", {}});
  if (estimate != nullptr) return fields;
  for (EventField& field : fields) field.value = std::monostate();
  fields.back().value = std::get<NoEstimate>(outcome).reason;
  return fields;
}

std::vector<std::string> without_effect(const Settings& settings,
                                        const std::vector<Assignment>& changes) {
  std::vector<std::string> lines;
  for (const Assignment& change : changes) {
    const std::string none = no_effect(settings, setting_named(change.name).name);
    if (!none.empty()) lines.push_back(fmt::format("{}: {}", change.name, none));
  }
  return lines;
}

void add_parts(Answer& answer, const Estimate& estimate) {
  for (const PhaseTime& term : estimate.terms) {
    add_row(answer, "step_part", {{"name", term.name}, {"seconds", in_seconds(term.time)}});
  }
  for (const PhaseTime& term : estimate.hidden) {
    add_row(answer, "hidden_part", {{"name", term.name}, {"seconds", in_seconds(term.time)}});
  }
  for (const MemoryPart& part : estimate.memory) {
    add_row(answer, "memory_part", {{"name", part.name}, {"bytes", part.bytes.value}});
  }
}

namespace {

// Each device is as long in its program in a step, and as much of that is useful.
bool do_the_same(const Estimate& a, const Estimate& b) {
  constexpr double rounding = 1e-9;
  const auto in_step = [&](double of_a, double of_b) {
    const double time = of_a * in_seconds(a.step);
    return std::abs(time - of_b * in_seconds(b.step)) <= rounding * time;
  };
  return a.machine == b.machine && !a.alike.empty() &&
         std::ranges::equal(a.alike, b.alike, [&](const auto& one, const auto& other) {
           return one.devices == other.devices && in_step(one.duty_cycle, other.duty_cycle) &&
                  in_step(one.utilisation, other.utilisation);
         });
}

}  // namespace

Distinction distinction(const Settings& a_settings, const Estimate& a, const Settings& b_settings,
                        const Estimate& b) {
  // Of GPUs it is one figure, or the roofline of one chip, that both rest on.
  const bool common =
      a_settings.model == b_settings.model && a_settings.hidden == b_settings.hidden &&
      a_settings.stack == b_settings.stack && a_settings.attention == b_settings.attention &&
      a.band_source == b.band_source &&
      generation_of_slice(a_settings.slice) == generation_of_slice(b_settings.slice) &&
      (a.gpus.empty() ||
       (a.nearest == b.nearest && a_settings.gpu_precision == b_settings.gpu_precision));
  // What binds decides which of the constants are off.
  if (common && a.bound == b.bound) return Distinction::common_error_cancels;
  if (common && do_the_same(a, b)) return Distinction::same_devices;
  if (a.band <= 0 || b.band <= 0) return Distinction::no_band;
  const double low_a = a.samples_per_second * rate_band(a).least;
  const double high_a = a.samples_per_second * rate_band(a).most;
  const double low_b = b.samples_per_second * rate_band(b).least;
  const double high_b = b.samples_per_second * rate_band(b).most;
  return low_a <= high_b && low_b <= high_a ? Distinction::overlapping : Distinction::clear;
}

bool is_told_apart(Distinction distinction) {
  return distinction != Distinction::overlapping && distinction != Distinction::no_band;
}

std::string_view words_of(Distinction distinction) {
  switch (distinction) {
    case Distinction::clear:
      return "the bands do not overlap";
    case Distinction::common_error_cancels:
      return "the same model, stack, generation and bound: their common error cancels";
    case Distinction::same_devices:
      return "the same program on the same chips: what differs is the host's time";
    case Distinction::overlapping:
      return "not distinguishable: the bands overlap";
    case Distinction::no_band:
      break;
  }
  return "not judged: no measurement supports a band";
}

}  // namespace tpulab

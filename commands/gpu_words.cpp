#include "commands/gpu_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "commands/estimate_words.h"
#include "engine/base/text.h"
#include "engine/session/answers/forecast_estimate.h"
#include "engine/session/settings/gpu_settings.h"

namespace tpulab {

namespace {

// A row of TPUs and one of GPUs that train the same.
struct Pair {
  const Estimated* tpu = nullptr;
  const Estimated* gpus = nullptr;

  const Settings& tpu_settings() const { return tpu->option.settings; }
  GpuGroup group() const { return gpus_named(gpus->option.settings.slice); }
  std::string model() const { return model_text(tpu_settings()); }
};

struct Span {
  double least = 0;
  double most = 0;
};

bool same_work(const Settings& a, const Settings& b) {
  return a.model == b.model && a.sequence == b.sequence && a.image == b.image &&
         a.hidden == b.hidden;
}

// The row of the highest rate among those of one slice and model; a failed one if there is no
// other.
const Estimated* better(const Estimated* a, const Estimated& b) {
  if (a == nullptr || a->estimate() == nullptr) return &b;
  if (b.estimate() == nullptr) return a;
  return b.estimate()->samples_per_second > a->estimate()->samples_per_second ? &b : a;
}

std::vector<const Estimated*> best_rows(const std::vector<Estimated>& rows, bool of_gpus) {
  std::vector<const Estimated*> best;
  for (const Estimated& row : rows) {
    const Settings& settings = row.option.settings;
    if (!row.option.refusal.empty() || on_gpus(settings) != of_gpus) continue;
    const auto found = std::ranges::find_if(best, [&](const Estimated* one) {
      const Settings& other = one->option.settings;
      return other.slice == settings.slice && same_work(other, settings) &&
             (!of_gpus || other.gpu_precision == settings.gpu_precision);
    });
    if (found == best.end()) {
      best.push_back(&row);
    } else {
      *found = better(*found, row);
    }
  }
  return best;
}

std::vector<Pair> pairs_of(const std::vector<Estimated>& rows) {
  std::vector<Pair> pairs;
  const std::vector<const Estimated*> tpus = best_rows(rows, false);
  for (const Estimated* gpus : best_rows(rows, true)) {
    for (const Estimated* tpu : tpus) {
      if (same_work(tpu->option.settings, gpus->option.settings)) pairs.push_back({tpu, gpus});
    }
  }
  return pairs;
}

std::string number(double value) {
  return value < 10 ? fmt::format("{:.1f}", value) : fmt::format("{:.0f}", value);
}

std::string range_of(const Span& span) {
  const std::string least = number(span.least);
  const std::string most = number(span.most);
  return least == most ? least : least + " to " + most;
}

// "C-P4 against G-R1, G-R2".
std::string points_of(const std::vector<PublishedRatio>& ratios) {
  std::vector<std::string> boards;
  std::vector<std::string> gpus;
  for (const PublishedRatio& ratio : ratios) {
    const std::string& name = ratio.board->point.empty() ? ratio.board->source : ratio.board->point;
    if (std::ranges::find(boards, name) == boards.end()) boards.push_back(name);
    gpus.push_back(
        fmt::format("{} ({} {})", ratio.point->id, ratio.point->stack, ratio.point->year));
  }
  return fmt::format("{} against {}", fmt::join(boards, ", "), fmt::join(gpus, ", "));
}

Span span_of(const std::vector<PublishedRatio>& ratios) {
  const auto [least, most] = std::ranges::minmax_element(ratios, {}, &PublishedRatio::gpus);
  return {least->gpus, most->gpus};
}

std::vector<PublishedRatio> published(const Pair& pair) {
  const Settings& settings = pair.tpu_settings();
  return published_ratios(
      {.model = settings.model,
       .slice = settings.slice,
       .gpu = pair.group().gpu,
       .precision = gpu_precision_named(pair.gpus->option.settings.gpu_precision),
       .sequence = settings.sequence,
       .image = settings.image});
}

void add_published(const Pair& pair, Answer& answer) {
  const std::vector<PublishedRatio> all = published(pair);
  for (const bool whole_runs : {false, true}) {
    std::vector<PublishedRatio> ratios;
    std::ranges::copy_if(all, std::back_inserter(ratios), [&](const PublishedRatio& ratio) {
      return ratio.point->whole_run() == whole_runs;
    });
    if (ratios.empty()) continue;
    const Span span = span_of(ratios);
    const std::string what = whole_runs ? "published whole runs" : "published";
    add_line(answer,
             fmt::format("{}: one {} is {} {}s ({}, {} precision: {})", pair.model(),
                         pair.tpu_settings().slice, range_of(span), pair.group().gpu->chip, what,
                         pair.gpus->option.settings.gpu_precision, points_of(ratios)));
    add_row(answer, "gpus",
            {{"model", pair.model()},
             {"slice", pair.tpu_settings().slice},
             {"gpu", std::string(pair.group().gpu->chip)},
             {"precision", pair.gpus->option.settings.gpu_precision},
             {"source", what},
             {"least", span.least},
             {"most", span.most}});
  }
}

std::string band_words(const Estimate& estimate) {
  return estimate.band > 0 ? band_text(estimate) : "no band";
}

// Of a quotient of rates. The errors of the two sides are independent.
RateBand band_of_ratio(const Estimate& tpu, const Estimate& gpus) {
  if (tpu.band <= 0 || gpus.band <= 0) return {};
  const RateBand own = rate_band(tpu);
  const RateBand other = rate_band(gpus);
  const auto both = [](double a, double b) { return std::hypot(std::log(a), std::log(b)); };
  return {.least = std::exp(-both(own.least, other.most)),
          .most = std::exp(both(own.most, other.least))};
}

std::string words_of(const RateBand& band) {
  const double less = (1 - band.least) * 100;
  const double more = (band.most - 1) * 100;
  if (more <= 0) return "no band";
  if (std::abs(more - less) < 0.5) return fmt::format("+-{:.0f} %", more);
  return fmt::format("+{:.0f} -{:.0f} %", more, less);
}

// The rows' own ratio.
void add_estimated(const Pair& pair, const Estimate& tpu, const Estimate& gpus, Answer& answer) {
  const GpuGroup group = pair.group();
  const Settings& own = pair.tpu_settings();
  const double ratio = tpu.samples_per_second / gpus.samples_per_second * group.count;
  const RateBand band = band_of_ratio(tpu, gpus);
  add_line(
      answer,
      fmt::format("{}: by this table one {} is {}{} {}s ({}{}: {}'s step estimated, {}, with {}, "
                  "{}, {} rows a device; {} {}, {}, {} precision)",
                  pair.model(), tpu.machine, gpus.published ? "" : "about ", number(ratio),
                  group.gpu->chip, gpus.published ? "" : "rough, ", words_of(band), tpu.machine,
                  band_words(tpu), own.stack, own.precision, own.batch, gpus.machine,
                  gpus.published ? "published" : "rough, without host and input", band_words(gpus),
                  pair.gpus->option.settings.gpu_precision));
  add_row(answer, "gpus",
          {{"model", pair.model()},
           {"slice", tpu.machine},
           {"gpu", std::string(group.gpu->chip)},
           {"precision", pair.gpus->option.settings.gpu_precision},
           {"source", gpus.published ? std::string("estimate against published")
                                     : std::string("estimate against rough")},
           {"least", ratio * band.least},
           {"most", ratio * band.most}});
}

}  // namespace

void add_gpus_per_slice(Answer& answer, const std::vector<Estimated>& rows) {
  const bool any =
      std::ranges::any_of(rows, [](const Estimated& row) { return on_gpus(row.option.settings); });
  if (!any) return;
  std::set<std::tuple<std::string, std::string, std::string, std::string>> told;
  for (const Pair& pair : pairs_of(rows)) {
    const bool first =
        told.insert({pair.model(), pair.tpu_settings().slice, std::string(pair.group().gpu->chip),
                     pair.gpus->option.settings.gpu_precision})
            .second;
    if (first) add_published(pair, answer);
    const Estimate* tpu = pair.tpu->estimate();
    const Estimate* gpus = pair.gpus->estimate();
    if (tpu != nullptr && gpus != nullptr) add_estimated(pair, *tpu, *gpus, answer);
  }
  std::set<std::string> lines;
  for (const Estimated* gpus : best_rows(rows, true)) {
    const Estimate* estimate = gpus->estimate();
    if (estimate != nullptr) lines.insert(fmt::format("{}; {}", estimate->gpus, estimate->figure));
  }
  for (const std::string& line : lines) add_line(answer, line);
}

std::vector<std::string> gpu_lines_of(const Estimate& estimate) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format("{} on {}, batch {}", estimate.model, estimate.gpus, estimate.batch));
  lines.push_back(fmt::format("  step {} {} ({}); GPU time", text_of(estimate.step),
                              band_words(estimate), estimate.band_source));
  std::string rate = fmt::format("  {} samples/s", text_of_count(estimate.samples_per_second));
  if (estimate.tokens_per_second > 0) {
    rate += fmt::format(", {} tokens/s", text_of_count(estimate.tokens_per_second));
  }
  lines.push_back(rate);
  lines.push_back("  " + estimate.figure);
  lines.push_back(fmt::format("  bound: {}; memory about {} of {} on each GPU", estimate.bound,
                              text_of(estimate.hbm_used), text_of(estimate.hbm_limit)));
  return lines;
}

}  // namespace tpulab

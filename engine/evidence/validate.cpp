#include "engine/evidence/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "engine/base/error.h"
#include "engine/evidence/bands.h"
#include "engine/evidence/calibration.h"

namespace tpulab {

namespace {

using Points = std::vector<MeasuredPoint>;
using KeyOf = std::function<std::string(const MeasuredPoint&)>;

std::string generation_of(const MeasuredPoint& point) {
  return std::string(slice_named(point.hardware).generation->name);
}

Generations shipped_generations() { return {generations().begin(), generations().end()}; }
Stacks shipped_stacks() { return {stack_rows().begin(), stack_rows().end()}; }

// Constants are fitted to kernels on their generation and to steady steps.
bool fits_kernels(const MeasuredPoint& point) {
  if (point.model || point.id.starts_with("H-")) return false;
  return std::ranges::any_of(fitted_constants(), [&](const FittedConstant& fit) {
    return fit.generation == generation_of(point);
  });
}
bool fits_steps(const MeasuredPoint& point) { return point.model && point.kind == PointKind::step; }

bool one_sided(PointKind kind) {
  return kind == PointKind::upper_bound || kind == PointKind::input_bound;
}

bool is_rate(const MeasuredPoint& point) { return !point.measure.is_time(); }

double scored(const MeasuredPoint& point, double predicted) {
  const double error = error_of(point, predicted);
  if (!one_sided(point.kind)) return error;
  const bool slower = is_rate(point) ? error < 0 : error > 0;
  return slower ? error : 0;
}

// The points split by class, each with its errors.
Summaries summaries_of(const std::vector<ValidatedPoint>& points, double ValidatedPoint::*error,
                       double ValidatedPoint::*predicted) {
  std::map<std::string, std::vector<const ValidatedPoint*>> classes;
  for (const ValidatedPoint& point : points) {
    classes[std::string(name_of(point.kind))].push_back(&point);
    classes["all"].push_back(&point);
  }
  Summaries summaries;
  for (const auto& [name, members] : classes) {
    std::vector<double> errors;
    std::vector<RankedPair> pairs;
    for (const ValidatedPoint* point : members) {
      errors.push_back(point->*error);
      pairs.push_back(
          {point->workload + " " + point->unit, point->*predicted, point->measured, point->noise});
    }
    summaries[name] = summary_of(errors, pairs);
  }
  return summaries;
}

// What runs have in common whose ratio says something.
std::string series_of(const MeasuredPoint& point) {
  if (!point.model || (point.kind != PointKind::step && point.kind != PointKind::with_eval)) {
    return {};
  }
  const std::string source = point.source.substr(0, point.source.find_first_of(",;"));
  return fmt::format("{} {} {} {} {} {}", source, point.workload, name_of(point.kind), point.stack,
                     point.unit, point.precision);
}

ErrorSummary ratios_of(const std::vector<ValidatedPoint>& points) {
  std::map<std::string, const ValidatedPoint*> first;
  std::vector<double> errors;
  for (const ValidatedPoint& point : points) {
    if (point.series.empty()) continue;
    const auto [known, begins] = first.emplace(point.series, &point);
    if (begins) continue;
    const ValidatedPoint& base = *known->second;
    const double error = point.predicted / base.predicted * (base.measured / point.measured) - 1;
    errors.push_back(std::abs(error) <= point.noise + base.noise ? 0 : error);
  }
  return summary_of(errors, {});
}

class Validator {
 public:
  explicit Validator(const Points& points) {
    for (const MeasuredPoint& point : shipped_points()) {
      if (fits_kernels(point)) kernels_.push_back(point);
      if (fits_steps(point) && why_not_predicted(point).empty()) {
        steps_.push_back({&point, step_point(point)});
      }
    }
    result_.fitting_points = static_cast<int>(kernels_.size() + steps_.size());
    for (const MeasuredPoint& point : points) {
      const std::string reason = why_not_predicted(point);
      if (!reason.empty()) {
        result_.skipped.push_back({point.id, reason});
      } else {
        add(point);
      }
    }
  }

  Validation run() {
    predict();
    leave_out([](const MeasuredPoint& point) { return point.workload; },
              &ValidatedPoint::without_model, &ValidatedPoint::predicted_without_model, false);
    leave_out(generation_of, &ValidatedPoint::without_generation,
              &ValidatedPoint::predicted_without_generation, true);
    count_inside();
    result_.ratios = ratios_of(result_.points);
    result_.in_sample =
        summaries_of(result_.points, &ValidatedPoint::error, &ValidatedPoint::predicted);
    result_.without_model = summaries_of(result_.points, &ValidatedPoint::without_model,
                                         &ValidatedPoint::predicted_without_model);
    result_.without_generation = summaries_of(result_.points, &ValidatedPoint::without_generation,
                                              &ValidatedPoint::predicted_without_generation);
    result_.fitted_constants =
        static_cast<int>(fitted_constants().size() + fitted_stack_constants().size());
    return std::move(result_);
  }

 private:
  struct Row {
    MeasuredPoint point;
    std::optional<StepPoint> step;
  };

  void add(const MeasuredPoint& point) {
    Row row{point, {}};
    if (point.model) row.step = step_point(point);
    rows_.push_back(std::move(row));
  }

  static double predicted(const Row& row, const Generations& rows, const Stacks& stacks) {
    if (row.step) return predicted_step(*row.step, row_named(stacks, row.point.stack));
    return predicted_kernel(row.point, rows);
  }

  void predict() {
    const Generations rows = shipped_generations();
    const Stacks stacks = shipped_stacks();
    for (const Row& row : rows_) {
      const MeasuredPoint& point = row.point;
      const double value = predicted(row, rows, stacks);
      result_.points.push_back({.id = point.id,
                                .kind = point.kind,
                                .workload = point.workload,
                                .generation = generation_of(point),
                                .predicted = value,
                                .measured = point.value,
                                .noise = point.noise,
                                .unit = point.unit,
                                .series = series_of(point),
                                .fits = !row.step || row.step->fits,
                                .error = scored(point, value)});
    }
  }

  void count_inside() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const MeasuredPoint& point = rows_[i].point;
      if (point.kind != PointKind::device && point.kind != PointKind::step) continue;
      Inside& count = result_.inside[std::string(class_of(point))];
      count.band = band_width(point);
      ++count.points;
      if (std::abs(result_.points[i].error) <= count.band) ++count.inside;
    }
  }

  // Kernels and steps that a fit may see.
  Points kernels_without(const KeyOf& key, const std::string& left_out) const {
    Points kept = kernels_;
    std::erase_if(kept, [&](const MeasuredPoint& point) { return key(point) == left_out; });
    return kept;
  }
  std::vector<MeasuredStep> steps_without(const KeyOf& key, const std::string& left_out) const {
    std::vector<MeasuredStep> kept = steps_;
    std::erase_if(kept, [&](const MeasuredStep& step) { return key(*step.point) == left_out; });
    return kept;
  }

  void leave_out(const KeyOf& key, double ValidatedPoint::*error, double ValidatedPoint::*value,
                 bool generation) {
    std::set<std::string> keys;
    for (const Row& row : rows_) keys.insert(key(row.point));
    for (const std::string& left_out : keys) {
      const Generations rows = refitted(key, left_out, generation);
      const Stacks stacks = fitted(shipped_stacks(), steps_without(key, left_out));
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (key(rows_[i].point) != left_out) continue;
        result_.points[i].*value = predicted(rows_[i], rows, stacks);
        result_.points[i].*error = scored(rows_[i].point, result_.points[i].*value);
      }
    }
  }

  Generations refitted(const KeyOf& key, const std::string& left_out, bool generation) const {
    Generations rows = shipped_generations();
    for (const std::string_view name : {"v3", "v6e"}) {
      std::vector<FittedConstant> constants;
      for (const FittedConstant& fit : fitted_constants()) {
        if (fit.generation == name) constants.push_back(fit);
      }
      Points kept = kernels_without(key, left_out);
      std::erase_if(kept, [&](const MeasuredPoint& p) { return generation_of(p) != name; });
      if (generation && name == left_out) {
        for (const FittedConstant& fit : constants) {
          (*std::ranges::find(rows, name, &Generation::name)).*fit.constant =
              Constant{(fit.least + fit.most) / 2, Mark::assumed, "middle of its range"};
        }
      } else if (!kept.empty() && seen(key, left_out, name)) {
        rows = fitted(std::move(rows), constants, kept);
      }
    }
    return rows;
  }

  // Whether the left-out points had a part in this generation's fit.
  bool seen(const KeyOf& key, const std::string& left_out, std::string_view name) const {
    return std::ranges::any_of(kernels_, [&](const MeasuredPoint& point) {
      return key(point) == left_out && generation_of(point) == name;
    });
  }

  Points kernels_;  // that constants are fitted to
  std::vector<MeasuredStep> steps_;
  std::vector<Row> rows_;  // that are asked
  Validation result_;
};

}  // namespace

Validation validate(const std::vector<MeasuredPoint>& points) { return Validator(points).run(); }

std::string validate_answer(const std::string& points_file, bool json) {
  const Validation validation =
      validate(points_file.empty() ? shipped_points() : read_points(points_file));
  if (validation.points.empty() && !validation.skipped.empty()) {
    const SkippedPoint& first = validation.skipped.front();
    throw Impossible(fmt::format("not one of {} points is predicted; the first, {}: {}",
                                 validation.skipped.size(), first.id, first.reason));
  }
  return json ? json_of(validation) : text_of(validation);
}

}  // namespace tpulab

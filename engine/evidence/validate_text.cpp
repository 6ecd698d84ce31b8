#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/evidence/calibration.h"
#include "engine/evidence/validate.h"

namespace tpulab {

namespace {

std::string line_of(const ValidatedPoint& point) {
  return fmt::format(
      "{:<28} {:<11} {:<20} {:<4} {:>10.4g} {:>10.4g} {:<12} {:>+7.1f} {:>+7.1f} "
      "{:>+7.1f}{}\n",
      point.id, name_of(point.kind), point.workload, point.generation, point.predicted,
      point.measured, point.unit, point.error * 100, point.without_model * 100,
      point.without_generation * 100, point.fits ? "" : "  does not fit HBM");
}

std::string table_of(std::string_view title, const Summaries& summaries) {
  std::string text =
      fmt::format("\n{:<28} count   mean %  median %   90th %  Kendall tau\n", title);
  for (const auto& [name, summary] : summaries) {
    text += fmt::format("  {:<26} {:>5} {:>8.1f} {:>9.1f} {:>8.1f} {:>12.2f}\n", name,
                        summary.count, summary.mean * 100, summary.median * 100, summary.p90 * 100,
                        summary.kendall_tau);
  }
  return text;
}

std::string inside_text(const Validation& validation) {
  std::string text = "\ninside the printed band          band % points  inside  share %\n";
  for (const auto& [name, count] : validation.inside) {
    text += fmt::format("  {:<30} {:>6.0f} {:>6} {:>7} {:>8.0f}\n", name, count.band * 100,
                        count.points, count.inside, 100.0 * count.inside / count.points);
  }
  return text;
}

std::string ratios_text(const ErrorSummary& ratios) {
  if (ratios.count == 0) return {};
  return fmt::format(
      "\nratios of two runs of one source   count   mean %  median %   90th %\n"
      "  {:<30} {:>7} {:>8.1f} {:>9.1f} {:>8.1f}\n",
      "each to the first", ratios.count, ratios.mean * 100, ratios.median * 100, ratios.p90 * 100);
}

std::string constants_text(const Validation& validation) {
  std::string text =
      fmt::format("\n{} constants fitted to {} points, {:.1f} points each:\n",
                  validation.fitted_constants, validation.fitting_points,
                  static_cast<double>(validation.fitting_points) / validation.fitted_constants);
  for (const FittedConstant& fit : fitted_constants()) {
    const double value = generation_named(fit.generation).*fit.constant;
    text += fmt::format("  {:<5} {:<24} {:>10.4g}   plausible {:.4g} to {:.4g}\n", fit.generation,
                        fit.name, value, fit.least, fit.most);
  }
  for (const FittedStackConstant& fit : fitted_stack_constants()) {
    const double value = stack_named(fit.stack).*fit.constant;
    text += fmt::format("  {:<5} {:<24} {:>10.4g}   plausible {:.4g} to {:.4g}\n", fit.stack,
                        fit.name, value, fit.least, fit.most);
  }
  text +=
      fmt::format("{} more were read off points that are validated:\n", read_constants().size());
  for (const ReadConstant& read : read_constants()) {
    const Constant& constant = generation_named(read.generation).*read.constant;
    text += fmt::format("  {:<5} {:<24} {:>10.4g}   {}\n", read.generation, read.name,
                        constant.value, constant.source);
  }
  return text;
}

}  // namespace

std::string text_of(const Validation& validation) {
  std::string text = fmt::format(
      "{:<28} {:<11} {:<20} {:<4} {:>10} {:>10} {:<12} {:>7} {:>7} {:>7}\n", "point", "class",
      "model or kernel", "chip", "predicted", "measured", "unit", "error %", "-model", "-chip");
  for (const ValidatedPoint& point : validation.points) text += line_of(point);
  for (const SkippedPoint& point : validation.skipped) {
    text += fmt::format("{:<28} not predicted: {}\n", point.id, point.reason);
  }
  text += table_of("in sample", validation.in_sample);
  text += table_of("leaving one model out", validation.without_model);
  text += table_of("leaving one generation out", validation.without_generation);
  if (!validation.inside.empty()) text += inside_text(validation);
  text += ratios_text(validation.ratios);
  text += constants_text(validation);
  text +=
      "\nErrors within a point's noise count as zero; bounds are scored on one side; with_eval "
      "points\nhold more than steps and count towards no goal.\n";
  return text;
}

std::string json_of(const Validation& validation) {
  nlohmann::ordered_json json;
  json["points"] = nlohmann::ordered_json::array();
  for (const ValidatedPoint& point : validation.points) {
    json["points"].push_back({{"id", point.id},
                              {"class", name_of(point.kind)},
                              {"predicted", point.predicted},
                              {"measured", point.measured},
                              {"unit", point.unit},
                              {"noise", point.noise},
                              {"error", point.error}});
  }
  json["summary"] = nlohmann::ordered_json::object();
  for (const auto& [name, summary] : validation.in_sample) {
    json["summary"][name] = {{"count", summary.count},
                             {"mean", summary.mean},
                             {"median", summary.median},
                             {"p90", summary.p90},
                             {"kendall_tau", summary.kendall_tau}};
  }
  return json.dump() + "\n";
}

}  // namespace tpulab

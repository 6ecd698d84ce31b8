#include "engine/session/settings/model_with_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/session/settings/plan.h"
#include "engine/training/dataset.h"
#include "engine/training/networks/networks.h"

namespace tpulab {

namespace {

bool fits(Settings settings, std::string_view name, const std::string& value) {
  try {
    parse_value(settings, name, value);
    check_settings(settings);
    return true;
  } catch (const Error&) {
    return false;
  }
}

bool is_traced(const Settings& settings) {
  try {
    parameter_count(settings);
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::string typed(std::string_view value) {
  const bool plain = value.find_first_of(" |") == std::string_view::npos;
  return plain ? std::string(value) : fmt::format("\"{}\"", value);
}

// A line of layers with as many outputs as the data has classes, then what is trained here.
std::vector<std::string> other_models(const Settings& settings) {
  std::vector<std::string> models;
  const std::int64_t classes = dataset_of(settings).classes;
  if (auto line = with_outputs(settings.model, classes)) models.push_back(*std::move(line));
  std::ranges::move(trained_names(), std::back_inserter(models));
  return models;
}

// "set model=gpt-tiny data=addition"; empty where neither is assigned, or nothing fits.
std::string both_at_once(const Settings& refused, std::span<const Assignment> assignments) {
  const auto assigns = [&](std::string_view name) {
    return std::ranges::find(assignments, name, &Assignment::name) != assignments.end();
  };
  if (assigns("model")) {
    for (const std::string_view data : dataset_names()) {
      if (!fits(refused, "data", std::string(data))) continue;
      return fmt::format("set model={} data={}", typed(refused.model), data);
    }
  } else if (assigns("data")) {
    for (const std::string& model : other_models(refused)) {
      if (!fits(refused, "model", model)) continue;
      return fmt::format("set data={} model={}", typed(refused.data), typed(model));
    }
  }
  return {};
}

}  // namespace

void check_together(const Settings& changed, std::span<const Assignment> assignments) {
  try {
    check_settings(changed);
  } catch (const Impossible& error) {
    const bool misfit = trained_model(changed.model, changed.hidden) && !is_traced(changed);
    const std::string both = misfit ? both_at_once(changed, assignments) : std::string();
    if (both.empty()) throw;
    throw Impossible(fmt::format("{}; or both at once: `{}`", error.what(), both));
  }
}

}  // namespace tpulab

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

using Assignments = std::vector<Assignment>;

bool fits(const Settings& before, const Assignments& assignments) {
  try {
    check_settings(unchecked(before, assignments));
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

// As typed: "set model=gpt-tiny data=addition batch=8".
std::string text_of(const Assignments& assignments) {
  std::string text = "set";
  for (const auto& [name, value] : assignments) text += fmt::format(" {}={}", name, typed(value));
  return text;
}

// Empty where neither is assigned, or nothing fits.
std::string both_at_once(const Settings& before, const Settings& refused,
                         std::span<const Assignment> assignments) {
  const auto assigns = [&](std::string_view name) {
    return std::ranges::find(assignments, name, &Assignment::name) != assignments.end();
  };
  const bool of_model = assigns("model");
  if (!of_model && !assigns("data")) return {};
  const std::string other = of_model ? "data" : "model";
  std::vector<std::string> values(dataset_names().begin(), dataset_names().end());
  if (!of_model) values = other_models(refused);
  Assignments both(assignments.begin(), assignments.end());
  std::erase_if(both, [&](const Assignment& one) { return one.name == other; });
  both.push_back({other, {}});
  for (std::string& value : values) {
    both.back().value = std::move(value);
    if (fits(before, both)) return text_of(both);
  }
  return {};
}

}  // namespace

void check_together(const Settings& before, const Settings& changed,
                    std::span<const Assignment> assignments) {
  try {
    check_settings(changed);
  } catch (const Impossible& error) {
    const bool misfit = trained_model(changed.model, changed.hidden) && !is_traced(changed);
    const std::string both = misfit ? both_at_once(before, changed, assignments) : std::string();
    if (both.empty()) throw;
    throw Impossible(fmt::format("{}; or both at once: `{}`", error.what(), both));
  }
}

}  // namespace tpulab

#include "commands/grid.h"

#include <fmt/format.h>

#include <algorithm>

#include "commands/what_fits.h"
#include "commands/words.h"
#include "engine/base/error.h"
#include "engine/session/settings/gpu_settings.h"

namespace tpulab {

namespace {

constexpr std::size_t most_combinations = 1'000'000'000'000;  // decades of computing

Axis& axis_named(std::vector<Axis>& axes, const std::string& name) {
  const auto found = std::ranges::find(axes, name, &Axis::name);
  return found != axes.end() ? *found : axes.emplace_back(Axis{name, {}});
}

void add_values(Axis& axis, const std::string& text, std::string_view usage) {
  for (std::string& value : parts_of(text, ',')) {
    if (value.empty()) {
      throw Error(fmt::format("{} has an empty value; usage: {}", axis.name, usage));
    }
    axis.values.emplace_back(unquoted(value));
  }
}

// Against the default settings, so that only the value itself can be wrong; whether a batch can be
// shared depends on the slice beside it.
void check_value(const std::string& name, const std::string& value) {
  if (name == "batch.global" || name == "devices" || name == "precision") return;
  Settings settings;
  settings.straggler = "none";
  const SettingRow& row = setting_named(name);
  try {
    if (row.parse(settings, value)) return;
  } catch (const Error&) {
    if (name == "straggler" || name == "preempt") return;
    throw;
  }
  Settings unchanged;
  change(unchanged, name, value);
}

}  // namespace

std::vector<Axis> axes_of(Arguments words, std::string_view usage) {
  std::vector<Axis> axes;
  bool slices_listed = false;
  for (const std::string& word : words) {
    const Assignment typed = name_and_value(word);
    const bool listed = typed.name.empty();
    const std::string name = listed ? "slice" : std::string(setting_named(typed.name).name);
    const auto same = std::ranges::find_if(axes, [&](const Axis& axis) {
      return say_the_same(setting_named(axis.name), setting_named(name));
    });
    if (same != axes.end() && same->name != name) {
      throw Error(fmt::format("{} and {} say the same; leave one of them out", same->name, name));
    }
    if (same != axes.end() && !(listed && slices_listed)) {
      throw Error(fmt::format("{} is given twice; list its values with commas", name));
    }
    const bool sliced = word.find('-') != std::string::npos || word.find('x') != std::string::npos;
    if (listed && !sliced && !reads_as_gpus(word)) {
      throw Error(fmt::format("'{}' is neither NAME=VALUE nor a slice; usage: {}", word, usage));
    }
    slices_listed |= listed;
    add_values(axis_named(axes, name), typed.value, usage);
  }
  return axes;
}

std::size_t count_of(const std::vector<Axis>& axes) {
  for (const Axis& axis : axes) {
    for (const std::string& value : axis.values) check_value(axis.name, value);
  }
  std::size_t count = 1;
  for (const Axis& axis : axes) {
    count *= axis.values.size();
    if (count > most_combinations) {
      throw Error("these are more than 10^12 combinations; give fewer values");
    }
  }
  return count;
}

std::vector<Assignment> assignments_of(const std::vector<Axis>& axes, const Combination& option) {
  std::vector<Assignment> assignments;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    assignments.push_back({axes[axis].name, option.values[axis]});
  }
  return assignments;
}

Combination combination(const Settings& base, const std::vector<Axis>& axes, std::size_t number) {
  Combination made;
  made.settings = base;
  made.values.resize(axes.size());
  for (std::size_t axis = axes.size(); axis-- > 0;) {
    made.values[axis] = axes[axis].values[number % axes[axis].values.size()];
    number /= axes[axis].values.size();
  }
  const std::vector<Assignment> assignments = assignments_of(axes, made);
  try {
    change_all(made.settings, assignments);
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      // As answers call it: yours:NAME-8 of a machine of the user's own.
      if (axes[axis].name == "slice") made.values[axis] = made.settings.slice;
    }
  } catch (const DoesNotFit& refusal) {
    made.refusal = refusal_of_line(refusal, "forecast", assignments);
  } catch (const Error& error) {
    made.refusal = error.what();
  }
  return made;
}

}  // namespace tpulab

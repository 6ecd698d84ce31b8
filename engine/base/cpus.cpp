#include "engine/base/cpus.h"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include "engine/base/control_groups.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

namespace fs = std::filesystem;

int cpus_to_run_on() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return std::max(1, CPU_COUNT(&set));
}

std::optional<double> ratio(std::string_view quota, std::string_view period) {
  const auto number = [](std::string_view text) {
    double value = 0;
    text = trimmed(text);
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    return result.ec == std::errc() ? value : 0;
  };
  const double cpus = number(quota) / number(period);
  if (!std::isfinite(cpus) || cpus <= 0) return std::nullopt;  // "max", or -1
  return cpus;
}

std::optional<double> quota_in(const ControlGroup& group) {
  if (!group.version_2) {
    return ratio(limit_text(group.folder / "cpu.cfs_quota_us"),
                 limit_text(group.folder / "cpu.cfs_period_us"));
  }
  const std::vector<std::string> parts = split(limit_text(group.folder / "cpu.max"), ' ');
  return parts.size() == 2 ? ratio(parts[0], parts[1]) : std::nullopt;
}

}  // namespace

std::optional<double> cpu_quota(const fs::path& root) {
  std::optional<double> least;
  for (const ControlGroup& group : control_groups(root, "cpu")) {
    if (const auto cpus = quota_in(group)) least = std::min(least.value_or(*cpus), *cpus);
  }
  return least;
}

int available_cpus() {
  const int cpus = cpus_to_run_on();
  const auto quota = cpu_quota("/");
  if (!quota || *quota >= cpus) return cpus;
  return std::max(1, static_cast<int>(std::ceil(*quota)));
}

}  // namespace tpulab

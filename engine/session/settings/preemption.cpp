#include "engine/session/settings/preemption.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/machine/machine.h"
#include "engine/session/settings/gpu_settings.h"
#include "engine/session/settings/setting_values.h"

namespace tpulab {

namespace {

constexpr std::string_view first_host = "host@";
constexpr std::string_view some_host = "host:";
constexpr std::int64_t latest_step = 1'000'000'000;

[[noreturn]] void refuse(std::string_view text) {
  throw Error(
      fmt::format("preempt cannot be {}; it takes none, or a host and the step behind "
                  "which it is taken back, as host@40 or host:3@40",
                  text));
}

}  // namespace

Preemption preemption_named(std::string_view text) {
  if (text == "none") return {};
  const auto at = text.find('@');
  const bool numbered = text.starts_with(some_host);
  if (at == std::string_view::npos || (!numbered && !text.starts_with(first_host))) refuse(text);
  const auto host =
      numbered ? whole_number(text.substr(some_host.size(), at - some_host.size())) : 0;
  const auto step = whole_number(text.substr(at + 1));
  if (!host || *host < 0 || *host > latest_step || !step || *step < 1 || *step > latest_step) {
    refuse(text);
  }
  return {.host = static_cast<int>(*host), .step = *step};
}

void check_preempted_host(const Preemption& preemption, const Settings& settings) {
  if (preemption.step == 0 || on_gpus(settings)) return;
  const Slice slice = slice_named(settings.slice);
  if (preemption.host < slice.hosts) return;
  throw Error(fmt::format("{} has no host {}: it has {}, counted from 0", slice.name,
                          preemption.host, count_with(slice.hosts, "host")));
}

}  // namespace tpulab

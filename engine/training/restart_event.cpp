#include "engine/training/restart_event.h"

#include <fmt/format.h>

#include "engine/base/text.h"

namespace tpulab {

Event restart_event(const Loop& loop) {
  const std::int64_t saved = loop.saved().step;
  const std::int64_t lost = loop.step() - saved;
  const std::string from = saved > 0 ? fmt::format("from the checkpoint behind step {}", saved)
                                     : std::string("from the beginning, as nothing was saved yet");
  return {.kind = EventKind::restart,
          .count = lost,
          .name = fmt::format("host {}", loop.preemption().host),
          .cause = fmt::format("host {} is preempted, and the whole slice with it: other processes "
                               "go on {}, {} again",
                               loop.preemption().host, from, count_with(lost, "step"))};
}

}  // namespace tpulab

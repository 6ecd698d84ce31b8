#include "engine/runtime/programs_of.h"

namespace tpulab {

std::vector<std::shared_ptr<const Program>> programs_of(const StepTimeline& step) {
  std::vector<std::shared_ptr<const Program>> programs;
  for (const TimedEvent& timed : step.events) {
    if (timed.event->kind == EventKind::dispatch) programs.push_back(timed.event->program);
  }
  return programs;
}

}  // namespace tpulab

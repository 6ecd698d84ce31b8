#include "engine/session/answers/run_evidence.h"

namespace tpulab {

std::vector<StepTimeline> timeline_of(const RunEvidence& run, Detail detail) {
  return simulate(run.records, run.machine, detail, run.ended).steps;
}

}  // namespace tpulab

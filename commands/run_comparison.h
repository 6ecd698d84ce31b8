// Two ended runs phase by phase, with the time each needed for what both reached.
#pragma once

#include "commands/answer.h"
#include "engine/session/run_record.h"

namespace tpulab {

Answer compare_runs(const RunRecord& before, const RunRecord& after, bool csv);

}  // namespace tpulab

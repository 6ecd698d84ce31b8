// Two ended runs phase by phase, with the time each needed for what both reached.
#pragma once

#include <optional>
#include <string_view>

#include "commands/answer.h"
#include "engine/session/run/run_record.h"

namespace tpulab {

// `word` is what their numbers count: runs of this session, or "kept run"s. Without a target
// accuracy the highest one that both reached is taken.
Answer compare_runs(const RunRecord& before, const RunRecord& after, bool csv,
                    std::string_view word = "run", std::optional<double> target = {});

}  // namespace tpulab

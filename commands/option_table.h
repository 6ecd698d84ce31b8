// Estimates of many combinations of settings: as a table with bars, as CSV, as facts.
#pragma once

#include <stop_token>

#include "commands/answer.h"
#include "commands/grid.h"
#include "engine/session/estimate.h"

namespace tpulab {

struct Estimated {
  Combination option;
  Estimate estimate;  // its `failure` also says why the settings are refused
};

// Throws Error when `stop` is asked for.
std::vector<Estimated> estimate_all(std::vector<Combination> options, const std::stop_token& stop);

// One row a combination. `csv`: raw numbers with units in their names, nothing else. `bars` draws
// the rates. Facts are named `event`.
Answer option_answer(const std::vector<Axis>& axes, const std::vector<Estimated>& rows,
                     const std::string& event, bool csv, bool bars);

// The whole of `sweep` and of `compare NAME=V1,V2`: `event` is the verb.
Reply compare_options(Arguments words, const std::string& event, std::string_view usage,
                      CommandContext& context);

}  // namespace tpulab

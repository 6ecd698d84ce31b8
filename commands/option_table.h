// Estimates of many combinations of settings: as a table with bars, as CSV, as rows of JSON.
#pragma once

#include <stop_token>

#include "commands/answer.h"
#include "commands/grid.h"
#include "engine/session/estimate.h"

namespace tpulab {

struct Estimated {
  Combination option;
  EstimateOrNot outcome;  // the settings may be refused, or not fit

  // Null where there is no estimate.
  const Estimate* estimate() const { return std::get_if<Estimate>(&outcome); }
  const std::string& failure() const { return std::get<NoEstimate>(outcome).reason; }
};

// Every combination. Throws Error when `stop` is asked for.
std::vector<Estimated> estimate_all(const Settings& base, const std::vector<Axis>& axes,
                                    const std::stop_token& stop);

// One row a combination; one without an estimate has empty cells and its failure, and if
// none has one the answer fails. `csv`: raw
// numbers with units in their names, nothing else. `bars` draws the rates. Rows of JSON are named
// `event`.
Answer option_answer(const std::vector<Axis>& axes, const std::vector<Estimated>& rows,
                     const std::string& event, bool csv, bool bars);

// The whole of `sweep` and of `compare NAME=V1,V2`: `event` is the verb.
Reply compare_options(Arguments words, const std::string& event, std::string_view usage,
                      CommandContext& context);

}  // namespace tpulab

// Estimates of many combinations of settings: as a table with bars, as CSV, as rows of JSON.
#pragma once

#include "commands/answer.h"
#include "commands/option_rows.h"

namespace tpulab {

// One row a combination; one without an estimate has empty cells and its failure, and if
// none has one the answer fails. `csv`: raw
// numbers with units in their names, nothing else. `heads` names their columns. `bars` draws the
// rates. Rows of JSON are named `event`.
Answer option_answer(const std::vector<Axis>& axes, const std::vector<Estimated>& rows,
                     const std::string& event, bool csv, bool bars, bool heads = true);

// The whole of `sweep` and of `compare NAME=V1,V2`: `event` is the verb. Scripts print CSV row by
// row.
Reply compare_options(Arguments words, const RowOptions& options, const std::string& event,
                      std::string_view usage, CommandContext& context);

}  // namespace tpulab

// Estimates of many combinations of settings: as a table with bars, as CSV, as rows of JSON.
#pragma once

#include "commands/answer.h"
#include "commands/option_rows.h"

namespace tpulab {

struct TableForm {
  bool csv = false;         // raw numbers with units in their names, nothing else
  bool heads = true;        // of CSV: names its columns
  bool bars = false;        // draws the rates
  std::size_t columns = 0;  // that a line may have; 0: as many as it takes
};

// One row a combination; one without an estimate has empty cells and its failure, and if none has
// one the answer fails. Rows of JSON are named `event`.
Answer option_answer(const std::vector<Axis>& axes, const std::vector<Estimated>& rows,
                     const std::string& event, const TableForm& form);

// The whole of `sweep` and of `compare NAME=V1,V2`: `event` is the verb. Scripts print CSV row by
// row.
Reply compare_options(Arguments words, const RowOptions& options, const std::string& event,
                      std::string_view usage, CommandContext& context);

}  // namespace tpulab

// Kept runs as rows: of a table, of CSV and of JSON.
#pragma once

#include <string>
#include <vector>

#include "commands/table.h"
#include "engine/session/run_history.h"

namespace tpulab {

// "0.1234", or what stands for none.
std::string loss_text(double value, const char* none);
// Of a run whose record nobody can read no figure is known.
std::vector<EventField> run_fields_of(const KeptRun& run);
Table table_of_runs(bool csv);
void add_run(Table& table, const KeptRun& run, bool csv);

}  // namespace tpulab

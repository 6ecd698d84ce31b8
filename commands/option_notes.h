// What is said once of rows of estimates.
#pragma once

#include <string>
#include <vector>

#include "commands/option_rows.h"

namespace tpulab {

// A row that has an estimate.
struct EstimatedRow {
  const Combination& option;
  const Estimate& estimate;
};

// By what it was chosen by: "v3-8 jax".
std::string label_of(const EstimatedRow& row);
// What its step is in rows whose last batches are short or that have no steady one, what useful
// utilisation is above 1, whose bands are those of other machines, and where models have rows of
// other tokens.
std::vector<std::string> step_notes(const std::vector<EstimatedRow>& rows);
// Of rows whose runs stand otherwise to each other than their steps: "whole runs from a cold start:
// on 20.1 s, off 6 min 50 s".
std::vector<std::string> whole_run_lines(const std::vector<EstimatedRow>& rows);
// What is said of some rows: "an epoch has only 180 rows per device (181, 256)".
std::vector<std::string> notes_on_settings(const std::vector<EstimatedRow>& rows);

}  // namespace tpulab

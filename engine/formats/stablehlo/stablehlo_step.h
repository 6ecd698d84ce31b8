// A training step from a StableHLO text: what JAX and PyTorch export.
#pragma once

#include <cstdint>
#include <string>

#include "engine/formats/imported_step.h"

namespace tpulab {

// Reads, compiles and counts. `file` is how errors call the text, `rows` what an open batch is read
// as; 0: it is refused. Throws Error with file, line, operation and what is missing.
ImportedStep import_stablehlo(std::string text, const std::string& file, std::int64_t rows = 0);

}  // namespace tpulab

// MLIR text of the StableHLO dialect -> Module. Pretty and generic forms, mixed as they come.
#pragma once

#include <string>
#include <string_view>

#include "engine/formats/stablehlo/module.h"

namespace tpulab::stablehlo {

// `file` is how errors call the text, `rows` what an open batch is read as (open_batch.h); 0: it is
// refused. Throws Error with file, line and what is missing there, for text that is not MLIR,
// control flow of several blocks, and sizes beyond any program: 1,000,000 operations, regions
// inside each other 32 times.
Module parse(std::string text, std::string file, std::int64_t rows = 0);

}  // namespace tpulab::stablehlo

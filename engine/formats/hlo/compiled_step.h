// A step as the compiler of a TPU left it: optimised, scheduled HLO text.
#pragma once

#include <string>

#include "engine/formats/imported_step.h"

namespace tpulab {

// The kernels, layouts, memory spaces and collectives are the text's own; nothing is fused anew.
// `file` is how errors call the text. Throws Error with file, line and what is missing.
ImportedStep import_hlo(std::string text, const std::string& file);

}  // namespace tpulab

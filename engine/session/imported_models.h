// Models that are files of the user's: read once when they are named, and known from then on.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/forecast/forecast.h"
#include "engine/formats/stablehlo/imported_step.h"

namespace tpulab {

// "step.mlir", "dumps/step.txt": a name that ends as such a file does.
bool names_file(std::string_view model);
// Reads the file again, whatever is known of it. Throws Error, and what was known stays.
void read_model_file(const std::string& name);
// What is known of it; read now if nothing is. Throws Error.
std::shared_ptr<const ImportedStep> model_file(const std::string& name);
// The same as a forecast takes it.
std::shared_ptr<const GivenStep> given_step(const std::string& name);
// "30 operations, 12 kernels, ...": what it is and what was left out.
std::string file_meaning(const std::string& name);
// "32 rows, as its text says, on each of 8 devices"
std::string file_batch_text(const std::string& name, std::int64_t world);

}  // namespace tpulab

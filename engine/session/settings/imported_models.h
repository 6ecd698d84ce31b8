// Models that are files of the user's: read once when they are named, and known from then on.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "engine/forecast/forecast.h"
#include "engine/formats/huggingface/network_config.h"
#include "engine/formats/imported_step.h"

namespace tpulab {

class WorkerPool;

// "step.mlir", "llama/config.json": a name that ends as such a file does. What is in it, its first
// character says: JSON is the configuration of a network, all else a program.
bool names_file(std::string_view model);
// The config.json in a folder that a model was downloaded to; empty of names that are not there.
// Throws Error for other folders, and for files whose names say no kind.
std::string read_config_in_folder(std::string_view model);
// Reads the file again, whatever is known of it. Throws Error, and what was known stays.
void read_model_file(const std::string& name);
// A hash of the text that is known of a file, as it was read last; 0 of none and of names.
std::uint64_t known_contents(const std::string& model);
// A file that says what each device runs, to the operation. Throws Error where it cannot be read.
bool names_program(const std::string& model);
// What is known of a program; read now if nothing is. `rows`: what an open batch is read as. Throws
// Error.
inline constexpr std::int64_t usual_rows = 32;
std::shared_ptr<const ImportedStep> model_file(const std::string& name,
                                               std::int64_t rows = usual_rows);
bool has_open_batch(const std::string& model);
// The network of a configuration; nothing for other files and for names. Throws Error.
std::shared_ptr<const ConfiguredNetwork> configured_network(const std::string& model);
// Of a configuration, else by its name. Throws Error.
Workload workload_of(const std::string& model);
// The same as a forecast takes it.
std::shared_ptr<const GivenStep> given_step(const std::string& name, std::int64_t rows);
// The loss of each next step, really computed on one device; empty where the numbers that its
// arguments begin with, in NAME.safetensors beside NAME.mlir, are not there. Throws Error.
std::function<float()> executed_losses(const std::string& name, WorkerPool& workers);
bool has_numbers(const std::string& model);
// "30 operations, 12 kernels, ...": what it is and what was left out.
std::string file_meaning(const std::string& name);
// "32 x 8 = 256 global"; `asked`: rows of an open batch.
std::string file_batch_text(const std::string& name, std::int64_t world, std::int64_t asked);

}  // namespace tpulab

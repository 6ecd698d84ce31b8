// Settings -> what the floors below need.
#pragma once

#include <optional>

#include "engine/forecast/timed_training.h"
#include "engine/machine/machine.h"
#include "engine/session/settings/settings.h"
#include "engine/training/trainer.h"

namespace tpulab {

// Throws Error for settings that do not fit together.
Machine machine_for(const Settings& settings);
// Of a run without max_steps whose epochs nobody asked for, or that have no end.
inline constexpr std::int64_t usual_steps = 500;
// What max_epochs auto comes to: 20 where a network is trained and no steps are counted, as
// Lightning's default gives way to max_steps; no limit elsewhere.
std::int64_t epochs_of(const Settings& settings);
// Behind how many steps a run ends; -1: epochs say it, or it does not end.
std::int64_t last_step(const Settings& settings);
// The data that a named network was published with; null: it has no length.
const PublishedData* published_data(const Settings& settings);
// False for a kernel, or another's program, whose shapes are its own.
bool has_batches(const Settings& settings);
// Over all devices; nothing where nobody knows.
std::optional<std::int64_t> rows_of_an_epoch(const Settings& settings);
// Whether epochs end: limit_train_batches counts the batches of those that would not.
bool has_epochs(const Settings& settings);
TrainerOptions trainer_options(const Settings& settings);
ExecuteOptions execute_options(const Settings& settings);
// Of a model that is trained: itself, the rows it reads, "mlp 64-1024-1024-10" and its parameters.
// Throws Error where the data does not suit the model, or a layer its input.
Model model_of(const Settings& settings);
const Dataset& dataset_of(const Settings& settings);
std::string model_title(const Settings& settings);
std::int64_t parameter_count(const Settings& settings);
// What multiplies the matrices: "oneDNN, AVX-512"; "loops of tpulab" for the reference backend;
// empty where no numbers are computed. Losses have equal bits within one of these.
std::string products_text(const Settings& settings);
// "32 x 8 = 256 global, 4 summed = 1024 a step"; for a kernel "1 call on each of 8 devices".
std::string batch_text(const Settings& settings);
// Of a named model; loss_pieces acts on it.
bool makes_logits_in_pieces(const Settings& settings);
// Shapes or loops of its script are drawn anew in each step.
bool changes_each_step(const Settings& settings);
std::string show_batch(const Settings& settings);  // "32", or "1/8" where eight devices share a row
// Rows of numbers, not of tokens.
bool reads_numbers(const Settings& settings);
// Whether such rows were bytes before anything was done to them.
bool bytes_hold_rows(const Settings& settings);
// Rows of all devices in one step. Throws Impossible where devices do not share rows evenly.
std::int64_t global_batch(const Settings& settings);
// Of a named model.
ForecastRequest forecast_request(const Settings& settings);
TimedOptions timed_options(const Settings& settings);
// adam for what is trained here unless the settings say otherwise, what its published runs used for
// others.
OptimizerKind optimizer_of(const Settings& settings);

}  // namespace tpulab

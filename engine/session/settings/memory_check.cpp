#include "engine/session/settings/memory_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/base/memory.h"
#include "engine/base/text.h"
#include "engine/base/workers.h"
#include "engine/compiler/cache.h"
#include "engine/forecast/known_steps.h"
#include "engine/forecast/memory.h"
#include "engine/forecast/mesh.h"
#include "engine/session/settings/plan.h"
#include "engine/training/sampler.h"

namespace tpulab {

namespace {

constexpr std::int64_t bytes_of_f32 = 4;
constexpr double usable_share_of_this_computer = 0.8;

// A trainer that has traced its first steps and computed nothing.
template <class Look>
auto after_first_steps(const Settings& settings, const Look& look) {
  ProgramCache cache;
  WorkerPool workers(1);
  Metrics metrics;
  ExecuteOptions execution = execute_options(settings);
  execution.numbers = false;
  execution.any_memory = true;
  TrainerOptions options = trainer_options(settings);
  options.drop_last = false;
  options.hard_examples = false;  // picks fewer rows, how many only numbers tell
  Trainer trainer(machine_for(settings), cache, workers, metrics, options, execution);
  // The first step makes the optimizer's state, the second takes it as an input, and may be the
  // short one at the end of an epoch.
  while (trainer.loop().step() < 3 && !trainer.done()) trainer.advance();
  return look(trainer);
}

ForecastMemory memory_of_named(const Settings& settings) {
  const Machine machine = machine_for(settings);
  return memory_in_run(*known_step(forecast_request(settings), machine), machine);
}

// Microbatches divide the short batch at the end of an epoch, too.
bool divides_last_batch(const Settings& settings) {
  const Mesh mesh = mesh_named(settings.mesh);
  const auto rows = rows_of_an_epoch(settings);
  if (mesh.pipeline <= 1 || settings.drop_last || !rows) return true;
  const std::int64_t world = std::ssize(chosen_devices(settings));
  const std::int64_t left = rows_of_core(*rows % global_batch(settings), world) * world;
  try {
    if (left > 0) resolved_mesh(mesh, slice_named(settings.slice), left, true);
  } catch (const Error&) {
    return false;
  }
  return true;
}

// In marks: it may be several commands, and others come behind it.
std::string typed(const WayToFit& way) {
  std::vector<std::string> words;
  for (const Assignment& one : way) words.push_back(one.name + " " + one.value);
  return fmt::format("`{}`", fmt::join(words, "; "));
}

std::string refusal_at_prompt(const Settings& settings, const std::vector<WayToFit>& ways) {
  std::vector<std::string> changes;
  changes.reserve(ways.size());
  for (const WayToFit& way : ways) changes.push_back(typed(way));
  return fmt::format(
      "{}\nWhat would fit: {}{}", what_is_needed(settings),
      changes.empty()
          ? "no batch, precision, remat, mesh or slice that was tried; choose a smaller model"
          : fmt::format("{}", fmt::join(changes, ", or ")),
      note_on(ways));
}

void check_hbm(const Settings& settings) {
  if (or_impossible([&] { return fits_hbm(settings); })) return;
  throw DoesNotFit(settings, ways_to_fit(settings));
}

// The numbers are computed here, in f32, once for all devices or once per device (replicas).
void check_this_computer(const Settings& settings) {
  const std::int64_t world = std::ssize(chosen_devices(settings));
  const std::int64_t copies = settings.replicas == "separate" ? world : 1;
  const std::int64_t values_per_weight = 2 + state_count(trainer_options(settings).optimizer);
  const std::int64_t state = bytes_of_f32 * parameter_count(settings) * values_per_weight;
  const std::int64_t step = step_memory(settings).value;
  const Bytes need{state * copies + std::max<std::int64_t>(step - state, 0) * world};
  const Bytes memory = available_memory();
  const double usable = static_cast<double>(memory.value) * usable_share_of_this_computer;
  if (static_cast<double>(need.value) <= usable) return;
  throw Impossible(fmt::format(
      "the numbers of {} on {} devices need {} of this computer, which has {}; numbers off runs "
      "their time alone{}",
      model_title(settings), world, text_of(need), text_of(memory),
      copies > 1 ? ", replicas auto computes them once" : ""));
}

}  // namespace

DoesNotFit::DoesNotFit(const Settings& settings, std::vector<WayToFit> ways)
    : Impossible(refusal_at_prompt(settings, ways)),
      needed_(what_is_needed(settings)),
      ways_(std::move(ways)) {}

Bytes step_memory(const Settings& settings) {
  if (is_named(settings)) return memory_of_named(settings).total();
  return after_first_steps(settings, [](const Trainer& trainer) { return trainer.hbm_used(); });
}

bool fits_hbm(const Settings& settings) {
  if (is_named(settings)) return memory_of_named(settings).fits();
  return step_memory(settings) <= slice_named(settings.slice).usable_hbm_per_device();
}

bool would_run(const Settings& settings) {
  return !drops_every_batch(settings) && divides_last_batch(settings) && fits_hbm(settings);
}

std::vector<WayToFit> ways_to_fit(const Settings& settings) {
  const std::int64_t most_rows = is_named(settings) ? settings.batch : rows_per_device(settings);
  return remedies(settings, most_rows, would_run);
}

std::string what_is_needed(const Settings& settings) {
  const Machine machine = machine_for(settings);
  if (is_named(settings)) {
    const auto step = known_step(forecast_request(settings), machine);
    return out_of_memory_text(memory_in_run(*step, machine), step->work);
  }
  return fmt::format(
      "RESOURCE_EXHAUSTED: batch {} does not fit: its step needs {} of HBM and a {} of {} has {}.",
      settings.batch, text_of(step_memory(settings)), machine.slice.device_word(),
      machine.slice.name, text_of(machine.slice.usable_hbm_per_device()));
}

std::int64_t rows_per_device(const Settings& settings) {
  return rows_of_core(rows_of_an_epoch(settings).value_or(0), std::ssize(chosen_devices(settings)));
}

bool drops_every_batch(const Settings& settings) {
  if (!settings.drop_last || !has_batches(settings) || !has_epochs(settings)) return false;
  return settings.batch > rows_per_device(settings);
}

void check_memory(const Settings& settings) {
  check_hbm(settings);
  if (settings.numbers && !is_named(settings)) check_this_computer(settings);
}

}  // namespace tpulab

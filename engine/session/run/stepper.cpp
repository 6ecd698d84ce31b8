#include "engine/session/run/stepper.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/session/settings/gpu_settings.h"
#include "engine/session/settings/imported_models.h"
#include "engine/session/settings/memory_check.h"
#include "engine/session/settings/plan.h"
#include "engine/training/networks/networks.h"

namespace tpulab {

namespace {

using Steps = std::variant<Trainer, TimedTraining>;

// Where memory is short, the refusal says what would fit.
template <class Action>
auto or_what_fits(const Settings& settings, const Action& action) {
  try {
    return action();
  } catch (const Impossible&) {
    check_memory(settings);
    throw;
  }
}

Steps steps_of(const Settings& settings, ProgramCache& cache, WorkerPool& workers, Metrics& metrics,
               Detail detail) {
  if (!is_named(settings)) {
    return Steps(std::in_place_type<Trainer>, machine_for(settings), cache, workers, metrics,
                 trainer_options(settings), execute_options(settings));
  }
  check_can_begin(settings);
  return or_what_fits(settings, [&] {
    TimedOptions options = timed_options(settings);
    options.detail = detail;
    if (settings.numbers) options.loss = executed_losses(settings.model, workers);
    return Steps(std::in_place_type<TimedTraining>, machine_for(settings), cache, metrics, options);
  });
}

}  // namespace

void check_can_begin(const Settings& settings) {
  refuse_to_run_on_gpus(settings);
  if (is_named(settings) && settings.numbers && !has_numbers(settings.model)) {
    if (names_program(settings.model) && settings.model.ends_with(".mlir")) {
      throw Impossible(fmt::format(
          "{} is not computed here: the numbers of its arguments are not beside it (`help import` "
          "says how to write them; a batch that is open has none); `numbers off` runs its time "
          "alone, step by step, and `forecast` answers at once",
          settings.model));
    }
    throw Impossible(fmt::format(
        "{} is not trained here: this computer has neither its data nor the days; `numbers off` "
        "runs its time alone, step by step, and `forecast` answers at once{}",
        settings.model,
        !names_file(settings.model) && trained_model(settings.model, {})
            ? "; `data digits` trains it on 8 x 8 images"
            : ""));
  }
  if (is_named(settings) && settings.numbers && settings.preempt != "none") {
    throw Impossible(
        fmt::format("{} computes its losses step by step and keeps no checkpoint to go back to; "
                    "`preempt none`, or `numbers off` for its time alone",
                    settings.model));
  }
}

Stepper::Stepper(const Settings& settings, ProgramCache& cache, WorkerPool& workers,
                 Metrics& metrics, Detail detail)
    : steps_(steps_of(settings, cache, workers, metrics, detail)) {
  cache.keep(persistence_named(settings.cache_persistent));
}

void Stepper::restore(const TrainerState& state) { std::get<Trainer>(steps_).restore(state); }

StepReport Stepper::advance() {
  return std::visit([](auto& steps) { return steps.advance(); }, steps_);
}

void Stepper::skip(std::int64_t steps) {
  std::visit([steps](auto& one) { one.skip(steps); }, steps_);
}

void Stepper::repeat(std::int64_t steps) { std::get<TimedTraining>(steps_).repeat(steps); }

std::int64_t Stepper::steps_alike_ahead() const {
  return std::visit([](const auto& steps) { return steps.steps_alike_ahead(); }, steps_);
}

bool Stepper::done() const {
  return std::visit([](const auto& steps) { return steps.done(); }, steps_);
}

void Stepper::change(const Settings& settings) {
  if (auto* trainer = std::get_if<Trainer>(&steps_))
    return trainer->change(trainer_options(settings));
  or_what_fits(settings, [&] { std::get<TimedTraining>(steps_).change(timed_options(settings)); });
}

const Loop& Stepper::loop() const {
  return std::visit([](const auto& steps) -> const Loop& { return steps.loop(); }, steps_);
}

bool Stepper::last_step_done() const { return planned_steps() > 0 && step() >= planned_steps(); }

std::string Stepper::model_name() const {
  return std::visit([](const auto& steps) { return std::string(steps.model_name()); }, steps_);
}

std::int64_t Stepper::parameters() const {
  return std::visit([](const auto& steps) { return steps.parameters(); }, steps_);
}

const Machine& Stepper::machine() const {
  return std::visit([](const auto& steps) -> const Machine& { return steps.machine(); }, steps_);
}

const std::vector<DeviceGroup>& Stepper::groups() const {
  return std::visit(
      [](const auto& steps) -> const std::vector<DeviceGroup>& { return steps.groups(); }, steps_);
}

const std::vector<StepRecord>& Stepper::records() const {
  return std::visit(
      [](const auto& steps) -> const std::vector<StepRecord>& { return steps.records(); }, steps_);
}

Picoseconds Stepper::now() const {
  return std::visit([](const auto& steps) { return steps.now(); }, steps_);
}

std::vector<Picoseconds> Stepper::clocks() const {
  return std::visit([](const auto& steps) { return steps.clocks(); }, steps_);
}

Bytes Stepper::hbm_used() const {
  return std::visit([](const auto& steps) { return steps.hbm_used(); }, steps_);
}

}  // namespace tpulab

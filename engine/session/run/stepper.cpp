#include "engine/session/stepper.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/session/imported_models.h"
#include "engine/session/memory_check.h"
#include "engine/session/plan.h"
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

Steps steps_of(const Settings& settings, ProgramCache& cache, WorkerPool& workers,
               Metrics& metrics) {
  if (!is_named(settings)) {
    return Steps(std::in_place_type<Trainer>, machine_for(settings), cache, workers, metrics,
                 trainer_options(settings), execute_options(settings));
  }
  check_can_begin(settings);
  return or_what_fits(settings, [&] {
    return Steps(std::in_place_type<TimedTraining>, machine_for(settings), cache, metrics,
                 timed_options(settings));
  });
}

}  // namespace

void check_can_begin(const Settings& settings) {
  if (is_named(settings) && settings.numbers) {
    throw Impossible(fmt::format(
        "{} is not trained here: this computer has neither its data nor the days; `numbers off` "
        "runs its time alone, step by step, and `forecast` answers at once{}",
        settings.model,
        !names_file(settings.model) && trained_model(settings.model, {})
            ? "; `data digits` trains it on 8 x 8 images"
            : ""));
  }
}

Stepper::Stepper(const Settings& settings, ProgramCache& cache, WorkerPool& workers,
                 Metrics& metrics)
    : steps_(steps_of(settings, cache, workers, metrics)) {}

StepReport Stepper::advance() {
  return std::visit([](auto& steps) { return steps.advance(); }, steps_);
}

void Stepper::skip(std::int64_t steps) {
  if (auto* trainer = std::get_if<Trainer>(&steps_)) trainer->skip(steps);
}

bool Stepper::done() const {
  return std::visit([](const auto& steps) { return steps.done(); }, steps_);
}

void Stepper::change(const Settings& settings) {
  if (auto* trainer = std::get_if<Trainer>(&steps_))
    return trainer->change(trainer_options(settings));
  or_what_fits(settings, [&] { std::get<TimedTraining>(steps_).change(timed_options(settings)); });
}

std::int64_t Stepper::step() const {
  return std::visit([](const auto& steps) { return steps.step(); }, steps_);
}

std::int64_t Stepper::planned_steps() const {
  return std::visit([](const auto& steps) { return steps.planned_steps(); }, steps_);
}

bool Stepper::last_step_done() const { return planned_steps() > 0 && step() >= planned_steps(); }

std::int64_t Stepper::epoch() const { return trainer() != nullptr ? trainer()->epoch() : 0; }

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

Bytes Stepper::hbm_used() const {
  return std::visit([](const auto& steps) { return steps.hbm_used(); }, steps_);
}

}  // namespace tpulab

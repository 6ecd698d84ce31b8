#include "engine/forecast/known_steps.h"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <string>

#include "engine/forecast/mesh.h"
#include "engine/forecast/open_mesh.h"

namespace tpulab {

namespace {

struct Known {
  std::shared_ptr<const ResolvedStep> step{};
  std::shared_ptr<TimedPrograms> programs{};
};

// Rows of the tables go by their names; networks and programs from files do not, nor do rows that
// somebody has changed.
bool goes_by_names(const ForecastRequest& request, const Machine& machine) {
  return !request.network && request.given == nullptr &&
         machine.slice.generation == slice_named(request.slice).generation &&
         machine.host == &host_named(request.host) && machine.stack == &stack_named(request.stack);
}

std::string key_of(const ForecastRequest& request, const Machine& machine) {
  const int optimizer = request.optimizer ? static_cast<int>(*request.optimizer) : -1;
  const int sent = request.sent ? static_cast<int>(*request.sent) : -1;
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", sent,
                     request.model, request.slice, request.host, request.stack, request.precision,
                     request.matmul, request.batch, request.sequence, request.image,
                     text_of(request.mesh), static_cast<int>(request.remat), request.quant,
                     optimizer, request.donate, machine.world(), request.loss_pieces,
                     request.sums_batches, request.attention);
}

class KnownSteps {
 public:
  Known find(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(key);
    return found == known_.end() ? Known() : found->second;
  }
  // The one that came first stays.
  Known add(const std::string& key, const Known& made) {
    const std::lock_guard lock(mutex_);
    if (known_.size() >= most_known) known_.clear();
    Known& kept = known_[key];
    if (kept.step == nullptr) kept.step = made.step;
    if (kept.programs == nullptr) kept.programs = made.programs;
    return kept;
  }

 private:
  static constexpr std::size_t most_known = 32;  // about 1 MB each

  std::mutex mutex_;
  std::map<std::string, Known> known_;
};

KnownSteps& known_steps() {
  static KnownSteps steps;
  return steps;
}

std::shared_ptr<const ResolvedStep> made_step(const ForecastRequest& request,
                                              const Machine& machine) {
  return std::make_shared<const ResolvedStep>(step_of_open_mesh(request, machine));
}

}  // namespace

std::shared_ptr<const ResolvedStep> known_step(const ForecastRequest& request,
                                               const Machine& machine) {
  if (!goes_by_names(request, machine)) return made_step(request, machine);
  const std::string key = key_of(request, machine);
  if (Known known = known_steps().find(key); known.step != nullptr) return known.step;
  return known_steps().add(key, {.step = made_step(request, machine)}).step;
}

std::shared_ptr<TimedPrograms> known_programs(const ForecastRequest& request,
                                              const Machine& machine) {
  if (!goes_by_names(request, machine)) {
    return std::make_shared<TimedPrograms>(made_step(request, machine));
  }
  const std::string key = key_of(request, machine);
  if (Known known = known_steps().find(key); known.programs != nullptr) return known.programs;
  auto step = known_step(request, machine);
  auto programs = std::make_shared<TimedPrograms>(step);
  return known_steps().add(key, {.step = step, .programs = programs}).programs;
}

}  // namespace tpulab

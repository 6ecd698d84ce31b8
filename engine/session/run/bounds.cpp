#include "engine/session/run/bounds.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/machine/scaled_machine.h"
#include "engine/session/run/replay.h"

namespace tpulab {

namespace {

// What a step can be freed of: something of the machine, or something that the program does. It is
// worth something only where one of its shares is.
struct Cause {
  std::string_view name;
  std::vector<Share> shares;
  std::optional<Resource> resource{};
  std::optional<EventKind> event{};
  bool stragglers = false;
};

Cause of_machine(Resource resource, std::vector<Share> shares) {
  return {.name = name_of(resource), .shares = std::move(shares), .resource = resource};
}

// A read-back or a fallback that is not there drains no pipeline either, which a fast one does.
// Steady steps compile nothing, so the compiler is no cause.
std::vector<Cause> all_causes() {
  using enum Share;
  return {
      of_machine(Resource::matrix_units, {compute}),
      of_machine(Resource::vector_unit, {compute}),
      of_machine(Resource::hbm, {hbm_bound}),
      of_machine(Resource::links, {collective_transfer}),
      of_machine(Resource::hops, {collective_transfer}),
      of_machine(Resource::kernel_starts, {compute, hbm_bound}),
      of_machine(Resource::host_tracing, {host_tracing}),
      of_machine(Resource::dispatch, {host_tracing}),
      // A late batch lets the devices wait for the tracing behind it.
      of_machine(Resource::host_link, {input, transfer, read_back, cpu_fallback, host_tracing}),
      of_machine(Resource::loader, {input, host_tracing}),
      {.name = "read-backs", .shares = {read_back}, .event = EventKind::read_back},
      {.name = "CPU fallback", .shares = {cpu_fallback}, .event = EventKind::host_op},
      {.name = "stragglers", .shares = {compute, hbm_bound, host_tracing}, .stragglers = true},
  };
}

bool matters(const Cause& cause, const Shares& shares, const Machine& machine) {
  if (cause.stragglers && machine.stragglers.empty()) return false;
  return std::ranges::any_of(cause.shares,
                             [&](Share share) { return shares[index_of(share)] > 0; });
}

std::vector<StepRecord> without_events(std::span<const StepRecord> records, EventKind kind) {
  std::vector<StepRecord> rest(records.begin(), records.end());
  for (StepRecord& record : rest) {
    const auto is_one = [kind](const Event& event) { return event.kind == kind; };
    if (std::ranges::none_of(*record.events, is_one)) continue;
    std::vector<Event> events = *record.events;
    std::erase_if(events, is_one);
    record.events = std::make_shared<const std::vector<Event>>(std::move(events));
  }
  return rest;
}

SteadySteps steps_without(std::span<const StepRecord> records, Machine machine,
                          std::span<const Cause* const> causes) {
  std::vector<StepRecord> kept;
  for (const Cause* cause : causes) {
    if (cause->stragglers) machine.stragglers.clear();
    if (!cause->event) continue;
    kept = without_events(records, *cause->event);
    records = kept;
  }
  ScaledMachine freed(machine);
  for (const Cause* cause : causes) {
    if (cause->resource) freed.speed_up(*cause->resource, ScaledMachine::free_factor);
  }
  return replay(records, freed.machine());
}

struct Best {
  const Cause* cause = nullptr;
  SteadySteps steps;
};

// The cause that, free as well as `first`, makes steps shorter than `now` the most.
Best best_of(std::span<const Cause> causes, std::span<const StepRecord> records,
             const Machine& machine, const SteadySteps& now, const Cause* first) {
  Best best{nullptr, now};
  for (const Cause& cause : causes) {
    if (&cause == first || !matters(cause, now.shares(), machine)) continue;
    std::vector<const Cause*> free{&cause};
    if (first != nullptr) free.push_back(first);
    SteadySteps steps = steps_without(records, machine, free);
    if (steps.step_time() < best.steps.step_time()) best = {&cause, std::move(steps)};
  }
  return best;
}

}  // namespace

Bounds bounds_of(std::span<const StepRecord> records, const Machine& machine) {
  static const std::vector<Cause> causes = all_causes();
  const SteadySteps now = replay(records, machine);
  Bounds bounds{.step = now.step_time(), .first = {}, .without = {}, .next = {}};
  const Best first = best_of(causes, records, machine, now, nullptr);
  bounds.without = first.steps.step_time();
  if (first.cause == nullptr) return bounds;
  bounds.first = first.cause->name;
  const Best next = best_of(causes, records, machine, first.steps, first.cause);
  if (next.cause != nullptr) bounds.next = next.cause->name;
  return bounds;
}

}  // namespace tpulab

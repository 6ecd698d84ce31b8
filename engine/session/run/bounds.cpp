#include "engine/session/run/bounds.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
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
      {.name = "stragglers",
       .shares = {compute, hbm_bound, host_tracing, collective_transfer},
       .stragglers = true},
  };
}

bool matters(const Cause& cause, const Shares& shares, const Machine& machine) {
  if (cause.stragglers && machine.stragglers.empty()) return false;
  return std::ranges::any_of(cause.shares,
                             [&](Share share) { return shares[index_of(share)] > 0; });
}

// Steps that shared their events share them still.
std::vector<StepRecord> without_events(std::span<const StepRecord> records, EventKind kind) {
  using Events = std::shared_ptr<const std::vector<Event>>;
  std::map<Events, Events> known;
  std::vector<StepRecord> rest(records.begin(), records.end());
  for (StepRecord& record : rest) {
    Events& without = known[record.events];
    if (without == nullptr) {
      std::vector<Event> events = *record.events;
      std::erase_if(events, [kind](const Event& event) { return event.kind == kind; });
      without = std::make_shared<const std::vector<Event>>(std::move(events));
    }
    record.events = without;
  }
  return rest;
}

// The machine and the records, freed of some causes.
class Freed {
 public:
  // Null is no cause.
  Freed(std::span<const StepRecord> records, Machine machine, std::array<const Cause*, 2> causes)
      : records_(records) {
    for (const Cause* cause : causes) {
      if (cause == nullptr) continue;
      if (cause->stragglers) machine.stragglers.clear();
      if (!cause->event) continue;
      kept_ = without_events(records_, *cause->event);
      records_ = kept_;
    }
    scaled_ = std::make_unique<ScaledMachine>(machine);
    for (const Cause* cause : causes) {
      if (cause != nullptr && cause->resource) {
        scaled_->speed_up(*cause->resource, ScaledMachine::free_factor);
      }
    }
  }

  // A copy would look at the records of the original.
  Freed(Freed&&) = default;
  Freed& operator=(Freed&&) = default;

  SteadySteps steps() const { return replay(records_, scaled_->machine()); }

  // Of each step that does something else than those before it, if nothing went beside anything
  // else.
  std::vector<Picoseconds> work() const {
    std::vector<Picoseconds> each;
    std::set<const std::vector<Event>*> known;
    Simulator simulator(scaled_->machine(), Detail::shares);
    for (const StepRecord& record : records_) {
      if (!known.insert(record.events.get()).second) continue;
      const Picoseconds before = simulator.work();
      simulator.step(record);
      each.push_back(simulator.work() - before);
    }
    return each;
  }

 private:
  std::span<const StepRecord> records_;
  std::vector<StepRecord> kept_;
  std::unique_ptr<ScaledMachine> scaled_;
};

struct Candidate {
  const Cause* cause = nullptr;
  Freed freed;
  Picoseconds most{};  // that it can save of a step
};

// What is scaled shortens no step by more than its own work; what is left out may let others go
// side by side.
Candidate candidate_of(const Cause& cause, const Cause* first, std::span<const StepRecord> records,
                       const Machine& machine, const std::vector<Picoseconds>& work) {
  Candidate found{&cause, Freed(records, machine, {&cause, first})};
  if (cause.event) {
    found.most = Picoseconds::max();
  } else {
    const std::vector<Picoseconds> left = found.freed.work();
    for (std::size_t i = 0; i < work.size(); ++i) {
      found.most = std::max(found.most, work[i] - left[i]);
    }
  }
  return found;
}

struct Best {
  const Cause* cause = nullptr;
  SteadySteps steps;
};

// The cause that, free as well as `first`, makes steps shorter than `now` the most. Tried are those
// that could, the most promising first.
Best best_of(std::span<const Cause> causes, std::span<const StepRecord> records,
             const Machine& machine, const SteadySteps& now, const Cause* first) {
  const std::vector<Picoseconds> work = Freed(records, machine, {first, nullptr}).work();
  std::vector<Candidate> candidates;
  for (const Cause& cause : causes) {
    if (&cause == first || !matters(cause, now.shares(), machine)) continue;
    candidates.push_back(candidate_of(cause, first, records, machine, work));
  }
  std::ranges::stable_sort(candidates,
                           [](const Candidate& a, const Candidate& b) { return a.most > b.most; });
  Best best{nullptr, now};
  for (const Candidate& candidate : candidates) {
    const Picoseconds saved = now.step_time() - best.steps.step_time();
    if (candidate.most < saved) break;
    SteadySteps steps = candidate.freed.steps();
    const bool shorter = steps.step_time() < best.steps.step_time();
    const bool as_short = best.cause != nullptr && steps.step_time() == best.steps.step_time() &&
                          candidate.cause < best.cause;
    if (shorter || as_short) best = {candidate.cause, std::move(steps)};
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

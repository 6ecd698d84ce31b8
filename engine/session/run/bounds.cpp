#include "engine/session/run/bounds.h"

#include <algorithm>
#include <array>
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
  // Tracing that a value held up counts as that value's.
  const std::vector<Share> tracing{host_tracing, dispatch, read_back, cpu_fallback};
  return {
      of_machine(Resource::matrix_units, {compute}),
      of_machine(Resource::vector_unit, {compute}),
      of_machine(Resource::hbm, {hbm_bound}),
      of_machine(Resource::links, {collective_transfer}),
      of_machine(Resource::network, {collective_transfer}),
      of_machine(Resource::hops, {collective_transfer}),
      of_machine(Resource::kernel_starts, {compute, hbm_bound}),
      of_machine(Resource::host_tracing, tracing),
      of_machine(Resource::dispatch, tracing),
      // A late batch lets the devices wait for the tracing behind it.
      of_machine(Resource::host_link,
                 {input, transfer, read_back, cpu_fallback, host_tracing, dispatch, offload}),
      of_machine(Resource::loader, {input, host_tracing, dispatch, read_back, cpu_fallback}),
      {.name = "read-backs", .shares = {read_back}, .event = EventKind::read_back},
      {.name = "CPU fallback", .shares = {cpu_fallback}, .event = EventKind::host_op},
      {.name = "stragglers",
       .shares = {compute, hbm_bound, host_tracing, dispatch, read_back, cpu_fallback,
                  collective_transfer},
       .stragglers = true},
  };
}

// Of each share the largest of all groups: in one that waits for another little else is to be seen.
Shares largest_shares(const SteadySteps& steps) {
  Shares largest = steps.shares();
  for (std::size_t group = 1; group < steps.sums().size(); ++group) {
    const Shares shares = steps.shares(group);
    for (std::size_t i = 0; i < largest.size(); ++i) largest[i] = std::max(largest[i], shares[i]);
  }
  return largest;
}

bool matters(const Cause& cause, const Shares& shares, const Machine& machine) {
  if (cause.stragglers && machine.stragglers.empty()) return false;
  if (cause.resource == Resource::network && machine.slice.joined <= 1) return false;
  return std::ranges::any_of(cause.shares,
                             [&](Share share) { return shares[index_of(share)] > 0; });
}

// Outlives the records, and so has no events.
struct WorkedStep {
  StepTimeline step;
  Picoseconds work{};
  Picoseconds batch{};  // to make and send it in the background
};

// The machine and the records, freed of some causes.
class Freed {
 public:
  // Null is no cause.
  Freed(std::span<const StepRecord> records, Machine machine, Told told,
        std::array<const Cause*, 2> causes)
      : records_(records), told_(told) {
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

  SteadySteps steps() const { return replay(records_, scaled_->machine(), told_); }

  // Each step that does something else than those before it, and its work, if nothing went beside
  // anything else.
  std::vector<WorkedStep> worked_steps() const {
    std::vector<WorkedStep> each;
    std::set<const std::vector<Event>*> known;
    Simulator simulator(scaled_->machine(), Detail::shares);
    StepTimeline step;
    for (const StepRecord& record : records_) {
      if (!known.insert(record.events.get()).second) continue;
      const Picoseconds before = simulator.work();
      simulator.step(record, step);
      const Picoseconds batch = batch_time(step);
      each.push_back({step.without_events(), simulator.work() - before, batch});
    }
    return each;
  }

 private:
  std::span<const StepRecord> records_;
  Told told_ = Told::settled;
  std::vector<StepRecord> kept_;
  std::unique_ptr<ScaledMachine> scaled_;
};

struct Candidate {
  const Cause* cause = nullptr;
  Picoseconds most{};     // that it can save of a step
  bool narrowed = false;  // to what its own work says
};

bool frees_devices(const Cause& cause) {
  return cause.resource && *cause.resource < Resource::host_tracing;
}

// No more than what a step does that such a cause makes longer. What is left out may let others go
// side by side: of that nothing is known.
Picoseconds limit_of(const Cause& cause, const WorkedStep& worked) {
  if (!cause.resource) return Picoseconds::max();
  const bool of_host = !frees_devices(cause);
  const bool of_links = *cause.resource >= Resource::links && *cause.resource <= Resource::hops;
  // A kernel that one unit makes long may be called the other's.
  const auto its = [&](Share share) {
    if (!of_host && !of_links) return inside_program(share);
    return std::ranges::find(cause.shares, share) != cause.shares.end();
  };
  Picoseconds limit = of_host ? worked.batch : Picoseconds{};
  for (const auto* pieces : {&worked.step.host, &worked.step.device}) {
    for (const Piece& piece : *pieces) {
      if (its(piece.share)) limit += piece.end - piece.start;
    }
  }
  return limit;
}

// What the devices do in the shortest training step; no step is shorter than that. What waits for
// the host's memory a faster link makes shorter.
Picoseconds least_of_devices(const std::vector<WorkedStep>& each) {
  std::optional<Picoseconds> least;
  for (const auto& [step, work, batch] : each) {
    if (step.kind != StepKind::train || step.compiled) continue;
    const Picoseconds own = sum_inside(step.shares) - step.shares[index_of(Share::offload)];
    least = std::min(own, least.value_or(own));
  }
  return least.value_or(Picoseconds{});
}

struct Best {
  const Cause* cause = nullptr;
  SteadySteps steps;
};

// The cause that, free as well as `first`, makes steps shorter than `now` the most.
class Search {
 public:
  Search(std::span<const StepRecord> records, const Machine& machine, Told told,
         const SteadySteps& now, const Cause* first)
      : records_(records),
        machine_(machine),
        told_(told),
        now_(now.step_time()),
        shares_(largest_shares(now)),
        first_(first),
        worked_(Freed(records, machine, told, {first, nullptr}).worked_steps()),
        least_(least_of_devices(worked_)),
        best_{nullptr, now} {}

  // What is known to save little is not even priced.
  Best run(std::span<const Cause> causes) {
    std::vector<Candidate> candidates;
    for (const Cause& cause : causes) {
      if (&cause == first_ || !matters(cause, shares_, machine_)) continue;
      candidates.push_back({&cause, most_known(cause)});
    }
    consider(std::move(candidates));
    return std::move(best_);
  }

 private:
  Picoseconds saved() const { return now_ - best_.steps.step_time(); }
  Freed freed_of(const Cause& cause) const {
    return Freed(records_, machine_, told_, {&cause, first_});
  }

  // The most promising comes first: first its own work is asked, then the whole replay.
  void consider(std::vector<Candidate> candidates) {
    while (!candidates.empty()) {
      const auto next = std::ranges::max_element(candidates, {}, &Candidate::most);
      if (next->most < saved()) return;
      if (next->narrowed) {
        try_out(*next->cause);
        candidates.erase(next);
      } else {
        next->most = std::min(next->most, most_of(*next->cause));
        next->narrowed = true;
      }
    }
  }

  // Without simulating anything.
  Picoseconds most_known(const Cause& cause) const {
    // A step tells the pieces of its largest group alone.
    if (!machine_.stragglers.empty()) return Picoseconds::max();
    Picoseconds most{};
    for (const WorkedStep& worked : worked_) most = std::max(most, limit_of(cause, worked));
    return frees_devices(cause) ? most : std::min(most, now_ - least_);
  }

  // What is scaled shortens no step by more than its own work, which is that of the largest group:
  // others may bind where one is slow.
  Picoseconds most_of(const Cause& cause) const {
    if (!cause.resource || !machine_.stragglers.empty()) return Picoseconds::max();
    const std::vector<WorkedStep> left = freed_of(cause).worked_steps();
    Picoseconds most{};
    for (std::size_t i = 0; i < worked_.size(); ++i) {
      most = std::max(most, worked_[i].work - left[i].work);
    }
    return std::min(most, now_ - least_of_devices(left));
  }

  void try_out(const Cause& cause) {
    SteadySteps steps = freed_of(cause).steps();
    const bool shorter = steps.step_time() < best_.steps.step_time();
    const bool as_short = best_.cause != nullptr && steps.step_time() == best_.steps.step_time();
    if (shorter || (as_short && takes_more(cause, *best_.cause)))
      best_ = {&cause, std::move(steps)};
  }

  // Where what is next limits both, what a step spends on it decides.
  bool takes_more(const Cause& cause, const Cause& other) const {
    const auto part = [this](const Cause& one) {
      double most = 0;
      for (const Share share : one.shares) most = std::max(most, shares_[index_of(share)]);
      return most;
    };
    return part(cause) != part(other) ? part(cause) > part(other) : &cause < &other;
  }

  std::span<const StepRecord> records_;
  const Machine& machine_;
  Told told_ = Told::settled;
  Picoseconds now_;
  Shares shares_;
  const Cause* first_;
  std::vector<WorkedStep> worked_;
  Picoseconds least_;  // that the devices work in a step
  Best best_;
};

}  // namespace

Bounds bounds_of(const ToldRecords& all, const Machine& machine) {
  static const std::vector<Cause> causes = all_causes();
  const auto& [records, told, now] = all;
  Bounds bounds{.step = now.step_time(), .first = {}, .without = {}, .next = {}};
  const Best first = Search(records, machine, told, now, nullptr).run(causes);
  bounds.without = first.steps.step_time();
  if (first.cause == nullptr) return bounds;
  bounds.first = first.cause->name;
  const Best next = Search(records, machine, told, first.steps, first.cause).run(causes);
  if (next.cause != nullptr) bounds.next = next.cause->name;
  return bounds;
}

}  // namespace tpulab

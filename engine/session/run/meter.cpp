#include "engine/session/run/meter.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/advice/lowered.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

constexpr std::size_t window_steps = 64;
// Short, so that a compile leaves the tiles soon after it is over.
constexpr std::size_t most_recent_steps = 16;
constexpr std::size_t most_losses = 2048;
constexpr std::size_t most_events = 64;

auto recent_of(const std::deque<StepTimeline>& window) {
  const std::size_t count = std::min(window.size(), most_recent_steps);
  return std::ranges::subrange(window.end() - static_cast<std::ptrdiff_t>(count), window.end());
}

std::string why(const std::string& op) {
  if (op == "aten::_local_scalar_dense") return "item(): the host reads a value";
  if (op == "aten::nonzero") return "its shape depends on values";
  if (op == checkpoint_read) return "weights and optimizer state are read to be saved";
  return "torch_xla has no lowering for it";
}

std::string instead(const std::string& op) {
  if (op == checkpoint_read) return "save less often: a larger save_every_n_steps";
  if (op != "aten::_local_scalar_dense") return lowered_alternative(op);
  return "keep the value on the device and read it seldom: a larger log_every_n_steps";
}

// What a step waits for programs: a device of the largest group for its own, and then for the last
// host that has none yet.
Picoseconds compile_wait(const StepTimeline& step) {
  Picoseconds behind{};
  for (const TimedEvent& timed : step.events) {
    if (timed.event->kind == EventKind::compile) behind += timed.finished - timed.end;
  }
  return step.shares[index_of(Share::compile)] +
         std::min(behind, step.shares[index_of(Share::collective_wait)]);
}

constexpr std::int64_t never_compiled = -1;

// Of a name that is known already: another graph that the same step needs, or, once the optimizer's
// state is there, the step with its new inputs. The inputs that both have are as before.
bool is_first(const Event& compile, bool in_same_step) {
  if (compile.differences == nullptr) return false;
  const auto begins = [](std::string_view word) {
    return [word](const std::string& one) { return one.starts_with(word); };
  };
  return std::ranges::none_of(*compile.differences, begins("input ")) &&
         (in_same_step || std::ranges::any_of(*compile.differences, begins("new input ")));
}

}  // namespace

void Meter::add(const StepReport& report) {
  const StepTimeline& step = report.timeline;
  samples_ += step.samples;
  steady_.add(step);
  if (step.kind == StepKind::evaluate) {
    evaluations_.seconds += in_seconds(step.duration() - compile_wait(step));
    ++evaluations_.count;
  }
  count_compiles(report);
  count_fallbacks(step);
  if (step.kind == StepKind::restart) newest_loss_ = std::nan("");  // it was of a step that is lost
  if (report.loss) keep_loss(static_cast<double>(step.step), *report.loss);
  if (report.test_accuracy) newest_accuracy_ = *report.test_accuracy;
  window_.push_back(step.without_events());  // counted above
  if (window_.size() > window_steps) window_.pop_front();
}

Meter::Totals Meter::totals() const { return {steady_.sums(), samples_, evaluations_}; }

void Meter::add_again(const Totals& before, std::int64_t times) {
  samples_ += (samples_ - before.samples) * times;
  const Evaluations& then = before.evaluations;
  evaluations_.seconds += (evaluations_.seconds - then.seconds) * static_cast<double>(times);
  evaluations_.count += (evaluations_.count - then.count) * times;
  steady_.add_again(before.steady, times);
}

void Meter::add_again(const StepTimeline& step, std::int64_t times) {
  samples_ += step.samples * times;
  steady_.add(step, times);
}

SteadySteps::Sum Meter::recent(std::size_t group) const {
  SteadySteps::Sum sum;
  for (const StepTimeline& step : recent_of(window_)) sum.add(step, group, 1);
  return sum;
}

Shares Meter::recent_shares(std::size_t group) const { return recent(group).fractions(); }

int Meter::recent_steps() const {
  return static_cast<int>(
      std::ranges::count(recent_of(window_), StepKind::train, &StepTimeline::kind));
}

double Meter::recent_utilisation(const Machine& machine, std::size_t group) const {
  return recent(group).utilisation(machine);
}

std::vector<float> Meter::duty_history(std::size_t group) const {
  std::vector<float> history;
  for (const StepTimeline& step : window_) {
    const LaneTimeline& lane = step.lane(group);
    const Picoseconds inside = sum_inside(lane.shares);
    const double time = std::max<double>(static_cast<double>(lane.duration().count()), 1);
    history.push_back(static_cast<float>(static_cast<double>(inside.count()) / time));
  }
  return history;
}

double Meter::rate_with_compile(Picoseconds tpu_time) const {
  if (tpu_time.count() <= 0) return 0;
  return static_cast<double>(samples_) / in_seconds(tpu_time);
}

bool Meter::comes_again(const Event& compile, std::int64_t step) {
  const auto [seen, unseen] = seen_.emplace(compile.name, step);
  return !unseen && !is_first(compile, seen->second == step);
}

void Meter::count_compiles(const StepReport& report) {
  for (const TimedEvent& timed : report.timeline.events) {
    if (timed.event->kind == EventKind::dispatch) {
      ++compiles_.cached;
      seen_.emplace(timed.event->name, never_compiled);
    }
    if (timed.event->kind != EventKind::compile) continue;
    if (timed.event->from_disk) {
      ++compiles_.loaded;
    } else {
      --compiles_.cached;  // the dispatch that follows found nothing in the cache
      ++compiles_.compiled;
    }
    const Picoseconds time = timed.compile();
    const bool again = !timed.event->from_disk && comes_again(*timed.event, report.timeline.step);
    if (again) ++compiles_.again;
    compiles_.total += time;
    compiles_.events.push_back({.step = report.timeline.step,
                                .graph = timed.event->name,
                                .cause = timed.event->cause,
                                .nodes = static_cast<int>(timed.event->count),
                                .time = time,
                                .differences = timed.event->differences,
                                .loaded = timed.event->from_disk,
                                .again = again});
    if (compiles_.events.size() > most_events) compiles_.events.erase(compiles_.events.begin());
  }
}

void Meter::count_fallbacks(const StepTimeline& step) {
  for (const TimedEvent& timed : step.events) {
    const EventKind kind = timed.event->kind;
    if (kind != EventKind::host_op && kind != EventKind::read_back) continue;
    FallbackRow& row = fallbacks_[timed.event->name];
    row.op = timed.event->name;
    row.why = why(row.op);
    row.instead = instead(row.op);
    ++row.count;
    row.waited += timed.waited;
    row.download +=
        kind == EventKind::host_op ? timed.waited + timed.download : timed.end - timed.start;
    row.cpu += timed.cpu;
    row.upload += timed.upload;
  }
}

std::vector<FallbackRow> Meter::fallbacks() const {
  std::vector<FallbackRow> rows;
  for (const auto& [name, row] : fallbacks_) rows.push_back(row);
  std::ranges::stable_sort(rows, [](const FallbackRow& a, const FallbackRow& b) {
    return a.download + a.cpu + a.upload > b.download + b.cpu + b.upload;
  });
  return rows;
}

// Beyond the limit every other point is dropped and the distance between points doubles.
void Meter::keep_loss(double step, float loss) {
  newest_loss_ = loss;
  hash_of_losses_.add(std::bit_cast<std::uint32_t>(loss));
  if (losses_seen_++ % loss_stride_ != 0) return;
  losses_.push_back({static_cast<float>(step), loss});
  if (losses_.size() < most_losses) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < losses_.size(); i += 2) losses_[kept++] = losses_[i];
  losses_.resize(kept);
  loss_stride_ *= 2;
}

}  // namespace tpulab

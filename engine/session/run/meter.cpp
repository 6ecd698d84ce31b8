#include "engine/session/run/meter.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "engine/advice/lowered.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

constexpr std::size_t window_steps = 64;
// Short, so that a compile leaves the tiles soon after it is over.
constexpr std::size_t most_recent_steps = 16;
constexpr std::size_t most_losses = 2048;
constexpr std::size_t most_events = 64;

double utilisation(double useful, Picoseconds time, const Machine& machine) {
  if (time.count() <= 0) return 0;
  const double peak = machine.generation().matrix_flops_per_second();
  return useful / (in_seconds(time) * peak);
}

std::string why(const std::string& op) {
  if (op == "aten::_local_scalar_dense") return "item(): the host reads a value";
  if (op == "aten::nonzero") return "its shape depends on values";
  return "torch_xla has no lowering for it";
}

std::string instead(const std::string& op) {
  if (op != "aten::_local_scalar_dense") return lowered_alternative(op);
  return "keep the value on the device and read it seldom: a larger log_every_n_steps";
}

bool is_steady(const StepTimeline& step) { return step.kind == StepKind::train && !step.compiled; }

}  // namespace

void Meter::add(const StepReport& report) {
  const StepTimeline& step = report.timeline;
  samples_ += step.samples;
  if (is_steady(step)) add_steady(step);
  count_compiles(report);
  count_fallbacks(step);
  if (report.loss) keep_loss(static_cast<double>(step.step + 1), *report.loss);
  if (report.test_accuracy) newest_accuracy_ = *report.test_accuracy;
  window_.push_back(step);
  window_.back().events.clear();  // counted above
  if (window_.size() > window_steps) window_.pop_front();
}

void Meter::add_steady(const StepTimeline& step) {
  steady_.resize(step.others.size() + 1);
  for (std::size_t group = 0; group < steady_.size(); ++group) add_to(steady_[group], step, group);
  steady_times_.push_back(step.duration());
  if (steady_times_.size() > most_recent_steps) steady_times_.pop_front();
}

void Meter::forget_steady() {
  steady_.clear();
  steady_times_.clear();
}

Meter::Totals Meter::totals() const { return {steady_, samples_}; }

void Meter::add_again(const Totals& before, std::int64_t times) {
  samples_ += (samples_ - before.samples) * times;
  for (std::size_t group = 0; group < steady_.size(); ++group) {
    add_again(steady_[group], group < before.steady.size() ? before.steady[group] : Sum{}, times);
  }
}

void Meter::add_again(Sum& sum, const Sum& before, std::int64_t times) {
  for (std::size_t i = 0; i < sum.shares.size(); ++i) {
    sum.shares[i] += (sum.shares[i] - before.shares[i]) * times;
  }
  sum.time += (sum.time - before.time) * times;
  sum.samples += (sum.samples - before.samples) * times;
  sum.useful += (sum.useful - before.useful) * static_cast<double>(times);
}

Meter::Sum Meter::steady(std::size_t group) const {
  return group < steady_.size() ? steady_[group] : Sum{};
}

void Meter::add_to(Sum& sum, const StepTimeline& step, std::size_t group) {
  const LaneTimeline& lane = step.lane(group);
  for (std::size_t i = 0; i < sum.shares.size(); ++i) sum.shares[i] += lane.shares[i];
  sum.time += lane.duration();
  sum.samples += step.samples;
  sum.useful += static_cast<double>(step.useful.value);
}

Shares Meter::fractions(const Sum& sum) {
  Shares shares{};
  if (sum.time.count() <= 0) {
    shares[index_of(Share::idle)] = 1;
    return shares;
  }
  for (std::size_t i = 0; i < shares.size(); ++i) {
    shares[i] = static_cast<double>(sum.shares[i].count()) / static_cast<double>(sum.time.count());
  }
  return shares;
}

Meter::Sum Meter::recent(std::size_t group) const {
  Sum sum;
  const std::size_t first = window_.size() - std::min(window_.size(), most_recent_steps);
  for (std::size_t i = first; i < window_.size(); ++i) add_to(sum, window_[i], group);
  return sum;
}

Shares Meter::recent_shares(std::size_t group) const { return fractions(recent(group)); }
Shares Meter::steady_shares(std::size_t group) const { return fractions(steady(group)); }

int Meter::recent_steps() const {
  return static_cast<int>(std::min(window_.size(), most_recent_steps));
}

Picoseconds Meter::steady_wait(std::size_t group) const {
  const double share = steady_shares(group)[index_of(Share::collective_wait)];
  return picoseconds_from_seconds(in_seconds(steady_step_time()) * share);
}

double Meter::recent_utilisation(const Machine& machine, std::size_t group) const {
  const Sum sum = recent(group);
  return utilisation(sum.useful, sum.time, machine);
}

double Meter::steady_utilisation(const Machine& machine, std::size_t group) const {
  const Sum sum = steady(group);
  return utilisation(sum.useful, sum.time, machine);
}

double Meter::steady_duty_cycle(std::size_t group) const {
  const Shares shares = steady_shares(group);
  double inside = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (inside_program(static_cast<Share>(i))) inside += shares[i];
  }
  return inside;
}

std::vector<float> Meter::duty_history(std::size_t group) const {
  std::vector<float> history;
  for (const StepTimeline& step : window_) {
    const LaneTimeline& lane = step.lane(group);
    Picoseconds inside{};
    for (std::size_t i = 0; i < lane.shares.size(); ++i) {
      if (inside_program(static_cast<Share>(i))) inside += lane.shares[i];
    }
    const double time = std::max<double>(static_cast<double>(lane.duration().count()), 1);
    history.push_back(static_cast<float>(static_cast<double>(inside.count()) / time));
  }
  return history;
}

double Meter::steady_rate() const {
  const Sum sum = steady(0);
  if (sum.time.count() <= 0) return 0;
  return static_cast<double>(sum.samples) / in_seconds(sum.time);
}

double Meter::rate_with_compile(Picoseconds tpu_time) const {
  if (tpu_time.count() <= 0) return 0;
  return static_cast<double>(samples_) / in_seconds(tpu_time);
}

Picoseconds Meter::steady_step_time() const {
  if (steady_times_.empty()) return {};
  std::vector<Picoseconds> times(steady_times_.begin(), steady_times_.end());
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::ranges::nth_element(times, middle);
  return *middle;
}

void Meter::count_compiles(const StepReport& report) {
  for (const TimedEvent& timed : report.timeline.events) {
    if (timed.event->kind == EventKind::dispatch) ++compiles_.cached;
    if (timed.event->kind != EventKind::compile) continue;
    --compiles_.cached;  // the dispatch that follows found nothing in the cache
    ++compiles_.compiled;
    const Picoseconds time = timed.end - timed.start;
    compiles_.total += time;
    compiles_.events.push_back({.step = report.timeline.step,
                                .graph = timed.event->name,
                                .cause = timed.event->cause,
                                .nodes = static_cast<int>(timed.event->count),
                                .time = time,
                                .differences = timed.event->differences});
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
    row.download +=
        kind == EventKind::host_op ? timed.download : timed.end - timed.start - timed.waited;
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
  hash_of_losses_ = (hash_of_losses_ ^ std::bit_cast<std::uint32_t>(loss)) * 0x100000001b3;
  if (losses_seen_++ % loss_stride_ != 0) return;
  losses_.push_back({static_cast<float>(step), loss});
  if (losses_.size() < most_losses) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < losses_.size(); i += 2) losses_[kept++] = losses_[i];
  losses_.resize(kept);
  loss_stride_ *= 2;
}

}  // namespace tpulab

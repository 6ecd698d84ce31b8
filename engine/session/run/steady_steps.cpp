#include "engine/session/run/steady_steps.h"

#include <algorithm>
#include <utility>

namespace tpulab {

namespace {

constexpr double much_longer = 1.25;

bool works(Share share) {
  return share != Share::idle && share != Share::read_back && share != Share::input;
}

}  // namespace

Picoseconds batch_time(const StepTimeline& step) {
  Picoseconds time = step.batches;
  for (const LaneTimeline& lane : step.others) time = std::max(time, lane.batches);
  return time;
}

void SteadySteps::Sum::add(const StepTimeline& step, std::size_t group, std::int64_t times) {
  const LaneTimeline& lane = step.lane(group);
  for (std::size_t i = 0; i < shares.size(); ++i) shares[i] += lane.shares[i] * times;
  for (const Piece& piece : lane.host) {
    if (works(piece.share)) host[index_of(piece.share)] += (piece.end - piece.start) * times;
  }
  host[index_of(Share::input)] += lane.batches * times;
  time += lane.duration() * times;
  steps += times;
  samples += step.samples * times;
  const auto rows_now = static_cast<double>(step.samples * times);
  rows.tokens += rows_now * step.row.tokens;
  rows.operations += rows_now * step.row.operations;
  useful += static_cast<double>(step.useful.value) * static_cast<double>(times);
}

void SteadySteps::Sum::add_again(const Sum& before, std::int64_t times) {
  for (std::size_t i = 0; i < shares.size(); ++i) {
    shares[i] += (shares[i] - before.shares[i]) * times;
    host[i] += (host[i] - before.host[i]) * times;
  }
  time += (time - before.time) * times;
  steps += (steps - before.steps) * times;
  samples += (samples - before.samples) * times;
  rows.tokens += (rows.tokens - before.rows.tokens) * static_cast<double>(times);
  rows.operations += (rows.operations - before.rows.operations) * static_cast<double>(times);
  useful += (useful - before.useful) * static_cast<double>(times);
}

void SteadySteps::Sum::leave_out(Share share, Picoseconds part) {
  shares[index_of(share)] -= part;
  time -= part;
}

Shares SteadySteps::Sum::fractions() const {
  Shares found{};
  if (time.count() <= 0) {
    found[index_of(Share::idle)] = 1;
    return found;
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    found[i] = static_cast<double>(shares[i].count()) / static_cast<double>(time.count());
  }
  return found;
}

double SteadySteps::Sum::utilisation(const Machine& machine) const {
  if (time.count() <= 0) return 0;
  return useful / (in_seconds(time) * machine.generation().matrix_flops_per_second());
}

// Loaders that need much longer for a batch than its step takes are behind, whatever was ready; a
// little longer, and it is a while before that shows, and little then.
bool SteadySteps::counts(const StepTimeline& step) {
  on_lead_ = on_lead_ || (step.compiled && !counts_lead_);
  if (step.kind != StepKind::train) return false;
  const bool fills = !std::exchange(filled_, true);
  if (fills || step.compiled) return false;
  on_lead_ = on_lead_ && batch_time(step) > scaled(step.duration(), much_longer);
  left_out_ = left_out_ || on_lead_;
  return !on_lead_;
}

bool SteadySteps::add(const StepTimeline& step, std::int64_t times) {
  const std::vector<Picoseconds> waits = evaluation_wait_.of(step);
  if (!counts(step)) return false;
  sums_.resize(step.others.size() + 1);
  for (std::size_t group = 0; group < sums_.size(); ++group) {
    sums_[group].add(step, group, times);
    if (!waits.empty()) sums_[group].leave_out(Share::collective_wait, waits[group]);
  }
  return true;
}

void SteadySteps::forget() {
  sums_.clear();
  on_lead_ = false;
  left_out_ = false;
  counts_lead_ = true;
  filled_ = true;
}

void SteadySteps::add_again(const std::vector<Sum>& before, std::int64_t times) {
  for (std::size_t group = 0; group < sums_.size(); ++group) {
    sums_[group].add_again(group < before.size() ? before[group] : Sum{}, times);
  }
}

SteadySteps::Sum SteadySteps::sum(std::size_t group) const {
  return group < sums_.size() ? sums_[group] : Sum{};
}

Shares SteadySteps::shares(std::size_t group) const { return sum(group).fractions(); }

Picoseconds SteadySteps::wait(std::size_t group) const {
  const Sum all = sum(group);
  return all.steps > 0 ? all.shares[index_of(Share::collective_wait)] / all.steps : Picoseconds{};
}

std::array<Picoseconds, share_count> SteadySteps::beside() const {
  const Sum all = sum(0);
  std::array<Picoseconds, share_count> found{};
  for (std::size_t i = 0; i < found.size() && all.steps > 0; ++i) {
    found[i] = std::max(all.host[i] - all.shares[i], Picoseconds{}) / all.steps;
  }
  return found;
}

double SteadySteps::utilisation(const Machine& machine, std::size_t group) const {
  return sum(group).utilisation(machine);
}

double SteadySteps::duty_cycle(std::size_t group) const { return sum_inside(shares(group)); }

double SteadySteps::rate() const {
  const Sum all = sum(0);
  return all.time.count() <= 0 ? 0 : static_cast<double>(all.samples) / in_seconds(all.time);
}

RowShare SteadySteps::row() const {
  const Sum all = sum(0);
  if (all.samples <= 0) return {};
  const auto samples = static_cast<double>(all.samples);
  return {all.rows.tokens / samples, all.rows.operations / samples};
}

Picoseconds SteadySteps::step_time(std::size_t group) const {
  const Sum all = sum(group);
  return all.steps > 0 ? all.time / all.steps : Picoseconds{};
}

}  // namespace tpulab

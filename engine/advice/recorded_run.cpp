#include "engine/advice/recorded_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/base/text.h"
#include "engine/runtime/evaluation_wait.h"
#include "engine/runtime/programs_of.h"

namespace tpulab {

namespace {

constexpr std::size_t newest_steps = 64;

std::vector<Picoseconds> evaluation_waits(const RecordedRun& run) {
  EvaluationWait wait;
  std::vector<Picoseconds> sums(run.groups.size());
  auto steady = run.steady.begin();
  for (const StepTimeline& step : run.steps) {
    const std::vector<Picoseconds> waits = wait.of(step);
    if (steady == run.steady.end() || *steady != &step) continue;
    ++steady;
    for (std::size_t group = 0; group < waits.size(); ++group) sums[group] += waits[group];
  }
  return sums;
}

}  // namespace

RecordedRun::RecordedRun(std::vector<StepRecord> recorded, const Machine& on, Counters counted)
    : machine(on), counters(std::move(counted)), records(std::move(recorded)) {
  Simulator simulator(machine, Detail::shares);
  groups = simulator.groups();
  steps.reserve(records.size());
  for (const StepRecord& record : records) steps.push_back(simulator.step(record));
  time = simulator.now();
  std::vector<const StepTimeline*> newest;
  for (auto step = steps.rbegin(); step != steps.rend() && newest.size() < newest_steps; ++step) {
    if (step->kind == StepKind::train && !step->compiled) newest.push_back(&*step);
  }
  std::ranges::reverse(newest);
  tell(std::move(newest));
}

void RecordedRun::tell(std::vector<const StepTimeline*> told) {
  steady = std::move(told);
  waits_for_evaluations = evaluation_waits(*this);
}

double RecordedRun::share(Share share, std::size_t group) const {
  const Picoseconds waits = waits_for_evaluations[group];
  Picoseconds part = share == Share::collective_wait ? -waits : Picoseconds{};
  Picoseconds all = -waits;
  for (const StepTimeline* step : steady) {
    const LaneTimeline& lane = step->lane(group);
    part += lane.shares[index_of(share)];
    all += lane.duration();
  }
  return all.count() > 0 ? in_seconds(part) / in_seconds(all) : 0;
}

std::size_t RecordedRun::group_with_most(Share of) const {
  std::size_t most = 0;
  for (std::size_t group = 1; group < groups.size(); ++group) {
    if (share(of, group) > share(of, most)) most = group;
  }
  return most;
}

double RecordedRun::share(Share of) const { return share(of, group_with_most(of)); }

Picoseconds RecordedRun::mean_step() const {
  Picoseconds all = -waits_for_evaluations[0];
  for (const StepTimeline* step : steady) all += step->duration();
  return steady.empty() ? all : all / static_cast<std::int64_t>(steady.size());
}

std::int64_t RecordedRun::usual_samples() const {
  std::int64_t most = 0;
  for (const StepTimeline* step : steady) most = std::max(most, step->samples);
  return most;
}

std::int64_t RecordedRun::usual_rows() const {
  return usual_samples() / std::max(machine.world(), 1);
}

std::int64_t RecordedRun::sizes_of_batches() const {
  std::set<std::int64_t> sizes;
  for (const StepTimeline& step : steps) {
    if (step.kind == StepKind::train) sizes.insert(step.samples);
  }
  return std::ssize(sizes);
}

std::vector<std::shared_ptr<const Program>> RecordedRun::train_programs() const {
  const auto newest = std::ranges::find(steady.rbegin(), steady.rend(), usual_samples(),
                                        [](const StepTimeline* step) { return step->samples; });
  if (newest == steady.rend()) return {};
  return programs_of(**newest);
}

std::vector<StepProduct> RecordedRun::products() const {
  std::vector<StepProduct> products;
  for (const auto& program : train_programs()) {
    for (const Kernel& kernel : program->kernels) {
      for (const Work& work : kernel.work->items) {
        const auto* product = std::get_if<MatrixWork>(&work);
        if (product != nullptr) products.push_back({product, kernel.runs});
      }
    }
  }
  return products;
}

int RecordedRun::most_passes() const {
  int most = 1;
  for (const StepProduct& one : products()) most = std::max(most, one.work->passes);
  return most;
}

const Program* RecordedRun::train_program() const {
  const auto programs = train_programs();
  return programs.empty() ? nullptr : programs.back().get();
}

std::string of_a_step(const RecordedRun& run, Picoseconds time) {
  return fmt::format("{} of a step of {} in the mean", text_of(time), text_of(run.mean_step()));
}

}  // namespace tpulab

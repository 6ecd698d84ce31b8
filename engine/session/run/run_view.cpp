// A run as the screen may know it.
#include <fmt/format.h>

#include <algorithm>

#include "engine/machine/own_generations.h"
#include "engine/machine/straggler.h"
#include "engine/session/run/run.h"

namespace tpulab {

namespace {

// Steps shown by the strip: enough to see a rhythm.
constexpr std::size_t strip_steps = 4;

std::string devices_text(const Machine& machine) {
  const int all = machine.slice.devices();
  const std::string_view what = machine.slice.device_word();
  if (machine.world() == 1 && all > 1) {
    return fmt::format("{} {} of {}", what, machine.devices.front(), all);
  }
  return fmt::format("{} of {} {}{}", machine.world(), all, what, all == 1 ? "" : "s");
}

void add_pieces(StripLane& lane, const std::vector<Piece>& pieces, Picoseconds from) {
  for (const Piece& piece : pieces) {
    if (piece.share == Share::idle || piece.end <= from) continue;
    lane.pieces.push_back({piece.share, std::max(piece.start, from), piece.end});
  }
}

}  // namespace

bool Run::computes_one_device() const { return settings_.numbers && steps_.timed() != nullptr; }

// An imported step is computed for the rows of one device.
std::int64_t Run::computed_samples() const {
  return computes_one_device() ? meter_.samples() / steps_.machine().world() : meter_.samples();
}

RunView Run::view() const {
  const Machine& machine = steps_.machine();
  RunView view;
  view.number = number_;
  view.state = state_;
  view.compiling =
      state_ == RunState::training && !meter_.window().empty() && meter_.window().back().compiled;
  view.model = steps_.model_name();
  view.parameters = steps_.parameters();
  view.machine = machine.slice.name;
  view.device = machine.slice.device_word();
  view.devices = devices_text(machine);
  view.devices_per_host = machine.slice.devices_per_host();
  const Slice& slice = machine.slice;
  view.torus = {slice.torus, slice.wraps, slice.generation->devices_per_chip, slice.joined};
  if (const Straggler* slow = slowest_link(machine)) view.slow_link = slow->index;
  view.slow = slow_;
  view.recent_steps = meter_.recent_steps();
  view.batch = words_.batch;
  view.precision = words_.precision;
  view.changed = changed_;
  view.from_step = from_step_;
  view.from_file = from_file_;
  view.from_digest = from_digest_;
  view.step = steps_.step();
  view.steps_total = steps_.planned_steps();
  view.epoch = steps_.epoch();
  view.numbers = settings_.numbers;
  view.products = words_.products;
  view.loss = meter_.newest_loss();
  view.test_accuracy = meter_.newest_accuracy();
  view.tpu_rate_steady = meter_.steady().rate();
  view.tpu_rate_with_compile = meter_.rate_with_compile(tpu_time());
  view.tpu_time = tpu_time();
  view.wall_seconds = elapsed().count();
  view.pause_seconds = pauses_.count();
  if (first_warm_ && view.step > first_warm_->first) {
    view.wall_step_seconds = (elapsed() - first_warm_->second).count() /
                             static_cast<double>(view.step - first_warm_->first);
  }
  view.wall_rate = wall_.count() > 0 ? static_cast<double>(computed_samples()) / wall_.count() : 0;
  view.step_time = meter_.steady().step_time();
  view.bound = bound_;
  view.failure = failure_;
  view.impossible = impossible_;
  return view;
}

CoreView Run::working_core(std::size_t group) const {
  const Machine& machine = steps_.machine();
  CoreView core;
  core.used = true;
  core.shares = meter_.recent_shares(group);
  core.wait = meter_.steady().wait(group);
  core.duty_cycle = sum_inside(core.shares);
  core.utilisation = meter_.recent_utilisation(machine, group);
  core.hbm_used = steps_.hbm_used();
  core.hbm_limit = machine.slice.usable_hbm_per_device();
  // More cores than have a sparkline each are shown as a map without history.
  constexpr int most_sparklines = 64;
  if (machine.slice.devices() <= most_sparklines) core.history = meter_.duty_history(group);
  return core;
}

std::vector<CoreView> Run::cores() const {
  const Machine& machine = steps_.machine();
  CoreView unused;
  unused.shares[index_of(Share::idle)] = 1;
  unused.hbm_limit = machine.slice.usable_hbm_per_device();

  std::vector<CoreView> cores(static_cast<std::size_t>(machine.slice.devices()), unused);
  const std::vector<DeviceGroup>& groups = steps_.groups();
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const CoreView working = working_core(group);
    for (const int device : groups[group].devices) {
      cores[static_cast<std::size_t>(device)] = working;
    }
  }
  for (std::size_t i = 0; i < cores.size(); ++i) cores[i].index = static_cast<int>(i);
  return cores;
}

StripView Run::strip() const {
  StripView strip;
  const auto& window = meter_.window();
  if (window.empty()) return strip;
  const std::size_t shown = std::min(window.size(), strip_steps);
  const std::size_t first = window.size() - shown;
  strip.first_step = window[first].step;
  strip.start = window[first].begin;
  // An evaluation belongs to the step that it comes behind, so that numbers count up.
  for (std::size_t i = first; i < window.size(); ++i) {
    const bool goes_on = i + 1 < window.size() && window[i + 1].kind == StepKind::evaluate;
    if (!goes_on) strip.step_ends.push_back(window[i].end);
  }
  // The host runs ahead: what it does for these steps may lie before their start.
  StripLane host{"host", {}};
  for (const StepTimeline& step : window) add_pieces(host, step.host, strip.start);
  strip.lanes.push_back(std::move(host));
  // Stragglers, in the smaller groups, stand above the rest.
  const std::vector<DeviceGroup>& groups = steps_.groups();
  for (std::size_t group = groups.size(); group-- > 0;) {
    StripLane lane{group_label(groups, group, steps_.machine().slice.device_word()), {}};
    for (std::size_t i = first; i < window.size(); ++i) {
      add_pieces(lane, window[i].lane(group).device, strip.start);
    }
    strip.lanes.push_back(std::move(lane));
  }
  return strip;
}

RunCurves Run::curves() const {
  return {.losses = meter_.losses(),
          .accuracies = accuracies_,
          .began = began_,
          .from_step = from_step_,
          .step = steps_.step(),
          .tpu_time = tpu_time(),
          .wall_seconds = elapsed().count()};
}

RunRecord Run::record() const {
  RunRecord record;
  record.view = view();
  record.stack = settings_.stack;
  record.host = settings_.host;
  record.compile = meter_.compiles().total;
  record.compiles = meter_.compiles().compiled;
  record.cold = from_cold();
  record.accuracies = accuracies_;
  record.began = began_;
  record.version = TPULAB_VERSION;
  record.contents = contents_;
  const auto own = own_machine(steps_.machine().generation().name);
  if (own) record.own_machine = own->says;
  record.losses = meter_.hash_of_losses();
  record.preempted = !steps_.records().empty() && steps_.records().back().process > 0;
  if (record.view.step_time.count() <= 0) return record;
  record.phases = phases_of(meter_.steady().shares(), record.view.step_time);
  return record;
}

}  // namespace tpulab

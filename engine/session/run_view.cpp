// A run as the screen may know it.
#include <fmt/format.h>

#include <algorithm>

#include "engine/session/run.h"

namespace tpulab {

namespace {

// Steps shown by the strip: enough to see a rhythm.
constexpr std::size_t strip_steps = 4;

std::string devices_text(const Machine& machine) {
  const int all = machine.slice.devices();
  const char* what = machine.generation().devices_per_chip == machine.generation().cores_per_chip
                         ? "core"
                         : "chip";
  if (machine.world() == 1 && all > 1) {
    return fmt::format("{} {} of {}", what, machine.devices.front(), all);
  }
  return fmt::format("{} of {} {}{}", machine.world(), all, what, all == 1 ? "" : "s");
}

std::string range_text(const std::vector<int>& devices) {
  if (devices.size() == 1) return fmt::format("core {}", devices.front());
  return fmt::format("cores {}-{}", devices.front(), devices.back());
}

void add_pieces(StripLane& lane, const std::vector<Piece>& pieces, Picoseconds from) {
  for (const Piece& piece : pieces) {
    if (piece.share == Share::idle || piece.end <= from) continue;
    lane.pieces.push_back({piece.share, std::max(piece.start, from), piece.end});
  }
}

}  // namespace

RunView Run::view() const {
  const Machine& machine = trainer_.runtime().machine();
  const int world = machine.world();
  RunView view;
  view.number = number_;
  view.state = state_;
  view.compiling =
      state_ == RunState::training && !meter_.window().empty() && meter_.window().back().compiled;
  view.model = trainer_.model().name();
  view.parameters = trainer_.model().parameter_count();
  view.machine = machine.slice.name;
  view.devices = devices_text(machine);
  view.batch = fmt::format("{} x {} = {} global", settings_.batch, world, settings_.batch * world);
  view.precision = effective_precision(settings_);
  view.step = trainer_.step();
  view.steps_total = trainer_.planned_steps();
  view.epoch = trainer_.epoch();
  view.epochs_total = std::max<std::int64_t>(settings_.max_epochs, 0);
  view.loss = meter_.newest_loss();
  view.test_accuracy = meter_.newest_accuracy();
  view.tpu_rate_steady = meter_.steady_rate();
  view.tpu_rate_with_compile = meter_.rate_with_compile(tpu_time());
  view.tpu_time = tpu_time();
  view.wall_seconds = wall_.count();
  view.wall_rate = wall_.count() > 0 ? static_cast<double>(meter_.samples()) / wall_.count() : 0;
  view.step_time = meter_.steady_step_time();
  view.bound = meter_.bound();
  view.failure = failure_;
  return view;
}

std::vector<CoreView> Run::cores() const {
  const Machine& machine = trainer_.runtime().machine();
  const Shares shares = meter_.recent_shares();
  CoreView working;
  working.used = true;
  working.shares = shares;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (inside_program(static_cast<Share>(i))) working.duty_cycle += shares[i];
  }
  working.utilisation = meter_.recent_utilisation(machine);
  working.hbm_used = trainer_.runtime().hbm_used();
  working.hbm_limit = machine.slice.hbm_per_device();
  working.history = meter_.duty_history();
  CoreView unused;
  unused.shares[index_of(Share::idle)] = 1;
  unused.hbm_limit = working.hbm_limit;

  std::vector<CoreView> cores(static_cast<std::size_t>(machine.slice.devices()), unused);
  for (const int device : machine.devices) cores[static_cast<std::size_t>(device)] = working;
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
  StripLane host{"host", {}};
  StripLane devices{range_text(trainer_.runtime().machine().devices), {}};
  // The host runs ahead: what it does for these steps may lie before their start.
  for (const StepTimeline& step : window) add_pieces(host, step.host, strip.start);
  for (std::size_t i = first; i < window.size(); ++i) {
    strip.step_ends.push_back(window[i].end);
    add_pieces(devices, window[i].device, strip.start);
  }
  strip.lanes = {std::move(host), std::move(devices)};
  return strip;
}

}  // namespace tpulab

#include "engine/session/run/timeline_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/session/snapshot.h"

namespace tpulab {

namespace {

constexpr std::size_t block_size = 256;
constexpr std::size_t most_blocks = 512;
constexpr std::size_t most_known = 1024;
constexpr std::size_t most_described = 200'000;  // events and pieces of shapes, some 40 MB
constexpr std::size_t most_compiles = 4096;

// The host of each group that is slower has a lane of its own.
bool has_own_host(const std::vector<DeviceGroup>& groups, std::size_t group) {
  return group == 0 || groups[group].host_factor != groups[0].host_factor;
}

std::size_t size_of(const StepShape& shape) {
  std::size_t size = shape.events.size() + shape.path.size();
  for (const auto& lane : shape.lanes) size += lane.size();
  return size;
}

// That no other waits for is the one whose devices wait least.
std::size_t slowest_group(const StepTimeline& step) {
  const auto wait = [&step](std::size_t group) {
    return step.lane(group).shares[index_of(Share::collective_wait)];
  };
  std::size_t slowest = 0;
  for (std::size_t group = 1; group <= step.others.size(); ++group) {
    if (wait(group) < wait(slowest)) slowest = group;
  }
  return slowest;
}

Share share_of(EventKind kind, const StackRow& stack) {
  switch (kind) {
    case EventKind::compile:
      return Share::compile;
    case EventKind::next_batch:
    case EventKind::next_rows:
    case EventKind::load:
      return Share::input;
    case EventKind::upload:
      return Share::transfer;
    case EventKind::read_back:
      return Share::read_back;
    case EventKind::host_op:
      return Share::cpu_fallback;
    default:
      return stack.traces_each_step() ? Share::host_tracing : Share::dispatch;
  }
}

std::string name_of(const Event& event) {
  if (event.kind == EventKind::trace) return fmt::format("trace {} ops", event.count);
  const std::string_view kind = tpulab::name_of(event.kind);
  return event.name.empty() ? std::string(kind) : fmt::format("{} {}", kind, event.name);
}

void append_span(std::vector<std::int64_t>& key, Share share, Picoseconds start, Picoseconds end) {
  key.insert(key.end(), {static_cast<std::int64_t>(share), start.count(), end.count()});
}

void add_part(std::vector<StripPiece>& to, const Piece& piece, Picoseconds begin) {
  to.push_back({piece.share, piece.start - begin, piece.end - begin});
}

std::array<Picoseconds, share_count> sums_of(const std::vector<StripPiece>& pieces) {
  std::array<Picoseconds, share_count> sums{};
  for (const StripPiece& piece : pieces) sums[index_of(piece.share)] += piece.end - piece.start;
  return sums;
}

}  // namespace

std::string group_label(const std::vector<DeviceGroup>& groups, std::size_t group,
                        std::string_view word) {
  const std::vector<int>& devices = groups[group].devices;
  if (devices.size() == 1) return fmt::format("{} {}", word, devices.front());
  if (groups.size() > 1 && group == 0) return "the rest";
  return fmt::format("{}s {}-{}", word, devices.front(), devices.back());
}

TimelineLog::TimelineLog(const Machine& machine, const std::vector<DeviceGroup>& groups)
    : machine_(machine), groups_(groups) {
  const std::string_view word = machine.slice.device_word();
  for (std::size_t group = 0; group < groups.size(); ++group) {
    if (!has_own_host(groups, group)) continue;
    timeline_.lanes.push_back(
        {TimelineRow::host, group == 0 ? "host" : "host of " + group_label(groups, group, word)});
  }
  timeline_.lanes.push_back({TimelineRow::input, "loader"});
  for (std::size_t group = 0; group < groups.size(); ++group) {
    timeline_.lanes.push_back({TimelineRow::devices, group_label(groups, group, word)});
  }
  timeline_.lanes.push_back({TimelineRow::collectives, "collectives"});
}

std::size_t TimelineLog::lane_of(TimelineRow row, std::size_t group) const {
  std::size_t lane = timeline_.first_lane(row);
  if (row == TimelineRow::devices) return lane + group;
  if (row != TimelineRow::host) return lane;
  for (std::size_t other = 1; other <= group; ++other) lane += has_own_host(groups_, other) ? 1 : 0;
  return has_own_host(groups_, group) ? lane : 0;
}

TimelineLog::Key TimelineLog::key_of(const StepTimeline& step, const StepRecord& record) const {
  Key key{static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(record.events.get())),
          static_cast<std::int64_t>(record.kind), step.duration().count()};
  const auto append = [&](const std::vector<Piece>& pieces) {
    for (const Piece& piece : pieces) {
      append_span(key, piece.share, piece.start - step.begin, piece.end - step.begin);
    }
    key.push_back(-1);
  };
  for (std::size_t group = 0; group <= step.others.size(); ++group) {
    append(step.lane(group).device);
    append(step.lane(group).host);
  }
  for (const TimedEvent& timed : step.events) {
    if (!in_background(timed.event->kind)) continue;
    append_span(key, Share::input, timed.began - step.begin, timed.finished - step.begin);
  }
  return key;
}

void TimelineLog::add_pieces(StepShape& shape, const StepTimeline& step) const {
  shape.lanes.resize(timeline_.lanes.size());
  for (std::size_t group = 0; group <= step.others.size(); ++group) {
    const LaneTimeline& lane = step.lane(group);
    for (const Piece& piece : lane.host) {
      if (piece.share == Share::idle || !has_own_host(groups_, group)) continue;
      add_part(shape.lanes[lane_of(TimelineRow::host, group)], piece, step.begin);
    }
    for (const Piece& piece : lane.device) {
      if (!inside_program(piece.share)) continue;
      add_part(shape.lanes[lane_of(TimelineRow::devices, group)], piece, step.begin);
      const bool sends = group == 0 && piece.share == Share::collective_transfer;
      if (sends) add_part(shape.lanes[lane_of(TimelineRow::collectives)], piece, step.begin);
    }
  }
  const LaneTimeline& slowest = step.lane(slowest_group(step));
  for (const Piece& piece : slowest.device) add_part(shape.path, piece, step.begin);
}

void TimelineLog::add_events(StepShape& shape, const StepTimeline& step) {
  for (const TimedEvent& timed : step.events) {
    const Event& event = *timed.event;
    const Share share = share_of(event.kind, *machine_.stack);
    const Picoseconds start = timed.start + timed.waited;
    if (timed.end > start) {
      shape.events.push_back({lane_of(TimelineRow::host), start - step.begin,
                              timed.end - step.begin, share, name_of(event), event.cause});
    }
    if (in_background(event.kind) && timed.finished > timed.began) {
      const StripPiece made{share, timed.began - step.begin, timed.finished - step.begin};
      const std::size_t lane = lane_of(TimelineRow::input);
      shape.lanes[lane].push_back(made);
      shape.events.push_back({lane, made.start, made.end, share,
                              fmt::format("{} rows of a batch", event.count),
                              "made ready in the background, ahead of the step that takes them"});
    }
    if (event.kind == EventKind::dispatch && groups_.size() == 1) add_kernels(shape, step, timed);
  }
}

void TimelineLog::add_kernels(StepShape& shape, const StepTimeline& step,
                              const TimedEvent& dispatch) {
  const std::shared_ptr<const Program>& program = dispatch.event->program;
  const ProgramPrice& priced = prices_.of(program, machine_).price;
  const auto times = kernel_times(priced, dispatch.finished - step.begin, groups_[0].device_factor);
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (times[k].end <= times[k].start) continue;
    const Kernel& kernel = program->kernels[k];
    const Price& price = priced.kernels[k];
    std::string why = fmt::format("bound: {}", tpulab::name_of(price.bound));
    if (kernel.runs > 1) why += fmt::format("; {} runs, one after the other", kernel.runs);
    const std::size_t lane =
        lane_of(kernel.collective ? TimelineRow::collectives : TimelineRow::devices);
    shape.events.push_back({lane, times[k].start, times[k].end, tpulab::share_of(kernel, price),
                            kernel.full_name(), std::move(why), true});
  }
}

std::shared_ptr<const StepShape> TimelineLog::shape_of(const StepTimeline& step,
                                                       const StepRecord& record) {
  Key key = key_of(step, record);
  const auto found = known_.find(key);
  if (found != known_.end()) return found->second.shape;
  auto shape = std::make_shared<StepShape>();
  shape->kind = tpulab::name_of(step.kind);
  shape->duration = step.duration();
  add_pieces(*shape, step);
  add_events(*shape, step);
  std::ranges::stable_sort(shape->events, {}, &TimelineEvent::start);
  for (const auto& lane : shape->lanes) shape->sums.push_back(sums_of(lane));
  shape->sums.push_back(sums_of(shape->path));
  note_reach(*shape);
  described_ += size_of(*shape);
  known_size_ += size_of(*shape);
  if (known_.size() >= most_known || known_size_ > most_described) {
    known_.clear();
    known_size_ = size_of(*shape);
  }
  known_.emplace(std::move(key), Known{record.events, shape});
  return shape;
}

void TimelineLog::note_reach(const StepShape& shape) {
  for (std::size_t lane = 0; lane < shape.lanes.size(); ++lane) {
    timeline_.lanes[lane].used = timeline_.lanes[lane].used || !shape.lanes[lane].empty();
    for (const StripPiece& piece : shape.lanes[lane]) {
      timeline_.before = std::max(timeline_.before, -piece.start);
      timeline_.after = std::max(timeline_.after, piece.end - shape.duration);
    }
  }
}

void TimelineLog::note_compiles(const StepTimeline& step) {
  if (!step.compiled) return;
  for (const Piece& piece : step.host) {
    if (piece.share == Share::compile) timeline_.compiles.push_back({piece.start, piece.end});
  }
  std::vector<TimeSpan>& compiles = timeline_.compiles;
  if (compiles.size() >= 2 * most_compiles) {
    compiles.erase(compiles.begin(), compiles.begin() + most_compiles);
  }
}

void TimelineLog::count(const StepShape& shape) {
  std::vector<KindTotal>& totals = timeline_.totals;
  auto total = std::ranges::find(totals, shape.kind, &KindTotal::kind);
  if (total == totals.end()) total = totals.insert(total, {shape.kind});
  ++total->steps;
  for (std::size_t i = 0; i < total->waited.size(); ++i) total->waited[i] += shape.sums.back()[i];
}

void TimelineLog::add(const StepTimeline& step, const StepRecord& record) {
  std::shared_ptr<const StepShape> shape = shape_of(step, record);
  note_compiles(step);
  count(*shape);
  timeline_.path_lane = lane_of(TimelineRow::devices, slowest_group(step));
  if (!open_.empty()) {
    TimelineStretch& last = open_.back();
    const bool goes_on = last.shape == shape && step.step == last.first_step + last.count;
    if (goes_on && last.end() == step.begin) {
      ++last.count;
      return;
    }
  }
  if (open_.size() == block_size) {
    timeline_.blocks.push_back(
        std::make_shared<const RunTimeline::Block>(std::exchange(open_, {})));
    sizes_.push_back(std::exchange(described_, 0));
    kept_size_ += sizes_.back();
    while (timeline_.blocks.size() > most_blocks || kept_size_ > most_described) drop_oldest();
  }
  open_.push_back({step.begin, step.step, 1, std::move(shape)});
}

void TimelineLog::drop_oldest() {
  timeline_.blocks.erase(timeline_.blocks.begin());
  timeline_.whole = false;
  kept_size_ -= sizes_.front();
  sizes_.pop_front();
}

std::shared_ptr<const RunTimeline> TimelineLog::timeline() const {
  if (open_.empty()) return nullptr;
  auto now = std::make_shared<RunTimeline>(timeline_);
  now->blocks.push_back(std::make_shared<const RunTimeline::Block>(open_));
  return now;
}

}  // namespace tpulab

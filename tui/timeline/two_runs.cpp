#include "tui/timeline/two_runs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "commands/estimate_words.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

RunSide side_of(const EndedRun& run) {
  return {&run.record.view, run.timeline.get(), &run.record, run.record.compile,
          run.record.compiles};
}

// A moment by the step it is in, so that it can be found in another run.
struct StepPlace {
  std::string kind;
  std::int64_t step = 0;
  Picoseconds into{};
};

StepPlace place_of(const RunTimeline& run, Picoseconds time) {
  StepPlace place;
  for_stretches(run, {time, time}, [&](const TimelineStretch& stretch) {
    if (stretch.begin > time || stretch.end() < time) return;
    const Picoseconds duration = std::max(stretch.shape->duration, Picoseconds{1});
    const auto gone = std::min<std::int64_t>((time - stretch.begin) / duration, stretch.count - 1);
    place = {stretch.shape->kind, stretch.first_step + gone,
             time - stretch.begin - stretch.shape->duration * gone};
  });
  return place;
}

// The run's end if it has no such step.
Picoseconds time_of(const RunTimeline& run, const StepPlace& place) {
  for (const auto& block : run.blocks) {
    for (const TimelineStretch& stretch : *block) {
      const std::int64_t index = place.step - stretch.first_step;
      if (index < 0 || index >= stretch.count || stretch.shape->kind != place.kind) continue;
      return stretch.begin + stretch.shape->duration * index +
             std::min(place.into, stretch.shape->duration);
    }
  }
  return run.span().end;
}

Picoseconds waited(const RunSide& run, std::string_view kind, bool with_compiles) {
  const auto total = std::ranges::find(run.timeline->totals, kind, &KindTotal::kind);
  if (total == run.timeline->totals.end()) return {};
  Picoseconds sum{};
  for (std::size_t i = 0; i < total->waited.size(); ++i) {
    if (with_compiles || i != index_of(Share::compile)) sum += total->waited[i];
  }
  return sum;
}

Picoseconds waited(const RunSide& run, Share share) {
  Picoseconds sum{};
  for (const KindTotal& total : run.timeline->totals) sum += total.waited[index_of(share)];
  return sum;
}

void add_parts(std::vector<PhasePair>& pairs, const TwoRuns& runs) {
  if (runs[0].record == nullptr || runs[1].record == nullptr) return;
  std::vector<PhasePair> parts;
  for (int i = 0; i < share_count; ++i) {
    const std::string name(name_of(static_cast<Share>(i)));
    parts.push_back({"  " + name,
                     {time_of(runs[0].record->phases, name), time_of(runs[1].record->phases, name)},
                     true});
  }
  const auto larger = [](const PhasePair& pair) { return std::max(pair.time[0], pair.time[1]); };
  std::erase_if(parts, [&](const PhasePair& pair) { return larger(pair).count() == 0; });
  std::ranges::stable_sort(parts, std::ranges::greater(), larger);
  pairs.insert(pairs.end(), parts.begin(), parts.end());
}

// What one of both found compiled is no gain of what was changed.
void add_from_cold(std::vector<PhasePair>& pairs, const TwoRuns& runs, const std::string& name,
                   Picoseconds ColdRun::*time) {
  PhasePair pair{name + ", both cold", {}};
  std::int64_t found = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const RunRecord* record = runs[i].record;
    if (record == nullptr || !record->cold) return;
    pair.time[i] = (*record->cold).*time;
    found += record->cold->found;
  }
  if (found > 0) pairs.push_back(std::move(pair));
}

std::string cache_words(const RunSide& run) {
  if (run.record == nullptr) {
    return fmt::format(", under way ({} so far)", count_with(run.compiles, "compile"));
  }
  const auto& cold = run.record->cold;
  if (!cold) return fmt::format(" ({})", count_with(run.compiles, "compile"));
  if (cold->found == 0) return fmt::format(", cold ({})", count_with(run.compiles, "compile"));
  const std::string found = count_with(cold->found, "program") + " found compiled";
  if (run.compiles == 0) return fmt::format(", warm ({})", found);
  return fmt::format(", partly warm ({}, {})", found, count_with(run.compiles, "compile"));
}

}  // namespace

std::optional<TwoRuns> two_runs(const Snapshot& now) {
  if (now.timeline == nullptr) return std::nullopt;
  TwoRuns runs;
  for (const auto& ended : now.ended) {
    const std::int64_t number = ended->record.view.number;
    if (number < now.run.number && ended->timeline != nullptr) runs[0] = side_of(*ended);
    if (number == now.run.number) runs[1].record = &ended->record;
  }
  if (runs[0].timeline == nullptr) return std::nullopt;
  runs[1] = {&now.run, now.timeline.get(), runs[1].record, now.compiles.total,
             now.compiles.compiled};
  return runs;
}

std::string side_words(const TwoRuns& runs, std::size_t side) {
  const RunView& run = *runs[side].view;
  const RunView& other = *runs[1 - side].view;
  std::vector<std::string> differs;
  std::vector<std::string> same;
  const auto add = [&](const std::string& mine, const std::string& its, std::string_view before) {
    (mine == its ? same : differs).push_back(fmt::format("{}{}", before, mine));
  };
  add(run.batch, other.batch, "batch ");
  add(run.model, other.model, "");
  add(run.machine, other.machine, "");
  if (run.devices != other.devices) differs.push_back(run.devices);
  if (run.precision != other.precision) differs.push_back(run.precision);
  differs.push_back(fmt::format("{} in {}", count_with(run.step, "step"), text_of(run.tpu_time)));
  differs.insert(differs.end(), same.begin(), same.end());
  return fmt::format("run {}{}: {}", run.number, cache_words(runs[side]), fmt::join(differs, ", "));
}

std::size_t leading_run(const TwoRuns& runs, int columns) {
  const auto scale = [columns](const RunSide& run) {
    return fitting_scale(run.timeline->span(), columns, run.timeline->compiles);
  };
  return scale(runs[0]) > scale(runs[1]) ? 0 : 1;
}

TwoAxes two_axes(const TwoRuns& runs, const TimeView& view, int columns) {
  const std::size_t leads = leading_run(runs, columns);
  const RunTimeline& leader = *runs[leads].timeline;
  const RunTimeline& other = *runs[1 - leads].timeline;
  const TimeAxis axis = axis_for(view, leader.span(), columns, leader.compiles);
  const Picoseconds start = axis.window().start;
  const bool from_start = start <= leader.span().start;
  const Picoseconds from =
      from_start ? other.span().start : time_of(other, place_of(leader, start));
  const TimeAxis beside(from, axis.per_column(), columns, other.compiles);
  if (leads == 0) return {leads, {axis, beside}};
  return {leads, {beside, axis}};
}

std::vector<PhasePair> phase_pairs(const TwoRuns& runs, bool parts) {
  const RunSide& a = runs[0];
  const RunSide& b = runs[1];
  std::vector<PhasePair> pairs;
  pairs.push_back({"start", {waited(a, "setup", false), waited(b, "setup", false)}});
  pairs.push_back({"compile", {a.compile, b.compile}});
  pairs.push_back({"training", {waited(a, "train", false), waited(b, "train", false)}});
  pairs.push_back({"validation", {waited(a, "evaluate", false), waited(b, "evaluate", false)}});
  pairs.push_back({"whole run", {a.view->tpu_time, b.view->tpu_time}});
  add_from_cold(pairs, runs, "whole run", &ColdRun::time);
  pairs.push_back({"a steady step", {a.view->step_time, b.view->step_time}, true});
  add_from_cold(pairs, runs, "compile", &ColdRun::compile);
  if (parts) add_parts(pairs, runs);
  pairs.push_back({"read-backs", {waited(a, Share::read_back), waited(b, Share::read_back)}});
  return pairs;
}

// A step that was never steady has no time.
std::string phase_words(const PhasePair& pair) {
  const auto [before, after] = pair.time;
  const bool known = before.count() > 0 && after.count() > 0;
  const auto text = [&pair](Picoseconds time) {
    return pair.of_a_step && time.count() == 0 ? std::string("-") : text_of(time);
  };
  std::string difference;
  if (before == after) {
    difference = "0 %";
  } else if (known) {
    difference = signed_percent(in_seconds(after) / in_seconds(before));
  } else if (before.count() > 0 && !pair.of_a_step) {
    difference = "-100 %";
  }
  return fmt::format("{:<21}{:>9} -> {:>9} {:>9}", pair.name, text(before), text(after),
                     difference);
}

}  // namespace tpulab

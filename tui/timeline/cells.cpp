#include "tui/timeline/cells.h"

#include <algorithm>
#include <cmath>

namespace tpulab {

namespace {

using Amounts = std::array<double, share_count>;  // columns of each share

double in_picoseconds(Picoseconds time) { return static_cast<double>(time.count()); }

// A short program must not vanish beside what else is in its cell.
double weight(Share share) { return inside_program(share) ? 4 : 1; }

const std::vector<StripPiece>& pieces_of(const StepShape& shape, std::size_t lane) {
  return lane < shape.lanes.size() ? shape.lanes[lane] : shape.path;
}

class Filler {
 public:
  Filler(const TimeAxis& axis, std::size_t lanes)
      : axis_(axis),
        amounts_(lanes, std::vector<Amounts>(static_cast<std::size_t>(axis.columns()))) {}

  void add(std::size_t lane, Share share, TimeSpan time) {
    for_columns(time, [&](std::size_t column, double part) {
      amounts_[lane][column][index_of(share)] += part;
    });
  }

  // All lanes do the same over all of the time: so much of each share, times `part`.
  void add_evenly(TimeSpan time, const std::vector<std::array<Picoseconds, share_count>>& sums,
                  double part) {
    for_columns(time, [&](std::size_t column, double covered) {
      const double columns = covered * part;
      for (std::size_t lane = 0; lane < sums.size(); ++lane) {
        Amounts& amounts = amounts_[lane][column];
        for (std::size_t i = 0; i < amounts.size(); ++i) {
          amounts[i] += columns * in_picoseconds(sums[lane][i]);
        }
      }
    });
  }

  TimelineCells cells() const {
    TimelineCells cells(amounts_.size());
    for (std::size_t lane = 0; lane < amounts_.size(); ++lane) {
      for (const Amounts& amounts : amounts_[lane]) cells[lane].push_back(cell_of(amounts));
    }
    return cells;
  }

 private:
  // Calls `visit` with each column that the time reaches, and how much of it.
  template <class Visit>
  void for_columns(TimeSpan time, const Visit& visit) {
    const auto last = static_cast<double>(axis_.columns());
    const double from = std::clamp(axis_.column_of(time.start), 0.0, last);
    const double to = std::clamp(axis_.column_of(time.end), 0.0, last);
    for (double left = from; left < to; left = std::floor(left) + 1) {
      visit(static_cast<std::size_t>(left), std::min(to, std::floor(left) + 1) - left);
    }
  }

  static TimelineCell cell_of(const Amounts& amounts) {
    TimelineCell cell;
    double heaviest = 0;
    for (std::size_t i = 0; i < amounts.size(); ++i) {
      cell.covered += amounts[i];
      const double heavy = amounts[i] * weight(static_cast<Share>(i));
      if (heavy <= heaviest) continue;
      heaviest = heavy;
      cell.share = static_cast<Share>(i);
    }
    cell.covered = std::min(cell.covered, 1.0);
    return cell;
  }

  const TimeAxis& axis_;
  std::vector<std::vector<Amounts>> amounts_;
};

// Calls `visit` with number and begin of each step of which anything may lie in the window.
template <class Visit>
void for_steps(const RunTimeline& timeline, const TimelineStretch& stretch, TimeSpan window,
               const Visit& visit) {
  const double duration = std::max(1.0, in_picoseconds(stretch.shape->duration));
  const auto index = [&](Picoseconds time) {
    return static_cast<std::int64_t>(std::floor(in_picoseconds(time - stretch.begin) / duration));
  };
  const std::int64_t last = std::min(stretch.count - 1, index(window.end + timeline.before));
  for (auto i = std::max<std::int64_t>(0, index(window.start - timeline.after)); i <= last; ++i) {
    visit(stretch.first_step + i, stretch.begin + stretch.shape->duration * i);
  }
}

void add_steps(Filler& filler, const RunTimeline& timeline, const TimelineStretch& stretch,
               TimeSpan window) {
  const StepShape& shape = *stretch.shape;
  for_steps(timeline, stretch, window, [&](std::int64_t /*step*/, Picoseconds begin) {
    for (std::size_t lane = 0; lane <= shape.lanes.size(); ++lane) {
      for (const StripPiece& piece : pieces_of(shape, lane)) {
        filler.add(lane, piece.share, {begin + piece.start, begin + piece.end});
      }
    }
  });
}

void add_sums(Filler& filler, const TimelineStretch& stretch) {
  const StepShape& shape = *stretch.shape;
  const double duration = std::max(1.0, in_picoseconds(shape.duration));
  filler.add_evenly({stretch.begin, stretch.end()}, shape.sums, 1 / duration);
}

Picoseconds overlap(TimeSpan a, TimeSpan b) {
  return std::max(Picoseconds{}, std::min(a.end, b.end) - std::max(a.start, b.start));
}

// One piece or event that covers more of the moment than what was found before.
struct Search {
  TimeSpan moment;
  TimelineFound found{};
  Picoseconds most{};

  bool better(TimeSpan time, std::int64_t step, const std::shared_ptr<const StepShape>& shape,
              Share share) {
    const Picoseconds covered = overlap(time, moment);
    if (covered <= most) return false;
    most = covered;
    found.kind = shape->kind;
    found.shape = shape;
    found.step = step;
    found.steps = 1;
    found.time = time;
    found.share = share;
    found.part = in_picoseconds(covered) / std::max(1.0, in_picoseconds(moment.length()));
    return true;
  }
};

void search_step(Search& search, const std::shared_ptr<const StepShape>& shape, std::size_t lane,
                 std::int64_t step, Picoseconds begin) {
  for (const TimelineEvent& event : shape->events) {
    if (event.lane != lane) continue;
    const TimeSpan time{begin + event.start, begin + event.end};
    if (!search.better(time, step, shape, event.share)) continue;
    search.found.name = event.name;
    search.found.why = event.why;
    search.found.kernel = event.kernel;
  }
  // Pieces cover what events do; they tell where there are none.
  if (search.most > Picoseconds{}) return;
  for (const StripPiece& piece : pieces_of(*shape, lane)) {
    const TimeSpan time{begin + piece.start, begin + piece.end};
    if (!search.better(time, step, shape, piece.share)) continue;
    search.found.name = name_of(piece.share);
    search.found.why.clear();
    search.found.kernel = false;
  }
}

// What the lane did of each share within the moment. Work of a step may lie before its begin, so
// that only its pieces tell how much of it is inside; where steps are very many, their sums do.
void add_inside(std::array<double, share_count>& sums, const RunTimeline& timeline,
                const TimelineStretch& stretch, std::size_t lane, TimeSpan moment) {
  constexpr double most_walked = 256;
  const StepShape& shape = *stretch.shape;
  const double steps = in_picoseconds(overlap({stretch.begin, stretch.end()}, moment)) /
                       std::max(1.0, in_picoseconds(shape.duration));
  if (steps > most_walked) {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] += steps * in_picoseconds(shape.sums[lane][i]);
    }
    return;
  }
  for_steps(timeline, stretch, moment, [&](std::int64_t /*step*/, Picoseconds begin) {
    for (const StripPiece& piece : pieces_of(shape, lane)) {
      sums[index_of(piece.share)] +=
          in_picoseconds(overlap({begin + piece.start, begin + piece.end}, moment));
    }
  });
}

// Of several steps: what they did most.
TimelineFound most_of(const RunTimeline& timeline, std::size_t lane, TimeSpan moment) {
  TimelineFound found;
  found.time = moment;
  std::array<double, share_count> sums{};
  for_stretches(timeline, moment, [&](const TimelineStretch& stretch) {
    add_inside(sums, timeline, stretch, lane, moment);
    const double part = in_picoseconds(overlap({stretch.begin, stretch.end()}, moment)) /
                        std::max(1.0, in_picoseconds(stretch.shape->duration));
    if (part <= 0) return;
    if (found.kind.empty()) {
      const auto gone =
          (moment.start - stretch.begin) / std::max(stretch.shape->duration, Picoseconds{1});
      found.kind = stretch.shape->kind;
      found.step = stretch.first_step + std::max<std::int64_t>(0, gone);
    }
    found.steps += std::max<std::int64_t>(1, std::llround(part));
  });
  const auto most = std::ranges::max_element(sums);
  if (*most > 0) found.share = static_cast<Share>(most - sums.begin());
  found.part = std::min(1.0, *most / std::max(1.0, in_picoseconds(moment.length())));
  found.name = name_of(found.share);
  return found;
}

}  // namespace

TimelineCells timeline_cells(const RunTimeline& timeline, const TimeAxis& axis) {
  constexpr double narrow = 0.5;  // columns
  Filler filler(axis, timeline.lanes.size() + 1);
  const TimeSpan window = axis.window();
  for_stretches(timeline, window, [&](const TimelineStretch& stretch) {
    if (in_picoseconds(stretch.shape->duration) < narrow * axis.per_column()) {
      add_sums(filler, stretch);
    } else {
      add_steps(filler, timeline, stretch, window);
    }
  });
  return filler.cells();
}

std::optional<std::size_t> lane_of_path(const RunTimeline& timeline, Share share) {
  switch (share) {
    case Share::idle:
      return std::nullopt;
    case Share::compute:
    case Share::hbm_bound:
    case Share::offload:
      return timeline.path_lane;
    case Share::collective_transfer:
    case Share::collective_wait:
      return timeline.first_lane(TimelineRow::collectives);
    case Share::input:
      if (timeline.lanes[timeline.first_lane(TimelineRow::input)].used) {
        return timeline.first_lane(TimelineRow::input);
      }
      return timeline.first_lane(TimelineRow::host);
    default:
      return timeline.first_lane(TimelineRow::host);
  }
}

TimelineFound found_at(const RunTimeline& timeline, std::size_t lane, TimeSpan moment) {
  Search search{moment};
  std::int64_t steps = 0;
  for_stretches(timeline, moment, [&](const TimelineStretch& stretch) {
    if (steps > 1) return;
    for_steps(timeline, stretch, moment, [&](std::int64_t step, Picoseconds begin) {
      const Picoseconds end = begin + stretch.shape->duration;
      if (begin >= moment.start && end <= moment.end) ++steps;
      if (steps <= 1) search_step(search, stretch.shape, lane, step, begin);
      if (search.found.kind.empty() && begin <= moment.start && end >= moment.start) {
        search.found.kind = stretch.shape->kind;
        search.found.shape = stretch.shape;
        search.found.step = step;
      }
    });
  });
  if (steps > 1) return most_of(timeline, lane, moment);
  if (search.found.name.empty()) {
    search.found.time = moment;
    search.found.name = name_of(Share::idle);
  }
  return search.found;
}

Shares path_shares(const RunTimeline& timeline, TimeSpan window) {
  Shares shares{};
  double all = 0;
  const auto add = [&](Share share, double time) {
    shares[index_of(share)] += time;
    all += time;
  };
  for_stretches(timeline, window, [&](const TimelineStretch& stretch) {
    const TimeSpan inside{std::max(stretch.begin, window.start),
                          std::min(stretch.end(), window.end)};
    if (inside.end <= inside.start) return;
    if (inside.length() < stretch.shape->duration * 2) {
      for_steps(timeline, stretch, inside, [&](std::int64_t /*step*/, Picoseconds begin) {
        for (const StripPiece& piece : stretch.shape->path) {
          add(piece.share,
              in_picoseconds(overlap({begin + piece.start, begin + piece.end}, inside)));
        }
      });
      return;
    }
    const double steps = in_picoseconds(inside.length()) / in_picoseconds(stretch.shape->duration);
    const auto& sums = stretch.shape->sums.back();
    for (std::size_t i = 0; i < sums.size(); ++i) {
      add(static_cast<Share>(i), steps * in_picoseconds(sums[i]));
    }
  });
  for (double& share : shares) share /= std::max(1.0, all);
  return shares;
}

}  // namespace tpulab

#include "engine/formats/part_trails.h"

#include <algorithm>
#include <utility>

#include "engine/formats/told_rows.h"

namespace tpulab {

Trail Trail::gathered(std::int64_t count, std::int64_t elements) const {
  Trail next = *this;
  next.one = false;
  next.as_given = false;
  next.taken = {.part = true, .rows = count, .elements = elements};
  return next;
}

Trail Trail::sliced(const Shape& from, const Shape& part) const {
  if (part.rank() == 0 || from.rank() == 0 || part[0] >= from[0]) return *this;
  Trail next = gathered(part[0], part.elements());
  next.one = part[0] == 1;
  next.as_given = as_given && next.one;
  if (next.one && !shuffled) next.taken.turns = from[0];
  return next;
}

Trail Trail::moved(const Shape& from, const Shape& to) const {
  Trail next = *this;
  next.as_given &= same_but_for_ones(from, to);
  if (!one || to.rank() >= from.rank()) return next;
  next.one = false;
  ++next.axis;
  next.taken.rows = from.rank() > 1 ? from[1] : 1;
  return next;
}

bool same_but_for_ones(const Shape& a, const Shape& b) {
  return without_ones(a.extents()) == without_ones(b.extents());
}

Trails shuffled(Trails all) {
  for (Trail& one : all) one.shuffled = true;
  return all;
}

std::optional<std::int64_t> rows_gathered(const IndexAxes& axes, const Shape& from,
                                          const Shape& made) {
  const auto holds = [](const auto& list, int axis) {
    return std::ranges::find(list, axis) != list.end();
  };
  std::int64_t rows = 0;
  std::int64_t taken = 1;
  for (int axis = 0; axis < made.rank(); ++axis) {
    if (holds(axes.windows, axis)) continue;
    if (rows == 0) rows = made[axis];
    if (__builtin_mul_overflow(taken, made[axis], &taken)) taken = -1;  // of no axis
  }
  // By one number: what lies there is the batch.
  if (rows == 0) rows = made.rank() > 0 ? made[0] : 1;
  const bool whole_axis = axes.sizes.empty() || axes.sizes[0] == from[0];
  if (!holds(axes.map, 0) || whole_axis || taken == from[0]) return std::nullopt;
  return rows;
}

TurnReads::TurnReads(const PartsAsked& which)
    : types_(which.types),
      reads_(which.types.size()),
      kinds_(which.weights),
      trains_(which.trains),
      asked_(which.asked),
      results_(which.results) {
  for (const Type& one : types_) shapes_.push_back(one.shape);
}

namespace {

// Turns of an axis before it that are neither microbatches nor time leave unclear what has rows.
void tell(TurnPart& part, const ToldAxis& told) {
  if (told.axis >= 0 && told.axis <= part.microbatches) part.microbatches = -1;
  const bool known = part.microbatches >= 0 || part.rows_axis >= 0;
  if (!known && told.axis > 0 && told.behind_turns) return;
  part.told_axis = told.axis;
  if (!known && told.axis > 0) part.rows_axis = told.axis;
}

}  // namespace

void TurnReads::note_divided(const Trail& trail, const Shape& part) {
  if (!trail.some() || !trail.as_given || trail.taken.part) return;
  Shape& shape = shapes_[static_cast<std::size_t>(trail.argument)];
  if (shape.rank() == part.rank()) shape = part;
}

void TurnReads::read(const Trail& trail) {
  // So that products of damaged texts stay in 63 bits.
  constexpr std::int64_t largest_part = std::int64_t{1} << 40;
  if (!trail.some()) return;
  Reads& reads = reads_[static_cast<std::size_t>(trail.argument)];
  if (depth_ < reads.depth) return;
  if (depth_ > reads.depth) reads = {.depth = depth_};
  reads.first = std::max(trail.axis, 0);
  TurnPart part = trail.taken;
  reads.whole |= !part.part;
  part.rows = std::min(part.rows, largest_part) * trail.devices;
  part.elements = std::min(part.elements, largest_part) * trail.devices;
  if (part.elements > reads.part.elements) reads.part = part;
}

void TurnReads::read_part(const Trail& trail, const Shape& from, const Shape& part) {
  if (!trail.some() || !kinds_.in_turns() || !takes_one(from, part)) return read(trail);
  taken_.back().push_back({trail, from});
}

void TurnReads::read_taken(Taken one, LeftLoop& by) {
  Trail trail = std::move(one.trail);
  const Shape from = one.from;
  const TurnsLeave left = kinds_.note_taken(by, from);
  const bool rows = trail.taken.part && trail.taken.rows == from[0];
  if (rows && left != TurnsLeave::others) trail.taken.rows = from[0] * from[1];
  read(trail);
  Reads& reads = reads_[static_cast<std::size_t>(trail.argument)];
  if (!trail.as_given || depth_ < reads.depth) return;
  reads.taken.axis = axis_of_turns(trail, from);
  reads.taken.turns = from[0];
  reads.taken.leaving.insert(left);
  reads.taken.depth = taken_.size();
}

Trails TurnReads::joined(const std::vector<Trails>& branches) {
  Trails all = branches.empty() ? Trails() : branches.back();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto has_value = [i](const Trails& one) { return i < one.size() && one[i].value >= 0; };
    const auto made = std::ranges::find_if(branches, has_value);
    if (made == branches.end()) continue;
    const int joined = graph_.add_joined(graph_.shape((*made)[i].value));
    for (const Trails& one : branches) {
      if (has_value(one)) graph_.join(joined, one[i].value);
    }
    all[i].value = joined;
  }
  for (Trail& one : all) one.constant = false;  // which one runs may change
  return all;
}

TakenRows TurnReads::together(const Trails& operands, const Made& made) {
  std::vector<TakenRows> rows;
  for (const Trail& one : operands) rows.push_back(one.rows);
  return kinds_.together(rows, made);
}

int TurnReads::axis_of_turns(const Trail& trail, const Shape& now) const {
  const Shape& whole = types_[static_cast<std::size_t>(trail.argument)].shape;
  int axis = std::max(trail.axis, 0);
  while (axis < whole.rank() && whole[axis] == 1) ++axis;
  return axis + 1 < whole.rank() && whole[axis + 1] / trail.devices <= now[1] ? axis : -1;
}

void TurnReads::enter_loop(LoopTurns loop, Trails& begun, std::span<const Shape> shapes) {
  graph_.enter_loop(loop.of_steps);
  auto& handed_on = handed_on_.emplace_back();
  for (std::size_t i = 0; i < std::min(begun.size(), shapes.size()); ++i) {
    handed_on.push_back(graph_.add_joined(shapes[i]));
    graph_.join(handed_on.back(), begun[i].value);
    begun[i].value = handed_on.back();
  }
  ++(loop.of_steps ? depth_ : others_);
  kinds_.enter_loop(std::move(loop));
  taken_.emplace_back();
}

void TurnReads::leave_loop(Trails& left, std::span<const Shape> shapes) {
  std::vector<bool> added(left.size());
  for (std::size_t i = 0; i < std::min(left.size(), handed_on_.back().size()); ++i) {
    added[i] = graph_.only_adds(handed_on_.back()[i], left[i].value);
    graph_.hand_on(handed_on_.back()[i], left[i].value);
  }
  handed_on_.pop_back();
  graph_.leave_loop();
  std::vector<TakenRows> rows;
  for (const Trail& one : left) rows.push_back(one.rows);
  LeftLoop loop = kinds_.leave_loop(rows, shapes, added);
  for (std::size_t i = 0; i < left.size(); ++i) left[i].rows = std::move(rows[i]);
  for (Taken& one : taken_.back()) read_taken(std::move(one), loop);
  taken_.pop_back();
  --(loop.loop().of_steps ? depth_ : others_);
}

Trails TurnReads::worked_on(const Trails& all) {
  for (const Trail& one : all) read(one);
  return {};
}

Trails TurnReads::gathered(const Trails& all, std::optional<std::int64_t> rows,
                           std::int64_t elements) {
  const Trails indices(all.begin() + 1, all.end());
  worked_on(indices);
  const bool asked_for = in_another_loop() || std::ranges::any_of(indices, [](const Trail& one) {
                           return one.some() || one.constant;
                         });
  const Trails next =
      rows ? Trails{all[0].gathered(asked_for ? 0 : *rows, elements)} : shuffled({all[0]});
  return in_another_loop() ? worked_on(next) : next;
}

std::vector<TurnPart> TurnReads::parts(const Trails& returned) const {
  int deepest = 0;
  for (const Reads& one : reads_) deepest = std::max(deepest, one.depth);
  std::vector<int> values;
  for (const int one : results_) {
    const auto result = static_cast<std::size_t>(one);
    if (result < returned.size()) values.push_back(returned[result].value);
  }
  const std::vector<ToldAxis> told = told_axes(graph_, values, trains_, types_, asked_);
  std::vector<TurnPart> parts;
  for (std::size_t i = 0; i < reads_.size(); ++i) {
    const Reads& one = reads_[i];
    TurnPart& part = parts.emplace_back(one.whole || !trains_ ? TurnPart{} : one.part);
    part.outside = trains_ && one.depth < deepest && deepest > 0;
    const Shape& shape = shapes_[i];
    const int first = one.taken.axis >= 0 ? one.taken.axis : one.first;
    AxisOfTurns turns = kinds_.along(shape, first, one.taken);
    while (turns.kind == TurnKind::microbatches) {
      if (part.microbatches < 0) part.microbatches = first;
      ++part.microbatch_axes;
      turns = kinds_.along(shape, turns.rows_axis, one.taken);
    }
    if (turns.kind == TurnKind::time) part.rows_axis = turns.rows_axis;
    tell(part, told[i]);
  }
  return parts;
}

}  // namespace tpulab

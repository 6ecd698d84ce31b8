#include "engine/formats/turn_kinds.h"

#include <algorithm>

namespace tpulab {

namespace {

// More are not followed of one value.
constexpr std::size_t most_turns = 16;

bool is_number(const Shape& shape) {
  return std::ranges::all_of(shape.extents(), [](std::int64_t extent) { return extent == 1; });
}

RowsOfTurn summed(RowsOfTurn one) {
  one.axis = summed_rows;
  return one;
}

// One of several that a turn takes at once: their count lies before the axis of rows, or is part of
// it.
RowsOfTurn one_unrolled(RowsOfTurn one, const Shape& from, const Shape& part) {
  if (one.axis >= part.rank()) return summed(one);
  const std::int64_t each = from[one.axis] / std::max<std::int64_t>(one.rows, 1);
  if (part[one.axis] != each || __builtin_mul_overflow(one.turns, one.rows, &one.turns)) {
    return summed(one);
  }
  if (each == 1) ++one.axis;
  if (one.axis >= part.rank() || part[one.axis] == 0) return summed(one);
  one.rows = part[one.axis];
  return one;
}

// Turns that go over what a turn around them has taken, as time in chunks, are so many in all.
RowsOfTurn one_of_chunks(RowsOfTurn one, const RowsOfTurn& around) {
  if (around.written) one.index += around.index * one.turns;
  if (__builtin_mul_overflow(one.turns, around.turns, &one.turns)) one.turns = 0;
  return one;
}

}  // namespace

TurnsLeave LeftLoop::leaves(const WeightShapes& weights, std::int64_t turns) {
  if (along_time_) return TurnsLeave::others;
  const auto [known, fresh] = asked_.try_emplace(turns, TurnsLeave::others);
  if (fresh) known->second = weights.left_by(loop_, turns);
  return known->second;
}

LeftLoop TurnKinds::leave_loop(std::span<TakenRows> left, std::span<const Shape> shapes,
                               const std::vector<bool>& added) {
  const bool sums = weights_.left_by(loops_.back(), 0) == TurnsLeave::sums;
  TakenRows found;
  bool along_time = false;
  const auto own = [depth = loops_.size()](const RowsOfTurn& one) {
    return !one.written && one.depth == depth;
  };
  for (std::size_t i = 0; i < std::min(left.size(), shapes.size()); ++i) {
    for (const RowsOfTurn& one : left[i]) {
      if (!own(one)) continue;
      found.push_back(one);
      const bool sum = sums && i < added.size() && added[i] && is_weight_of_rows(shapes[i]);
      if (sum || !is_state(one, shapes[i])) continue;
      note(along_time_, one);
      along_time = true;
    }
    std::erase_if(left[i], own);
  }
  LeftLoop loop(std::move(loops_.back()), along_time);
  loops_.pop_back();
  if (loop.loop().of_steps || loop.leaves(weights_, 0) != TurnsLeave::sums) return loop;
  for (const Shape& one : loop.loop().kept) {
    if (one.rank() > 0 && !maybe_rows(one)) microbatches_.insert(one[0]);
  }
  for (const RowsOfTurn& one : found) {
    if (!weights_.none()) note(sums_, one);
  }
  return loop;
}

// The gradient of each row.
bool TurnKinds::is_weight_of_rows(const Shape& shape) const {
  return shape.rank() > 0 && !weights_.contain(shape) &&
         weights_.contain(Shape(shape.extents().subspan(1)));
}

TurnsLeave TurnKinds::note_taken(LeftLoop& loop, const Shape& from) {
  const TurnsLeave left = loop.leaves(weights_, from[0]);
  // A state of one row has none where a compiler drops axes of one.
  if (left == TurnsLeave::others && from.rank() > 2 && from[1] == 1) {
    note(along_time_, {.depth = loops_.size(), .turns = from[0], .rows = 1});
  }
  if (left == TurnsLeave::sums && maybe_rows(from)) return TurnsLeave::apart;
  if (left == TurnsLeave::sums) microbatches_.insert(from[0]);
  return left;
}

bool TurnKinds::is_state(const RowsOfTurn& one, const Shape& shape) const {
  if (one.summed() || one.axis + 1 >= shape.rank()) return false;
  if (one.axis > 0) return one.behind == 1 && shape.rank() == 3;
  return one.behind == 1 || !weights_.contain(shape);
}

void TurnKinds::note(Depths& depths, const RowsOfTurn& one) {
  const auto [known, fresh] = depths.try_emplace({one.turns, one.rows, one.behind}, one.depth);
  if (!fresh) known->second = std::min(known->second, one.depth);
}

TakenRows TurnKinds::sliced(const TakenRows& rows, const Shape& from, const Shape& part,
                            std::optional<std::int64_t> index) const {
  TakenRows made;
  const bool takes = takes_one(from, part) && (index ? !maybe_rows(from) : in_turns());
  const RowsOfTurn fresh{.written = index.has_value(),
                         .depth = loops_.size(),
                         .index = index.value_or(0),
                         .turns = from.at(0),
                         .rows = from.at(1),
                         .axis = 1};
  for (RowsOfTurn one : rows) {
    const bool whole = one.summed() || (one.axis < part.rank() && part[one.axis] == from[one.axis]);
    if (takes && one.axis == 0 && one.behind == 1) made.push_back(one_of_chunks(fresh, one));
    if (!whole) one = index && !one.written ? one_unrolled(one, from, part) : summed(one);
    made.push_back(one);
  }
  if (!takes) return made;
  made.push_back(fresh);
  if (from.rank() < 4 || part[2] != from[2]) return made;
  made.push_back(fresh);
  made.back().rows = from[2];
  made.back().behind = made.back().axis = 2;
  return made;
}

TakenRows TurnKinds::together(std::span<const TakenRows> operands, const Made& made) {
  TakenRows all;
  if (is_number(made.shape) && !weights_.none()) return all;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const bool apart = made.apart && made.apart(i);
    for (RowsOfTurn one : operands[i]) {
      if (apart && one.depth == loops_.size()) continue;
      one.axis = made.axis_of(i, one.axis);
      const auto known =
          std::ranges::find_if(all, [&one](const RowsOfTurn& other) { return other.alike(one); });
      if (known == all.end()) {
        if (all.size() < most_turns && one.axis != laid_apart) all.push_back(one);
      } else if (known->summed() && !one.summed()) {
        *known = one;  // beside it sums, as of weights, are of no turn
      } else if (known->summed() == one.summed()) {
        meet(*known, one, made);
      }
    }
  }
  std::erase_if(all, [](const RowsOfTurn& one) { return one.axis == laid_apart; });
  return all;
}

void TurnKinds::meet(RowsOfTurn& one, const RowsOfTurn& other, const Made& made) {
  if (one.index == other.index) return;
  one.index = -1;
  if (made.beside) {
    one.axis = laid_apart;
  } else if (!one.summed()) {
    if (one.behind == 1 || is_state(one, made.shape)) note(along_time_, one);
  } else if (weights_.none() ? is_number(made.shape) : weights_.contain(made.shape)) {
    Sums& sums = written_[{one.turns, one.rows, one.behind}];
    if (sums.gradients.empty()) sums.depth = one.depth;
    sums.depth = std::min(sums.depth, one.depth);
    sums.gradients.insert(without_ones(made.shape.extents()));
  }
}

// Of a text that is read word by word all but the last one go in.
AxisOfTurns TurnKinds::time_along(const Shape& argument, int axis, std::size_t deepest) const {
  for (int behind = 1; behind < 3 && axis + behind < argument.rank(); ++behind) {
    for (const std::int64_t turns : {argument[axis], argument[axis] - 1}) {
      const auto found = along_time_.find({turns, argument[axis + behind], behind});
      if (found == along_time_.end() || found->second > deepest) continue;
      return {TurnKind::time, axis + behind};
    }
  }
  return {};
}

std::size_t TurnKinds::microbatches_along(const Shape& argument, int axis,
                                          const TakenByTurns& taken) const {
  const bool direct = axis == taken.axis && microbatches_.contains(taken.turns);
  if (taken.leaving.contains(TurnsLeave::others)) return none;
  std::size_t depth = direct ? taken.depth : none;
  if (axis + 1 >= argument.rank()) return depth;
  const Axes axes{argument[axis], argument[axis + 1], 1};
  const auto written = written_.find(axes);
  const bool added = written != written_.end();
  if (added && (weights_.none() || weights_.are_most(written->second.gradients))) {
    depth = std::min(depth, written->second.depth);
  }
  const auto looped = sums_.find(axes);
  return looped == sums_.end() ? depth : std::min(depth, looped->second);
}

AxisOfTurns TurnKinds::along(const Shape& argument, int axis, const TakenByTurns& taken) const {
  const std::size_t depth = microbatches_along(argument, axis, taken);
  const AxisOfTurns time = time_along(argument, axis, depth);
  if (time.kind == TurnKind::time || depth == none) return time;
  return {TurnKind::microbatches, axis + 1};
}

}  // namespace tpulab

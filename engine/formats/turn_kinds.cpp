#include "engine/formats/turn_kinds.h"

#include <algorithm>

namespace tpulab {

void TurnKinds::enter_loop(LoopTurns loop) {
  const bool sums = !loop.of_steps && weights_.left_by(loop, 0) == TurnsLeave::sums;
  for (const Shape& one : loop.kept) {
    if (sums && one.rank() > 0 && !maybe_rows(one)) microbatches_.insert(one[0]);
  }
  std::set<std::int64_t> states;
  for (const Shape& one : loop.changed) {
    const std::vector<std::int64_t> extents = without_ones(one.extents());
    if (extents.size() > 1) states.insert(extents[0]);
  }
  loops_.push_back({.turns = std::move(loop), .states = std::move(states)});
}

bool TurnKinds::takes(const Shape& from, const Shape& part) const {
  const bool one = from.rank() > 1 && from[0] > 1 && part.rank() > 0 && part[0] == 1;
  return one && !loops_.empty() && !loops_.back().turns.of_steps;
}

TurnsLeave TurnKinds::leaving(std::int64_t turns) {
  OpenLoop& open = loops_.back();
  const auto [known, fresh] = open.leaving.try_emplace(turns, TurnsLeave::others);
  if (fresh) known->second = weights_.left_by(open.turns, turns);
  return known->second;
}

void TurnKinds::note_part(const Shape& from, const Shape& part) {
  if (!takes(from, part) || leaving(from[0]) != TurnsLeave::others) return;
  const auto has_state = [&](int axis) {
    const bool other = axis < from.rank() && from[axis] != from[0];
    return other && loops_.back().states.contains(from[axis]);
  };
  std::int64_t unrolled = 0;
  if (has_state(1)) {
    along_.insert({from[0], from[1]});
  } else if (has_state(2) && !__builtin_mul_overflow(from[0], from[1], &unrolled)) {
    along_.insert({unrolled, from[2]});
  }
}

TurnsLeave TurnKinds::note_taken(const Shape& from) {
  const TurnsLeave left = leaving(from[0]);
  if (left == TurnsLeave::sums && maybe_rows(from)) return TurnsLeave::apart;
  if (left == TurnsLeave::sums) microbatches_.insert(from[0]);
  return left;
}

TurnKind TurnKinds::kind(const Shape& argument, int axis, const TakenByTurns& taken) const {
  const bool sums = !taken.leaving.contains(TurnsLeave::others);
  if (sums && axis == taken.axis && microbatches_.contains(taken.turns)) {
    return TurnKind::microbatches;
  }
  if (axis + 1 >= argument.rank()) return TurnKind::neither;
  const std::pair axes{argument[axis], argument[axis + 1]};
  if (along_.contains(axes) || written_.along().contains(axes)) return TurnKind::time;
  const bool written = sums && written_.microbatches(weights_).contains(axes);
  return written ? TurnKind::microbatches : TurnKind::neither;
}

}  // namespace tpulab

#include "engine/formats/written_turns.h"

#include <algorithm>

namespace tpulab {

WrittenTurn WrittenTurn::with(const WrittenTurn& other) const {
  if (!some() || !other.some()) return some() ? *this : other;
  WrittenTurn both = *this;
  if (turns != other.turns || index != other.index) both.index = -1;
  return both;
}

void WrittenTurns::meet(const WrittenTurn& made, std::span<const Shape> shapes,
                        const WeightShapes& weights) {
  if (made.index >= 0 || shapes.size() < 2) return;
  const auto is_weight = [&](const Shape& one) { return weights.contain(one); };
  const auto has_rows = [&](const Shape& one) { return one.rank() > 1 && one[0] == made.rows; };
  if (std::ranges::all_of(shapes, is_weight)) {
    sums_[{made.turns, made.rows}].changed.push_back(shapes[0]);
  } else if (std::ranges::all_of(shapes, has_rows)) {
    states_.insert({made.turns, made.rows});
  }
}

WrittenTurns::Axes WrittenTurns::microbatches(const WeightShapes& weights) const {
  Axes found;
  for (const auto& [axes, loop] : sums_) {
    const bool sums = weights.left_by(loop, axes.first) == TurnsLeave::sums;
    if (sums && !states_.contains(axes)) found.insert(axes);
  }
  return found;
}

WrittenTurns::Axes WrittenTurns::along() const {
  Axes found = states_;
  std::erase_if(found, [](const auto& axes) { return axes.first == 2; });
  return found;
}

}  // namespace tpulab

#include "engine/formats/part_trails.h"

#include <algorithm>

namespace tpulab {

Trail Trail::gathered(std::int64_t rows, std::int64_t elements) const {
  Trail next = *this;
  next.one = false;
  next.taken = {.part = true, .rows = rows, .elements = elements};
  return next;
}

Trail Trail::sliced(const Shape& from, const Shape& part) const {
  if (part.rank() == 0 || from.rank() == 0 || part[0] >= from[0]) return *this;
  Trail next = gathered(part[0], part.elements());
  next.one = part[0] == 1;
  if (next.one && !shuffled) next.taken.turns = from[0];
  return next;
}

Trail Trail::moved(const Shape& from, const Shape& to) const {
  Trail next = *this;
  if (!one || to.rank() >= from.rank()) return next;
  next.one = false;
  next.taken.rows = from.rank() > 1 ? from[1] : 1;
  return next;
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

void TurnReads::read(const Trail& trail) {
  // So that products of damaged texts stay in 63 bits.
  constexpr std::int64_t largest_part = std::int64_t{1} << 40;
  if (!trail.some()) return;
  Reads& reads = reads_[static_cast<std::size_t>(trail.argument)];
  if (depth_ < reads.depth) return;
  if (depth_ > reads.depth) reads = {.depth = depth_};
  TurnPart part = trail.taken;
  reads.whole |= !part.part;
  part.rows = std::min(part.rows, largest_part) * trail.devices;
  part.elements = std::min(part.elements, largest_part) * trail.devices;
  if (part.elements > reads.part.elements) reads.part = part;
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

std::vector<TurnPart> TurnReads::parts() const {
  int deepest = 0;
  for (const Reads& one : reads_) deepest = std::max(deepest, one.depth);
  std::vector<TurnPart> parts;
  for (const Reads& one : reads_) {
    parts.push_back(one.whole ? TurnPart{} : one.part);
    parts.back().outside = one.depth < deepest && deepest > 0;
  }
  return parts;
}

}  // namespace tpulab

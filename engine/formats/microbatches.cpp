#include "engine/formats/microbatches.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace tpulab {

namespace {

std::int64_t elements_of(std::span<const std::int64_t> extents) {
  return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

}  // namespace

std::vector<std::int64_t> without_ones(std::span<const std::int64_t> extents) {
  std::vector<std::int64_t> others(extents.begin(), extents.end());
  std::erase(others, 1);
  return others;
}

WeightShapes::WeightShapes(std::span<const Shape> state) {
  for (const Shape& one : state) {
    state_ += one.elements();
    if (shapes_.insert(without_ones(one.extents())).second) elements_ += one.elements();
  }
}

WeightShapes WeightShapes::of_step(const std::vector<Type>& types,
                                   const std::vector<int>& successors) {
  std::vector<Shape> state;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (successors[i] >= 0 && !is_integer(types[i].dtype)) state.push_back(types[i].shape);
  }
  return WeightShapes(state);
}

WeightShapes WeightShapes::of_call(const std::vector<Type>& types,
                                   const std::vector<Type>& results) {
  std::vector<Shape> out;
  std::ptrdiff_t others = 0;
  for (const Type& one : types) {
    if (is_integer(one.dtype)) continue;
    const bool comes_out = std::ranges::find(results, one) != results.end();
    if (comes_out) out.push_back(one.shape);
    others += comes_out ? 0 : 1;
  }
  if (std::ssize(out) < others) out.clear();
  return WeightShapes(out);
}

bool WeightShapes::contain(const Shape& shape) const {
  return shapes_.contains(without_ones(shape.extents()));
}

bool WeightShapes::are_most(const std::set<Extents>& shapes) const {
  std::int64_t found = 0;
  for (const Extents& one : shapes) found += shapes_.contains(one) ? elements_of(one) : 0;
  return found > 0 && found >= elements_ - found;
}

// Beside two moments and an average of each.
bool WeightShapes::are_all(const Extents& row) const {
  constexpr std::int64_t most_of_each = 4;
  const bool some = row.size() == 1 && row[0] > 0 && row[0] <= state_;
  return some && state_ % row[0] == 0 && state_ / row[0] <= most_of_each;
}

TurnsLeave WeightShapes::left_by(const LoopTurns& loop, std::int64_t turns) const {
  std::set<Extents> added;
  std::set<Extents> below_each_other;
  bool apart = true;
  for (const Shape& one : loop.changed) {
    if (one.elements() == 1) continue;
    const auto extents = one.extents();
    const Extents own = without_ones(extents);
    if (are_all(own)) return TurnsLeave::sums;
    added.insert(own);
    apart &= extents.front() == turns;
    below_each_other.insert(without_ones(extents.subspan(1)));
  }
  if (are_most(added) || (added.empty() && shapes_.empty())) return TurnsLeave::sums;
  if (are_most(below_each_other)) return TurnsLeave::sums;
  return apart ? TurnsLeave::apart : TurnsLeave::others;
}

}  // namespace tpulab

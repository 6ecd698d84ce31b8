// Which loops of a step go over microbatches of its rows.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "engine/base/shape.h"
#include "engine/graph/op.h"

namespace tpulab {

// A compiler adds and takes axes of one.
std::vector<std::int64_t> without_ones(std::span<const std::int64_t> extents);

struct LoopTurns {
  bool of_steps = false;
  std::vector<Shape> changed{};  // that a turn hands on otherwise than it was given
  std::vector<Shape> kept{};     // .. as it was given
};

// What turns leave that take a batch one by one: sums of gradients; each its own, as losses of a
// forward pass; or others, as what the next one goes on with along time.
enum class TurnsLeave : std::uint8_t { sums, apart, others };

// Of the arrays of a step that come back, weights and what an optimizer keeps of each.
class WeightShapes {
 public:
  explicit WeightShapes(std::span<const Shape> state);
  // Of arguments of which a result comes back; `successors`: -1 where none does.
  static WeightShapes of_step(const std::vector<Type>& types, const std::vector<int>& successors);
  // Of a program that does not train: of which results may be the gradients, unless most arrays do
  // not come out, as beside a state or a cache.
  static WeightShapes of_call(const std::vector<Type>& types, const std::vector<Type>& results);

  // Sums: most of the weights, shape by shape, are among what turns add up or leave
  // below each other, turns or rows, or one row of numbers is as long as all of them; without
  // weights, turns add up numbers alone, as an evaluation does. `turns`: of what is taken.
  TurnsLeave left_by(const LoopTurns& loop, std::int64_t turns) const;
  bool none() const { return shapes_.empty(); }
  // But for axes of one.
  bool contain(const Shape& shape) const;
  using Extents = std::vector<std::int64_t>;
  bool are_most(const std::set<Extents>& shapes) const;

 private:
  bool are_all(const Extents& row) const;

  std::set<Extents> shapes_;
  std::int64_t elements_ = 0;  // of each shape once
  std::int64_t state_ = 0;     // of all
};

}  // namespace tpulab

// Turns that a program has without a loop, one written behind the other, as of a loop in Python.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "engine/formats/microbatches.h"

namespace tpulab {

// Each takes one of the first axis of an array, whose second one holds the rows: what is made of
// which.
struct WrittenTurn {
  std::int64_t turns = 0;  // 0: it is of none
  std::int64_t rows = 0;
  std::int64_t index = 0;  // -1: of several

  bool some() const { return turns > 0; }
  // What comes of both.
  WrittenTurn with(const WrittenTurn& other) const;
};

// Told where values of several turns meet, what these are.
class WrittenTurns {
 public:
  using Axes = std::set<std::pair<std::int64_t, std::int64_t>>;  // turns, rows

  // Arrays like the weights, as gradients that are added up, or all of as many rows, as a state
  // that a turn goes on with. `shapes`: of the values that meet.
  void meet(const WrittenTurn& made, std::span<const Shape> shapes, const WeightShapes& weights);

  // Of turns that add up gradients alone.
  Axes microbatches(const WeightShapes& weights) const;
  // Of those that go on with a state. Two may be anything, as both ends of edges.
  Axes along() const;

 private:
  std::map<std::pair<std::int64_t, std::int64_t>, LoopTurns> sums_;
  Axes states_;
};

}  // namespace tpulab

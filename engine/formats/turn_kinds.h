// What turns are for that take one of an axis after another, of arrays whose next axis holds rows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/shape.h"
#include "engine/formats/microbatches.h"
#include "engine/formats/taken_rows.h"

namespace tpulab {

enum class TurnKind : std::uint8_t { microbatches, time, neither };

// Of an axis.
struct AxisOfTurns {
  TurnKind kind = TurnKind::neither;
  int rows_axis = -1;  // behind it; -1: none
};

// How loops take an argument one by one.
struct TakenByTurns {
  int axis = -1;                   // of the argument, that its rows lie behind; -1: none
  std::int64_t turns = 0;          // of it
  std::set<TurnsLeave> leaving{};  // of these loops
  std::size_t depth = 0;           // of the last one
};

// What a loop was, when it is left.
class LeftLoop {
 public:
  LeftLoop(LoopTurns loop, bool along_time) : loop_(std::move(loop)), along_time_(along_time) {}
  const LoopTurns& loop() const { return loop_; }
  // Turns that take one by one of so many.
  TurnsLeave leaves(const WeightShapes& weights, std::int64_t turns);

 private:
  LoopTurns loop_;
  bool along_time_;  // a turn hands on what has rows that it took
  std::map<std::int64_t, TurnsLeave> asked_{};
};

// Told what a program does with rows that turns take, and asked when all is told.
class TurnKinds {
 public:
  explicit TurnKinds(WeightShapes weights) : weights_(std::move(weights)) {}

  // Also of steps, whose turns are none of these.
  void enter_loop(LoopTurns loop) { loops_.push_back(std::move(loop)); }
  // `left`: what is of rows in its results, which have these shapes. Those of its turns are taken
  // out of it. `added`: turns only add to it.
  LeftLoop leave_loop(std::span<TakenRows> left, std::span<const Shape> shapes,
                      const std::vector<bool>& added = {});
  bool in_turns() const { return !loops_.empty() && !loops_.back().of_steps; }
  // What turns of a loop leave that took all of an argument, which was `from` then.
  TurnsLeave note_taken(LeftLoop& loop, const Shape& from);

  // Of a part of what has `rows`. Where it is one of the first axis, a turn takes it: number
  // `index` of those that are written out, else one of the innermost loop.
  TakenRows sliced(const TakenRows& rows, const Shape& from, const Shape& part,
                   std::optional<std::int64_t> index) const;
  // Of values that have `operands`.
  TakenRows together(std::span<const TakenRows> operands, const Made& made);

  // Of an axis of an argument. Microbatches: turns that take it, or one like it and the next one,
  // leave sums of gradients. Time: turns of no deeper loops go on with what has the rows behind it.
  AxisOfTurns along(const Shape& argument, int axis, const TakenByTurns& taken) const;

 private:
  using Axes = std::array<std::int64_t, 3>;    // turns, rows, how far behind
  using Depths = std::map<Axes, std::size_t>;  // the least
  struct Sums {
    std::set<WeightShapes::Extents> gradients{};
    std::size_t depth = 0;
  };
  // Loops around what tells so; `none`: nothing does.
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  AxisOfTurns time_along(const Shape& argument, int axis, std::size_t deepest) const;
  std::size_t microbatches_along(const Shape& argument, int axis, const TakenByTurns& taken) const;
  static void note(Depths& depths, const RowsOfTurn& one);
  // Rows lie first, or behind layers, with features behind them. What lies two axes behind the
  // turns may be features too, which weights have.
  bool is_state(const RowsOfTurn& one, const Shape& shape) const;
  bool is_weight_of_rows(const Shape& shape) const;
  // What comes of both, if `other` is of another turn.
  void meet(RowsOfTurn& one, const RowsOfTurn& other, const Made& made);
  // Rows of numbers that come one by one: where nothing tells of weights they may be.
  bool maybe_rows(const Shape& one) const { return weights_.none() && one.rank() < 3; }

  WeightShapes weights_;
  std::vector<LoopTurns> loops_;
  std::set<std::int64_t> microbatches_;  // how many turns loops have that add up gradients
  Depths sums_;                          // .. and of what rows
  std::map<Axes, Sums> written_;         // that are added up without a loop
  Depths along_time_;
};

}  // namespace tpulab

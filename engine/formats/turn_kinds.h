// What turns are for that take one of an axis after another, of arrays whose next axis holds rows.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/shape.h"
#include "engine/formats/microbatches.h"
#include "engine/formats/written_turns.h"

namespace tpulab {

enum class TurnKind : std::uint8_t { microbatches, time, neither };

// How loops take an argument one by one.
struct TakenByTurns {
  int axis = -1;                   // of the argument, that its rows lie behind; -1: none
  std::int64_t turns = 0;          // of it
  std::set<TurnsLeave> leaving{};  // of these loops
};

// Told loop by loop what a program does, and asked when all is told.
class TurnKinds {
 public:
  explicit TurnKinds(WeightShapes weights) : weights_(std::move(weights)) {}

  // Also of loops of steps, whose turns are none of these.
  void enter_loop(LoopTurns loop);
  void leave_loop() { loops_.pop_back(); }
  bool takes(const Shape& from, const Shape& part) const;

  // In any loop, of whatever: where turns go on with a state of as many rows as `part` has, they go
  // along an axis of so many, and so they do of arguments that have both. A loop whose turns are
  // unrolled takes several at once, which lie along an axis before that of rows.
  void note_part(const Shape& from, const Shape& part);
  // What turns of the innermost loop leave that take all of an argument, which is `from` now.
  TurnsLeave note_taken(const Shape& from);
  // What comes of several values of turns that are written out.
  void meet(const WrittenTurn& made, std::span<const Shape> shapes) {
    written_.meet(made, shapes, weights_);
  }

  // Of an axis of an argument. Microbatches: turns that take it, or the like, add up gradients.
  // Time: turns along it go on with a state that has the rows of the next one.
  TurnKind kind(const Shape& argument, int axis, const TakenByTurns& taken) const;

 private:
  struct OpenLoop {
    LoopTurns turns{};
    std::set<std::int64_t> states{};               // rows of what a turn hands on otherwise
    std::map<std::int64_t, TurnsLeave> leaving{};  // by turns: of those that were asked for
  };
  TurnsLeave leaving(std::int64_t turns);
  // Rows of numbers that come one by one: where nothing tells of weights they may be.
  bool maybe_rows(const Shape& one) const { return weights_.none() && one.rank() < 3; }

  WeightShapes weights_;
  std::vector<OpenLoop> loops_;
  std::set<std::int64_t> microbatches_;  // how many turns such loops have
  WrittenTurns::Axes along_;             // whose rows are those of a state
  WrittenTurns written_;
};

}  // namespace tpulab

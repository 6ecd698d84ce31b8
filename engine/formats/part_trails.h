// How the rows of an argument are followed to where a step works on them.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "engine/base/shape.h"
#include "engine/formats/row_graph.h"
#include "engine/formats/taken_rows.h"
#include "engine/formats/turn_kinds.h"
#include "engine/ops/general_ops.h"

namespace tpulab {

// What a turn takes of an argument, of all devices that a shard_map divides it among.
struct TurnPart {
  bool part = false;          // else it is read as a whole
  std::int64_t rows = 0;      // that a turn takes; 0: as many as another argument asks for
  std::int64_t elements = 0;  // of these rows
  std::int64_t turns = 0;     // that would take all of it, each the next one; 0: it is not so
  std::int64_t extent = 0;    // of the first axis of the argument
  // A turn of a loop of steps reads others, and none reads this one.
  bool outside = false;
  int microbatches = -1;    // its axis that counts them, before that of their rows; -1: none does
  int microbatch_axes = 0;  // so many from there on, as of steps that are written out
  int rows_axis = -1;       // of its rows, behind one that turns go along, as time; -1: it has none
  int told_axis = -1;       // whose rows the loss or the results of a call have; -1: none
};

// `asked`: of each argument whether it may be a batch. `by_devices`: the first axis counts them.
// Of a program that does not train only the axes of rows are told.
struct PartsAsked {
  const std::vector<bool>& asked;
  const std::vector<Type>& types;  // without the axis of devices
  bool by_devices = false;
  const std::set<int>& loops_of_steps;
  WeightShapes weights;
  bool trains = true;
  std::vector<int> results{};  // the loss, or those of a call
};

// What a value is of an argument.
struct Trail {
  int argument = -1;
  TurnPart taken{};
  bool one = false;      // the first axis holds the one of it that was taken
  int axis = 0;          // of the argument: the first one, or that behind those that were taken
  bool as_given = true;  // its axes are those of the argument from there on, but for ones
  bool shuffled = false;
  bool constant = false;     // of no argument: the same in each turn
  std::int64_t devices = 1;  // that a shard_map divides it among
  TakenRows rows{};          // also of what is worked on
  int value = RowGraph::none;

  bool some() const { return argument >= 0; }
  // Whose first axis counts devices: it is no axis of what each has.
  void of_one_device() {
    one = true;
    axis = -1;
  }
  // So many rows from anywhere; 0: as many as another argument asks for.
  Trail gathered(std::int64_t count, std::int64_t elements) const;
  // A part of the first axis, or all of it.
  Trail sliced(const Shape& from, const Shape& part) const;
  // Under another shape: without the axis of the one that was taken, the next one holds rows.
  Trail moved(const Shape& from, const Shape& to) const;
};
using Trails = std::vector<Trail>;

bool same_but_for_ones(const Shape& a, const Shape& b);

// Those that are all there, in another order.
Trails shuffled(Trails all);

// Of the first axis; nothing where a gather takes all of it, as a shuffle does.
std::optional<std::int64_t> rows_gathered(const IndexAxes& axes, const Shape& from,
                                          const Shape& made);

// Where arguments are worked on. The deepest in loops of steps counts: what shuffles a data set
// before them is none of a turn.
class TurnReads {
 public:
  explicit TurnReads(const PartsAsked& which);

  void read(const Trail& trail);
  // All of them, so that nothing is followed any more.
  Trails worked_on(const Trails& all);
  // The rows of the first that the others ask for, if these are known; elements of the result. A
  // table is asked for as many rows as there are indices: their argument tells these. Where each
  // turn asks for the same ones, as for positions, they are no batch.
  Trails gathered(const Trails& all, std::optional<std::int64_t> rows, std::int64_t elements);

  // In a loop of no steps: a part of it, of which nothing is followed any more. One of a first axis
  // that is of microbatches is taken with the rows of all.
  void read_part(const Trail& trail, const Shape& from, const Shape& part);

  // What is of rows in what is made of the operands.
  TakenRows together(const Trails& operands, const Made& made);

  // Begun with arrays of these shapes, which it takes the place of.
  void enter_loop(LoopTurns loop, Trails& begun, std::span<const Shape> shapes);
  // With `left`, of these shapes.
  void leave_loop(Trails& left, std::span<const Shape> shapes);
  // A shard_map divides an argument into such parts.
  void note_divided(const Trail& trail, const Shape& part);
  bool in_another_loop() const { return others_ > 0; }
  const TurnKinds& kinds() const { return kinds_; }
  // Of a program that returns these.
  std::vector<TurnPart> parts(const Trails& returned) const;
  RowGraph& graph() { return graph_; }
  // What one of several branches returns.
  Trails joined(const std::vector<Trails>& branches);

 private:
  struct Reads {
    int depth = -1;
    bool whole = false;
    TurnPart part{};
    int first = 0;  // axis of what a step takes
    TakenByTurns taken{};
  };
  struct Taken {
    Trail trail{};
    Shape from{};
  };
  void read_taken(Taken one, LeftLoop& by);
  // That the first one of an array `now` is, if its rows lie along the next one of the argument
  // too; else -1.
  int axis_of_turns(const Trail& trail, const Shape& now) const;

  std::vector<Type> types_;
  std::vector<Shape> shapes_;  // of arguments, as turns see them
  std::vector<Reads> reads_;
  TurnKinds kinds_;
  bool trains_;
  std::vector<bool> asked_;
  std::vector<int> results_;
  RowGraph graph_{};
  std::vector<std::vector<int>> handed_on_{};  // by loops that are not left yet
  std::vector<std::vector<Taken>> taken_;      // loop by loop that is not left yet
  int depth_ = 0;                              // of loops of steps
  int others_ = 0;                             // of loops that are none
};

}  // namespace tpulab

// What the arguments of a program are to its devices: a batch that is sent each step, or what stays
// in memory.
#pragma once

#include <cstdint>
#include <span>

#include "engine/formats/imported_step.h"
#include "engine/formats/part_trails.h"
#include "engine/graph/op.h"

namespace tpulab {

struct GivenArgument {
  Type type{};              // of one device
  std::int64_t copies = 1;  // devices that have the same of its rows
  bool comes_back = false;
  bool each_step = false;  // its first axis counts the steps of the program, the second its rows
  int microbatches = -1;   // its axis that counts those of a step, before that of their rows
  int microbatch_axes = 1;
  int rows_axis = -1;  // of its rows, where it is another one: behind one of time
  // Loops read one part of it a turn, as layers that lie below each other: no batch of a step that
  // trains, if it is none of whole numbers and others may be one.
  bool by_turns = false;
  bool told = false;      // the loss, or what a call returns, has its rows
  std::int64_t part = 0;  // rows that a step takes of it; 0: all
  bool kept = false;      // on a device for more than this program
  bool aside = false;     // it tells no rows
  bool on_host = false;   // it lies in the host's memory, and no batch is there

  int axis_of_rows() const {
    if (rows_axis >= 0) return rows_axis;
    return microbatches >= 0 ? microbatches + microbatch_axes : each_step ? 1 : 0;
  }
  std::int64_t rows() const;
};

// Devices that have the same of two axes, of each of which so many have.
std::int64_t copies_of_both(std::int64_t one, std::int64_t other, std::int64_t devices);

// Neither a number nor a random key.
bool may_be_batch(const Type& type);

// Whether the first axis of an argument of a program of so many steps counts them.
bool counts_steps(const Shape& shape, std::int64_t steps);

// Whether the first axis of each argument and result is `extent`, and all that some have: of a pmap
// it counts the devices, each of which has a number (a loss, a counter) of its own.
bool are_by_devices(std::span<const Type> arguments, std::span<const Type> results,
                    std::int64_t extent);
void take_away_first_axes(std::span<Type> types);

// Of a program of so many steps, `copies`: devices that take the same part. What is read once, in
// its order, is no more kept than a batch is.
void tell_part(GivenArgument& given, const TurnPart& part, std::int64_t steps, std::int64_t copies);

// Sets rows, alike, batch, state and what stays of `step`, whose `trains` and `steps` are known.
// Rows are those of all steps together, in each those that are told by results and agree, else the
// first extent of whole numbers that do not come back, as labels and tokens are; where there are
// none, that of most bytes, and of a call, whose weights may be among them, of what lies along
// time, else of all; else unknown. Those of which a step takes a part are asked first where there
// are several steps, else, if of whole numbers, after those that are read whole. A batch has these
// rows: frozen weights, tables, and what is kept stay. `partitions`: devices that share the
// program.
void tell_arguments(ImportedStep& step, std::span<const GivenArgument> arguments,
                    std::int64_t partitions);

}  // namespace tpulab

// Rows that turns take one by one of an axis before theirs: where they lie in what is made of them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/base/shape.h"

namespace tpulab {

// Those that lie one axis or two behind that of the turns, as behind time in chunks.
struct RowsOfTurn {
  bool written = false;    // its turns are written one behind the other
  std::size_t depth = 0;   // loops that it is in, its own counted
  std::int64_t index = 0;  // of a turn that is written out; -1: of several
  std::int64_t turns = 0;
  std::int64_t rows = 0;
  int behind = 1;
  int axis = 0;  // of the value that holds them

  bool summed() const { return axis < 0; }
  bool alike(const RowsOfTurn& other) const {
    return written == other.written && depth == other.depth && turns == other.turns &&
           rows == other.rows && behind == other.behind;
  }
};
using TakenRows = std::vector<RowsOfTurn>;

// In the place of an axis.
constexpr int summed_rows = -1;
constexpr int laid_apart = -2;  // beside those of other turns: followed no more

// An operation's result.
struct Made {
  Shape shape{};
  // Where `axis` of an operand lies in it, which may be none.
  std::function<int(std::size_t operand, int axis)> axis_of{};
  bool beside = false;  // the operands lie beside each other
  // Where one of an axis lies that has more: beside what other turns of the innermost loop make.
  std::function<bool(std::size_t operand)> apart{};
};

// One of the first axis, with all of the next one.
bool takes_one(const Shape& from, const Shape& part);
int axis_when_reshaped(const Shape& from, int axis, const Shape& to);
// As part of a larger array.
int axis_when_laid(const Shape& from, int axis, const Shape& to);
bool is_one_of_more(const Shape& from, const Shape& to);

}  // namespace tpulab

// What each value of a program is made of, axis by axis: from a result back to the arguments whose
// rows it has.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <set>
#include <vector>

#include "engine/base/shape.h"

namespace tpulab {

enum class RowStep : std::uint8_t {
  keeps,  // moved, or one of the operands element by element
  adds,   // operands, element by element
  flows,  // summed, or another function of elements; what sums all of it sums all of its operands
  cuts,   // a part of the first operand
  lays,   // operands beside each other
  other,  // as products
};

struct ArgumentAxis {
  int argument = 0;
  int axis = 0;
  bool by_turns = false;      // each turn of a loop makes one of it
  bool behind_turns = false;  // a turn takes one of an axis before it

  auto operator<=>(const ArgumentAxis&) const = default;
};
struct RowsBehind {
  std::set<ArgumentAxis> axes{};
  bool along_time = false;  // turns make it of what the one before left, too
};

class RowGraph {
 public:
  static constexpr int none = -1;
  // In the place of an axis: all of them are summed, as to a loss.
  static constexpr int all = -1;

  int add_argument(int number, const Shape& shape);
  // `axis_of`: where an axis of an operand lies in it, negative where in none.
  int add(RowStep step, const Shape& shape, const std::vector<int>& operands,
          const std::function<int(std::size_t operand, int axis)>& axis_of);
  // One of several values.
  int add_joined(const Shape& shape);
  void join(int joined, int with);
  // With what a turn of the innermost loop leaves for the next one.
  void hand_on(int joined, int left);
  // Whether that is what it was given with something added, which nothing else reads.
  bool only_adds(int joined, int left) const;

  void enter_loop(bool of_steps) { loops_.push_back(of_steps ? 0 : ++entered_); }
  void leave_loop() { loops_.pop_back(); }

  // Of an axis of a value, or of `all`.
  RowsBehind behind(int value, int axis) const;
  const Shape& shape(int value) const { return values_[static_cast<std::size_t>(value)].shape; }

 private:
  using Axes = std::array<std::int16_t, Shape::max_rank>;
  struct Origin {
    int value = none;
    Axes axes{};  // where its axes lie
  };
  struct Value {
    RowStep step = RowStep::other;
    Shape shape{};
    std::vector<Origin> origins{};
    int argument = none;
    int loop = 0;  // the innermost that makes it; 0: none, or one of steps
    int readers = 0;
    bool joined = false;
    bool changes = false;  // from turn to turn
  };
  class Search;

  bool adds_to(int joined, int value, int farthest) const;
  int loop() const { return loops_.empty() ? 0 : loops_.back(); }
  bool full() const;

  std::vector<Value> values_;
  std::vector<int> loops_;
  int entered_ = 0;
};

}  // namespace tpulab

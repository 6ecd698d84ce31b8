#include "engine/formats/row_graph.h"

#include <algorithm>
#include <span>
#include <utility>

namespace tpulab {

namespace {

constexpr std::size_t most_followed = 500'000;
constexpr std::int64_t longest_key = 4;  // random; no more than a counter

int first_long_axis(const Shape& shape) {
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (shape[axis] > 1) return axis;
  }
  return 0;
}

}  // namespace

bool RowGraph::full() const { return values_.size() >= most_followed; }

int RowGraph::add_argument(int number, const Shape& shape) {
  values_.push_back({.shape = shape, .argument = number});
  return static_cast<int>(values_.size()) - 1;
}

int RowGraph::add(RowStep step, const Shape& shape, const std::vector<int>& operands,
                  const std::function<int(std::size_t, int)>& axis_of) {
  if (full()) return none;
  Value made{.step = step, .shape = shape, .loop = loop()};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (operands[i] < 0) continue;
    ++values_[static_cast<std::size_t>(operands[i])].readers;
    Origin& origin = made.origins.emplace_back(Origin{.value = operands[i]});
    const int rank = values_[static_cast<std::size_t>(operands[i])].shape.rank();
    for (int axis = 0; axis < rank; ++axis) {
      origin.axes[static_cast<std::size_t>(axis)] = static_cast<std::int16_t>(axis_of(i, axis));
    }
  }
  if (made.origins.empty()) return none;
  values_.push_back(std::move(made));
  return static_cast<int>(values_.size()) - 1;
}

int RowGraph::add_joined(const Shape& shape) {
  if (full()) return none;
  values_.push_back({.shape = shape, .loop = loop(), .joined = true});
  return static_cast<int>(values_.size()) - 1;
}

void RowGraph::join(int joined, int with) {
  if (joined < 0 || with < 0 || joined == with) return;
  values_[static_cast<std::size_t>(joined)].origins.push_back({.value = with});
}

void RowGraph::hand_on(int joined, int left) {
  if (joined < 0 || left < 0 || joined == left) return;
  join(joined, left);
  values_[static_cast<std::size_t>(joined)].changes = true;
}

bool RowGraph::only_adds(int joined, int left) const {
  constexpr int farthest = 8;
  if (joined < 0 || left < 0 || values_[static_cast<std::size_t>(joined)].readers != 1)
    return false;
  const Value& value = values_[static_cast<std::size_t>(left)];
  return value.step == RowStep::adds && !value.joined && adds_to(joined, left, farthest);
}

// By steps of which each is read by the next one alone.
bool RowGraph::adds_to(int joined, int value, int farthest) const {
  if (value == joined) return true;
  const Value& made = values_[static_cast<std::size_t>(value)];
  const bool passes = made.step == RowStep::keeps || made.step == RowStep::adds;
  if (!passes || farthest == 0) return false;
  return std::ranges::any_of(made.origins, [&](const Origin& one) {
    const bool alone = values_[static_cast<std::size_t>(one.value)].readers == 1;
    return alone && adds_to(joined, one.value, farthest - 1);
  });
}

class RowGraph::Search {
 public:
  explicit Search(const RowGraph& graph) : graph_(graph) {}

  RowsBehind run(int value, int axis) && {
    want({.value = value, .axis = axis});
    while (!pending_.empty()) {
      const Asked next = pending_.back();
      pending_.pop_back();
      step_back(next, of(next.value));
    }
    return {.axes = std::move(found_), .along_time = carried_};
  }

 private:
  // Of what a turn makes one of an axis of: the axes that turns of this loop take one by one.
  static constexpr int of_turn = -2;
  struct Asked {
    int value = none;
    int axis = all;
    int loop = 0;
    std::int64_t turns = 0;
    bool by_turns = false;
    bool behind_turns = false;

    auto operator<=>(const Asked&) const = default;
  };

  const Value& of(int value) const { return graph_.values_[static_cast<std::size_t>(value)]; }

  void want(const Asked& one) {
    if (one.value >= 0 && asked_.insert(one).second) pending_.push_back(one);
  }

  void want_from_each(Asked next, const Value& value) {
    for (const Origin& one : value.origins) {
      next.value = one.value;
      want(next);
    }
  }

  void step_back(const Asked& asked, const Value& value) {
    if (value.argument >= 0) {
      if (asked.axis != of_turn) {
        found_.insert(
            {value.argument, std::max(asked.axis, 0), asked.by_turns, asked.behind_turns});
      }
    } else if (asked.axis == of_turn) {
      turn(asked, value);
    } else if (value.joined) {
      want_from_each(asked, value);
    } else if (asked.axis == all) {
      summed(asked, value);
    } else {
      along(asked, value);
    }
  }

  void summed(Asked asked, const Value& value) {
    const bool number = value.shape.elements() == 1 && value.step == RowStep::other;
    if (number || (value.step != RowStep::other && value.step != RowStep::cuts)) {
      for (const Origin& one : value.origins) {
        if (!has_first_axis(one, value)) continue;
        asked.value = one.value;
        want(asked);
      }
      return;
    }
    asked.axis = value.step == RowStep::cuts ? first_long_axis(value.shape) : 0;
    if (asked.axis < value.shape.rank()) along(asked, value);
  }

  // Not so a bias that is repeated for each row.
  bool has_first_axis(const Origin& one, const Value& value) const {
    const Shape& from = of(one.value).shape;
    if (from.elements() >= value.shape.elements() || value.step == RowStep::lays) return true;
    const int first = first_long_axis(value.shape);
    return std::ranges::any_of(std::span(one.axes).first(static_cast<std::size_t>(from.rank())),
                               [&](std::int16_t axis) { return axis == first; });
  }

  void along(Asked asked, const Value& value) {
    const int axis = asked.axis;
    for (const Origin& one : value.origins) {
      const Shape& from = of(one.value).shape;
      asked.value = one.value;
      if (value.step == RowStep::cuts || value.step == RowStep::lays) {
        if (axis >= from.rank()) continue;
        const bool stacks = value.step == RowStep::lays && from[axis] == 1 && value.shape[axis] > 1;
        if (!stacks) {
          asked.behind_turns |= value.step == RowStep::cuts && takes_one(value, from, axis);
          want(asked);
        } else if (value.loop > 0) {
          want({.value = one.value,
                .axis = of_turn,
                .loop = value.loop,
                .turns = value.shape[axis]});
        }
        if (value.step == RowStep::cuts) return;
        continue;
      }
      for (int of = 0; of < from.rank(); ++of) {
        asked.axis = of;
        const int first = one.axes[static_cast<std::size_t>(of)];
        if (first == axis || (asked.behind_turns && lies_in(value.shape, first, axis, from[of]))) {
          want(asked);
        }
      }
    }
  }

  // Of an axis that was divided into several, turns before their rows.
  static bool lies_in(const Shape& divided, int first, int axis, std::int64_t whole) {
    std::int64_t parts = 1;
    for (int i = first; i >= 0 && i <= axis; ++i) {
      if (__builtin_mul_overflow(parts, divided[i], &parts) || parts == 0) return false;
    }
    return first >= 0 && first < axis && divided[first] < whole && whole % parts == 0;
  }

  static bool takes_one(const Value& part, const Shape& from, int before) {
    for (int axis = 0; axis < before; ++axis) {
      if (part.loop > 0 && from[axis] > 1 && part.shape[axis] == 1) return true;
    }
    return false;
  }

  void turn(const Asked& asked, const Value& value) {
    if (value.changes && value.loop == asked.loop) {
      carried_ |= value.shape.elements() > longest_key;
      return;
    }
    if (value.step != RowStep::cuts || value.origins.empty()) return want_from_each(asked, value);
    const int whole = value.origins[0].value;
    const Shape& from = of(whole).shape;
    for (int axis = 0; axis < std::min(from.rank(), value.shape.rank()); ++axis) {
      if (from[axis] != asked.turns || value.shape[axis] != 1) continue;
      return want({.value = whole, .axis = axis, .by_turns = true});
    }
    Asked next = asked;
    next.value = whole;
    want(next);
  }

  const RowGraph& graph_;
  std::set<Asked> asked_;
  std::vector<Asked> pending_;
  std::set<ArgumentAxis> found_;
  bool carried_ = false;
};

RowsBehind RowGraph::behind(int value, int axis) const { return Search(*this).run(value, axis); }

}  // namespace tpulab

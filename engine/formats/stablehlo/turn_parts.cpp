#include "engine/formats/stablehlo/turn_parts.h"

#include <algorithm>
#include <array>

#include "engine/formats/stablehlo/divided_program.h"
#include "engine/formats/stablehlo/lower.h"
#include "engine/formats/stablehlo/scopes.h"

namespace tpulab::stablehlo {

namespace {

constexpr std::int64_t most_visits = 1'000'000;
// So that products of damaged texts stay in 63 bits.
constexpr std::int64_t widest_map = 1 << 12;
constexpr std::int64_t largest_part = std::int64_t{1} << 40;

// What a value is of an argument.
struct Trail {
  int argument = -1;
  TurnPart taken{};
  bool one = false;  // the first axis holds the one of it that was taken
  bool shuffled = false;
  std::int64_t devices = 1;  // that a shard_map divides it among

  bool some() const { return argument >= 0; }
};
using Trails = std::vector<Trail>;

// The deepest in loops of steps: what shuffles a data set before them is none of a turn.
struct Reads {
  int depth = -1;
  bool whole = false;
  TurnPart part{};
};

template <std::size_t Count>
bool among(const std::array<std::string_view, Count>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

// Of what is taken too.
bool moves(const Operation& operation) {
  constexpr std::array<std::string_view, 6> names{"reshape", "transpose", "slice",
                                                  "convert", "reverse",   "custom_call"};
  return among(names, without_dialect(operation.name)) || operation.name.starts_with("sdy.");
}

bool changes_elements(std::string_view name) {
  constexpr std::array<std::string_view, 3> names{"concatenate", "pad", "broadcast_in_dim"};
  return among(names, name) || elementwise_lowering(name) != nullptr;
}

bool typed(const Operation& operation) {
  return !operation.operand_types.empty() && operation.operand_types[0].shape.rank() > 0 &&
         !operation.result_types.empty();
}

// Some of the first axis, `trail` told how many; a shuffle takes all of them.
bool takes_rows(const Operation& gather, Trail& trail) {
  if (!typed(gather) || gather.operand_types.size() < 2) return false;
  Graph none;
  const IndexAxes axes = index_axes({.operation = gather, .graph = none}, true);
  const auto holds = [](const Axes& list, int axis) {
    return std::ranges::find(list, axis) != list.end();
  };
  const Shape& made = gather.result_types[0].shape;
  std::int64_t taken = 1;
  trail.taken.rows = 0;
  for (int axis = 0; axis < made.rank(); ++axis) {
    if (holds(axes.windows, axis)) continue;
    if (trail.taken.rows == 0) trail.taken.rows = made[axis];
    taken *= made[axis];
  }
  // By one number: what lies there is the batch.
  if (trail.taken.rows == 0) trail.taken.rows = made.rank() > 0 ? made[0] : 1;
  const bool whole_axis = axes.sizes.empty() || axes.sizes[0] == gather.operand_types[0].shape[0];
  return holds(axes.map, 0) && !whole_axis && taken != gather.operand_types[0].shape[0];
}

class PartReader {
 public:
  PartReader(const Module& module, const std::set<int>& loops, std::size_t arguments)
      : module_(module), loops_(loops), reads_(arguments) {}

  std::vector<TurnPart> run(const Function& entry, const std::vector<bool>& asked) && {
    Trails arguments(entry.body.arguments.size());
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (asked[i]) arguments[i].argument = static_cast<int>(i);
    }
    Scopes<Trail> scopes(module_);
    walk(entry.body, arguments, scopes);
    int deepest = 0;
    for (const Reads& one : reads_) deepest = std::max(deepest, one.depth);
    std::vector<TurnPart> parts;
    for (const Reads& one : reads_) {
      parts.push_back(one.whole || left_ < 0 ? TurnPart{} : one.part);
      parts.back().outside = one.depth < deepest && deepest > 0 && left_ >= 0;
      parts.back().of = entry.body.arguments[parts.size() - 1].type.shape;
    }
    return parts;
  }

 private:
  Trails walk(const Region& region, Trails arguments, Scopes<Trail>& scopes) {
    arguments.resize(region.arguments.size());
    return scopes.run(region, arguments, [this](const Operation& operation, Scopes<Trail>& all) {
      std::size_t count = 0;
      for (const Definition& one : operation.results) {
        count += static_cast<std::size_t>(std::max(one.count, 0));
      }
      Trails results = --left_ < 0 ? Trails() : step(operation, all.operands(operation), all);
      results.resize(count);
      return results;
    });
  }

  Trails step(const Operation& operation, const Trails& operands, Scopes<Trail>& scopes) {
    const std::string_view name = without_dialect(operation.name);
    if (is_loop(operation)) return loop(operation, operands, scopes);
    if (is_branches(operation)) return branches(operation, scopes);
    if (operation.name == "sdy.manual_computation") return inside(operation, operands, scopes);
    const auto some = std::ranges::find_if(operands, &Trail::some);
    if (some == operands.end()) return {};
    const Function* const function =
        name == "custom_call" ? nullptr : module_.find(callee_of(operation));
    if (function != nullptr) return call(*function, operands);
    if (name == "gather" && operands[0].some()) return gathered(operation, operands);
    if (in_other_loops_ > 0) return worked_on(operands);
    if (name == "optimization_barrier") return operands;
    if (name == "sort" && !some->taken.part) return shuffled(operands);
    if (name == "dynamic_slice" && operands[0].some()) return sliced(operation, operands[0]);
    if (moves(operation)) return {moved(operation, *some)};
    if (!changes_elements(name) || some->taken.part) return worked_on(operands);
    for (const Trail& one : operands) {
      if (one.argument != some->argument) read(one);
    }
    return {*some};
  }

  static Trails shuffled(Trails all) {
    for (Trail& one : all) one.shuffled = true;
    return all;
  }

  Trails worked_on(const Trails& operands) {
    for (const Trail& one : operands) read(one);
    return {};
  }

  void read(const Trail& trail) {
    if (!trail.some()) return;
    Reads& reads = reads_[static_cast<std::size_t>(trail.argument)];
    if (depth_ < reads.depth) return;
    if (depth_ > reads.depth) reads = {.depth = depth_};
    TurnPart part = trail.taken;
    reads.whole |= !part.part;
    part.rows = std::min(part.rows, largest_part) * trail.devices;
    part.elements = std::min(part.elements, largest_part) * trail.devices;
    if (part.elements > reads.part.elements) reads.part = part;
  }

  Trails loop(const Operation& operation, const Trails& operands, Scopes<Trail>& scopes) {
    int& depth = loops_.contains(operation.line) ? depth_ : in_other_loops_;
    ++depth;
    Trails left = walk(operation.regions[1], operands, scopes);
    --depth;
    return left;
  }

  Trails branches(const Operation& operation, Scopes<Trail>& scopes) {
    Trails left;
    for (const Region& one : operation.regions) left = walk(one, {}, scopes);
    return left;
  }

  Trails inside(const Operation& shard_map, Trails operands, Scopes<Trail>& scopes) {
    if (shard_map.regions.empty()) return {};
    const auto& parts = shard_map.regions[0].arguments;
    const auto& wholes = shard_map.operand_types;
    for (std::size_t i = 0; i < std::min({operands.size(), parts.size(), wholes.size()}); ++i) {
      divide(operands[i], wholes[i], parts[i].type);
    }
    return walk(shard_map.regions[0], operands, scopes);
  }

  static void divide(Trail& trail, const TensorType& whole, const TensorType& part) {
    const std::int64_t outside = std::max<std::int64_t>(whole.shape.elements(), 1);
    const std::int64_t inside = std::max<std::int64_t>(part.shape.elements(), 1);
    const std::int64_t into = std::clamp<std::int64_t>(outside / inside, 1, widest_map);
    const std::int64_t out_of = std::max<std::int64_t>(inside / outside, 1);
    trail.devices = std::clamp<std::int64_t>(trail.devices * into / out_of, 1, widest_map);
  }

  Trails call(const Function& function, const Trails& operands) {
    if (depth_of_calls_ == deepest_calls) return worked_on(operands);
    ++depth_of_calls_;
    Scopes<Trail> scopes(module_);
    Trails left = walk(function.body, operands, scopes);
    --depth_of_calls_;
    return left;
  }

  // A table is asked for as many rows as there are indices: their argument tells these.
  Trails gathered(const Operation& gather, const Trails& operands) {
    worked_on({operands.begin() + 1, operands.end()});
    Trail trail = operands[0];
    if (!takes_rows(gather, trail)) {
      if (in_other_loops_ == 0) return shuffled({operands[0]});
      return worked_on({operands[0]});
    }
    trail.one = false;
    trail.taken.part = true;
    trail.taken.turns = 0;
    trail.taken.elements = gather.result_types[0].shape.elements();
    const bool asked_for = operands.size() > 1 && operands[1].some();
    if (asked_for || in_other_loops_ > 0) trail.taken.rows = 0;
    if (in_other_loops_ == 0) return {trail};
    return worked_on({trail});
  }

  static Trails sliced(const Operation& slice, Trail trail) {
    if (!typed(slice) || slice.result_types[0].shape.rank() == 0) return {trail};
    const Shape& part = slice.result_types[0].shape;
    if (part[0] >= slice.operand_types[0].shape[0]) return {trail};
    trail.one = part[0] == 1;
    trail.taken = {.part = true, .rows = part[0], .elements = part.elements()};
    if (trail.one && !trail.shuffled) trail.taken.turns = slice.operand_types[0].shape[0];
    return {trail};
  }

  static Trail moved(const Operation& operation, Trail trail) {
    if (!typed(operation)) return trail;
    const Shape& made = operation.result_types[0].shape;
    if (without_dialect(operation.name) == "custom_call") {
      divide(trail, operation.operand_types[0], operation.result_types[0]);
    }
    if (trail.one && made.rank() < operation.operand_types[0].shape.rank()) {
      trail.one = false;
      trail.taken.rows = made.rank() > 0 ? made[0] : 1;
    }
    return trail;
  }

  const Module& module_;
  const std::set<int>& loops_;
  std::vector<Reads> reads_;
  int depth_ = 0;           // of loops of steps
  int in_other_loops_ = 0;  // depth, as below
  int depth_of_calls_ = 0;
  std::int64_t left_ = most_visits;
};

}  // namespace

std::vector<TurnPart> parts_of_turns(const Module& module, const Function& entry,
                                     const std::vector<bool>& asked,
                                     const std::set<int>& loops_of_steps) {
  return PartReader(module, loops_of_steps, asked.size()).run(entry, asked);
}

}  // namespace tpulab::stablehlo

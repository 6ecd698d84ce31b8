#include "engine/formats/stablehlo/turn_parts.h"

#include <algorithm>
#include <array>
#include <optional>

#include "engine/formats/part_trails.h"
#include "engine/formats/stablehlo/divided_program.h"
#include "engine/formats/stablehlo/lower.h"
#include "engine/formats/stablehlo/scopes.h"

namespace tpulab::stablehlo {

namespace {

constexpr std::int64_t most_visits = 1'000'000;  // of operations and their values
constexpr std::int64_t widest_map = 1 << 12;     // devices

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

// Of the first axis; nothing where all of it is taken, as a shuffle does.
std::optional<std::int64_t> rows_taken(const Operation& gather) {
  if (!typed(gather) || gather.operand_types.size() < 2) return std::nullopt;
  Graph none;
  return rows_gathered(index_axes({.operation = gather, .graph = none}, true),
                       gather.operand_types[0].shape, gather.result_types[0].shape);
}

// Without chance: a generator draws others each time.
bool repeats_itself(const Operation& operation) {
  const std::string_view name = without_dialect(operation.name);
  if (name == "constant" || name == "iota") return true;
  return name != "custom_call" && (moves(operation) || changes_elements(name));
}

class PartReader {
 public:
  PartReader(const Module& module, const PartsAsked& which)
      : module_(module), which_(which), reads_(which) {}

  std::vector<TurnPart> run(const Function& entry) && {
    const std::vector<bool>& asked = which_.asked;
    Trails arguments(entry.body.arguments.size());
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (asked[i]) arguments[i].argument = static_cast<int>(i);
      if (which_.by_devices) arguments[i].of_one_device();
    }
    Scopes<Trail> scopes(module_);
    walk(entry.body, arguments, scopes);
    std::vector<TurnPart> parts = left_ < 0 ? std::vector<TurnPart>(asked.size()) : reads_.parts();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Shape& shape = entry.body.arguments[i].type.shape;
      parts[i].extent = shape.rank() > 0 ? shape[0] : 1;
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
      left_ -= 1 + static_cast<std::int64_t>(count + operation.operands.size());
      if (left_ < 0) return Trails(count);
      const Trails operands = all.operands(operation);
      Trails results = step(operation, operands, all);
      results.resize(count);
      if (!is_followed(operation)) {
        const WrittenTurn written = written_turn(operation, operands);
        for (Trail& one : results) one.written = written;
      }
      return results;
    });
  }

  // What is inside of it.
  bool is_followed(const Operation& operation) const {
    return is_loop(operation) || is_branches(operation) || function_of(operation) != nullptr ||
           operation.name == "sdy.manual_computation";
  }

  WrittenTurn written_turn(const Operation& operation, const Trails& operands) {
    const std::vector<TensorType>& types = operation.operand_types;
    if (!typed(operation) || operands.empty()) return {};
    const bool slice = without_dialect(operation.name) == "slice";
    if (slice && operands[0].is_of_turn(types[0].shape, operation.result_types[0].shape)) {
      Graph none;
      const Ranges ranges = ranges_of({.operation = operation, .graph = none});
      return {types[0].shape[0], types[0].shape[1], ranges.first.empty() ? 0 : ranges.first[0]};
    }
    // The last type is that of all that follow.
    return reads_.together(operands, [&](std::size_t operand) -> const Shape& {
      return types[std::min(operand, types.size() - 1)].shape;
    });
  }

  const Function* function_of(const Operation& operation) const {
    const bool calls = without_dialect(operation.name) != "custom_call";
    return calls ? module_.find(callee_of(operation)) : nullptr;
  }

  Trails step(const Operation& operation, const Trails& operands, Scopes<Trail>& scopes) {
    const std::string_view name = without_dialect(operation.name);
    if (is_loop(operation)) return loop(operation, operands, scopes);
    if (is_branches(operation)) return branches(operation, scopes);
    if (operation.name == "sdy.manual_computation") return inside(operation, operands, scopes);
    const Function* const function = function_of(operation);
    if (function != nullptr) return call(*function, operands);
    if (name == "dynamic_slice" && typed(operation)) {
      reads_.kinds().note_part(operation.operand_types[0].shape, operation.result_types[0].shape);
    }
    const auto some = std::ranges::find_if(operands, &Trail::some);
    if (some == operands.end() && !std::ranges::all_of(operands, &Trail::constant)) return {};
    if (some == operands.end()) return {Trail{.constant = repeats_itself(operation)}};
    if (name == "gather" && operands[0].some()) return gathered(operation, operands);
    if (reads_.in_another_loop()) return in_a_turn(operation, operands);
    if (name == "optimization_barrier") return operands;
    if (name == "sort" && !some->taken.part) return shuffled(operands);
    if (name == "dynamic_slice" && operands[0].some()) {
      return {typed(operation) ? operands[0].sliced(operation.operand_types[0].shape,
                                                    operation.result_types[0].shape)
                               : operands[0]};
    }
    if (moves(operation)) return {moved(operation, *some)};
    if (!changes_elements(name) || some->taken.part) return reads_.worked_on(operands);
    for (const Trail& one : operands) {
      if (one.argument != some->argument) reads_.read(one);
    }
    Trail next = *some;
    next.as_given &= typed(operation) && same_but_for_ones(operation.operand_types[0].shape,
                                                           operation.result_types[0].shape);
    return {next};
  }

  Trails loop(const Operation& operation, Trails operands, Scopes<Trail>& scopes) {
    for (std::size_t i = 0; i < operands.size(); ++i) {
      operands[i].constant &= hands_on(operation.regions[1], i);
    }
    const Region& body = operation.regions[1];
    const bool of_steps = which_.loops_of_steps.contains(operation.line);
    LoopTurns turns{.of_steps = of_steps};
    for (std::size_t i = 0; i < body.arguments.size(); ++i) {
      (hands_on(body, i) ? turns.kept : turns.changed).push_back(body.arguments[i].type.shape);
    }
    reads_.enter_loop(std::move(turns));
    Trails left = walk(body, operands, scopes);
    reads_.leave_loop(of_steps);
    return left;
  }

  Trails in_a_turn(const Operation& operation, Trails operands) {
    const bool part = without_dialect(operation.name) == "dynamic_slice" && typed(operation);
    if (!part) return reads_.worked_on(operands);
    reads_.read_part(operands[0], operation.operand_types[0].shape,
                     operation.result_types[0].shape);
    operands[0] = {};
    return reads_.worked_on(operands);
  }

  Trails branches(const Operation& operation, Scopes<Trail>& scopes) {
    Trails left;
    for (const Region& one : operation.regions) left = walk(one, {}, scopes);
    for (Trail& one : left) one.constant = false;  // which one runs may change
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
    if (depth_of_calls_ == deepest_calls) return reads_.worked_on(operands);
    ++depth_of_calls_;
    Scopes<Trail> scopes(module_);
    Trails left = walk(function.body, operands, scopes);
    --depth_of_calls_;
    return left;
  }

  Trails gathered(const Operation& gather, const Trails& operands) {
    const auto rows = rows_taken(gather);
    return reads_.gathered(operands, rows, rows ? gather.result_types[0].shape.elements() : 0);
  }

  static Trail moved(const Operation& operation, Trail trail) {
    if (!typed(operation)) return trail;
    if (without_dialect(operation.name) == "custom_call") {
      divide(trail, operation.operand_types[0], operation.result_types[0]);
      return trail;
    }
    return trail.moved(operation.operand_types[0].shape, operation.result_types[0].shape);
  }

  const Module& module_;
  const PartsAsked& which_;
  TurnReads reads_;
  int depth_of_calls_ = 0;
  std::int64_t left_ = most_visits;
};

}  // namespace

std::vector<TurnPart> parts_of_turns(const Module& module, const Function& entry,
                                     const PartsAsked& which) {
  return PartReader(module, which).run(entry);
}

}  // namespace tpulab::stablehlo

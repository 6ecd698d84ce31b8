#include "engine/formats/stablehlo/turn_parts.h"

#include <algorithm>
#include <array>
#include <optional>

#include "engine/base/error.h"
#include "engine/formats/among.h"
#include "engine/formats/part_trails.h"
#include "engine/formats/stablehlo/divided_program.h"
#include "engine/formats/stablehlo/division_rules.h"
#include "engine/formats/stablehlo/lower.h"
#include "engine/formats/stablehlo/names_read.h"
#include "engine/formats/stablehlo/scopes.h"

namespace tpulab::stablehlo {

namespace {

constexpr std::int64_t most_visits = 1'000'000;  // of operations and their values
constexpr std::int64_t widest_map = 1 << 12;     // devices

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
      : module_(module), which_(which), reads_(which), names_read_(module) {}

  std::vector<TurnPart> run(const Function& entry) && {
    const std::vector<bool>& asked = which_.asked;
    Trails arguments(entry.body.arguments.size());
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (asked[i]) arguments[i].argument = static_cast<int>(i);
      if (which_.by_devices) arguments[i].of_one_device();
      const Shape& shape = entry.body.arguments[i].type.shape;
      arguments[i].value = reads_.graph().add_argument(static_cast<int>(i), shape);
    }
    Scopes<Trail> scopes(module_);
    const Trails returned = walk(entry.body, arguments, scopes);
    std::vector<TurnPart> parts =
        left_ < 0 ? std::vector<TurnPart>(asked.size()) : reads_.parts(returned);
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
      if (!is_followed(operation)) note_rows(operation, operands, results);
      return results;
    });
  }

  // What is inside of it.
  bool is_followed(const Operation& operation) const {
    return is_loop(operation) || is_branches(operation) || function_of(operation) != nullptr ||
           operation.name == "sdy.manual_computation";
  }

  void note_rows(const Operation& operation, const Trails& operands, Trails& results) {
    const std::string_view name = without_dialect(operation.name);
    for (std::size_t i = 0; i < results.size(); ++i) {
      const bool passed = name == "optimization_barrier" && i < operands.size();
      results[i].rows = passed ? operands[i].rows : TakenRows();
      results[i].value = passed ? operands[i].value : RowGraph::none;
    }
    if (name == "optimization_barrier" || operation.operand_types.empty() || operands.empty()) {
      return;
    }
    try {
      follow_rows(operation, operands, results);
      if ((name == "slice" || name == "dynamic_slice") && results.size() == 1) {
        results[0].rows = sliced(operation, operands[0].rows);
      }
    } catch (const Error&) {
      // Whoever lowers a malformed one refuses it.
    }
  }

  // The last type is that of all that follow.
  static std::vector<Shape> shapes_of(const std::vector<TensorType>& types, std::size_t count) {
    std::vector<Shape> shapes(count);
    for (std::size_t i = 0; i < count && !types.empty(); ++i) {
      shapes[i] = types[std::min(i, types.size() - 1)].shape;
    }
    return shapes;
  }

  TakenRows sliced(const Operation& slice, const TakenRows& rows) const {
    std::optional<std::int64_t> index;
    if (without_dialect(slice.name) == "slice") {
      Graph none;
      const Ranges ranges = ranges_of({.operation = slice, .graph = none});
      index = ranges.first.empty() ? 0 : ranges.first[0];
    }
    return reads_.kinds().sliced(rows, shapes_of(slice.operand_types, 1)[0],
                                 shapes_of(slice.result_types, 1)[0], index);
  }

  void follow_rows(const Operation& operation, const Trails& operands, Trails& results) {
    constexpr std::array<std::string_view, 2> lays{"pad", "dynamic_update_slice"};
    const bool joins = without_dialect(operation.name) == "concatenate";
    const bool beside = joins || among(lays, without_dialect(operation.name));
    const bool reshapes = without_dialect(operation.name) == "reshape";
    const std::vector<Shape> from = shapes_of(operation.operand_types, operands.size());
    const std::vector<Shape> made = shapes_of(operation.result_types, results.size());
    const DivisionRule rule = division_rule(operation, from, made);
    std::vector<int> values;
    for (const Trail& one : operands) values.push_back(one.value);
    for (std::size_t i = 0; i < results.size(); ++i) {
      const auto axis_of = [&](std::size_t operand, int axis) {
        if (beside) return axis_when_laid(from[operand], axis, made[i]);
        if (axis < 0 || axis >= from[operand].rank()) return summed_rows;
        return reshapes ? axis_when_reshaped(from[operand], axis, made[i])
                        : axis_of_factor(rule, operand, axis, i);
      };
      const auto apart = [&](std::size_t operand) {
        return !joins && beside && is_one_of_more(from[operand], made[i]);
      };
      results[i].rows = reads_.together(operands, {made[i], axis_of, beside, apart});
      results[i].value = reads_.graph().add(row_step(operation), made[i], values, axis_of);
    }
  }

  static RowStep row_step(const Operation& operation) {
    const std::string_view name = without_dialect(operation.name);
    if (name == "slice" || name == "dynamic_slice") return RowStep::cuts;
    if (name == "concatenate" || name == "pad" || name == "dynamic_update_slice") {
      return RowStep::lays;
    }
    if (name == "add") return RowStep::adds;
    if (name == "select" || moves(operation)) return RowStep::keeps;
    const bool flows = changes_elements(name) || name == "reduce";
    return flows ? RowStep::flows : RowStep::other;
  }

  static int axis_of_factor(const DivisionRule& rule, std::size_t operand, int axis,
                            std::size_t result) {
    const int factor = rule.factor(operand, axis);
    const std::vector<int>& axes = rule.factors[rule.operands + result];
    const auto found = factor < 0 ? axes.end() : std::ranges::find(axes, factor);
    return found == axes.end() ? summed_rows : static_cast<int>(found - axes.begin());
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
    LoopTurns turns{.of_steps = which_.loops_of_steps.contains(operation.line)};
    std::vector<Shape> shapes;
    for (std::size_t i = 0; i < body.arguments.size(); ++i) {
      shapes.push_back(body.arguments[i].type.shape);
      (hands_on(body, i) ? turns.kept : turns.changed).push_back(shapes.back());
    }
    reads_.enter_loop(std::move(turns), operands, shapes);
    Trails left = walk(body, operands, scopes);
    // A turn that does not read what another one left goes on with none of it.
    const std::set<std::string_view> names = names_read_.in(body);
    for (std::size_t i = 0; i < std::min(left.size(), shapes.size()); ++i) {
      if (!names.contains(body.arguments[i].name)) left[i].rows.clear();
    }
    reads_.leave_loop(left, shapes);
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
    std::vector<Trails> left;
    left.reserve(operation.regions.size());
    for (const Region& one : operation.regions) left.push_back(walk(one, {}, scopes));
    return reads_.joined(left);
  }

  Trails inside(const Operation& shard_map, Trails operands, Scopes<Trail>& scopes) {
    if (shard_map.regions.empty()) return {};
    const auto& parts = shard_map.regions[0].arguments;
    const auto& wholes = shard_map.operand_types;
    for (std::size_t i = 0; i < std::min({operands.size(), parts.size(), wholes.size()}); ++i) {
      reads_.note_divided(operands[i], parts[i].type.shape);
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
  NamesRead names_read_;
  int depth_of_calls_ = 0;
  std::int64_t left_ = most_visits;
};

}  // namespace

std::vector<TurnPart> parts_of_turns(const Module& module, const Function& entry,
                                     const PartsAsked& which) {
  return PartReader(module, which).run(entry);
}

}  // namespace tpulab::stablehlo

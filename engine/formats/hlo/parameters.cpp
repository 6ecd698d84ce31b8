#include "engine/formats/hlo/parameters.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "engine/formats/given_arguments.h"
#include "engine/formats/hlo/result_origins.h"
#include "engine/formats/hlo/trip_count.h"
#include "engine/formats/hlo/turn_parts.h"
#include "engine/formats/step_arguments.h"
#include "engine/formats/told_rows.h"

namespace tpulab::hlo {

namespace {

// Axes beyond those of a Shape are one.
Type logical(const ArrayType& array) {
  std::vector<std::int64_t> extents = array.extents;
  while (extents.size() > Shape::max_rank) {
    const std::int64_t last = extents.back();
    extents.pop_back();
    extents.back() *= last;
  }
  return {Shape(std::span<const std::int64_t>(extents)), array.dtype, Placement::shared};
}

std::vector<Type> logical(const std::vector<ArrayType>& arrays) {
  std::vector<Type> types;
  types.reserve(arrays.size());
  for (const ArrayType& one : arrays) types.push_back(logical(one));
  return types;
}

struct Parameter {
  std::vector<ArrayType> arrays{};  // of one device
  std::string_view sharding{};
};

// By their numbers.
std::map<std::int64_t, Parameter> parameters_of(const Computation& entry) {
  std::map<std::int64_t, Parameter> parameters;
  for (const Instruction& one : entry.instructions) {
    if (one.opcode != "parameter" || one.operands.empty()) continue;
    const std::int64_t number = first_number(one.operands[0], -1);
    parameters.emplace(number, Parameter{one.type.arrays, one.find("sharding")});
  }
  return parameters;
}

// Devices that have the same of an axis: "{devices=[4,1,2]<=[8] last_tile_dim_replicate}" divides
// the first one among four of eight. Unsaid, and of a tuple: each has its own.
std::int64_t copies_of(std::string_view sharding, std::size_t axis, std::int64_t devices) {
  if (sharding.empty() || sharding.starts_with("{{")) return 1;
  const std::size_t said = sharding.find("devices=");
  if (said == std::string_view::npos) return devices;
  const std::string_view rest = sharding.substr(said);
  const std::vector<std::int64_t> tiles = numbers_in(rest.substr(0, rest.find(']')));
  return axis < tiles.size() && tiles[axis] > 0 ? std::max<std::int64_t>(devices / tiles[axis], 1)
                                                : devices;
}

std::int64_t copies_of_rows(std::string_view sharding, const GivenArgument& given, bool by_devices,
                            std::int64_t devices) {
  const auto copies = [&](int axis) {
    return copies_of(sharding, static_cast<std::size_t>(axis), devices);
  };
  const std::int64_t rows = copies(by_devices ? 0 : given.axis_of_rows());
  return given.microbatches < 0 ? rows : copies_of_both(rows, copies(given.microbatches), devices);
}

// Words of JAX's generators, for several of these.
bool are_keys(const ArrayType& array) {
  const std::int64_t words = array.extents.empty() ? 0 : array.extents.back();
  return array.of_words && (words == 2 || words == 4);
}

// XLA gives a donor's memory to whatever is as large: only one of its type is its successor.
int named_result(const Module& module, std::int64_t parameter, const Type& type,
                 const std::vector<Type>& results) {
  for (const Alias& alias : aliases_of(module)) {
    if (alias.parameter != parameter || alias.result >= results.size()) continue;
    if (results[alias.result] == type) return static_cast<int>(alias.result);
  }
  return -1;
}

Update update_of(const Module& module, const Computation& entry, int result) {
  const ResultOrigin origin = origin_of(module, entry, static_cast<std::size_t>(result));
  return {.updated = origin.updated, .loops = origin.loops};
}

// Loops inside of each other multiply.
std::int64_t steps_of(const Module& module, const Computation& in, const std::set<int>& loops,
                      int depth = 0) {
  constexpr int deepest = 64;
  std::int64_t steps = 0;
  for (const Instruction& one : in.instructions) {
    if (one.opcode != "while" || !loops.contains(one.line) || depth == deepest) continue;
    const Computation& body = module.computation(one.called("body"), one);
    const std::int64_t turns =
        std::min(trips_of(module, in, one).value_or(Trips{1}).most, most_steps);
    steps += turns * std::max<std::int64_t>(steps_of(module, body, loops, depth + 1), 1);
    steps = std::min(steps, most_steps);
  }
  return steps;
}

std::vector<TurnPart> parts_read(const Module& module, const Computation& entry,
                                 const std::vector<Type>& types, const std::vector<Type>& results,
                                 const StepArguments& step, bool by_devices) {
  std::vector<bool> asked;
  for (std::size_t i = 0; i < types.size(); ++i) {
    asked.push_back(step.successors[i] < 0 && may_be_batch(types[i]));
  }
  return parts_of_turns(
      module, entry,
      {.asked = asked,
       .types = types,
       .by_devices = by_devices,
       .loops_of_steps = step.loops_of_steps,
       .weights = step.trains ? WeightShapes::of_step(types, step.successors)
                              : WeightShapes::of_call(types, results),
       .trains = step.trains,
       .results = by_devices ? std::vector<int>() : results_with_rows(step, types, results)});
}

}  // namespace

std::int64_t said(const Module& module, std::string_view key) {
  return std::max<std::int64_t>(first_number(attribute(module.header, key), 1), 1);
}

void tell_parameters(const Module& module, const Computation& entry, ImportedStep& step) {
  std::vector<Type> results;
  if (entry.root() != nullptr) results = logical(entry.root()->type.arrays);
  std::vector<Type> types;
  std::vector<std::string_view> shardings;
  std::vector<bool> on_host;
  std::vector<bool> keys;
  std::vector<int> named;
  for (const auto& [number, parameter] : parameters_of(entry)) {
    const auto& [arrays, sharding] = parameter;
    for (const ArrayType& one : arrays) {
      types.push_back(logical(one));
      on_host.push_back(one.on_host());
      keys.push_back(are_keys(one));
    }
    shardings.resize(types.size(), sharding);
    named.resize(types.size(), -1);
    if (arrays.size() == 1) named.back() = named_result(module, number, types.back(), results);
  }
  const std::int64_t devices = device_count(said(module, "num_partitions"), 1);
  const bool by_devices = devices > 1 && are_by_devices(types, results, 1);
  if (by_devices) {
    take_away_first_axes(types);
    take_away_first_axes(results);
  }
  const StepArguments found = step_arguments(
      module.file, types, results, std::move(named),
      {.update = [&](int, int result) { return update_of(module, entry, result); },
       .one_by_one =
           [&](int result) {
             return origin_of(module, entry, static_cast<std::size_t>(result)).one_by_one;
           }});
  step.steps = std::max<std::int64_t>(steps_of(module, entry, found.loops_of_steps), 1);
  const std::vector<TurnPart> parts = parts_read(module, entry, types, results, found, by_devices);
  std::vector<GivenArgument> given;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const bool each = counts_steps(types[i].shape, step.steps);
    const TurnPart& part = parts[i];
    given.push_back({.type = types[i],
                     .comes_back = found.successors[i] >= 0,
                     .each_step = each,
                     .microbatches = part.microbatches,
                     .microbatch_axes = part.microbatch_axes,
                     .rows_axis = part.rows_axis,
                     .told = part.told_axis >= 0,
                     .on_host = on_host[i]});
    given.back().copies = copies_of_rows(shardings[i], given.back(), by_devices, devices);
    if (by_devices) continue;
    // Which devices take the same part of what they all have, is not said.
    const std::int64_t copies = copies_of(shardings[i], 0, devices);
    tell_part(given.back(), part, step.steps, copies == devices ? 1 : copies);
    given.back().aside |= keys[i];
  }
  step.trains = found.trains;
  tell_arguments(step, given, devices);
}

}  // namespace tpulab::hlo

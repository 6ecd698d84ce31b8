#include "engine/formats/stablehlo/argument_updates.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "engine/formats/stablehlo/divided_program.h"
#include "engine/formats/stablehlo/lower.h"
#include "engine/formats/stablehlo/scopes.h"

namespace tpulab::stablehlo {

namespace {

constexpr int most_looks = 1'000'000;

template <std::size_t count>
bool is_among(const std::array<std::string_view, count>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// Scatters that add do too.
bool computes(const Operation& operation) {
  const std::string_view name = without_dialect(operation.name);
  return is_arithmetic(name == "scatter" ? folding_function(operation) : name);
}

// Each element of what it makes is one of an operand's, or made of one.
bool keeps_elements(const Operation& operation) {
  constexpr std::array<std::string_view, 10> moves{
      "reshape", "transpose",   "slice",         "broadcast_in_dim", "concatenate",
      "pad",     "custom_call", "dynamic_slice", "scatter",          "dynamic_update_slice"};
  const std::string_view name = without_dialect(operation.name);
  const bool dialect = operation.name.starts_with("sdy.");
  return dialect || is_among(moves, name) || elementwise_lowering(name) != nullptr;
}

// Joins them, or writes one into others.
bool takes_numbers(const Operation& operation) {
  const std::string_view name = without_dialect(operation.name);
  const auto& types = operation.operand_types;
  const auto single = [](const TensorType& type) { return type.shape.elements() == 1; };
  if (types.size() < 2) return false;
  if (name == "concatenate") return std::ranges::all_of(types, single);
  return name == "dynamic_update_slice" && single(types[1]);
}

const Operation* return_of(const Region& region) {
  const bool some = !region.operations.empty() && is_return(region.operations.back().name);
  return some ? &region.operations.back() : nullptr;
}

}  // namespace

void ArgumentUpdates::Way::add(const Way& other) {
  as_it_was |= other.as_it_was;
  updated |= other.updated;
  loops.insert(other.loops.begin(), other.loops.end());
}

ArgumentUpdates::Way ArgumentUpdates::Way::then(const Way& next) const {
  Way both{.as_it_was = as_it_was && next.as_it_was,
           .updated = (updated && next.as_it_was) || next.updated,
           .loops = loops};
  both.loops.insert(next.loops.begin(), next.loops.end());
  return both;
}

ArgumentUpdates::Way ArgumentUpdates::Way::behind_arithmetic() const {
  return {.as_it_was = false, .updated = true, .loops = loops};
}

const std::map<std::string_view, ArgumentUpdates::Place>& ArgumentUpdates::names(
    const Region& region) {
  const auto [known, fresh] = names_.try_emplace(&region);
  if (!fresh) return known->second;
  for (std::size_t i = 0; i < region.arguments.size(); ++i) {
    known->second[region.arguments[i].name] = {-1, static_cast<int>(i)};
  }
  for (std::size_t i = 0; i < region.operations.size(); ++i) {
    int first = 0;
    for (const Definition& result : region.operations[i].results) {
      known->second[result.name] = {static_cast<int>(i), first};
      first += result.count;
    }
  }
  return known->second;
}

void ArgumentUpdates::want(const Region& region, Use use, const Way& way, Pending& pending,
                           Ways& found) {
  ++looks_;
  const auto known = names(region).find(use.name);
  if (known == names(region).end()) {
    found.outside[{use.name, use.index}].add(way);
  } else if (const auto [at, first] = known->second; at < 0) {
    found.arguments[first + use.index].add(way);
  } else {
    pending[{at, first + use.index}].add(way);
  }
}

// Through a region of what makes it; what that user gives the region goes on beside the user.
void ArgumentUpdates::into(const Operation& by, const Region& inner, Place from, const Way& way,
                           const Region& region, Pending& pending, Ways& found) {
  const Ways& inside = ways(inner, from.second);
  found.of_numbers |= inside.of_numbers && way.as_it_was;
  for (const auto& [argument, next] : inside.arguments) {
    const auto place = static_cast<std::size_t>(argument);
    if (place >= by.operands.size()) continue;
    Way both = way.then(next);
    const bool each_turn = is_loop(by) && argument == from.second && next.updated;
    if (each_turn) both.loops.insert(by.line);
    want(region, by.operands[place], both, pending, found);
  }
  for (const auto& [use, next] : inside.outside) {
    want(region, {use.first, use.second}, way.then(next), pending, found);
  }
}

void ArgumentUpdates::step_back(const Region& region, Place from, const Way& way, Pending& pending,
                                Ways& found) {
  const Operation& by = region.operations[static_cast<std::size_t>(from.first)];
  const std::string_view name = without_dialect(by.name);
  const Function* const function = name == "custom_call" ? nullptr : module_.find(callee_of(by));
  if (function != nullptr) {
    if (depth_ == deepest_calls) return;
    ++depth_;
    into(by, function->body, from, way, region, pending, found);
    --depth_;
  } else if (is_loop(by)) {
    into(by, by.regions[1], from, way, region, pending, found);
  } else if (is_branches(by) || by.name == "sdy.manual_computation") {
    for (const Region& inner : by.regions) into(by, inner, from, way, region, pending, found);
  } else if (name == "optimization_barrier") {
    const auto place = static_cast<std::size_t>(from.second);
    if (place < by.operands.size()) want(region, by.operands[place], way, pending, found);
  } else if (keeps_elements(by)) {
    found.of_numbers |= way.as_it_was && takes_numbers(by);
    const Way next = computes(by) ? way.behind_arithmetic() : way;
    for (std::size_t i = name == "select" ? 1 : 0; i < by.operands.size(); ++i) {
      want(region, by.operands[i], next, pending, found);
    }
  }
}

// Whatever reads a value stands behind it: from the last operation on, each is looked at once.
void ArgumentUpdates::follow(const Region& region, Pending& pending, Ways& found) {
  while (!pending.empty() && looks_ <= most_looks) {
    const auto last = std::prev(pending.end());
    const auto [from, way] = *last;
    pending.erase(last);
    // What reads itself, as no program does, ends here.
    Pending before;
    step_back(region, from, way, before, found);
    for (const auto& [place, next] : before) {
      if (place.first < from.first) pending[place].add(next);
    }
  }
}

const ArgumentUpdates::Ways& ArgumentUpdates::ways(const Region& region, int result) {
  const auto [known, fresh] = known_.try_emplace({&region, result});
  const Operation* const last = return_of(region);
  const auto place = static_cast<std::size_t>(result);
  if (!fresh || last == nullptr || place >= last->operands.size()) return known->second;
  Ways found;
  Pending pending;
  want(region, last->operands[place], {.as_it_was = true}, pending, found);
  follow(region, pending, found);
  return known->second = std::move(found);
}

// What a value was before `by` gave it another name.
std::optional<Use> ArgumentUpdates::before(const Operation& by, Place from,
                                           const std::set<int>& loops_of_steps, Origin& found) {
  const std::string_view name = without_dialect(by.name);
  const Function* const function = name == "custom_call" ? nullptr : module_.find(callee_of(by));
  auto place = static_cast<std::size_t>(from.second);
  if (is_loop(by) && !loops_of_steps.contains(by.line)) {
    found.along |= !hands_on(by.regions[1], place);
  } else if (is_loop(by) || function != nullptr) {
    const Region& inner = is_loop(by) ? by.regions[1] : function->body;
    const Origin inside = origin(inner, from.second, loops_of_steps);
    if (inside.argument < 0 || (is_loop(by) && inside.argument != from.second)) return {};
    found.along |= inside.along;
    place = static_cast<std::size_t>(inside.argument);
  } else if (const bool renames = name == "convert" || name == "reshape" || name == "custom_call";
             !renames && !by.name.starts_with("sdy.")) {
    return {};
  }
  return place < by.operands.size() ? std::optional(by.operands[place]) : std::nullopt;
}

ArgumentUpdates::Origin ArgumentUpdates::origin(const Region& region, int result,
                                                const std::set<int>& loops_of_steps) {
  Origin found;
  const Operation* const last = return_of(region);
  if (last == nullptr || static_cast<std::size_t>(result) >= last->operands.size()) return found;
  if (depth_ == deepest_calls || ++looks_ > most_looks) return found;
  ++depth_;
  std::optional<Use> use = last->operands[static_cast<std::size_t>(result)];
  // What makes a value stands before it: in a text that is none, names may go round.
  for (int latest = static_cast<int>(region.operations.size()); use;) {
    const auto known = names(region).find(use->name);
    if (known == names(region).end()) break;
    const auto [at, first] = known->second;
    if (at < 0) found.argument = first;
    if (at < 0 || at >= latest) break;
    latest = at;
    use = before(region.operations[static_cast<std::size_t>(at)], {at, first + use->index},
                 loops_of_steps, found);
  }
  --depth_;
  return found;
}

bool ArgumentUpdates::goes_along(int argument, int result, const std::set<int>& loops_of_steps) {
  const Origin found = origin(entry_.body, result, loops_of_steps);
  return found.argument == argument && found.along;
}

Update ArgumentUpdates::of(int argument, int result) {
  const Ways& all = ways(entry_.body, result);
  const auto way = all.arguments.find(argument);
  if (way != all.arguments.end() && way->second.updated) return {true, way->second.loops};
  return {.updated = looks_ > most_looks};
}

bool ArgumentUpdates::one_by_one(int result) { return ways(entry_.body, result).of_numbers; }

}  // namespace tpulab::stablehlo

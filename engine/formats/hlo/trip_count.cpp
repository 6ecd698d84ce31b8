#include "engine/formats/hlo/trip_count.h"

#include <algorithm>
#include <array>
#include <vector>

namespace tpulab::hlo {

namespace {

constexpr int longest_chain = 16;
constexpr std::int64_t most = std::int64_t{1} << 40;

// An instruction, and where it stands: what is inside a fusion reads its operands.
struct Place {
  const Computation* in = nullptr;
  const Instruction* one = nullptr;
  const Computation* caller = nullptr;
  const Instruction* call = nullptr;
};

Place operand_of(const Place& place, std::size_t index) {
  Place next = place;
  next.one = nullptr;
  if (place.one != nullptr && index < place.one->operands.size()) {
    next.one = place.in->find(place.one->operands[index]);
  }
  return next;
}

// Out of a fusion, past copies and other names.
Place behind(Place place) {
  constexpr std::array<std::string_view, 3> names{"copy", "bitcast", "convert"};
  for (int step = 0; step < longest_chain && place.one != nullptr; ++step) {
    const bool given = place.one->opcode == "parameter" && !place.one->operands.empty();
    const std::int64_t number = given ? first_number(place.one->operands[0], -1) : -1;
    if (place.call != nullptr && number >= 0) {
      const Place outside{.in = place.caller, .one = place.call};
      place = operand_of(outside, static_cast<std::size_t>(number));
    } else if (std::ranges::find(names, place.one->opcode) != names.end()) {
      place = operand_of(place, 0);
    } else {
      break;
    }
  }
  return place;
}

// The root of a fusion in its place.
Place opened(const Module& module, const Place& place) {
  if (place.one == nullptr || place.one->opcode != "fusion") return place;
  const Computation& inside = module.computation(place.one->called("calls"), *place.one);
  return {&inside, inside.root(), place.in, place.one};
}

std::optional<std::int64_t> constant_of(const Place& place) {
  const Place found = behind(place);
  if (found.one == nullptr || found.one->opcode != "constant") return std::nullopt;
  if (found.one->operands.empty()) return std::nullopt;
  const std::vector<std::int64_t> value = numbers_in(found.one->operands[0]);
  return value.size() == 1 ? std::optional(value[0]) : std::nullopt;
}

// Which element of the loop's state it is.
std::optional<std::size_t> element_of(const Place& place) {
  const Place found = behind(place);
  if (found.one == nullptr || found.one->opcode != "get-tuple-element") return std::nullopt;
  const std::int64_t index = first_number(found.one->find("index"), -1);
  return index < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(index));
}

struct Counter {
  std::size_t element = 0;
  std::int64_t bound = 0;
  bool last_included = false;
};

// Of a comparison, and of all that must hold together. False where something else must hold too.
bool add_counters(const Module& module, const Place& place, std::vector<Counter>& found,
                  int depth = 0) {
  constexpr int deepest = 8;
  const Place root = opened(module, behind(place));
  if (root.one == nullptr || depth > deepest) return false;
  if (root.one->opcode == "and") {
    const bool first = add_counters(module, operand_of(root, 0), found, depth + 1);
    return add_counters(module, operand_of(root, 1), found, depth + 1) && first;
  }
  if (root.one->opcode != "compare") return false;
  const std::string_view direction = root.one->find("direction");
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    const auto element = element_of(operand_of(root, side));
    const auto bound = constant_of(operand_of(root, 1 - side));
    if (!element || !bound) continue;
    found.push_back({*element, *bound, direction == "LE" || direction == "GE"});
    return true;
  }
  return false;
}

// What a trip adds to it.
std::optional<std::int64_t> step_of(const Module& module, const Instruction& loop,
                                    std::size_t element) {
  const Computation& body = module.computation(loop.called("body"), loop);
  const Place root = behind({.in = &body, .one = body.root()});
  if (root.one == nullptr || root.one->opcode != "tuple") return std::nullopt;
  const Place next = opened(module, behind(operand_of(root, element)));
  if (next.one == nullptr || (next.one->opcode != "add" && next.one->opcode != "subtract")) {
    return std::nullopt;
  }
  for (const std::size_t side : {std::size_t{1}, std::size_t{0}}) {
    const auto step = constant_of(operand_of(next, side));
    if (step) return next.one->opcode == "add" ? *step : -*step;
  }
  return std::nullopt;
}

// How often it counts; nothing where a trip does not add to it.
std::optional<std::int64_t> trips_of(const Module& module, const Computation& in,
                                     const Instruction& loop, const Counter& counter) {
  const auto step = step_of(module, loop, counter.element);
  if (!step || *step == 0) return std::nullopt;
  const Place state = behind(operand_of({.in = &in, .one = &loop}, 0));
  const auto start = constant_of(operand_of(state, counter.element)).value_or(0);
  const auto bounded = [](std::int64_t value) {
    return std::clamp<std::int64_t>(value, -most, most);
  };
  const std::int64_t way = (bounded(counter.bound) - bounded(start)) * (*step > 0 ? 1 : -1);
  const std::int64_t stride = std::abs(bounded(*step));
  return std::max<std::int64_t>(0, (way + (counter.last_included ? 1 : 0) + stride - 1) / stride);
}

}  // namespace

std::optional<Trips> trips_of(const Module& module, const Computation& in,
                              const Instruction& loop) {
  const std::string_view config = loop.find("backend_config");
  const std::size_t said = config.find("known_trip_count");
  if (said != std::string_view::npos) {
    const std::int64_t count = first_number(config.substr(said, config.find('}', said) - said), -1);
    if (count >= 0) return Trips{count};
  }
  const Computation& condition = module.computation(loop.called("condition"), loop);
  std::vector<Counter> counters;
  bool all = add_counters(module, {.in = &condition, .one = condition.root()}, counters);
  std::optional<std::int64_t> fewest;
  for (const Counter& one : counters) {
    const auto count = trips_of(module, in, loop, one);
    all &= count.has_value();
    if (count) fewest = std::min(*count, fewest.value_or(*count));
  }
  return fewest ? std::optional(Trips{*fewest, !all}) : std::nullopt;
}

}  // namespace tpulab::hlo

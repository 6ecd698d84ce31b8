// while: its body once, and how often it runs.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/formats/imported_step.h"
#include "engine/formats/stablehlo/graph_builder.h"
#include "engine/formats/stablehlo/short_loops.h"

namespace tpulab::stablehlo {

namespace {

constexpr std::int64_t most_repeats = 1'000'000'000;

// How often `first + n step (way) last` holds from n = 0 on; nothing if it never ends.
std::optional<std::int64_t> count_of(std::string_view way, std::int64_t first, std::int64_t last,
                                     std::int64_t step) {
  std::int64_t span = 0;
  if (step == 0 || __builtin_sub_overflow(last, first, &span)) return std::nullopt;
  const bool up = step > 0;
  const std::int64_t distance = up ? span : -span;
  const std::int64_t stride = up ? step : -step;
  if ((way == "LT" && up) || (way == "GT" && !up)) {
    return distance <= 0 ? 0 : (distance - 1) / stride + 1;
  }
  if ((way == "LE" && up) || (way == "GE" && !up)) {
    return distance < 0 ? 0 : distance / stride + 1;
  }
  if (way == "NE" && distance >= 0 && distance % stride == 0) return distance / stride;
  return std::nullopt;
}

std::optional<std::int64_t> trips(const Comparison& test, const std::vector<Value>& initial,
                                  const std::vector<Value>& next, int loop) {
  constexpr std::int64_t far = std::int64_t{1} << 52;
  const auto of_this_loop = [&](const std::optional<Counter>& counter) {
    return counter && counter->loop == loop &&
           static_cast<std::size_t>(counter->index) < std::min(next.size(), initial.size());
  };
  if (!of_this_loop(test.left)) return std::nullopt;
  const auto index = static_cast<std::size_t>(test.left->index);
  const std::optional<Counter>& after = next[index].counter;
  std::optional<std::int64_t> last = test.right;
  if (of_this_loop(test.right_counter)) {
    const auto bound = static_cast<std::size_t>(test.right_counter->index);
    const bool fixed = of_this_loop(next[bound].counter) && next[bound].counter->more == 0 &&
                       static_cast<std::size_t>(next[bound].counter->index) == bound;
    last = fixed ? initial[bound].known : std::nullopt;
  }
  const bool counts = of_this_loop(after) && after->index == test.left->index;
  const auto near = [](std::int64_t value) { return value > -far && value < far; };
  if (!counts || !last || !initial[index].known || !near(*last) || !near(*initial[index].known) ||
      !near(after->more) || !near(test.left->more)) {
    return std::nullopt;
  }
  return count_of(test.direction, *initial[index].known + test.left->more, *last, after->more);
}

// A turn hands it on as it got it: it is no value of the loop, but one from outside.
bool stays_the_same(const Region& body, std::size_t argument) {
  if (argument >= body.arguments.size() || body.operations.empty()) return false;
  const Operation& last = body.operations.back();
  return is_return(last.name) && argument < last.operands.size() &&
         last.operands[argument].name == body.arguments[argument].name &&
         last.operands[argument].index == 0;
}

}  // namespace

std::vector<Value> GraphBuilder::body(const Operation& operation, std::vector<Value>& arguments,
                                      Scopes& scopes) {
  ++inside_loops_;
  const auto outside = static_cast<int>(segments_.sources.size());
  begin_segment(fmt::format("while of line {}", operation.line));
  std::vector<Value> next = run(operation.regions[1], arguments, scopes);
  if (next.size() != arguments.size()) {
    refuse(operation,
           fmt::format("its body returns {} values, not {}", next.size(), arguments.size()));
  }
  for (std::size_t i = 0; i < next.size(); ++i) {
    if (next[i].source >= 0 && next[i].source == arguments[i].source) continue;
    leave(next[i]);
    Source& source = source_of(next[i]);
    if (source.on_host) {
      if (next[i].source >= outside) source.counted = false;  // what the loop leaves is
      continue;
    }
    if (source.made == position() && source.node >= 0) {
      here().replaces.emplace(source.node, arguments[i].source);
    }
  }
  --inside_loops_;
  return next;
}

// In a segment that is thrown away.
Value GraphBuilder::condition(const Operation& operation, const std::vector<Value>& arguments,
                              Scopes& scopes) {
  begin_segment("condition");
  const int own = position();
  const std::vector<Value> returned = run(operation.regions[0], arguments, scopes);
  if (position() != own) refuse(operation, "its condition holds a loop or branches");
  // The next segment has its number, and nodes of the same numbers.
  std::erase_if(sources_, [own](const auto& one) { return one.first.first == own; });
  segments_.list.pop_back();
  if (returned.size() != 1) refuse(operation, "its condition is not one value");
  return returned[0];
}

void GraphBuilder::repeat(const Operation& operation, int first, std::int64_t trips) {
  for (int i = first; i <= position(); ++i) {
    std::int64_t& repeats = segments_.list[static_cast<std::size_t>(i)].repeats;
    if (__builtin_mul_overflow(repeats, trips, &repeats) || repeats > most_repeats) {
      refuse(operation, "it runs more than 1,000,000,000 times");
    }
  }
}

// Each turn is one step, or as many as loops inside have added since there were `before`.
void GraphBuilder::add_steps(std::int64_t turns, std::int64_t before) {
  const std::int64_t a_turn = std::max<std::int64_t>(steps_ - before, 1);
  steps_ = std::min(before + std::min(turns, most_steps) * a_turn, most_steps);
}

std::optional<std::vector<Value>> GraphBuilder::turn_by_turn(const Operation& operation,
                                                             const std::vector<Value>& operands,
                                                             Scopes& scopes) {
  std::vector<Known> known;
  known.reserve(operands.size());
  for (const Value& one : operands) known.push_back(one.known);
  const std::optional<int> turns = turns_of_short_loop(module_, operation, known);
  if (!turns) return std::nullopt;
  std::vector<Value> values = operands;
  for (int turn = 0; turn < *turns; ++turn) values = run(operation.regions[1], values, scopes);
  return values;
}

// In the memory of what it began with, if that is the program's own.
Value GraphBuilder::left_by_loop(const Value& initial, int first) {
  if (initial.source < 0) return fresh(initial.type, first, true);
  Source& source = source_of(initial);
  if (source.node >= 0 || source.kept) return fresh(initial.type, first, true);
  Value result = initial;
  result.known.reset();
  result.comparison.reset();
  result.version = ++source.version;
  source.last_use = std::max(source.last_use, position());
  return result;
}

std::vector<Value> GraphBuilder::loop(const Operation& operation, std::vector<Value>& operands,
                                      Scopes& scopes) {
  if (operation.regions.size() != 2) refuse(operation, "it has no condition and body");
  if (auto unrolled = turn_by_turn(operation, operands, scopes)) return *std::move(unrolled);
  const int id = ++loops_;
  const std::string name = here().name;
  std::vector<Value> arguments;
  for (Value& initial : operands) {
    if (stays_the_same(operation.regions[1], arguments.size()) && initial.source >= 0 &&
        initial.type.shape.rank() > 0) {
      arguments.push_back(initial);
      continue;
    }
    leave(initial);
    arguments.push_back(on_host(initial) ? fresh_on_host(initial.type, false)
                                         : fresh(initial.type, -1, false));
    if (source_of(initial).kept) source_of(arguments.back()).before_loop = position();
    arguments.back().counter = Counter{id, static_cast<int>(arguments.size()) - 1, 0};
  }
  const int first = position() + 1;
  const std::int64_t before = steps_;
  const std::vector<Value> next = body(operation, arguments, scopes);
  const Value test = condition(operation, arguments, scopes);
  const auto count = test.comparison ? trips(*test.comparison, operands, next, id) : std::nullopt;
  if (!count) {
    refuse(operation,
           "how often it runs is known only at run time; a condition is read that compares a "
           "counter with a constant: add one as a bound, (i < 100) & ..");
  }
  if (!test.comparison->alone) {
    notes_.add("of the loops may end early, priced as far as they count");
  }
  repeat(operation, first, *count);
  if (loops_of_steps_.contains(operation.line)) add_steps(*count, before);
  std::vector<Value> results;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const bool same = next[i].source >= 0 && next[i].source == arguments[i].source;
    if (same) {
      Source& source = source_of(operands[i]);
      source.last_use = std::max(source.last_use, position());
    }
    if (!same && on_host(next[i])) {
      const auto used = std::ranges::count(operands, operands[i].source, &Value::source);
      if (used == 1) begin_on_host(operands[i], first - 1);
      results.push_back(fresh_on_host(operands[i].type, !owned_on_host(operands[i])));
      continue;
    }
    const bool copied = same && source_of(arguments[i]).version > 0 && source_of(operands[i]).kept;
    results.push_back(same && !copied ? operands[i] : left_by_loop(operands[i], first));
    results.back().counter.reset();
  }
  begin_segment(name);
  return results;
}

}  // namespace tpulab::stablehlo

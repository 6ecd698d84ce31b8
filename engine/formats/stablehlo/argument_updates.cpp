#include "engine/formats/stablehlo/argument_updates.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/formats/stablehlo/divided_program.h"
#include "engine/formats/stablehlo/lower.h"
#include "engine/formats/stablehlo/scopes.h"

namespace tpulab::stablehlo {

namespace {

constexpr int most_visits = 1'000'000;

template <std::size_t count>
bool is_among(const std::array<std::string_view, count>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool is_arithmetic(const Operation& operation) {
  constexpr std::array<std::string_view, 4> words{"add", "subtract", "multiply", "divide"};
  const std::string_view name = without_dialect(operation.name);
  const bool adds = name == "scatter" && !folding_function(operation).empty();
  return adds || is_among(words, name);
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

const Operation* return_of(const Region& region) {
  const bool some = !region.operations.empty() && is_return(region.operations.back().name);
  return some ? &region.operations.back() : nullptr;
}

}  // namespace

ArgumentUpdates::ArgumentUpdates(const Module& module, const Function& entry)
    : module_(module), entry_(frame(entry.body, nullptr, nullptr)) {}

const ArgumentUpdates::Frame* ArgumentUpdates::frame(const Region& region, const Operation* user,
                                                     const Frame* outer, int carried,
                                                     bool updated) {
  const Frame*& known = known_[{&region, user, outer, carried, updated}];
  if (known != nullptr) return known;
  Frame& made = frames_.emplace_back(Frame{&region, user, outer, carried, updated});
  for (std::size_t i = 0; i < region.arguments.size(); ++i) {
    made.names[region.arguments[i].name] = {nullptr, static_cast<int>(i)};
  }
  for (const Operation& one : region.operations) {
    int first = 0;
    for (const Definition& result : one.results) {
      made.names[result.name] = {&one, first};
      first += result.count;
    }
  }
  return known = &made;
}

std::pair<const ArgumentUpdates::Frame*, ArgumentUpdates::Made> ArgumentUpdates::found(
    const Frame* at, Use use) const {
  for (; at != nullptr; at = at->outer) {
    const auto known = at->names.find(use.name);
    if (known != at->names.end()) {
      return {at, {known->second.by, known->second.index + use.index}};
    }
  }
  return {nullptr, {}};
}

// What the user of a region gives it.
std::vector<ArgumentUpdates::Item> ArgumentUpdates::outside(const Item& item, const Frame* at,
                                                            int argument) const {
  const auto place = static_cast<std::size_t>(argument);
  if (at->user == nullptr || place >= at->user->operands.size()) return {};
  Item next{at->outer, at->user->operands[place], item.updated, item.loops};
  const bool own_turn = at->carried == argument && item.updated && !at->updated;
  if (own_turn) next.loops.insert(at->user->line);
  return {std::move(next)};
}

// One step back from a value that an operation makes.
std::vector<ArgumentUpdates::Item> ArgumentUpdates::behind(const Item& item, const Frame* at,
                                                           const Made& made) {
  const Operation& by = *made.by;
  std::vector<Item> items;
  const auto into = [&](const Region& region, int carried) {
    const Operation* const last = return_of(region);
    const auto place = static_cast<std::size_t>(made.index);
    if (last == nullptr || place >= last->operands.size()) return;
    const Frame* const inner = frame(region, &by, at, carried, carried >= 0 && item.updated);
    items.push_back({inner, last->operands[place], item.updated, item.loops});
  };
  const std::string_view name = without_dialect(by.name);
  const Function* const function = name == "custom_call" ? nullptr : module_.find(callee_of(by));
  if (function != nullptr) {
    into(function->body, -1);
  } else if (is_loop(by)) {
    into(by.regions[1], made.index);
  } else if (is_branches(by) || by.name == "sdy.manual_computation") {
    for (const Region& region : by.regions) into(region, -1);
  } else if (name == "optimization_barrier") {
    const auto place = static_cast<std::size_t>(made.index);
    if (place < by.operands.size())
      items.push_back({at, by.operands[place], item.updated, item.loops});
  } else if (keeps_elements(by)) {
    const bool updated = item.updated || is_arithmetic(by);
    for (const Use& use : by.operands) items.push_back({at, use, updated, item.loops});
    if (name == "select" && !items.empty()) items.erase(items.begin());
  }
  return items;
}

bool ArgumentUpdates::updates(int argument, int result) {
  const Operation* const last = return_of(*entry_->region);
  const auto place = static_cast<std::size_t>(result);
  if (last == nullptr || place >= last->operands.size()) return false;
  std::vector<Item> left{{entry_, last->operands[place]}};
  std::set<std::tuple<const Frame*, std::string_view, int, bool>> seen;
  while (!left.empty()) {
    const Item item = std::move(left.back());
    left.pop_back();
    if (!seen.insert({item.frame, item.use.name, item.use.index, item.updated}).second) continue;
    if (seen.size() > most_visits) return true;
    const auto [at, made] = found(item.frame, item.use);
    if (at == nullptr) continue;
    if (at == entry_ && made.by == nullptr) {
      if (made.index != argument || !item.updated) continue;
      loops_.insert(item.loops.begin(), item.loops.end());
      return true;
    }
    const auto next = made.by == nullptr ? outside(item, at, made.index) : behind(item, at, made);
    left.insert(left.end(), next.begin(), next.end());
  }
  return false;
}

bool ArgumentUpdates::one_by_one(int result) {
  const Operation* const last = return_of(*entry_->region);
  const auto place = static_cast<std::size_t>(result);
  if (last == nullptr || place >= last->operands.size()) return false;
  Item item{entry_, last->operands[place]};
  constexpr int farthest = 1000;
  for (int step = 0; step < farthest; ++step) {
    const auto [at, made] = found(item.frame, item.use);
    if (at == nullptr) return false;
    const bool in_turns = at->carried >= 0 || (at->outer != nullptr && at->outer->carried >= 0);
    if (made.by != nullptr) {
      const std::string_view name = without_dialect(made.by->name);
      const auto& types = made.by->operand_types;
      const auto single = [](const TensorType& type) { return type.shape.elements() == 1; };
      if (name == "concatenate") return types.size() > 1 && std::ranges::all_of(types, single);
      if (name == "dynamic_update_slice") return in_turns && types.size() > 1 && single(types[1]);
    }
    auto next = made.by == nullptr ? outside(item, at, made.index) : behind(item, at, made);
    if (next.size() != 1) return false;
    item = std::move(next.front());
  }
  return false;
}

}  // namespace tpulab::stablehlo

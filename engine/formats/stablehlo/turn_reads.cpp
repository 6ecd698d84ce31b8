#include "engine/formats/stablehlo/turn_reads.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "engine/formats/stablehlo/divided_program.h"
#include "engine/formats/stablehlo/lower.h"

namespace tpulab::stablehlo {

namespace {

using Names = std::set<std::string_view>;
using Loops = std::function<bool(const Operation& loop)>;

// Walks each region once from its end: what gives another name to something read is read. Of the
// loops, those that count.
class TurnReads {
 public:
  TurnReads(const Module& module, Loops counts) : module_(module), counts_(std::move(counts)) {}

  struct Reads {
    std::vector<bool> arguments{};
    Names outside{};
  };

  const Reads& of(const Region& region, bool in_loop) {
    const auto [known, fresh] = known_.try_emplace({&region, in_loop});
    if (!fresh) return known->second;
    Names read;
    for (auto one = region.operations.rbegin(); one != region.operations.rend(); ++one) {
      pass(*one, in_loop, read);
    }
    Reads& reads = known->second;
    for (const Argument& one : region.arguments) {
      reads.arguments.push_back(read.erase(one.name) > 0);
    }
    reads.outside = std::move(read);
    return reads;
  }

 private:
  void pass(const Operation& one, bool in_loop, Names& read) {
    bool result_read = false;
    for (const Definition& result : one.results) result_read |= read.erase(result.name) > 0;
    const std::string_view name = without_dialect(one.name);
    const bool renames = name == "convert" || name == "custom_call" || one.name.starts_with("sdy.");
    const Function* const function = module_.find(callee_of(one));
    if (name == "dynamic_slice") {
      if (in_loop && takes_one(one)) read.insert(one.operands[0].name);
    } else if (renames && one.regions.empty() && one.results.size() == 1) {
      for (const Use& use : one.operands) {
        if (result_read) read.insert(use.name);
      }
    } else if (function != nullptr) {
      if (depth_ == deepest_calls) return;
      ++depth_;
      hand_out(one, of(function->body, in_loop), read);
      --depth_;
    } else if (is_loop(one)) {
      hand_out(one, of(one.regions[1], in_loop || counts_(one)), read);
    } else if (is_shard_map(one) && !one.regions.empty()) {
      hand_out(one, of(one.regions[0], in_loop), read);
    }
    for (const Region& inner : one.regions) {
      const Reads& reads = of(inner, in_loop || (is_loop(one) && counts_(one)));
      read.insert(reads.outside.begin(), reads.outside.end());
    }
  }

  static void hand_out(const Operation& one, const Reads& inside, Names& read) {
    for (std::size_t i = 0; i < std::min(inside.arguments.size(), one.operands.size()); ++i) {
      if (inside.arguments[i]) read.insert(one.operands[i].name);
    }
  }

  static bool takes_one(const Operation& slice) {
    if (slice.operands.empty() || slice.operand_types.empty() || slice.result_types.empty()) {
      return false;
    }
    const Shape& all = slice.operand_types[0].shape;
    const Shape& part = slice.result_types[0].shape;
    return all.rank() > 1 && part.rank() > 1 && all[0] > 1 && part[0] == 1;
  }

  const Module& module_;
  Loops counts_;
  std::map<std::pair<const Region*, bool>, Reads> known_;
  int depth_ = 0;  // of calls
};

using Counted = std::map<std::vector<std::int64_t>, std::int64_t>;

std::vector<std::int64_t> extents_of(const Shape& shape) {
  return {shape.extents().begin(), shape.extents().end()};
}

Counted counted(std::span<const Shape> shapes) {
  Counted counts;
  for (const Shape& one : shapes) ++counts[extents_of(one)];
  return counts;
}

// Elements of what a turn changes, array by array of the weights.
std::int64_t elements_added_up(const Operation& loop, const Counted& weights) {
  const Region& body = loop.regions[1];
  Counted met;
  std::int64_t added = 0;
  for (std::size_t i = 0; i < body.arguments.size(); ++i) {
    if (hands_on(body, i)) continue;
    const Shape& shape = body.arguments[i].type.shape;
    const std::vector<std::int64_t> extents = extents_of(shape);
    const auto weight = weights.find(extents);
    if (weight != weights.end() && ++met[extents] <= weight->second) added += shape.elements();
  }
  return added;
}

}  // namespace

std::vector<bool> read_by_turns(const Module& module, const Function& entry) {
  const auto all = [](const Operation&) { return true; };
  return TurnReads(module, all).of(entry.body, false).arguments;
}

std::vector<bool> read_by_microbatches(const Module& module, const Function& entry,
                                       const std::vector<bool>& by_turns,
                                       std::span<const Shape> weights,
                                       const std::set<int>& loops_of_steps) {
  if (weights.empty()) return std::vector<bool>(by_turns.size());
  std::int64_t all = 0;
  for (const Shape& one : weights) all += one.elements();
  const auto other = [&, counts = counted(weights)](const Operation& loop) {
    if (loops_of_steps.contains(loop.line)) return true;
    const std::int64_t added = elements_added_up(loop, counts);
    return added == 0 || added < all - added;
  };
  const std::vector<bool> by_others = TurnReads(module, other).of(entry.body, false).arguments;
  std::vector<bool> read = by_turns;
  for (std::size_t i = 0; i < read.size(); ++i) read[i] = read[i] && !by_others[i];
  return read;
}

}  // namespace tpulab::stablehlo

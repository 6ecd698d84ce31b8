#include "engine/formats/stablehlo/turn_reads.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "engine/formats/stablehlo/divided_program.h"
#include "engine/formats/stablehlo/lower.h"

namespace tpulab::stablehlo {

namespace {

using Names = std::set<std::string_view>;

// Walks each region once from its end: what gives another name to something read is read.
class TurnReads {
 public:
  explicit TurnReads(const Module& module) : module_(module) {}

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
      hand_out(one, of(one.regions[1], true), read);
    } else if (is_shard_map(one) && !one.regions.empty()) {
      hand_out(one, of(one.regions[0], in_loop), read);
    }
    for (const Region& inner : one.regions) {
      const Reads& reads = of(inner, in_loop || is_loop(one));
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
  std::map<std::pair<const Region*, bool>, Reads> known_;
  int depth_ = 0;  // of calls
};

}  // namespace

std::vector<bool> read_by_turns(const Module& module, const Function& entry) {
  return TurnReads(module).of(entry.body, false).arguments;
}

}  // namespace tpulab::stablehlo

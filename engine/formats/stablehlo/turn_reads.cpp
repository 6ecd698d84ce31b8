#include "engine/formats/stablehlo/turn_reads.h"

#include <set>
#include <tuple>

#include "engine/formats/stablehlo/divided_program.h"
#include "engine/formats/stablehlo/lower.h"

namespace tpulab::stablehlo {

namespace {

class TurnReads {
 public:
  explicit TurnReads(const Module& module) : module_(module) {}

  bool of(const Region& region, std::string_view name, bool in_loop) {
    if (!seen_.insert({&region, name, in_loop}).second) return false;
    for (const Operation& one : region.operations) {
      for (std::size_t i = 0; i < one.operands.size(); ++i) {
        if (one.operands[i].name == name && by(one, i, region, in_loop)) return true;
      }
      for (const Region& inner : one.regions) {
        if (of(inner, name, in_loop || is_loop(one))) return true;
      }
    }
    return false;
  }

 private:
  bool by(const Operation& one, std::size_t operand, const Region& region, bool in_loop) {
    const std::string_view name = without_dialect(one.name);
    if (name == "dynamic_slice") return in_loop && operand == 0 && takes_one(one);
    const bool renames = name == "convert" || name == "custom_call" || one.name.starts_with("sdy.");
    if (renames && one.regions.empty() && one.results.size() == 1) {
      return of(region, one.results[0].name, in_loop);
    }
    const Function* const function = module_.find(callee_of(one));
    if (function != nullptr) return inside(function->body, operand, in_loop);
    if (is_loop(one)) return inside(one.regions[1], operand, true);
    return is_shard_map(one) && !one.regions.empty() && inside(one.regions[0], operand, in_loop);
  }

  bool inside(const Region& region, std::size_t argument, bool in_loop) {
    return argument < region.arguments.size() &&
           of(region, region.arguments[argument].name, in_loop);
  }

  static bool takes_one(const Operation& slice) {
    if (slice.operand_types.empty() || slice.result_types.empty()) return false;
    const Shape& all = slice.operand_types[0].shape;
    const Shape& part = slice.result_types[0].shape;
    return all.rank() > 1 && part.rank() > 1 && all[0] > 1 && part[0] == 1;
  }

  const Module& module_;
  std::set<std::tuple<const Region*, std::string_view, bool>> seen_;
};

}  // namespace

std::vector<bool> read_by_turns(const Module& module, const Function& entry) {
  std::vector<bool> read;
  for (const Argument& one : entry.body.arguments) {
    read.push_back(TurnReads(module).of(entry.body, one.name, false));
  }
  return read;
}

}  // namespace tpulab::stablehlo

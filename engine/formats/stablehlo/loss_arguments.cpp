#include "engine/formats/stablehlo/loss_arguments.h"

#include <algorithm>
#include <map>
#include <set>

#include "engine/formats/stablehlo/lower.h"
#include "engine/formats/stablehlo/scopes.h"

namespace tpulab::stablehlo {

namespace {

using Wanted = std::vector<bool>;  // per result, argument
using Names = std::set<std::pair<std::string_view, int>>;

constexpr std::int64_t most_visits = 4'000'000;  // loops inside of each other are walked often

// Walks a text from its end: an operation that makes something wanted wants its operands.
class Behind {
 public:
  explicit Behind(const Module& module) : module_(module) {}

  bool gave_up() const { return left_ < 0; }

  const Wanted& of(const Function& function, const Wanted& results) {
    const auto [known, fresh] = known_.try_emplace({&function, results});
    if (!fresh) return known->second;
    known->second.resize(function.body.arguments.size());  // a function that calls itself
    if (depth_ == deepest_calls) return known->second;
    ++depth_;
    Names names;
    Wanted found = of(function.body, results, names);
    --depth_;
    return known_[{&function, results}] = std::move(found);
  }

 private:
  // Names from outside of the region that are wanted are left in `names`.
  Wanted of(const Region& region, const Wanted& results, Names& names) {
    for (auto one = region.operations.rbegin(); one != region.operations.rend(); ++one) {
      if (is_return(one->name)) {
        want(*one, results, names);
      } else {
        pass(*one, names);
      }
    }
    Wanted arguments;
    for (const Argument& one : region.arguments)
      arguments.push_back(names.erase({one.name, 0}) > 0);
    return arguments;
  }

  static void want(const Operation& operation, const Wanted& which, Names& names) {
    for (std::size_t i = 0; i < std::min(which.size(), operation.operands.size()); ++i) {
      if (which[i]) names.emplace(operation.operands[i].name, operation.operands[i].index);
    }
  }

  void pass(const Operation& operation, Names& names) {
    Wanted results;
    for (const Definition& one : operation.results) left_ -= one.count;
    if (--left_ < 0) return;
    for (const Definition& one : operation.results) {
      for (int i = 0; i < one.count; ++i) results.push_back(names.erase({one.name, i}) > 0);
    }
    if (std::ranges::find(results, true) == results.end()) return;
    const Function* function = module_.find(callee_of(operation));
    if (function != nullptr) return want(operation, of(*function, results), names);
    if (operation.name.ends_with(".while") && operation.regions.size() == 2) {
      return want(operation, carried(operation.regions[1], results, names), names);
    }
    for (const Region& region : operation.regions) of(region, results, names);
    want(operation, Wanted(operation.operands.size(), true), names);
  }

  // What one turn wants of the turn before.
  Wanted carried(const Region& body, Wanted wanted, Names& names) {
    for (bool more = true; more && !gave_up();) {
      more = false;
      const Wanted before = of(body, wanted, names);
      for (std::size_t i = 0; i < std::min(before.size(), wanted.size()); ++i) {
        if (!before[i] || wanted[i]) continue;
        wanted[i] = true;
        more = true;
      }
    }
    return wanted;
  }

  const Module& module_;
  std::map<std::pair<const Function*, Wanted>, Wanted> known_;
  int depth_ = 0;
  std::int64_t left_ = most_visits;
};

}  // namespace

std::vector<bool> arguments_behind(const Module& module, const Function& entry, int result) {
  Wanted results(static_cast<std::size_t>(result) + 1, false);
  results.back() = true;
  Behind behind(module);
  const Wanted& found = behind.of(entry, results);
  return behind.gave_up() ? Wanted(found.size(), false) : found;
}

}  // namespace tpulab::stablehlo

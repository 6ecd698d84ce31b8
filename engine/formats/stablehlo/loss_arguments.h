// Which arguments a result follows from: of a step's loss, its weights; the optimizer's moments and
// running averages come back changed as well, but no loss is made of them.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/formats/stablehlo/module.h"

namespace tpulab::stablehlo {

class LossArguments {
 public:
  LossArguments(const Module& module, const Function& entry) : module_(module), entry_(entry) {}

  // For each argument whether result `result` is computed from it; how often a loop runs counts for
  // nothing. Of `loops_of_steps`, given by their lines, the last turn makes it. Empty where loops
  // inside of loops, and all that was asked before, take too long to follow.
  std::vector<bool> behind(int result, const std::set<int>& loops_of_steps = {});

  // The operations from which any of these results follows, what decides how often loops run
  // included. Empty where that takes too long to follow.
  std::set<const Operation*> operations_behind(const std::vector<bool>& results);

 private:
  using Wanted = std::vector<bool>;  // per result, argument
  using Names = std::set<std::pair<std::string_view, int>>;

  const Wanted& of(const Function& function, const Wanted& results);
  Wanted of(const Region& region, const Wanted& results, Names& names);
  void pass(const Operation& operation, Names& names);
  Wanted carried(const Operation& loop, Wanted wanted, Names& names);

  const Module& module_;
  const Function& entry_;
  std::set<int> loops_of_steps_;
  std::map<std::pair<const Function*, Wanted>, Wanted> known_;
  std::set<const Operation*>* met_ = nullptr;  // where they are asked for
  int depth_ = 0;
  // Operations and their values: loops inside of each other are walked often.
  std::int64_t left_ = 16'000'000;
};

}  // namespace tpulab::stablehlo

// The numbers of a program: calls are followed, loops run while their condition holds, and each
// operation is lowered as for its price and evaluated at once, on one device.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <vector>

#include "engine/formats/stablehlo/lowered_alone.h"
#include "engine/formats/stablehlo/module.h"
#include "engine/formats/stablehlo/scopes.h"
#include "engine/graph/graph.h"

namespace tpulab::stablehlo {

class Evaluator {
 public:
  using Held = std::shared_ptr<const Array>;

  // The module must outlive it. `needed`: the operations that are computed; empty: all.
  Evaluator(const Module& module, std::set<const Operation*> needed, WorkerPool* workers)
      : module_(module), needed_(std::move(needed)), workers_(workers) {}

  // Of a function, one array for each argument; null for what needs an operation that is not
  // computed. Throws Error with file, line, operation and what has no numbers: devices that
  // exchange values, random bits, integers beyond 2^24, f16 and f8.
  std::vector<Held> run(const Function& function, const std::vector<Held>& arguments);

 private:
  using Scopes = stablehlo::Scopes<Held>;
  std::vector<Held> run(const Region& region, const std::vector<Held>& arguments, Scopes& scopes);
  std::vector<Held> run(const Operation& operation, Scopes& scopes);
  std::vector<Held> loop(const Operation& operation, std::vector<Held> values, Scopes& scopes);
  std::vector<Held> branch(const Operation& operation, const Held& chosen, Scopes& scopes);
  std::vector<Held> call(const Operation& operation, const std::vector<Held>& operands);
  std::vector<Held> evaluated(const Operation& operation, const std::vector<Held>& operands);
  const LoweredAlone& lowered(const Operation& operation, const std::vector<Held>& operands);
  Held constant(const Operation& operation);

  const Module& module_;
  std::set<const Operation*> needed_;
  WorkerPool* workers_;
  std::map<const Operation*, LoweredAlone> lowered_;  // made when it comes first
  std::map<const Operation*, Held> constants_;
  int depth_ = 0;  // of calls
};

}  // namespace tpulab::stablehlo

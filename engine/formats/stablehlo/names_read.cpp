#include "engine/formats/stablehlo/names_read.h"

#include "engine/formats/stablehlo/lower.h"
#include "engine/formats/stablehlo/scopes.h"

namespace tpulab::stablehlo {

std::set<std::string_view> NamesRead::in(const Region& region) {
  std::set<std::string_view> names;
  for (const Operation& one : region.operations) {
    if (!is_return(one.name)) note(one, names);
  }
  return names;
}

void NamesRead::note(const Operation& one, std::set<std::string_view>& names) {
  const Function* const function = module_.find(callee_of(one));
  for (std::size_t i = 0; i < one.operands.size(); ++i) {
    if (function == nullptr || takes(*function, i)) names.insert(one.operands[i].name);
  }
  for (const Region& inner : one.regions) {
    for (const Operation& operation : inner.operations) note(operation, names);
  }
}

bool NamesRead::takes(const Function& function, std::size_t argument) {
  if (depth_ == deepest_calls) return true;
  const auto [known, fresh] = known_.try_emplace(&function);
  if (fresh) {
    ++depth_;
    known->second = in(function.body);
    --depth_;
  }
  const auto& arguments = function.body.arguments;
  return argument >= arguments.size() || known->second.contains(arguments[argument].name);
}

}  // namespace tpulab::stablehlo

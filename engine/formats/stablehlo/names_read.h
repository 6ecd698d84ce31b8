// Which values are read, and not only handed on.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string_view>

#include "engine/formats/stablehlo/module.h"

namespace tpulab::stablehlo {

class NamesRead {
 public:
  explicit NamesRead(const Module& module) : module_(module) {}

  // By operations of a region and of those inside of it; of what functions are given, what these
  // read. What it returns is none of it.
  std::set<std::string_view> in(const Region& region);

 private:
  void note(const Operation& one, std::set<std::string_view>& names);
  bool takes(const Function& function, std::size_t argument);

  const Module& module_;
  std::map<const Function*, std::set<std::string_view>> known_;
  int depth_ = 0;  // of calls
};

}  // namespace tpulab::stablehlo

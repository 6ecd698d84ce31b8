// Two lists side by side: which rows their table has.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace tpulab {

// Names of either, each once, in their order.
template <class List, class Name>
std::vector<std::string> names_of_both(const List& first, const List& second, Name name) {
  std::vector<std::string> names;
  for (const List* list : {&first, &second}) {
    for (const auto& one : *list) {
      const std::string& its = std::invoke(name, one);
      if (std::ranges::find(names, its) == names.end()) names.push_back(its);
    }
  }
  return names;
}

}  // namespace tpulab

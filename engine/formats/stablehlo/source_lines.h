// Which line of somebody's program an operation came from.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "engine/formats/stablehlo/module.h"

namespace tpulab::stablehlo {

class SourceLines {
 public:
  // `module` outlives it.
  explicit SourceLines(const Module& module);
  // "train.py:42", the innermost of several; empty if the text does not tell.
  const std::string& of(const Operation& operation);

 private:
  const std::string& of(std::string_view location, int depth);

  std::map<std::string_view, std::string_view> aliases_;
  std::map<std::string_view, std::string> known_;
};

}  // namespace tpulab::stablehlo

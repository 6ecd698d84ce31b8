// Which line of somebody's program an instruction came from.
#pragma once

#include <map>
#include <string>

#include "engine/formats/hlo/module.h"

namespace tpulab::hlo {

class SourceLines {
 public:
  // Reads the tables of files, places and frames that stand before the computations, if there are.
  explicit SourceLines(const Module& module);
  // "train.py:42"; empty if the text does not tell.
  std::string of(const Instruction& instruction) const;

 private:
  struct Place {
    std::int64_t file = 0;
    std::int64_t line = 0;
  };

  std::map<std::int64_t, std::string_view> files_;
  std::map<std::int64_t, Place> places_;
  std::map<std::int64_t, std::int64_t> frames_;  // to places
};

}  // namespace tpulab::hlo

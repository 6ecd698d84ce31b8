// How many rows a batch has, by the arguments that are sent.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/formats/imported_step.h"
#include "engine/graph/op.h"

namespace tpulab {

class SentRows {
 public:
  // `copies`: devices that have the same of its first extent. A number has no rows, nor has what is
  // as small as a random key.
  void add(const Type& type, std::int64_t copies = 1);
  // The first extent of most bytes; of a call, whose weights are among them, of all. Else unknown.
  void tell(ImportedStep& step) const;

 private:
  struct Alike {
    std::int64_t rows = 0;
    std::int64_t copies = 1;
    Bytes bytes{};
  };
  std::vector<Alike> groups_;
  Bytes all_;
};

}  // namespace tpulab

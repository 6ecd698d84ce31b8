// How the devices of estimates divide the work, where that is not the same.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tpulab {

struct LabelledMesh {
  std::string label;  // "sgd", "now"
  std::string mesh;   // in full; empty: none is known
  std::int64_t devices = 0;
};

// "mesh: fsdp=64 (adam), data=64 (sgd)". Nothing where as many devices divide alike.
std::vector<std::string> mesh_lines(const std::vector<LabelledMesh>& all);

}  // namespace tpulab

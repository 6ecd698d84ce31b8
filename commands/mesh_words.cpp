#include "commands/mesh_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/base/text.h"

namespace tpulab {

namespace {

constexpr std::size_t few = 3;

// What is not divided is left out: "data=8" of "slices=1/data=8/fsdp=1/tensor=1". Empty of one
// device, or where nobody knows.
std::string in_brief(const std::string& mesh) {
  std::vector<std::string> parts = split(mesh, '/');
  std::erase_if(parts, [](const std::string& part) { return part.ends_with("=1"); });
  return fmt::format("{}", fmt::join(parts, "/"));
}

bool divide_alike(const std::vector<LabelledMesh>& all) {
  std::map<std::int64_t, std::set<std::string>> meshes;
  for (const LabelledMesh& one : all) {
    if (std::string mesh = in_brief(one.mesh); !mesh.empty()) meshes[one.devices].insert(mesh);
  }
  return std::ranges::all_of(meshes, [](const auto& one) { return one.second.size() < 2; });
}

}  // namespace

std::vector<std::string> mesh_lines(const std::vector<LabelledMesh>& all) {
  if (divide_alike(all)) return {};
  std::map<std::string, std::vector<std::string>> labels;
  for (const LabelledMesh& one : all) {
    if (std::string mesh = in_brief(one.mesh); !mesh.empty()) labels[mesh].push_back(one.label);
  }
  std::vector<std::string> meshes;
  for (const auto& [mesh, those] : labels) {
    meshes.push_back(those.size() > few ? fmt::format("{} in {} rows", mesh, those.size())
                                        : fmt::format("{} ({})", mesh, fmt::join(those, ", ")));
  }
  return {fmt::format("mesh: {}", fmt::join(meshes, "; "))};
}

}  // namespace tpulab

#include "engine/session/settings/dividing.h"

#include <fmt/format.h>

#include <array>

#include "engine/forecast/mesh.h"

namespace tpulab {

namespace {

// Divisors of what was asked, then without it.
constexpr std::array tried_parts{&Mesh::microbatches, &Mesh::tensor, &Mesh::expert, &Mesh::context,
                                 &Mesh::pipeline};

void add_mesh(Mesh mesh, std::vector<WayToFit>& ways) {
  // Stages take as many microbatches each.
  const int turns = (mesh.microbatches + mesh.pipeline - 1) / mesh.pipeline;
  mesh.microbatches = mesh.pipeline > 1 ? turns * mesh.pipeline : 1;
  ways.push_back({{"mesh", text_of(mesh)}});
  mesh.data = mesh.fsdp = 0;
  ways.push_back({{"mesh", text_of(mesh)}});
}

std::vector<WayToFit> meshes_near(const Mesh& asked) {
  std::vector<WayToFit> ways;
  add_mesh(asked, ways);
  for (int Mesh::*const part : tried_parts) {
    for (int fewer = asked.*part - 1; fewer >= 1; --fewer) {
      if (asked.*part % fewer != 0) continue;
      Mesh mesh = asked;
      mesh.*part = fewer == 1 ? Mesh{}.*part : fewer;
      add_mesh(mesh, ways);
    }
  }
  add_mesh({}, ways);
  return ways;
}

std::vector<WayToFit> batches_near(const Settings& settings) {
  std::vector<WayToFit> ways;
  for (std::int64_t fewer = settings.devices_a_row - 1; fewer > 1; --fewer) {
    if (settings.devices_a_row % fewer == 0)
      ways.push_back({{"batch", fmt::format("1/{}", fewer)}});
  }
  if (settings.devices_a_row > 1) ways.push_back({{"batch", "1"}});
  // Microbatches divide the rows of every so many batches.
  for (int further = 1; further <= mesh_named(settings.mesh).microbatches; ++further) {
    for (const std::int64_t rows : {settings.batch - further, settings.batch + further}) {
      if (rows >= 1) ways.push_back({{"batch", std::to_string(rows)}});
    }
  }
  return ways;
}

}  // namespace

std::vector<WayToFit> ways_to_divide(const Settings& settings, const Fits& fits) {
  std::vector<WayToFit> found;
  const auto take_first = [&](const std::vector<WayToFit>& ways) {
    const WayToFit* divides = nullptr;
    for (const WayToFit& way : ways) {
      const auto changed = with_changes(settings, way);
      if (!changed) continue;
      if (fits(*changed)) return found.push_back(way);
      if (divides == nullptr) divides = &way;
    }
    if (divides != nullptr) found.push_back(*divides);
  };
  const std::vector<WayToFit> meshes = meshes_near(mesh_named(settings.mesh));
  const std::vector<WayToFit> batches = batches_near(settings);
  take_first(meshes);
  take_first(batches);
  if (!found.empty()) return found;
  std::vector<WayToFit> both;
  for (const WayToFit& mesh : meshes) {
    for (const WayToFit& batch : batches) both.push_back({mesh.front(), batch.front()});
  }
  take_first(both);
  return found;
}

}  // namespace tpulab

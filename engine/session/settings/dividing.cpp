#include "engine/session/settings/dividing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/error.h"
#include "engine/forecast/mesh.h"
#include "engine/machine/machine.h"
#include "engine/session/settings/memory_check.h"
#include "engine/session/settings/plan.h"

namespace tpulab {

namespace {

constexpr std::array parts{&Mesh::data,   &Mesh::fsdp,    &Mesh::tensor,
                           &Mesh::expert, &Mesh::context, &Mesh::pipeline};
constexpr int most_traced = 16;

// Looks at the numbers of slice, mesh and batch alone.
bool goes_together(const Settings& settings) {
  try {
    const Slice slice = slice_named(settings.slice);
    const bool alone = std::ssize(chosen_devices(settings)) != slice.devices();
    if (!alone) resolved_mesh(mesh_named(settings.mesh), slice, global_batch(settings), true);
  } catch (const Error&) {
    return false;
  }
  return true;
}

// What was asked with other numbers, of so many devices; a part of 1 is as if it was not asked.
void add_meshes(const Mesh& asked, std::size_t next, int devices, Mesh mesh,
                std::vector<Mesh>& meshes) {
  if (next == parts.size()) return meshes.push_back(mesh);
  int Mesh::*const part = parts.at(next);
  const int most = asked.*part <= 1 ? 1 : devices;
  for (int extent = 1; extent <= most; ++extent) {
    if (devices % extent != 0) continue;
    mesh.*part = extent == 1 ? Mesh{}.*part : extent;
    add_meshes(asked, next + 1, devices / extent, mesh, meshes);
  }
}

// Stages take as many microbatches each.
std::vector<Mesh> with_microbatches(const std::vector<Mesh>& meshes, int asked) {
  std::vector<Mesh> all;
  for (Mesh mesh : meshes) {
    const int turns = mesh.pipeline == 1 ? 1 : (asked + mesh.pipeline - 1) / mesh.pipeline;
    for (int fewer = turns; fewer >= 1; --fewer) {
      mesh.microbatches = mesh.pipeline == 1 ? 1 : fewer * mesh.pipeline;
      if (turns % fewer == 0) all.push_back(mesh);
    }
  }
  return all;
}

double times_apart(int one, int other) {
  const double ratio = static_cast<double>(one) / other;
  return std::max(ratio, 1 / ratio);
}
double times_apart(const Mesh& asked, const Mesh& mesh) {
  double apart = times_apart(asked.microbatches, mesh.microbatches);
  for (int Mesh::*const part : parts) {
    if (asked.*part > 0) apart *= times_apart(asked.*part, std::max(mesh.*part, 1));
  }
  return apart;
}

// None at all comes last, and not where `now` it is so.
std::vector<WayToFit> meshes_near(const Settings& settings, const Settings& now) {
  const Mesh asked = mesh_named(settings.mesh);
  const Slice slice = slice_named(settings.slice);
  std::vector<Mesh> meshes;
  add_meshes(asked, 0, slice.devices() / slice.joined, {}, meshes);
  meshes = with_microbatches(meshes, asked.microbatches);
  std::erase_if(meshes, [&](const Mesh& mesh) { return mesh == asked || mesh == Mesh(); });
  std::ranges::stable_sort(meshes, {}, [&](const Mesh& mesh) { return times_apart(asked, mesh); });
  meshes.emplace_back();
  std::vector<WayToFit> ways;
  for (const Mesh& mesh : meshes) {
    WayToFit way{{"mesh", text_of(mesh)}};
    if (unchecked(settings, way) != now) ways.push_back(std::move(way));
  }
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

struct Found {
  WayToFit way;
  bool fits = false;
};

// The first that fits, else the first that divides.
std::optional<Found> first_of(const std::vector<WayToFit>& ways, const Settings& settings) {
  std::optional<Found> divides;
  int traced = 0;
  for (const WayToFit& way : ways) {
    if (!goes_together(unchecked(settings, way))) continue;
    if (traced++ == most_traced) break;
    const auto changed = with_changes(settings, way);
    if (!changed) continue;
    if (would_run(*changed)) return Found{way, true};
    if (!divides) divides = Found{way};
  }
  return divides;
}

std::vector<Found> nearest(const Settings& settings, const Settings& now) {
  const std::vector<WayToFit> meshes = meshes_near(settings, now);
  const std::vector<WayToFit> batches = batches_near(settings);
  std::vector<Found> found;
  const auto take_first = [&](const std::vector<WayToFit>& ways) {
    if (auto first = first_of(ways, settings)) found.push_back(std::move(*first));
  };
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

// What is said later counts.
WayToFit one_behind_the_other(WayToFit way, const WayToFit& further) {
  for (const Assignment& one : further) {
    const auto same = std::ranges::find(way, one.name, &Assignment::name);
    same == way.end() ? way.push_back(one) : void(*same = one);
  }
  return way;
}

}  // namespace

WaysToDivide ways_to_divide(const Settings& settings, const Settings& now, bool further) {
  std::vector<Found> found = nearest(settings, now);
  const bool fits = std::ranges::any_of(found, &Found::fits);
  if (fits) std::erase_if(found, [](const Found& one) { return !one.fits; });
  WaysToDivide ways{.fit = fits};
  for (Found& one : found) ways.ways.push_back(std::move(one.way));
  if (fits || found.empty() || !further) return ways;
  const WayToFit first = ways.ways.front();
  const std::vector<WayToFit> fitting = ways_to_fit(*with_changes(settings, first));
  if (fitting.empty()) return ways;
  ways = {.fit = true};
  for (const WayToFit& way : fitting) ways.ways.push_back(one_behind_the_other(first, way));
  return ways;
}

}  // namespace tpulab

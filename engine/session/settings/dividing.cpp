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

double times_apart(int one, int other) {
  const double ratio = static_cast<double>(one) / other;
  return std::max(ratio, 1 / ratio);
}

// The meshes of so many devices that are nearest to what was asked. What was not asked, or with 1,
// they do not have either.
class NearMeshes {
 public:
  NearMeshes(const Mesh& asked, int devices) : asked_(asked) {
    for (int extent = 1; extent <= devices; ++extent) {
      if (devices % extent == 0) extents_.push_back(extent);
    }
    add(0, devices, {});
    keep_nearest();
  }

  const std::vector<Mesh>& nearest_first() const { return meshes_; }

 private:
  static constexpr std::size_t most = 64;

  void add(std::size_t next, int left, Mesh mesh) {
    if (next == parts.size()) {
      const bool whole = left == 1 || mesh.data == 0 || mesh.fsdp == 0;  // which take the rest
      return whole ? add_microbatches(mesh) : void();
    }
    int Mesh::*const part = parts.at(next);
    for (const int extent : extents_) {
      if (extent > 1 && asked_.*part <= 1) return;
      if (left % extent != 0) continue;
      mesh.*part = extent == 1 ? Mesh{}.*part : extent;
      add(next + 1, left / extent, mesh);
    }
  }

  // Stages take as many microbatches each.
  void add_microbatches(Mesh mesh) {
    const int turns =
        mesh.pipeline == 1 ? 1 : (asked_.microbatches + mesh.pipeline - 1) / mesh.pipeline;
    for (int part = 1; part <= turns / part; ++part) {
      if (turns % part != 0) continue;
      for (const int fewer : {turns / part, part}) {
        mesh.microbatches = mesh.pipeline == 1 ? 1 : fewer * mesh.pipeline;
        if (mesh != asked_ && mesh != Mesh()) meshes_.push_back(mesh);
      }
    }
    if (meshes_.size() > 16 * most) keep_nearest();
  }

  double times_from_asked(const Mesh& mesh) const {
    const bool asked = asked_.microbatches > 1;  // else as many as the stages are
    double apart = asked ? times_apart(asked_.microbatches, mesh.microbatches) : 1;
    for (int Mesh::*const part : parts) {
      if (asked_.*part > 0) apart *= times_apart(asked_.*part, std::max(mesh.*part, 1));
    }
    return apart;
  }

  void keep_nearest() {
    std::ranges::stable_sort(meshes_, {}, [&](const Mesh& mesh) { return times_from_asked(mesh); });
    meshes_.erase(std::ranges::unique(meshes_).begin(), meshes_.end());
    meshes_.resize(std::min(meshes_.size(), most));
  }

  const Mesh asked_;
  std::vector<int> extents_;  // that divide the devices
  std::vector<Mesh> meshes_;
};

// None at all comes last, and not where `now` it is so.
std::vector<WayToFit> meshes_near(const Settings& settings, const Settings& now) {
  const Slice slice = slice_named(settings.slice);
  const NearMeshes near(mesh_named(settings.mesh), slice.devices() / slice.joined);
  std::vector<Mesh> meshes = near.nearest_first();
  meshes.emplace_back();
  std::vector<WayToFit> ways;
  for (const Mesh& mesh : meshes) {
    WayToFit way{{"mesh", text_of(mesh)}};
    if (unchecked(settings, way) != now) ways.push_back(std::move(way));
  }
  return ways;
}

std::vector<WayToFit> batches_near(const Settings& settings) {
  constexpr int most_apart = 512;
  std::vector<WayToFit> ways;
  for (std::int64_t fewer = settings.devices_a_row - 1; fewer > 1; --fewer) {
    if (settings.devices_a_row % fewer == 0)
      ways.push_back({{"batch", fmt::format("1/{}", fewer)}});
  }
  if (settings.devices_a_row > 1) ways.push_back({{"batch", "1"}});
  // Microbatches divide the rows of every so many batches.
  const int apart = std::min(mesh_named(settings.mesh).microbatches, most_apart);
  for (int further = 1; further <= apart; ++further) {
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
  constexpr std::size_t most_batches = 32;
  for (const WayToFit& mesh : meshes) {
    for (const WayToFit& batch : std::span(batches).first(std::min(most_batches, batches.size()))) {
      both.push_back({mesh.front(), batch.front()});
    }
  }
  take_first(both);
  return found;
}

bool is_said_by(const Assignment& one, const Assignment& change) {
  return say_the_same(setting_named(one.name), setting_named(change.name));
}

}  // namespace

std::vector<Assignment> with_later(std::span<const Assignment> typed,
                                   std::span<const Assignment> changes) {
  std::vector<Assignment> all(typed.begin(), typed.end());
  for (const Assignment& change : changes) {
    const auto said = [&](const Assignment& one) { return is_said_by(one, change); };
    const auto place = std::ranges::find_if(all, said);
    place == all.end() ? all.push_back(change) : void(*place = change);
  }
  return all;
}

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
  for (const WayToFit& way : fitting) ways.ways.push_back(with_later(first, way));
  return ways;
}

}  // namespace tpulab

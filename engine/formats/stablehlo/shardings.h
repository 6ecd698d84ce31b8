// How a text divides its arrays among devices: sdy.mesh and sdy.sharding, or mhlo.sharding.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/base/work.h"
#include "engine/formats/stablehlo/module.h"

namespace tpulab::stablehlo {

// Axes of the mesh, a bit each, and those that divide each axis of an array.
using MeshAxes = std::uint32_t;
using Divided = std::array<MeshAxes, Shape::max_rank>;

// "{devices=[2,1,4]<=[8] last_tile_dim_replicate}": axis `dimension` of the array in `size` parts,
// whose devices are numbered `apart` from each other.
struct Tile {
  int dimension = 0;
  std::int64_t size = 1;
  std::int64_t apart = 1;
};

// Those that divide any axis.
MeshAxes all_of(const Divided& divided);

// The devices of a text, numbered along axes.
class DeviceMesh {
 public:
  // Of all shardings that stand in `module`. Without axes where there are none, and where they are
  // not read: then why_not() says why.
  explicit DeviceMesh(const Module& module);

  bool empty() const { return axes_.empty(); }
  std::string_view why_not() const { return why_not_; }
  std::int64_t devices() const { return size(~MeshAxes{0}); }
  // Devices that `axes` tell apart.
  std::int64_t size(MeshAxes axes) const;
  // Of `axes` the major ones, which tell so many devices apart; 0: none do.
  MeshAxes leading(MeshAxes axes, std::int64_t devices) const;
  // So that there are such ones: one that has more devices is made two.
  void split(MeshAxes axes, std::int64_t devices);
  // Numbers of the devices of a group that differ in `axes` alone, from device 0 on.
  std::vector<std::int64_t> group(MeshAxes axes) const;
  // What an argument, a result or a constraint says of an array: nothing where it says nothing, or
  // what is not read.
  std::optional<Divided> of(std::string_view sharding) const;
  // `{"data", "model"}`: nothing where one is none of its axes, or stands twice.
  std::optional<MeshAxes> named(std::string_view names) const;
  // Those that mhlo.sharding says are "manual": of a shard_map.
  MeshAxes manual(std::string_view sharding) const;

 private:
  struct Axis {
    std::string_view name{};
    std::int64_t size = 1;
    std::int64_t apart = 1;
  };
  void read_meshes(const Module& module);
  void read_mesh(std::string_view raw);
  void refuse(std::string_view why);
  void read_tiles(const Module& module);
  void read_order(const std::vector<std::string_view>& shardings);
  // Of a tile that has a part of an axis: nothing.
  std::optional<MeshAxes> along(const Tile& tile) const;
  std::vector<std::size_t> from_major(MeshAxes axes) const;
  std::optional<Divided> of_tiles(std::string_view raw) const;
  std::optional<Divided> of_names(std::string_view raw) const;

  std::vector<Axis> axes_;
  std::vector<std::int64_t>
      order_;  // of devices that are numbered one by one; empty: they count up
  std::string_view why_not_{};
};

// The raw text of an argument's or an operation's sharding; empty if it has none.
std::string_view sharding_of(const Attributes& attributes);
std::string_view sharding_of(const Operation& constraint);
// It holds an array in parts.
bool divides(std::string_view sharding);

}  // namespace tpulab::stablehlo

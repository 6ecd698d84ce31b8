// A ball and a box, brighter than the noise about them, in a volume of 16 x 16 x 16, and of each
// voxel what it belongs to: nothing, the ball, the box. The box hides the ball.
#include <algorithm>
#include <cstdlib>

#include "engine/training/dataset.h"
#include "engine/training/random.h"

namespace tpulab {

namespace {

constexpr std::int64_t solid_side = 16;
constexpr std::int64_t voxels = solid_side * solid_side * solid_side;
constexpr std::int64_t volumes_made = 160;

struct Place {
  std::int64_t z, y, x;
};

Place at(std::int64_t voxel) {
  return {voxel / solid_side / solid_side, voxel / solid_side % solid_side, voxel % solid_side};
}

struct Solid {
  Place middle{};
  std::int64_t reach = 0;

  explicit Solid(Random& random) {
    constexpr std::int64_t least = 2;
    reach = least + static_cast<std::int64_t>(random.below(3));
    const auto inside = [&] {
      return reach + static_cast<std::int64_t>(
                         random.below(static_cast<std::uint64_t>(solid_side - 2 * reach)));
    };
    middle = {inside(), inside(), inside()};
  }
  Place from(const Place& place) const {
    return {std::abs(place.z - middle.z), std::abs(place.y - middle.y),
            std::abs(place.x - middle.x)};
  }
};

bool in_ball(const Solid& ball, const Place& place) {
  const Place off = ball.from(place);
  return off.z * off.z + off.y * off.y + off.x * off.x <= ball.reach * ball.reach;
}
bool in_box(const Solid& box, const Place& place) {
  const Place off = box.from(place);
  return std::max({off.z, off.y, off.x}) < box.reach;
}

Dataset filled() {
  Dataset data{.name = "solids",
               .row_name = "volumes",
               .views = {{Input::volume, {solid_side, solid_side, solid_side, 1}}},
               .classes = 3,
               .labels_per_row = voxels,
               .training_rows = volumes_made * 4 / 5,
               .values = {},
               .labels = {}};
  Random random(17);
  for (std::int64_t i = 0; i < volumes_made; ++i) {
    const Solid ball(random);
    const Solid box(random);
    for (std::int64_t voxel = 0; voxel < voxels; ++voxel) {
      const Place place = at(voxel);
      const int kind = in_box(box, place) ? 2 : in_ball(ball, place) ? 1 : 0;
      const float bright = kind == 0 ? 0.2f : 0.6f;
      const float noise = static_cast<float>(random.below(256)) / 640.0f;
      data.values.push_back(bright + noise);
      data.labels.push_back(kind);
    }
  }
  return data;
}

}  // namespace

const Dataset& solids() {
  static const Dataset data = filled();
  return data;
}

}  // namespace tpulab

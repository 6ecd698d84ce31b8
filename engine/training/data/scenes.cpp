// Two handwritten digits in an image of 24 x 24, and of each cell of 4 x 4 which one has its middle
// there: its class, none first, and by how much middle and size differ from the cell's own box of
// 8 x 8, in hundredths of SSD's offsets.
#include <algorithm>
#include <array>
#include <cmath>

#include "engine/training/dataset.h"
#include "engine/training/networks/networks.h"
#include "engine/training/random.h"

namespace tpulab {

namespace {

constexpr std::int64_t scene_side = 24;
constexpr std::int64_t digit = 8;
constexpr std::int64_t cell = 4;
constexpr std::int64_t cells = scene_side / cell;
constexpr std::int64_t scenes_made = 1'500;

struct Span {
  std::int64_t first = digit;
  std::int64_t last = -1;

  void reach(std::int64_t at) {
    first = std::min(first, at);
    last = std::max(last, at);
  }
  double extent() const { return static_cast<double>(last - first + 1); }
  double middle() const { return static_cast<double>(first + last + 1) / 2; }
};

// Middles count ten times, sizes five times [SSD's variances].
int middle_offset(double middle, std::int64_t at) {
  const double own = (static_cast<double>(at) + 0.5) * static_cast<double>(cell);
  return static_cast<int>(std::lround(1000 * (middle - own) / digit));
}
int size_offset(double extent) {
  return static_cast<int>(std::lround(500 * std::log(extent / digit)));
}

struct Scene {
  std::array<float, scene_side * scene_side> pixels{};
  std::array<int, cells * cells * labels_of_a_box> labels{};

  void place(std::span<const float> image, int kind, std::int64_t top, std::int64_t left) {
    Span down;
    Span across;
    for (std::int64_t i = 0; i < digit * digit; ++i) {
      const float ink = image[static_cast<std::size_t>(i)];
      if (ink <= 0) continue;
      const std::int64_t y = top + i / digit;
      const std::int64_t x = left + i % digit;
      pixels[static_cast<std::size_t>(y * scene_side + x)] = ink;
      down.reach(i / digit);
      across.reach(i % digit);
    }
    const double y = static_cast<double>(top) + down.middle();
    const double x = static_cast<double>(left) + across.middle();
    const auto row = static_cast<std::int64_t>(y) / cell;
    const auto column = static_cast<std::int64_t>(x) / cell;
    int* label = labels.data() + (row * cells + column) * labels_of_a_box;
    for (const int one : {kind + 1, middle_offset(y, row), middle_offset(x, column),
                          size_offset(down.extent()), size_offset(across.extent())}) {
      *label++ = one;
    }
  }
};

// Scenes that are tested show digits that no other does.
Dataset placed() {
  const Dataset& all = digits();
  Dataset data{.name = "scenes",
               .row_name = "images",
               .views = {{Input::scene, {scene_side, scene_side, 1}}},
               .classes = all.classes + 1,
               .labels_per_row = cells * cells * labels_of_a_box,
               .training_rows = scenes_made * 4 / 5,
               .values = {},
               .labels = {}};
  Random random(13);
  for (std::int64_t i = 0; i < scenes_made; ++i) {
    const bool trains = i < data.training_rows;
    const std::int64_t first = trains ? 0 : all.training_rows;
    const std::int64_t count = trains ? all.training_rows : all.rows() - all.training_rows;
    Scene scene;
    for (const std::int64_t left : {std::int64_t{0}, scene_side / 2}) {
      const auto row =
          first + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(count)));
      const auto top = static_cast<std::int64_t>(random.below(scene_side - digit + 1));
      const auto right = static_cast<std::int64_t>(random.below(scene_side / 2 - digit + 1));
      scene.place(all.values_of(row), all.labels_of(row)[0], top, left + right);
    }
    data.values.insert(data.values.end(), scene.pixels.begin(), scene.pixels.end());
    data.labels.insert(data.labels.end(), scene.labels.begin(), scene.labels.end());
  }
  return data;
}

}  // namespace

const Dataset& scenes() {
  static const Dataset data = placed();
  return data;
}

}  // namespace tpulab

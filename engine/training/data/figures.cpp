// One to three figures in an image of 32 x 32: a disc, a square or a triangle, each in a colour of
// its own on a noisy ground, none in front of another; and what Mask R-CNN's labels say of them.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "engine/training/dataset.h"
#include "engine/training/networks/networks.h"
#include "engine/training/random.h"

namespace tpulab {

namespace {

constexpr std::int64_t side = 32;
constexpr std::int64_t colours = 3;
constexpr std::int64_t images_made = 600;
constexpr int kinds = 3;

std::int64_t drawn(Random& random, std::int64_t below) {
  return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(below)));
}

struct Figure {
  int kind = 1;  // disc, square, triangle
  std::int64_t top = 0;
  std::int64_t left = 0;
  std::int64_t extent = 0;

  explicit Figure(Random& random) {
    constexpr std::int64_t least = 6;
    constexpr std::int64_t sizes = 9;
    kind = 1 + static_cast<int>(drawn(random, kinds));
    extent = least + drawn(random, sizes);
    top = drawn(random, side - extent + 1);
    left = drawn(random, side - extent + 1);
  }
  Box box() const {
    return {static_cast<float>(top), static_cast<float>(left), static_cast<float>(top + extent),
            static_cast<float>(left + extent)};
  }
  // Whether it covers a point, told in shares of its box.
  bool covers(double y, double x) const {
    const double down = y - 0.5;
    const double across = x - 0.5;
    if (kind == 1) return down * down + across * across <= 0.25;
    return kind == 2 || 2 * std::abs(across) <= y;
  }
};

std::vector<Figure> figures_of(Random& random) {
  const std::int64_t wanted = 1 + drawn(random, 3);
  std::vector<Figure> placed;
  for (int tries = 0; tries < 20 && std::ssize(placed) < wanted; ++tries) {
    const Figure figure(random);
    const bool free = std::ranges::none_of(
        placed, [&](const Figure& other) { return overlap(figure.box(), other.box()) > 0; });
    if (free) placed.push_back(figure);
  }
  return placed;
}

double middle_of(std::int64_t part, std::int64_t parts) {
  return (static_cast<double>(part) + 0.5) / static_cast<double>(parts);
}

std::vector<float> painted(const std::vector<Figure>& figures, Random& random) {
  std::vector<float> pixels(static_cast<std::size_t>(side * side * colours));
  for (float& value : pixels) value = random.uniform(0, 0.3f);
  for (const Figure& figure : figures) {
    const float colour[colours] = {random.uniform(0.4f, 1), random.uniform(0.4f, 1),
                                   random.uniform(0.4f, 1)};
    for (std::int64_t i = 0; i < figure.extent * figure.extent; ++i) {
      const std::int64_t y = i / figure.extent;
      const std::int64_t x = i % figure.extent;
      if (!figure.covers(middle_of(y, figure.extent), middle_of(x, figure.extent))) continue;
      const std::int64_t pixel = (figure.top + y) * side + figure.left + x;
      std::copy_n(colour, colours, pixels.begin() + pixel * colours);
    }
  }
  return pixels;
}

// Of an image the anchors that stand for a thing, and by how much they are off; of the others as
// many as are asked, at random, stand for none [overlaps of 0.7 and 0.3, or the best of a thing].
class AnchorLabels {
 public:
  AnchorLabels(const RegionLabels& places, const std::vector<Figure>& figures) {
    for (const RegionLabels::Level& level : places.levels) {
      for (std::int64_t i = 0; i < level.grid.anchors(); ++i) {
        anchors_.push_back(level.grid.anchor(i));
        counts_.push_back(level.counts + i);
        offsets_.push_back(level.offsets + 4 * i);
      }
    }
    for (const Figure& figure : figures) things_.push_back(figure.box());
  }

  void write(std::vector<int>& labels, std::int64_t asked, Random& random) const {
    std::vector<std::size_t> none;
    std::int64_t left = asked;
    for (std::size_t i = 0; i < anchors_.size(); ++i) {
      int& counts = labels[static_cast<std::size_t>(counts_[i])];
      counts = -1;
      const std::size_t thing = best_thing(i);
      const float common = overlap(anchors_[i], things_[thing]);
      if (common >= 0.7f || best_anchor(thing) == i) {
        counts = 1;
        --left;
        write_offsets(labels, i, things_[thing]);
      } else if (common < 0.3f) {
        none.push_back(i);
      }
    }
    for (; left > 0 && !none.empty(); --left) {
      const auto at = static_cast<std::size_t>(random.below(none.size()));
      labels[static_cast<std::size_t>(counts_[none[at]])] = 0;
      none.erase(none.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }

 private:
  std::size_t best_thing(std::size_t anchor) const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < things_.size(); ++i) {
      if (overlap(anchors_[anchor], things_[i]) > overlap(anchors_[anchor], things_[best])) {
        best = i;
      }
    }
    return best;
  }
  std::size_t best_anchor(std::size_t thing) const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < anchors_.size(); ++i) {
      if (overlap(anchors_[i], things_[thing]) > overlap(anchors_[best], things_[thing])) best = i;
    }
    return best;
  }
  void write_offsets(std::vector<int>& labels, std::size_t anchor, const Box& thing) const {
    const BoxOffsets off = offsets_between(anchors_[anchor], thing);
    int* to = labels.data() + offsets_[anchor];
    for (const float one : {off.down, off.across, off.taller, off.wider}) {
      *to++ = static_cast<int>(std::lround(100 * one));
    }
  }

  std::vector<Box> anchors_;
  std::vector<std::int64_t> counts_;
  std::vector<std::int64_t> offsets_;
  std::vector<Box> things_;
};

void write_things(std::vector<int>& labels, const RegionLabels& places, std::int64_t outline,
                  const std::vector<Figure>& figures) {
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const auto thing = static_cast<std::int64_t>(i);
    const Figure& figure = figures[i];
    labels[static_cast<std::size_t>(places.classes + thing)] = figure.kind;
    int* box = labels.data() + places.boxes + 4 * thing;
    for (const std::int64_t one :
         {figure.top, figure.left, figure.top + figure.extent, figure.left + figure.extent}) {
      *box++ = static_cast<int>(one);
    }
    int* part = labels.data() + places.outlines + thing * outline * outline;
    for (std::int64_t k = 0; k < outline * outline; ++k) {
      const bool inside =
          figure.covers(middle_of(k / outline, outline), middle_of(k % outline, outline));
      *part++ = inside ? 1 : 0;
    }
  }
}

Dataset painted_all() {
  const RegionSizes sizes = small_mask_rcnn_sizes();
  const RegionLabels places(sizes, side, side);
  Dataset data{.name = "figures",
               .row_name = "images",
               .views = {{Input::outlines, {side, side, colours}}},
               .classes = kinds + 1,
               .labels_per_row = places.all,
               .training_rows = images_made * 4 / 5,
               .values = {},
               .labels = {}};
  Random random(23);
  for (std::int64_t i = 0; i < images_made; ++i) {
    const std::vector<Figure> figures = figures_of(random);
    const std::vector<float> pixels = painted(figures, random);
    std::vector<int> labels(static_cast<std::size_t>(places.all));
    AnchorLabels(places, figures).write(labels, sizes.asked, random);
    write_things(labels, places, sizes.outline, figures);
    data.values.insert(data.values.end(), pixels.begin(), pixels.end());
    data.labels.insert(data.labels.end(), labels.begin(), labels.end());
  }
  return data;
}

}  // namespace

const Dataset& figures() {
  static const Dataset data = painted_all();
  return data;
}

}  // namespace tpulab

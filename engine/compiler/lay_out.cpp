// Which axes of an image [b,h,w,c] or a volume [b,d,h,w,c] lie in sublanes and lanes, where arrays
// are padded to tiles: the two that pad least, batch and channels if nothing pads less (so XLA lays
// out most of ResNet-50). Other arrays lie row by row where that does not pad them much.
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "engine/compiler/compile.h"
#include "engine/machine/price.h"

namespace tpulab {

namespace {

class Marker {
 public:
  explicit Marker(const Program& program) : program_(program), images_(program.nodes.size(), 0) {}

  // Ops on images say so; what works element by element keeps the layout of what it reads.
  std::vector<char> run() && {
    for (NodeId id = 0; id < count(); ++id) spread(id);
    for (NodeId id = count() - 1; id >= 0; --id) spread(id);
    return std::move(images_);
  }

 private:
  NodeId count() const { return static_cast<NodeId>(program_.nodes.size()); }
  char& image(NodeId id) { return images_[static_cast<std::size_t>(id)]; }

  void spread(NodeId id) {
    const Node& node = program_.node(id);
    if (node.leaf()) return;
    const OpTraits traits = node.traits;
    if (traits.images & OpTraits::image_result) image(id) = 1;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const NodeId input = node.inputs[i];
      if (i < OpTraits::image_inputs && (traits.images >> i & 1)) image(input) = 1;
      if (!traits.elementwise || !alike(input, id)) continue;
      const char either = image(input) | image(id);
      image(input) = image(id) = either;
    }
  }
  bool alike(NodeId a, NodeId b) const {
    return program_.node(a).type.shape == program_.node(b).type.shape;
  }

  const Program& program_;
  std::vector<char> images_;
};

// Axes that lie in sublanes and lanes.
struct Tiled {
  int sublanes;
  int lanes;
};

// The other axes lie outside of the tiles, in their order.
Shape tiled(const Shape& shape, Tiled tile) {
  Shape order = shape;
  int outside = 0;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (axis != tile.sublanes && axis != tile.lanes) order[outside++] = shape[axis];
  }
  order[outside] = shape[tile.sublanes];
  order[outside + 1] = shape[tile.lanes];
  return order;
}

// The first of those that pad least.
Shape least_padded(const Type& type, std::span<const Tiled> tiles) {
  Shape best = tiled(type.shape, tiles[0]);
  Bytes least = padded_bytes(best, type.dtype);
  for (const Tiled tile : tiles.subspan(1)) {
    const Shape tried = tiled(type.shape, tile);
    const Bytes needed = padded_bytes(tried, type.dtype);
    if (needed >= least) continue;
    best = tried;
    least = needed;
  }
  return best;
}

// Batch, columns and channels take turns in the tile, columns not beside channels: of fewer images
// than sublanes XLA pads the batch, or cuts columns to pieces in its place and copies them there
// and back, which takes as long [TPU compiler, v3, v4, v6e]. Of volumes, which are few, columns may
// fill the tile: XLA has batches of pieces of them there instead, which pad as little.
Shape as_images(const Type& type) {
  const int c = type.shape.rank() - 1;
  const int w = c - 1;
  constexpr int b = 0;
  const std::array<Tiled, 5> tiles{{{b, c}, {c, b}, {w, b}, {w, c}, {c, w}}};
  return least_padded(type, std::span(tiles).first(type.shape.rank() > 4 ? 5 : 3));
}

// Row by row, unless that leaves half of the tiles empty: then the axes that pad least. Matrices,
// and heads narrower than the lanes, are turned wherever that pads less.
Shape compact(const Type& type) {
  const Shape& shape = type.shape;
  const int last = shape.rank() - 1;
  if (last < 1) return shape;
  const double row_by_row = static_cast<double>(padded_bytes(shape, type.dtype).value);
  const auto pads_half = [&](const Shape& other) {
    return static_cast<double>(padded_bytes(other, type.dtype).value) <= row_by_row / 2;
  };
  std::vector<Tiled> tiles{{last - 1, last}, {last, last - 1}};
  const Shape turned = least_padded(type, tiles);
  for (int lanes = last; lanes >= 0; --lanes) {
    for (int sublanes = last; sublanes >= 0; --sublanes) {
      if (sublanes != lanes) tiles.push_back({sublanes, lanes});
    }
  }
  const Shape best = least_padded(type, tiles);
  if (pads_half(best)) return best;
  return last == 1 || last == 3 ? turned : shape;
}

}  // namespace

void lay_out(Program& program) {
  program.images = Marker(program).run();
  program.laid_out.clear();
  program.laid_out.reserve(program.nodes.size());
  for (std::size_t id = 0; id < program.nodes.size(); ++id) {
    const Node& node = program.nodes[id];
    const char image = program.images[id];
    // Most arrays are like the first that they are made of.
    const auto first = node.inputs.empty() ? id : static_cast<std::size_t>(node.inputs[0]);
    if (first < id && program.nodes[first].type == node.type && program.images[first] == image) {
      program.laid_out.push_back(program.laid_out[first]);
    } else {
      program.laid_out.push_back(image != 0 ? as_images(node.type) : compact(node.type));
    }
  }
}

}  // namespace tpulab

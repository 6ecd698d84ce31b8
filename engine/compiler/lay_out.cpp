// Which axes of an image [b,h,w,c] or a volume [b,d,h,w,c] lie in sublanes and lanes, where arrays
// are padded to tiles: the two that pad least, batch and channels if nothing pads less (so XLA lays
// out most of ResNet-50). Other arrays lie row by row where that does not pad them much.
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

// Batch, columns and channels take turns in the tile, what is left lies outside of it. Of volumes,
// which are few, columns may fill the lanes: XLA has batches of pieces of them there instead, which
// pad as little.
Shape laid_out(const Type& type) {
  const Shape& shape = type.shape;
  const int c = shape.rank() - 1;
  const int w = c - 1;
  constexpr int b = 0;
  std::vector<std::pair<int, int>> tiles{{b, c}, {c, b}, {w, b}, {w, c}};
  if (shape.rank() > 4) tiles.emplace_back(c, w);
  Shape best;
  Bytes least;
  for (const auto& [sublanes, lanes] : tiles) {
    std::vector<std::int64_t> order;
    for (int axis = 1; axis < shape.rank(); ++axis) {
      if (axis != sublanes && axis != lanes) order.push_back(shape[axis]);
    }
    if (sublanes != b && lanes != b) order.insert(order.begin(), shape[b]);
    order.push_back(shape[sublanes]);
    order.push_back(shape[lanes]);
    const Shape tried{std::span<const std::int64_t>(order)};
    const Bytes bytes = padded_bytes(tried, type.dtype);
    if (!best.scalar() && bytes >= least) continue;
    best = tried;
    least = bytes;
  }
  return best;
}

// A last axis that leaves most of the lanes empty takes turns with the one before it, or lies
// outside of the tile: the axis before it is in the lanes then. Heads narrower than the lanes are
// turned wherever that pads less.
Shape compact(const Type& type) {
  const Shape& shape = type.shape;
  const int rank = shape.rank();
  if (rank < 3) return shape;
  Shape turned = shape;
  std::swap(turned[rank - 2], turned[rank - 1]);
  Shape outside = shape;
  for (int axis = rank - 1; axis > 0; --axis) outside[axis] = shape[axis - 1];
  outside[0] = shape[rank - 1];
  const double row_by_row = static_cast<double>(padded_bytes(shape, type.dtype).value);
  const auto share = [&](const Shape& other) {
    return static_cast<double>(padded_bytes(other, type.dtype).value) / row_by_row;
  };
  constexpr double worth_it = 0.5;
  if (share(outside) <= worth_it && share(outside) < share(turned)) return outside;
  return share(turned) < (rank == 4 ? 1 : worth_it) ? turned : shape;
}

}  // namespace

void lay_out(Program& program) {
  program.images = Marker(program).run();
  program.laid_out.clear();
  for (std::size_t id = 0; id < program.nodes.size(); ++id) {
    const Type& type = program.nodes[id].type;
    const bool image = program.images[id] != 0;
    program.laid_out.push_back(image ? laid_out(type) : compact(type));
  }
}

}  // namespace tpulab

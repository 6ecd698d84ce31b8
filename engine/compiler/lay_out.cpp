// Which axes of an image [b,h,w,c] lie in sublanes and lanes, where arrays are padded to tiles: the
// two that pad least, batch and channels if nothing pads less (so XLA lays out most of ResNet-50).
// Of heads [b,h,t,d] the last two likewise. Other arrays lie row by row.
#include <array>
#include <utility>

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

Shape laid_out(const Type& type) {
  constexpr int b = 0, h = 1, w = 2, c = 3;
  constexpr std::array<std::array<int, 4>, 4> orders{
      {{h, w, b, c}, {h, w, c, b}, {h, c, w, b}, {b, h, w, c}}};
  Shape best;
  Bytes least;
  for (const auto& order : orders) {
    const Shape& shape = type.shape;
    const Shape tried{shape[order[0]], shape[order[1]], shape[order[2]], shape[order[3]]};
    const Bytes bytes = padded_bytes(tried, type.dtype);
    if (!best.scalar() && bytes >= least) continue;
    best = tried;
    least = bytes;
  }
  return best;
}

// Heads narrower than the lanes: tokens lie there if that pads less.
Shape heads_laid_out(const Type& type) {
  Shape turned = type.shape;
  if (turned.rank() != 4) return turned;
  std::swap(turned[2], turned[3]);
  const bool less = padded_bytes(turned, type.dtype) < padded_bytes(type.shape, type.dtype);
  return less ? turned : type.shape;
}

}  // namespace

void lay_out(Program& program) {
  program.images = Marker(program).run();
  program.laid_out.clear();
  for (std::size_t id = 0; id < program.nodes.size(); ++id) {
    const Type& type = program.nodes[id].type;
    const bool image = program.images[id] != 0;
    program.laid_out.push_back(image ? laid_out(type) : heads_laid_out(type));
  }
}

}  // namespace tpulab

// Boxes in images: what lies between them, as numbers for the host that labels them and as ops for
// the device that learns them. Arrays of boxes are [b,n,4]: top, left, bottom, right, in pixels.
// None of the ops lets a gradient through.
#pragma once

#include <vector>

#include "engine/ops/ops.h"

namespace tpulab {

struct Box {
  float top = 0;
  float left = 0;
  float bottom = 0;
  float right = 0;

  float height() const { return bottom - top; }
  float width() const { return right - left; }
  float area() const { return height() * width(); }
};

// Their common area over that of both together.
float overlap(const Box& a, const Box& b);

// By how much a middle is off, in sides, and the logarithms of how much taller and wider.
struct BoxOffsets {
  float down = 0;
  float across = 0;
  float taller = 0;
  float wider = 0;
};
// Sides below a pixel count as one: `moved` undoes `offsets_between` for all boxes of a pixel or
// more.
BoxOffsets offsets_between(const Box& from, const Box& to);
Box moved(const Box& from, const BoxOffsets& by);

// Three anchors stand in the middle of each cell of a map: a square, a wide and a tall box.
struct AnchorGrid {
  static constexpr std::int64_t kinds = 3;

  std::int64_t height = 0;  // cells
  std::int64_t width = 0;
  std::int64_t stride = 1;  // pixels of a cell
  double side = 0;          // pixels of the square one

  std::int64_t anchors() const { return height * width * kinds; }
  Box anchor(std::int64_t index) const;
};

// The anchors at these places, s32 [b,n].
Tensor anchors_at(Tensor places, const AnchorGrid& grid);
// Moved by offsets [b,n,4], of which the first two count 1/ `middles` and the others 1/ `sizes`,
// and cut off where the image ends. A box that is not finite becomes the image's upper left corner:
// indices are made of boxes, and that a run has diverged is its loss's to say.
struct OffsetScale {
  double middles = 1;
  double sizes = 1;
};
Tensor moved_boxes(Tensor boxes, Tensor offsets, const OffsetScale& scale, const Box& image);
Tensor box_offsets(Tensor from, Tensor to, const OffsetScale& scale);
// [b,n,4] and [b,m,4] -> [b,n,m]
Tensor box_overlaps(Tensor boxes, Tensor others);
// Of boxes with the best first: 1 where a box has an area and none that was kept before it overlaps
// with it by more than `most`, else 0: [b,n]. The device works on tiles of 512 boxes and clears
// each until nothing changes [MLPerf's Mask R-CNN on TPUs, non_max_suppression.py].
Tensor not_suppressed(Tensor boxes, double most);

// Maps of features, each half as high and wide as the one before, below each other: rows of pixels.
struct Pyramid {
  std::vector<AnchorGrid> levels{};
  double whole = 224;  // side of a box that is looked for where a cell has 16 pixels [FPN, eq. 1]

  std::int64_t pixels() const;
};
// Each box is cut into side x side parts, and the features in the middle of each are the mean of
// four neighbouring pixels, weighed by how near they are [RoIAlign, arXiv 1703.06870, one point a
// part]. Which rows of b pyramids these are, s32 [4 b n side^2], and their weights: first all upper
// left ones.
Tensor region_pixels(Tensor boxes, const Pyramid& pyramid, std::int64_t side);
Tensor region_weights(Tensor boxes, const Pyramid& pyramid, std::int64_t side);
// 1 where the thing lies in the middle of a part: [b,n,side^2]. Outlines [b,m,k,k] are of things
// cut out by boxes [b,m,4]; each of `boxes` looks at one of them, chosen s32 [b,n].
Tensor cut_outlines(Tensor outlines, Tensor things, Tensor chosen, Tensor boxes, std::int64_t side);

}  // namespace tpulab

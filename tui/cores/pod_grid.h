// Where the devices of a pod lie on the screen: the planes of its torus side by side, a cell for
// each device or for a box of them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/session/snapshot.h"
#include "tui/draw/canvas.h"

namespace tpulab {

// Devices of a pod by plane (z, and slice after slice), row (y) and column (x, those of a chip side
// by side).
struct PodShape {
  int columns = 1;
  int rows = 1;
  int planes = 1;
  int devices = 0;
  TorusView torus{};
  int devices_per_host = 0;
};
// A plane of powers of two where the torus is not known.
PodShape pod_shape(const RunView& run, int devices);
// "(6, 1)", with z and slice where there are several.
std::string coordinates_of(const PodShape& shape, int device);

class PodGrid {
 public:
  // The smallest boxes for which there is room, and the largest cells. Never fails.
  PodGrid(const PodShape& shape, int rows, int columns);

  int cells() const { return across_ * down_ * deep_; }
  int group() const { return box_columns_ * box_rows_ * box_planes_; }  // devices in a cell
  int cell_of(int device) const;
  std::vector<int> devices_of(int cell) const;  // ascending; may be none in the last row
  Rect place_of(int cell) const;                // without the gap beside it
  // The cell that lies there; -1 beyond the edge.
  int neighbour(int cell, int rows, int columns) const;
  int columns() const;  // all of it, labels included
  int rows() const { return (deep_ + side_by_side_ - 1) / side_by_side_ * plane_rows(); }
  // Coordinates at the edges and lines between hosts.
  void draw_labels(Canvas& canvas, Glyphs glyphs) const;

 private:
  struct Place {
    int plane, row, column;  // of cells
  };
  struct Boxes {
    int columns, rows, planes;
  };
  bool fit(const Boxes& boxes, int rows, int columns);
  void grow(int rows, int columns);
  int host_cells() const;
  int gaps_before(int column) const;
  int plane_columns() const;
  int plane_rows() const { return down_ * cell_rows_ + header_; }
  Place place_in_cells(int cell) const;
  Rect plane_at(int plane) const;
  void draw_plane(Canvas& canvas, int plane, Glyphs glyphs) const;
  std::string plane_name(int plane) const;

  PodShape shape_;
  int box_columns_ = 1, box_rows_ = 1, box_planes_ = 1;
  int across_ = 1, down_ = 1, deep_ = 1;
  int side_by_side_ = 1;  // planes
  int cell_rows_ = 1, cell_columns_ = 1;
  int chip_gap_ = 0, host_gap_ = 0;
  int header_ = 0, labels_ = 0;
};

}  // namespace tpulab

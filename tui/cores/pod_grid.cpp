#include "tui/cores/pod_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "tui/draw/fit.h"

namespace tpulab {

namespace {

constexpr int between_planes = 2;
constexpr int label_columns = 4;  // "y31 "
constexpr int least_labelled_rows = 5;
constexpr int least_labelled_columns = 24;
constexpr int most_cell_columns = 6;
constexpr int most_cell_rows = 3;

std::vector<int> divisors(int number) {
  std::vector<int> all;
  for (int i = 1; i <= number; ++i) {
    if (number % i == 0) all.push_back(i);
  }
  return all;
}

int parts(int all, int part) { return (all + part - 1) / part; }

}  // namespace

PodShape pod_shape(const RunView& run, int devices) {
  const TorusView& torus = run.torus;
  PodShape shape{.columns = torus.chips[0] * torus.devices_per_chip,
                 .rows = torus.chips[1],
                 .planes = torus.chips[2] * torus.slices,
                 .devices = devices,
                 .torus = torus,
                 .devices_per_host = run.devices_per_host};
  if (shape.columns * shape.rows * shape.planes == devices) return shape;
  shape.torus = {};
  shape.columns = shape.rows = shape.planes = 1;
  while (shape.columns * shape.columns < devices) shape.columns *= 2;
  shape.rows = parts(std::max(1, devices), shape.columns);
  shape.torus.chips = {shape.columns, shape.rows, 1};
  return shape;
}

std::string coordinates_of(const PodShape& shape, int device) {
  const TorusView& torus = shape.torus;
  const int chip = device / torus.devices_per_chip;
  const int plane = chip / (torus.chips[0] * torus.chips[1]);
  std::string text =
      fmt::format("({}, {}", chip % torus.chips[0], chip / torus.chips[0] % torus.chips[1]);
  if (torus.chips[2] > 1) text += fmt::format(", {}", plane % torus.chips[2]);
  text += ")";
  if (torus.slices > 1) text += fmt::format(" of slice {}", plane / torus.chips[2]);
  return text;
}

PodGrid::PodGrid(const PodShape& shape, int rows, int columns) : shape_(shape) {
  std::vector<Boxes> all;
  for (const int planes : divisors(shape.planes)) {
    for (const int down : divisors(shape.rows)) {
      for (const int across : divisors(shape.columns)) all.push_back({across, down, planes});
    }
  }
  // Boxes of few devices, flat and nearly square.
  std::ranges::stable_sort(all, {}, [](const Boxes& boxes) {
    return std::tuple(boxes.columns * boxes.rows * boxes.planes, boxes.planes,
                      std::abs(boxes.columns - boxes.rows), boxes.rows);
  });
  for (const Boxes& boxes : all) {
    if (fit(boxes, rows, columns)) break;
  }
  grow(rows, columns);
}

// With one column and row a cell; else everything is one cell.
bool PodGrid::fit(const Boxes& boxes, int rows, int columns) {
  box_columns_ = boxes.columns, box_rows_ = boxes.rows, box_planes_ = boxes.planes;
  across_ = shape_.columns / box_columns_;
  down_ = shape_.rows / box_rows_;
  deep_ = shape_.planes / box_planes_;
  const bool labelled = rows >= least_labelled_rows && columns >= least_labelled_columns;
  header_ = labelled ? 1 : 0;
  labels_ = labelled ? label_columns : 0;
  side_by_side_ =
      std::clamp((columns - labels_ + between_planes) / (across_ + between_planes), 1, deep_);
  return labels_ + across_ <= columns && parts(deep_, side_by_side_) * plane_rows() <= rows;
}

// As large as there is room; lines between hosts before gaps between chips before wide cells.
void PodGrid::grow(int rows, int columns) {
  int best = 0;
  const int most = side_by_side_;
  const PodGrid flat = *this;
  PodGrid chosen = *this;
  for (int beside = 1; beside <= most; ++beside) {
    PodGrid grid = flat;
    grid.side_by_side_ = beside;
    const int plane_room = (columns - labels_ - between_planes * (beside - 1)) / beside;
    const int row_room = rows / parts(deep_, beside) - header_;
    if (row_room < down_ || plane_room < across_) continue;
    grid.cell_rows_ = std::clamp(row_room / down_, 1, most_cell_rows);
    for (const auto& [chips, hosts] : {std::pair{1, 1}, {0, 1}, {0, 0}}) {
      grid.chip_gap_ = chips, grid.host_gap_ = hosts;
      const int room = plane_room - grid.gaps_before(across_);
      grid.cell_columns_ = std::clamp(room / across_, 0, most_cell_columns);
      if (grid.cell_columns_ >= 1 + chips) break;
    }
    grid.cell_columns_ = std::min(std::max(1, grid.cell_columns_), 3 * grid.cell_rows_);
    const int size = std::min(grid.cell_columns_, 2 * grid.cell_rows_) * 4 + grid.host_gap_;
    if (size < best) continue;
    best = size;
    chosen = grid;
  }
  *this = chosen;
}

// Cells of a host in a row; 0 where its devices are not some of one row.
int PodGrid::host_cells() const {
  const int each = shape_.devices_per_host;
  if (each <= 0 || each >= shape_.columns || shape_.columns % each != 0) return 0;
  if (each % box_columns_ != 0 || each / box_columns_ < 2 || box_rows_ * box_planes_ > 1) return 0;
  return each / box_columns_;
}

// Left of a cell, or in a whole row of them.
int PodGrid::gaps_before(int column) const {
  const int edges = std::min(column, across_ - 1);
  const int host = host_cells();
  const int hosts = host > 0 && host_gap_ > 0 ? edges / host : 0;
  const int on_chip = shape_.torus.devices_per_chip;
  const int chips = on_chip > 1 && box_columns_ == 1 ? edges / on_chip - hosts : 0;
  return hosts + chips * chip_gap_;
}

int PodGrid::plane_columns() const { return across_ * cell_columns_ + gaps_before(across_); }

PodGrid::Place PodGrid::place_in_cells(int cell) const {
  return {cell / (across_ * down_), cell / across_ % down_, cell % across_};
}

int PodGrid::cell_of(int device) const {
  const int column = device % shape_.columns;
  const int row = device / shape_.columns % shape_.rows;
  const int plane = device / shape_.columns / shape_.rows;
  return (plane / box_planes_ * down_ + row / box_rows_) * across_ + column / box_columns_;
}

std::vector<int> PodGrid::devices_of(int cell) const {
  const Place at = place_in_cells(cell);
  std::vector<int> devices;
  for (int plane = at.plane * box_planes_; plane < (at.plane + 1) * box_planes_; ++plane) {
    for (int row = at.row * box_rows_; row < (at.row + 1) * box_rows_; ++row) {
      const int first = (plane * shape_.rows + row) * shape_.columns + at.column * box_columns_;
      for (int device = first; device < first + box_columns_; ++device) {
        if (device < shape_.devices) devices.push_back(device);
      }
    }
  }
  return devices;
}

// Its first cell, without label and header.
Rect PodGrid::plane_at(int plane) const {
  const int row = plane / side_by_side_ * plane_rows() + header_;
  const int column = labels_ + plane % side_by_side_ * (plane_columns() + between_planes);
  return {row, column, down_ * cell_rows_, plane_columns()};
}

Rect PodGrid::place_of(int cell) const {
  const Place at = place_in_cells(cell);
  const Rect plane = plane_at(at.plane);
  return {plane.row + at.row * cell_rows_,
          plane.column + at.column * cell_columns_ + gaps_before(at.column), cell_rows_,
          cell_columns_};
}

int PodGrid::neighbour(int cell, int rows, int columns) const {
  Place at = place_in_cells(std::clamp(cell, 0, cells() - 1));
  at.row += rows;
  at.column += columns;
  // Over the edge of a plane into the one beside it.
  if (at.column < 0 && at.plane % side_by_side_ > 0) --at.plane, at.column = across_ - 1;
  if (at.column >= across_ && (at.plane + 1) % side_by_side_ > 0 && at.plane + 1 < deep_) {
    ++at.plane, at.column = 0;
  }
  if (at.row < 0 && at.plane >= side_by_side_) at.plane -= side_by_side_, at.row = down_ - 1;
  if (at.row >= down_ && at.plane + side_by_side_ < deep_) at.plane += side_by_side_, at.row = 0;
  const bool there = at.row >= 0 && at.row < down_ && at.column >= 0 && at.column < across_;
  return there ? (at.plane * down_ + at.row) * across_ + at.column : -1;
}

int PodGrid::columns() const {
  return labels_ + side_by_side_ * (plane_columns() + between_planes) - between_planes;
}

// "z3", "slice 1 z3"; empty where there is one plane.
std::string PodGrid::plane_name(int plane) const {
  const int first = plane * box_planes_;
  const int deep = shape_.torus.chips[2];
  std::string name;
  if (shape_.torus.slices > 1) name = fmt::format("s{} ", first / std::max(1, deep));
  if (deep > 1) name += fmt::format("z{} ", first % deep);
  return name;
}

void PodGrid::draw_plane(Canvas& canvas, int plane, Glyphs glyphs) const {
  const Rect area = plane_at(plane);
  const int on_chip = shape_.torus.devices_per_chip;
  int end = area.column;
  if (header_ > 0) {
    const std::string name = plane_name(plane) + "x0";
    end = canvas.write(area.row - 1, area.column, name, Role::dim, false, area.columns) + 1;
  }
  const int host = host_cells();
  const int step = host > 0 ? host : std::max(1, across_ / 4);
  for (int column = step; column < across_; column += step) {
    const int at = area.column + column * cell_columns_ + gaps_before(column);
    const std::string x = std::to_string(column * box_columns_ / on_chip);
    if (header_ > 0 && at >= end && at + display_width(x) <= area.column + area.columns) {
      end = canvas.write(area.row - 1, at, x, Role::dim) + 1;
    }
    if (host_gap_ == 0 || host == 0) continue;
    for (int row = 0; row < area.rows; ++row) {
      canvas.put(area.row + row, at - 1, glyphs == Glyphs::ascii ? U'|' : U'│', Role::border);
    }
  }
}

void PodGrid::draw_labels(Canvas& canvas, Glyphs glyphs) const {
  for (int plane = 0; plane < deep_; ++plane) {
    draw_plane(canvas, plane, glyphs);
    if (labels_ == 0 || plane % side_by_side_ > 0) continue;
    for (int row = 0; row < down_; ++row) {
      const std::string y = (row == 0 ? "y" : "") + std::to_string(row * box_rows_);
      canvas.write(plane_at(plane).row + row * cell_rows_, 0, right_aligned(y, label_columns - 1),
                   Role::dim, false, label_columns - 1);
    }
  }
}

}  // namespace tpulab

#include "engine/machine/matrix_unit.h"

#include <algorithm>

namespace tpulab {

namespace {

std::int64_t tiles(std::int64_t extent, std::int64_t side) { return (extent + side - 1) / side; }

// What one streamed side costs, before it is cut over the units.
struct Folds {
  std::int64_t streamed = 0;  // rows
  std::int64_t columns = 0;   // column tiles of all batches
  std::int64_t depth = 0;     // folds of a column tile, of all passes
  std::int64_t load = 0;      // clocks to load a tile
};

// Clocks to load a tile of so many columns, all of k: a narrow one has fewer rows.
std::int64_t load_clocks(const MatrixWork& work, std::int64_t width, const Generation& generation) {
  const auto side = static_cast<std::int64_t>(generation.matrix_side);
  const std::int64_t narrow =
      std::min(tiles(width, sublane_count), tiles(work.k, sublane_count)) * sublane_count;
  const double load = static_cast<double>(std::min(side, narrow)) / generation.load_rows_per_clock;
  return static_cast<std::int64_t>(load);
}

Folds folds_of(const MatrixWork& work, std::int64_t streamed, std::int64_t width,
               const Generation& generation) {
  const auto side = static_cast<std::int64_t>(generation.matrix_side);
  return {.streamed = streamed,
          .columns = work.batch * tiles(width, side),
          .depth = tiles(work.k, side) * work.passes,
          .load = load_clocks(work, width, generation)};
}

std::int64_t pixels(const MatrixWork& work) { return tiles(work.m, work.images); }

std::int64_t full_lanes(std::int64_t images) { return tiles(images, lane_count) * lane_count; }

// m across the lanes. Images fill them pixel by pixel; two pixels share them where half hold those
// of one.
std::int64_t width_in_lanes(const MatrixWork& work) {
  if (!work.batch_in_lanes || work.images <= lane_count / 2) return work.m;
  return pixels(work) * full_lanes(work.images);
}

// `takers` groups of units take folds of their own, the units of a group share the rows.
Streaming shared(const Folds& folds, int takers, DType dtype, const Generation& generation) {
  const std::int64_t sublanes = sublanes_of(dtype);
  const std::int64_t sharers = static_cast<std::int64_t>(generation.matrix_units) / takers;
  Streaming result;
  result.rows = tiles(tiles(folds.streamed, sharers), sublanes) * sublanes;
  result.folds = tiles(folds.columns * folds.depth, takers);
  result.tiles = folds.columns * folds.depth;
  result.load = folds.load;
  result.stream = result.rows * sharers * result.tiles;
  result.clocks = double_buffered_clocks(
      result.rows, result.folds, static_cast<std::int64_t>(generation.matrix_side), folds.load);
  return result;
}

Streaming streaming(const MatrixWork& work, std::int64_t streamed, std::int64_t width,
                    const Generation& generation) {
  const Folds folds = folds_of(work, streamed, width, generation);
  const int units = static_cast<int>(generation.matrix_units);
  // Units of a core may split the depth of a column; two cores that act as one do not.
  const int cores = generation.cores_per_chip / generation.devices_per_chip;
  const std::int64_t most = folds.columns * (units / cores);
  Streaming best = shared(folds, 1, work.operand, generation);
  for (int takers = 2; takers <= units && takers <= most; takers *= 2) {
    const Streaming next = shared(folds, takers, work.operand, generation);
    if (next.clocks <= best.clocks) best = next;
  }
  return best;
}

// Where channels are fewer than the lanes of a fold, taps are packed into one, if that saves folds.
bool is_packed(const MatrixWork& work, std::int64_t side) {
  return work.k_pieces > 1 && tiles(work.k, side) < work.taps() && work.k < work.taps() * side;
}

// Each tap turns 8 rows of pixels to its lanes, a lane operation of one clock beside the eight of a
// reduction; fewer images than that leave empty what they do not fill.
double packing_clocks(const MatrixWork& work, const Generation& generation) {
  const std::int64_t blocks = work.images > 0 ? pixels(work) * tiles(work.images, sublane_count)
                                              : tiles(work.m, sublane_count);
  const auto turns = static_cast<double>(work.batch * blocks * work.taps());
  return turns * generation.lane_reduction_clocks / sublane_count;
}

// Fewer channels than sublanes lie beside their batch in the lanes. There each pixel's patch is
// gathered, in no less than a tile loads, and its result is turned, two lane operations an image,
// or stays there [TPU compiler, 7 x 7 x 3, v3: 8 / 32 / 64 / 65 / 128 images take 66 / 70 / 126 /
// 131 / 131 clocks a pixel, 3 x 3 x 3 of 8 / 64 / 128 take 37 / 121 / 121].
double patch_clocks(const MatrixWork& work, const Generation& generation) {
  const std::int64_t turned = 2 * tiles(work.images, sublane_count) * sublane_count;
  const std::int64_t lanes = full_lanes(work.images);
  const double clocks = static_cast<double>(std::min(turned, lanes)) *
                        generation.lane_reduction_clocks / sublane_count;
  const auto load = static_cast<double>(load_clocks(work, lanes, generation));
  return static_cast<double>(work.batch * pixels(work)) *
         std::max(clocks, load / generation.matrix_units);
}

bool gathers_patches(const MatrixWork& work) {
  return work.images > 0 && work.k < work.taps() * sublane_count;
}

}  // namespace

bool turns_taps(const MatrixWork& work) {
  return work.images > 0 && !work.batch_in_lanes && is_packed(work, lane_count);
}

std::int64_t sublanes_of(DType dtype) { return 32 / bytes_of(dtype); }

double double_buffered_clocks(std::int64_t rows, std::int64_t folds, std::int64_t side,
                              std::int64_t load) {
  if (rows <= 0 || folds <= 0) return 0;
  return static_cast<double>(2 * side + (folds - 1) * std::max(rows, load) + rows);
}

Streaming cheapest_streaming(const MatrixWork& work, const Generation& generation) {
  const bool packed = is_packed(work, static_cast<std::int64_t>(generation.matrix_side));
  const bool patches = packed && gathers_patches(work);
  const double gathering = patches ? patch_clocks(work, generation) : 0;
  const double packing = packed && !patches ? packing_clocks(work, generation) : 0;
  Streaming stream_m = streaming(work, work.m, work.n, generation);
  stream_m.clocks = std::max({stream_m.clocks, gathering, packing});
  if (work.k_pieces > 1 && !work.batch_in_lanes) return stream_m;
  Streaming stream_n = streaming(work, work.n, width_in_lanes(work), generation);
  stream_n.clocks = std::max(stream_n.clocks, gathering);
  stream_n.streams_m = false;
  return stream_n.clocks < stream_m.clocks ? stream_n : stream_m;
}

double operand_speed(const MatrixWork& work, const Generation& generation) {
  if (work.quantised) return generation.int8_speed;
  return work.fp8 ? generation.fp8_speed : 1.0;
}

bool takes_bytes(const MatrixWork& work, const Generation& generation) {
  return work.quantised || (work.fp8 && generation.fp8_speed > 1);
}

}  // namespace tpulab

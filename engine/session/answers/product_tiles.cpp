#include "engine/session/answers/product_tiles.h"

#include <algorithm>
#include <array>

namespace tpulab {

namespace {

std::int64_t tiles_of(std::int64_t extent, std::int64_t side) { return (extent + side - 1) / side; }

// From the beginning of one tile's stream to the next one's.
std::int64_t pace_of(const ProductTiles& product) {
  return std::max(product.rows, product.loading);
}

// Rows or columns of a tile that hold data: all of them but for the last one along an extent.
std::int64_t filled(const PaddedExtent& extent, std::int64_t tile, std::int64_t side) {
  const std::int64_t tiles = std::max<std::int64_t>(1, tiles_of(extent.extent, side));
  return tile % tiles < tiles - 1 ? side : extent.extent - (tiles - 1) * side;
}

void fill_tile(const ProductTiles& product, UnitMoment& moment) {
  const std::int64_t across = product.batch * tiles_of(product.across.extent, product.side);
  const std::int64_t deep =
      std::max<std::int64_t>(1, product.tiles / std::max<std::int64_t>(1, across));
  const std::int64_t of_unit = std::max<std::int64_t>(1, product.folds / deep);
  const std::int64_t column = std::max<std::int64_t>(0, across - of_unit) + moment.tile / deep;
  moment.filled_across = filled(product.across, column, product.side);
  moment.filled_down = filled(product.down, moment.tile % deep, product.side);
}

}  // namespace

double PaddedExtent::zeros() const {
  return padded > 0 ? 1 - static_cast<double>(extent) / static_cast<double>(padded) : 0;
}

ArraySlots ProductTiles::slots() const {
  const double all = static_cast<double>(units * side * side * clocks) * rows_a_clock;
  const auto share = [&](std::int64_t PaddedExtent::*of) {
    return static_cast<double>(batch * passes) * static_cast<double>(streamed.*of) *
           static_cast<double>(down.*of) * static_cast<double>(across.*of) / std::max(all, 1.0);
  };
  const double data = share(&PaddedExtent::extent);
  const double padded = share(&PaddedExtent::padded);
  return {.data = data, .zeros = padded - data, .waiting = 1 - padded};
}

std::string_view name_of(UnitPhase phase) {
  static constexpr std::array<std::string_view, 4> names{
      "the first weights load", "rows stream", "rows wait for weights", "the last sums drain"};
  return names[static_cast<std::size_t>(phase)];
}

UnitMoment unit_moment(const ProductTiles& product, std::int64_t clock) {
  const std::int64_t within =
      std::clamp<std::int64_t>(clock, 0, std::max<std::int64_t>(0, product.clocks - 1));
  const auto now = static_cast<std::int64_t>(static_cast<double>(within) / product.clocks_a_row);
  UnitMoment moment;
  const std::int64_t streamed = now - product.side;
  const std::int64_t last = std::max<std::int64_t>(0, product.folds - 1);
  if (streamed < 0) {
    moment.loaded = now;
  } else {
    const std::int64_t pace = std::max<std::int64_t>(1, pace_of(product));
    moment.tile = std::min(streamed / pace, last);
    const std::int64_t since = streamed - moment.tile * pace;
    moment.row = std::min(since, product.rows);
    moment.since = since;
    const bool another = moment.tile < last;
    if (another) {
      const std::int64_t loading = std::max<std::int64_t>(1, product.loading);
      moment.loaded = std::min(product.side, since * product.side / loading);
    }
    moment.phase = since < product.rows ? UnitPhase::streaming
                   : another            ? UnitPhase::waiting
                                        : UnitPhase::draining;
  }
  fill_tile(product, moment);
  return moment;
}

bool row_is_busy(const ProductTiles& product, const UnitMoment& moment, std::int64_t row) {
  if (moment.phase == UnitPhase::loading) return false;
  // A row is so many clocks behind the first, maybe in a tile before.
  const std::int64_t pace = std::max<std::int64_t>(1, pace_of(product));
  const std::int64_t at = moment.tile * pace + moment.since - row;
  if (at < 0) return false;
  const std::int64_t tile = std::min(at / pace, std::max<std::int64_t>(0, product.folds - 1));
  return at - tile * pace < product.rows;
}

}  // namespace tpulab

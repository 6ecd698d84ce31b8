// A product on the matrix units of one device: what the array holds, what of it is padding, and
// what it does clock by clock. The clocks are those of the price (machine/matrix_unit.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/units.h"

namespace tpulab {

// 129 -> 256: as many as there are, and as many as the array takes.
struct PaddedExtent {
  std::string name;  // "m", "k", "n"
  std::int64_t extent = 0;
  std::int64_t padded = 0;
  double zeros() const;  // share of the padded ones that hold nothing, 0 to 1
};

// Shares of the slots of all of a device's arrays in all clocks of a product; they add up to 1.
struct ArraySlots {
  double data = 0;
  double zeros = 0;    // padding
  double waiting = 0;  // while weights load and sums drain, and where a unit has less to do
};

// A tile of one operand lies in the array (the contraction down, the width across) while rows of
// the other stream through it.
struct ProductTiles {
  std::int64_t batch = 1;
  std::int64_t m = 0;
  std::int64_t k = 0;
  std::int64_t n = 0;
  std::string operands{};  // "bf16", "int8"
  int passes = 1;
  std::int64_t side = 0;   // of the array
  std::int64_t units = 0;  // of the device
  PaddedExtent streamed{};
  PaddedExtent down{};       // of the array: the contraction
  PaddedExtent across{};     // of the array
  std::int64_t rows = 0;     // that stream past each tile, padded
  std::int64_t tiles = 0;    // of all units together
  std::int64_t folds = 0;    // tiles of one unit, one after the other
  std::int64_t loading = 0;  // clocks in which a tile is loaded
  std::int64_t clocks = 0;   // of the unit that has most to do
  double rows_a_clock = 1;   // more where the array multiplies int8 faster than bf16
  double clocks_a_row = 1;   // more where a window's taps are packed into each row first
  double clock_hertz = 0;
  ArraySlots slots() const;
  // Whether rows wait for their taps to be packed, by more than a twentieth.
  bool packs_late() const { return clocks_a_row > 1.05; }
};

// What a unit does in a clock. While rows stream past one tile the next one is loaded.
enum class UnitPhase : std::uint8_t { loading, streaming, waiting, draining };
std::string_view name_of(UnitPhase phase);  // "rows stream"

struct UnitMoment {
  UnitPhase phase = UnitPhase::loading;
  std::int64_t tile = 0;         // in the array, or loaded as the first one; counted from 0
  std::int64_t row = 0;          // of the stream, that have entered
  std::int64_t since = 0;        // clocks since its first row entered
  std::int64_t loaded = 0;       // rows of the next tile that are there, up to the side
  std::int64_t filled_down = 0;  // of the tile in the array: rows and columns that hold data
  std::int64_t filled_across = 0;
};
// Of the unit that has the last columns, and so the padding, to do. The clock counts from 0 and may
// lie outside: then it is the first or last one.
UnitMoment unit_moment(const ProductTiles& product, std::int64_t clock);
// Whether that row of the array multiplies then: each row of the stream reaches it a clock after
// the row above.
bool row_is_busy(const ProductTiles& product, const UnitMoment& moment, std::int64_t row);

}  // namespace tpulab

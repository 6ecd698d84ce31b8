// What lies between two touches of an array: kernels that run one after the other fill a chip.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "engine/base/units.h"
#include "engine/graph/graph.h"

namespace tpulab {

// Kernels that run one after the other, so many times; 0: once, outside of any loop.
struct Turns {
  int loop = 0;
  std::int64_t runs = 1;
};

// How many bytes of arrays kernels touch between two touches of one: a chip that holds the newest
// ones finds it if it has that much. Each turn of a loop has arrays of its own.
class Touches {
 public:
  // No chip finds it: it was not touched before, or in another loop, of which other turns followed.
  static constexpr Bytes nowhere{std::numeric_limits<std::int64_t>::max()};

  explicit Touches(std::size_t nodes) : newest_(nodes), until_read_(nodes) {}

  // Of an array of so many bytes: each one that was touched since it was, and itself.
  Bytes read(NodeId id, Bytes bytes, Turns turns = {}) {
    const Bytes since = touch(id, bytes, turns);
    Bytes& most = until_read_[static_cast<std::size_t>(id)];
    most = std::max(most, since);
    return since;
  }
  void write(NodeId id, Bytes bytes, Turns turns = {}) { touch(id, bytes, turns); }
  // The most between two touches, up to the last read.
  Bytes until_read(NodeId id) const { return until_read_[static_cast<std::size_t>(id)]; }

 private:
  struct Newest {
    std::size_t place = 0;  // 0: never
    int loop = 0;
  };

  Bytes touch(NodeId id, Bytes bytes, Turns turns) {
    Newest& newest = newest_[static_cast<std::size_t>(id)];
    const Bytes of_all_turns = bytes * turns.runs;
    Bytes since = nowhere;
    if (newest.place > 0) {
      const Bytes all = all_ - up_to(newest.place) + of_all_turns;
      if (newest.loop == turns.loop) since = {all.value / turns.runs};
      forget(newest.place);
    }
    append(of_all_turns);
    newest = {sums_.size(), turns.loop};
    return since;
  }

  // Sums over blocks of touches, as Fenwick's tree has them; places count from 1.
  static std::size_t block(std::size_t place) { return place & -place; }
  Bytes up_to(std::size_t place) const {
    Bytes sum{};
    for (; place > 0; place -= block(place)) sum += sums_[place - 1];
    return sum;
  }
  void append(Bytes bytes) {
    const std::size_t place = sums_.size() + 1;
    all_ += bytes;
    sums_.push_back(all_ - up_to(place - block(place)));
  }
  void forget(std::size_t place) {
    const Bytes bytes = up_to(place) - up_to(place - 1);
    all_ = all_ - bytes;
    for (; place <= sums_.size(); place += block(place)) {
      sums_[place - 1] = sums_[place - 1] - bytes;
    }
  }

  std::vector<Newest> newest_;  // of each node
  std::vector<Bytes> until_read_;
  std::vector<Bytes> sums_;
  Bytes all_{};
};

}  // namespace tpulab

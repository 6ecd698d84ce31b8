// What lies between two touches of an array: kernels that run one after the other fill a chip.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/base/units.h"
#include "engine/graph/graph.h"

namespace tpulab {

// How many bytes of arrays kernels touch between two touches of one: a chip that holds the newest
// ones finds it if it has that much.
class Touches {
 public:
  explicit Touches(std::size_t nodes) : newest_(nodes), until_read_(nodes) {}

  // Each array that was touched since this one was, and this one; 0 if it never was.
  Bytes read(NodeId id, Bytes bytes) {
    const Bytes since = touch(id, bytes);
    Bytes& most = until_read_[static_cast<std::size_t>(id)];
    most = std::max(most, since);
    return since;
  }
  void write(NodeId id, Bytes bytes) { touch(id, bytes); }
  // The most between two touches, up to the last read.
  Bytes until_read(NodeId id) const { return until_read_[static_cast<std::size_t>(id)]; }

 private:
  Bytes touch(NodeId id, Bytes bytes) {
    std::size_t& newest = newest_[static_cast<std::size_t>(id)];
    Bytes since{};
    if (newest > 0) {
      since = all_ - up_to(newest) + bytes;
      forget(newest);
    }
    append(bytes);
    newest = sums_.size();
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

  std::vector<std::size_t> newest_;  // place of each node's
  std::vector<Bytes> until_read_;
  std::vector<Bytes> sums_;
  Bytes all_{};
};

}  // namespace tpulab

#include "engine/compiler/packing.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace tpulab {

namespace {

class Heap {
 public:
  // Answers where it begins.
  std::int64_t place(std::int64_t size) {
    auto best = holes_.end();
    for (auto hole = holes_.begin(); hole != holes_.end(); ++hole) {
      if (hole->second < size) continue;
      if (best == holes_.end() || hole->second < best->second) best = hole;
    }
    if (best == holes_.end()) {
      most_ = std::max(most_, top_ + size);
      return std::exchange(top_, top_ + size);
    }
    const auto [begin, room] = *best;
    holes_.erase(best);
    if (room > size) holes_.emplace(begin + size, room - size);
    return begin;
  }

  // What it leaves is one hole with those beside it, and none behind all others.
  void free(std::int64_t begin, std::int64_t size) {
    auto hole = holes_.emplace(begin, size).first;
    const auto next = std::next(hole);
    if (next != holes_.end() && begin + size == next->first) {
      hole->second += next->second;
      holes_.erase(next);
    }
    if (hole != holes_.begin()) {
      const auto before = std::prev(hole);
      if (before->first + before->second == hole->first) {
        before->second += hole->second;
        holes_.erase(hole);
        hole = before;
      }
    }
    if (hole->first + hole->second != top_) return;
    top_ = hole->first;
    holes_.erase(hole);
  }

  std::int64_t most() const { return most_; }

 private:
  std::map<std::int64_t, std::int64_t> holes_;  // begin, size
  std::int64_t top_ = 0;                        // behind all that is held
  std::int64_t most_ = 0;
};

}  // namespace

Bytes packed(std::vector<Lifetime> values) {
  constexpr std::int64_t block = 16'384;
  std::erase_if(values, [](const Lifetime& one) { return one.bytes == Bytes{}; });
  std::ranges::stable_sort(values, [](const Lifetime& a, const Lifetime& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.bytes > b.bytes;
  });
  Heap heap;
  std::multimap<int, std::pair<std::int64_t, std::int64_t>> held;  // until when, where
  for (const Lifetime& one : values) {
    const auto over = held.lower_bound(one.begin);
    for (auto it = held.begin(); it != over; ++it) heap.free(it->second.first, it->second.second);
    held.erase(held.begin(), over);
    const std::int64_t size = (one.bytes.value + block - 1) / block * block;
    held.emplace(one.end, std::pair{heap.place(size), size});
  }
  return Bytes{heap.most()};
}

std::vector<char> held_beside(std::span<const Lifetime> values, Bytes room) {
  std::vector<char> held(values.size(), 0);
  int end = 0;
  for (const Lifetime& one : values) end = std::max(end, one.end);
  std::vector<Bytes> taken(static_cast<std::size_t>(end) + 1);
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {},
                           [&](std::size_t i) { return values[i].end - values[i].begin; });
  for (const std::size_t i : order) {
    const Lifetime& one = values[i];
    if (one.end < one.begin || one.bytes > room) continue;
    const auto moments = std::span(taken).subspan(
        static_cast<std::size_t>(one.begin), static_cast<std::size_t>(one.end - one.begin) + 1);
    if (std::ranges::max(moments) + one.bytes > room) continue;
    for (Bytes& moment : moments) moment += one.bytes;
    held[i] = 1;
  }
  return held;
}

}  // namespace tpulab

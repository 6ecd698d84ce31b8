// What a node reads: a short list, which lies in the node itself unless it is long.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace tpulab {

using NodeId = std::int32_t;

class NodeIds {
 public:
  NodeIds() = default;
  NodeIds(std::initializer_list<NodeId> ids) {
    for (const NodeId id : ids) push_back(id);
  }

  void push_back(NodeId id) {
    if (size_ == few) many_.assign(inside_.begin(), inside_.end());
    if (size_ >= few) many_.push_back(id);
    if (size_ < few) inside_[size_] = id;
    ++size_;
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  NodeId* begin() { return size_ > few ? many_.data() : inside_.data(); }
  NodeId* end() { return begin() + size_; }
  const NodeId* begin() const { return size_ > few ? many_.data() : inside_.data(); }
  const NodeId* end() const { return begin() + size_; }
  NodeId operator[](std::size_t i) const { return begin()[i]; }
  NodeId& operator[](std::size_t i) { return begin()[i]; }
  NodeId front() const { return *begin(); }
  operator std::span<const NodeId>() const { return {begin(), size_}; }
  bool operator==(const NodeIds& other) const { return std::ranges::equal(*this, other); }

 private:
  static constexpr std::uint32_t few = 7;
  std::array<NodeId, few> inside_{};
  std::uint32_t size_ = 0;
  std::vector<NodeId> many_;  // all of them, where they are more
};

}  // namespace tpulab

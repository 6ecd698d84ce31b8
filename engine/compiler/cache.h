// Programs by fingerprint; lives as long as the process.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <optional>

#include "engine/compiler/part_marks.h"

namespace tpulab {

struct Nearest {
  std::shared_ptr<const Program> program{};
  int differences = 0;  // parts
};

class ProgramCache {
 public:
  // PyTorch/XLA keeps the 2,048 programs used last (XLA_COMPILATION_CACHE_SIZE).
  explicit ProgramCache(std::size_t capacity = 2048) : capacity_(capacity) {}

  // Null if there is none; a hit counts as a use.
  std::shared_ptr<const Program> find(const FingerprintKey& key);
  void insert(std::shared_ptr<const Program> program);
  // The program with the fewest differing parts among the 64 used last; null in an empty cache.
  Nearest nearest(const Program& fresh);
  std::size_t size() const { return order_.size(); }
  void clear();

 private:
  struct Entry {
    std::shared_ptr<const Program> program;
    std::optional<PartMarks> marks{};  // none: nothing was compared with it yet
  };
  using Order = std::list<Entry>;  // newest use first
  std::size_t capacity_;
  Order order_;
  std::map<FingerprintKey, Order::iterator> places_;
};

}  // namespace tpulab

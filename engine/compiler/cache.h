// Programs by fingerprint; lives as long as the process.
#pragma once

#include <list>
#include <map>
#include <memory>

#include "engine/compiler/program.h"

namespace tpulab {

class ProgramCache {
 public:
  // PyTorch/XLA keeps the 2,048 programs used last (XLA_COMPILATION_CACHE_SIZE).
  explicit ProgramCache(std::size_t capacity = 2048) : capacity_(capacity) {}

  // Null if there is none; a hit counts as a use.
  std::shared_ptr<const Program> find(const FingerprintKey& key);
  void insert(std::shared_ptr<const Program> program);
  // The program with the fewest differing parts among the 64 used last; null in an empty cache.
  std::shared_ptr<const Program> nearest(const Fingerprint& fingerprint) const;
  std::size_t size() const { return order_.size(); }
  void clear();

 private:
  using Order = std::list<std::shared_ptr<const Program>>;  // newest use first
  std::size_t capacity_;
  Order order_;
  std::map<FingerprintKey, Order::iterator> places_;
};

}  // namespace tpulab

// Programs by fingerprint; lives as long as the process, but for what a script keeps on disk.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>

#include "engine/compiler/part_marks.h"

namespace tpulab {

struct Nearest {
  std::shared_ptr<const Program> program{};
  int differences = 0;   // parts
  bool changed = false;  // at most half of its parts are others: no other graph
};
// What a script keeps of its programs for the next process: nothing, those that it compiles, or
// those and all that an earlier process compiled.
enum class Persistence : std::uint8_t { nothing, own, all };
Persistence persistence_named(std::string_view name);  // off, on, filled; throws Error

class ProgramCache {
 public:
  // PyTorch/XLA keeps the 2,048 programs used last (XLA_COMPILATION_CACHE_SIZE).
  explicit ProgramCache(std::size_t capacity = 2048) : capacity_(capacity) {}

  // Null if there is none; a hit counts as a use.
  std::shared_ptr<const Program> find(const FingerprintKey& key);
  void insert(std::shared_ptr<const Program> program);
  // The program with the fewest differing parts among the 64 used last, of all or of those for the
  // same devices; null if there is none. A changed one with the same inputs and some more comes
  // before those with an input of another type: that type was there.
  Nearest nearest(const Program& fresh, bool on_its_devices = false);
  std::size_t size() const { return order_.size(); }
  void clear();  // what lies on disk stays
  // The process has ended before its time: as clear(), but compiles say what was there.
  void lose();
  bool lost(const FingerprintKey& key) const { return lost_.contains(key); }

  void keep(Persistence kept) { kept_ = kept; }
  bool keeps_on_disk() const { return kept_ != Persistence::nothing; }
  void store(const FingerprintKey& key);
  bool on_disk(const FingerprintKey& key) const;

 private:
  struct Entry {
    std::shared_ptr<const Program> program;
    std::optional<PartMarks> marks{};  // none: nothing was compared with it yet
  };
  using Order = std::list<Entry>;  // newest use first
  std::size_t capacity_;
  Order order_;
  std::map<FingerprintKey, Order::iterator> places_;
  Persistence kept_ = Persistence::nothing;
  std::set<FingerprintKey> stored_;
  std::set<FingerprintKey> lost_;
};

}  // namespace tpulab

#include "engine/compiler/cache.h"

namespace tpulab {

std::shared_ptr<const Program> ProgramCache::find(const FingerprintKey& key) {
  const auto place = places_.find(key);
  if (place == places_.end()) return nullptr;
  order_.splice(order_.begin(), order_, place->second);
  return *place->second;
}

void ProgramCache::insert(std::shared_ptr<const Program> program) {
  const FingerprintKey key = program->fingerprint.key;
  order_.push_front(std::move(program));
  places_[key] = order_.begin();
  if (order_.size() <= capacity_) return;
  places_.erase(order_.back()->fingerprint.key);
  order_.pop_back();
}

std::shared_ptr<const Program> ProgramCache::nearest(const Fingerprint& fingerprint) const {
  constexpr int candidates = 64;
  std::shared_ptr<const Program> best;
  int fewest = 0;
  int looked_at = 0;
  for (const auto& program : order_) {
    if (++looked_at > candidates) break;
    const int count = difference(program->fingerprint, fingerprint);
    if (best && count >= fewest) continue;
    best = program;
    fewest = count;
  }
  return best;
}

void ProgramCache::clear() {
  places_.clear();
  order_.clear();
}

}  // namespace tpulab

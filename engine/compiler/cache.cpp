#include "engine/compiler/cache.h"

#include <fmt/format.h>

#include <utility>

#include "engine/base/error.h"

namespace tpulab {

Persistence persistence_named(std::string_view name) {
  if (name == "off") return Persistence::nothing;
  if (name == "on") return Persistence::own;
  if (name == "filled") return Persistence::all;
  throw Error(fmt::format("programs cannot be kept {}; off, on or filled", name));
}

std::shared_ptr<const Program> ProgramCache::find(const FingerprintKey& key) {
  const auto place = places_.find(key);
  if (place == places_.end()) return nullptr;
  order_.splice(order_.begin(), order_, place->second);
  return place->second->program;
}

void ProgramCache::insert(std::shared_ptr<const Program> program) {
  const FingerprintKey key = program->fingerprint.key;
  order_.push_front({std::move(program)});
  places_[key] = order_.begin();
  if (order_.size() <= capacity_) return;
  places_.erase(order_.back().program->fingerprint.key);
  order_.pop_back();
}

Nearest ProgramCache::nearest(const Program& fresh, bool on_its_devices) {
  constexpr int candidates = 64;
  const PartMarks marks = marks_of(fresh);
  Nearest best;
  std::pair<bool, int> least;  // whether it has other inputs, and how many other parts
  int looked_at = 0;
  for (Entry& entry : order_) {
    if (++looked_at > candidates) break;
    if (!entry.marks) entry.marks = marks_of(*entry.program);
    if (on_its_devices && entry.marks->topology() != marks.topology()) continue;
    const int count = difference(*entry.marks, marks);
    const bool changed = 2 * static_cast<std::size_t>(count) <= marks.parts();
    const std::pair rank{!changed || !adds_inputs(*entry.marks, marks), count};
    if (best.program != nullptr && rank >= least) continue;
    best = {entry.program, count, changed};
    least = rank;
  }
  return best;
}

void ProgramCache::store(const FingerprintKey& key) {
  if (keeps_on_disk()) stored_.insert(key);
}

bool ProgramCache::on_disk(const FingerprintKey& key) const {
  return kept_ == Persistence::all || (kept_ == Persistence::own && stored_.contains(key));
}

void ProgramCache::lose() {
  std::set<FingerprintKey> lost = std::move(lost_);
  for (const auto& [key, place] : places_) lost.insert(key);
  clear();
  lost_ = std::move(lost);
}

void ProgramCache::clear() {
  places_.clear();
  order_.clear();
  lost_.clear();
}

}  // namespace tpulab

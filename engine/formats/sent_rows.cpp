#include "engine/formats/sent_rows.h"

#include <algorithm>

namespace tpulab {

void SentRows::add(const Type& type, std::int64_t copies) {
  constexpr std::int64_t largest_key = 16;  // JAX: two words or four
  const Bytes bytes{type.shape.elements() * bytes_of(type.dtype)};
  if (type.shape.scalar() || bytes.value <= largest_key) return;
  const std::int64_t rows = type.shape[0];
  const auto known = std::ranges::find_if(
      groups_, [&](const Alike& one) { return one.rows * copies == rows * one.copies; });
  Alike& group =
      known != groups_.end() ? *known : groups_.emplace_back(Alike{rows, copies, Bytes{}});
  group.bytes += bytes;
  all_ += bytes;
}

void SentRows::tell(ImportedStep& step) const {
  const auto most = std::ranges::max_element(groups_, {}, &Alike::bytes);
  if (most == groups_.end()) return;
  const bool known = step.trains ? most->bytes * 2 > all_ : groups_.size() == 1;
  if (!known) return;
  step.rows = most->rows;
  step.alike = most->copies;
}

}  // namespace tpulab

// Cuts work on whole arrays into chunks whose grid depends on sizes only.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/base/instruction_set.h"
#include "engine/base/workers.h"
#include "engine/graph/op.h"

namespace tpulab {

// Elements worth handing to another thread: some ten microseconds of elementwise work.
inline constexpr std::int64_t chunk_elements = 32768;

// Calls body(first, last) over [0, count) in steps of `grain`; on the context's workers if it has
// any, and in order on this thread otherwise.
template <class Body>
void for_chunks(const EvaluateContext& context, std::int64_t count, std::int64_t grain,
                const Body& body) {
  grain = std::max<std::int64_t>(grain, 1);
  const std::int64_t chunks = (count + grain - 1) / grain;
  const auto chunk = [&](std::int64_t index) {
    run_wide(body, index * grain, std::min(count, (index + 1) * grain));
  };
  if (context.workers && chunks > 1) {
    context.workers->run(chunks, chunk);
  } else {
    for (std::int64_t index = 0; index < chunks; ++index) chunk(index);
  }
}

}  // namespace tpulab

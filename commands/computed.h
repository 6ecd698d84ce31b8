// What takes long, with an eye on Ctrl-C meanwhile.
#pragma once

#include <chrono>
#include <future>

#include "commands/command.h"

namespace tpulab {

// What `work` makes of the stop token; on a thread of its own if somebody wants to look meanwhile.
// Throws what `work` throws.
template <class Work>
auto computed(const CommandContext& context, const Work& work) {
  if (!context.while_waiting) return work(context.interrupted);
  auto coming = std::async(std::launch::async, work, context.interrupted);
  while (coming.wait_for(waiting_interval) != std::future_status::ready) context.while_waiting();
  return coming.get();
}

}  // namespace tpulab

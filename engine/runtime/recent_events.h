// Lists of events that steps share: an epoch repeats a few kinds of steps.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "engine/runtime/record.h"

namespace tpulab {

class RecentEvents {
 public:
  // The list of a recent step that did the same, or a new one.
  std::shared_ptr<const std::vector<Event>> shared(std::vector<Event> events);
  // An empty list, in the memory of one that was not kept.
  std::vector<Event> begun();

 private:
  std::deque<std::shared_ptr<const std::vector<Event>>> lists_;
  std::vector<Event> spare_;
};

}  // namespace tpulab

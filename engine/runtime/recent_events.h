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

 private:
  std::deque<std::shared_ptr<const std::vector<Event>>> lists_;
};

}  // namespace tpulab

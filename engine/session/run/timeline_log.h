// Writes a run's timeline as its steps go by, in bounded memory.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/runtime/simulate.h"
#include "engine/session/run/run_timeline.h"

namespace tpulab {

// "core 5", "cores 0-7", "the rest".
std::string group_label(const std::vector<DeviceGroup>& groups, std::size_t group,
                        std::string_view word);

class TimelineLog {
 public:
  // Lanes for the groups of devices of the machine.
  TimelineLog(const Machine& machine, const std::vector<DeviceGroup>& groups);

  // The step that `record` became; they come in turn.
  void add(const StepTimeline& step, const StepRecord& record);
  // As it is now. Costs a copy of at most one block.
  std::shared_ptr<const RunTimeline> timeline() const;

 private:
  using Key = std::vector<std::int64_t>;
  struct Known {
    std::shared_ptr<const std::vector<Event>> events;  // lives on, so that its address is its own
    std::shared_ptr<const StepShape> shape;
  };

  Key key_of(const StepTimeline& step, const StepRecord& record) const;
  std::shared_ptr<const StepShape> shape_of(const StepTimeline& step, const StepRecord& record);
  void add_pieces(StepShape& shape, const StepTimeline& step) const;
  void add_events(StepShape& shape, const StepTimeline& step);
  void add_kernels(StepShape& shape, const StepTimeline& step, const TimedEvent& dispatch);
  void drop_oldest();
  void note_reach(const StepShape& shape);
  void count(const StepShape& shape);
  void note_compiles(const StepTimeline& step);
  std::size_t lane_of(TimelineRow row, std::size_t group = 0) const;

  Machine machine_;
  std::vector<DeviceGroup> groups_;
  RunTimeline timeline_;  // its blocks are full ones
  RunTimeline::Block open_;
  std::map<Key, Known> known_;
  // What shapes hold that were first seen in the open block, in each full one, in all of these, and
  // what is known.
  std::size_t described_ = 0;
  std::deque<std::size_t> sizes_;
  std::size_t kept_size_ = 0;
  std::size_t known_size_ = 0;
  ProgramPrices prices_;
};

}  // namespace tpulab

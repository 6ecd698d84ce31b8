// simulate(): records of steps + a machine -> when everything happened, in TPU time. Pure: no
// numbers, no clock of this computer. Devices that do the same share one lane, so cost never grows
// with their number.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/runtime/lane.h"
#include "engine/runtime/program_prices.h"
#include "engine/runtime/record.h"

namespace tpulab {

struct TimedEvent {
  const Event* event = nullptr;  // lives as long as the record
  Picoseconds start{};
  Picoseconds end{};
  Picoseconds waited{};    // dispatch: for a place in flight; read_back, host_op: for the devices
  Picoseconds began{};     // in_background(): when the loader began to make it
  Picoseconds finished{};  // dispatch: when the devices are done with it; next_batch: the loader;
                           // compile: the slowest host
  Picoseconds ran{};       // dispatch: how long the program was on the devices
  Picoseconds download{};  // host_op
  Picoseconds cpu{};       // host_op, next_batch (rows made ready in the background)
  Picoseconds upload{};    // host_op, upload, next_batch (there in the background)

  // Of a compile: no device goes on before each host has the program.
  Picoseconds compile() const { return finished - start; }
};

// One step as it went in the largest group of devices, and in the others if there is a straggler.
struct StepTimeline : LaneTimeline {
  StepKind kind = StepKind::train;
  std::int64_t step = 0;  // as people count: 1 is the first; of others the one they come behind
  std::int64_t samples = 0;
  RowShare row{};
  bool compiled = false;
  Flops useful;                      // unpadded matrix operations of one device
  std::vector<TimedEvent> events;    // of the largest group's hosts
  std::vector<LaneTimeline> others;  // in the order of Simulator::groups(), the first one left out

  StepTimeline without_events() const {
    return {static_cast<const LaneTimeline&>(*this),
            kind,
            step,
            samples,
            row,
            compiled,
            useful,
            {},
            others};
  }
  const LaneTimeline& lane(std::size_t group) const {
    return group == 0 ? static_cast<const LaneTimeline&>(*this) : others[group - 1];
  }
};

// How finely a step's program is laid out in time; clocks and shares are the same. Where times are
// all that is asked, nothing is counted and no cause is sought either.
enum class Detail : std::uint8_t { kernels, shares, times };

// Carries the clocks from step to step.
class Simulator {
 public:
  explicit Simulator(Machine machine, Detail detail = Detail::kernels);

  StepTimeline step(const StepRecord& record);
  // The same into a step that is over, whose memory serves again.
  void step(const StepRecord& record, StepTimeline& out);
  // Of all groups so far, as if nothing went beside anything else.
  Picoseconds work() const;
  // How its clocks stand to each other: from equal ones the same events take the same time.
  std::vector<Picoseconds> clocks() const;
  void clocks(std::vector<Picoseconds>& out) const;
  const Machine& machine() const { return machine_; }
  // The largest first; devices of one group do the same.
  const std::vector<DeviceGroup>& groups() const { return groups_; }
  // TPU time so far: the latest of all hosts and devices.
  Picoseconds now() const;

 private:
  void replay(const Event& event, StepTimeline& out);
  TimedEvent replay_on(Lane& lane, const Event& event);
  void begin_dispatch(Lane& lane, TimedEvent& timed) const;
  void run_program(const Event& event, StepTimeline& out);
  void host_op(Lane& lane, const Event& event, TimedEvent& timed) const;
  Picoseconds python(double seconds_on_a_vm) const;
  Picoseconds transfer(Bytes bytes) const;
  Picoseconds load(std::int64_t rows) const;

  Machine machine_;
  Detail detail_;
  std::vector<DeviceGroup> groups_;
  double python_;            // slowness_of_python()
  std::vector<Lane> lanes_;  // one per group
  ProgramPrices prices_;
};

struct Timeline {
  std::vector<StepTimeline> steps;
  Picoseconds total{};
};

// The records on `machine`, from clocks at 0.
Timeline simulate(std::span<const StepRecord> records, const Machine& machine,
                  Detail detail = Detail::kernels);

}  // namespace tpulab

// simulate(): records of steps + a machine -> when everything happened, in TPU time. Pure: no
// numbers, no clock of this computer. Devices that do the same share one lane.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "engine/base/share.h"
#include "engine/compiler/price_program.h"
#include "engine/runtime/record.h"

namespace tpulab {

struct Piece {
  Share share{};
  Picoseconds start{};
  Picoseconds end{};
};

struct TimedEvent {
  const Event* event = nullptr;  // lives as long as the record
  Picoseconds start{};
  Picoseconds end{};
  Picoseconds waited{};    // dispatch: for a place in flight; read_back, host_op: for the devices
  Picoseconds finished{};  // dispatch: when the devices are done with it
  Picoseconds download{};  // host_op
  Picoseconds cpu{};       // host_op
  Picoseconds upload{};    // host_op, upload, next_batch (there in the background)
};

// One step as it went. `begin` of a step is `end` of the one before.
struct StepTimeline {
  StepKind kind = StepKind::train;
  std::int64_t step = 0;
  std::int64_t samples = 0;
  bool compiled = false;
  Picoseconds begin{};
  Picoseconds end{};  // when the devices finished its last program (or the host, if later idle)
  std::vector<Piece> host;    // what the host did
  std::vector<Piece> device;  // what every used device did; covers begin..end without gaps
  std::array<Picoseconds, share_count> shares{};  // of the device, adds up to end - begin
  Flops useful;                                   // unpadded matrix operations of one device
  std::vector<TimedEvent> events;

  Picoseconds duration() const { return end - begin; }
};

// Carries the clocks from step to step.
class Simulator {
 public:
  explicit Simulator(Machine machine) : machine_(std::move(machine)) {}

  StepTimeline step(const StepRecord& record);
  const Machine& machine() const { return machine_; }
  // TPU time so far: the later of host and devices.
  Picoseconds now() const { return std::max(host_, device_); }

 private:
  void replay(const Event& event, StepTimeline& out);
  void host_does(Share share, Picoseconds duration, StepTimeline& out);
  void wait_for_devices(StepTimeline& out);
  void next_batch(const Event& event, StepTimeline& out);
  TimedEvent dispatch(const Event& event, StepTimeline& out);
  void host_op(const Event& event, TimedEvent& timed, StepTimeline& out);
  void fill_gap(Picoseconds until, StepTimeline& out);
  Picoseconds transfer(Bytes bytes) const;
  Picoseconds load(std::int64_t rows) const;
  const ProgramPrice& price_of(const std::shared_ptr<const Program>& program);

  Machine machine_;
  Picoseconds host_{};
  Picoseconds device_{};                  // when the devices finish what they were given
  std::deque<Picoseconds> in_flight_;     // ends of programs the host ran ahead with
  Picoseconds loader_{};                  // background loader: end of the batch made last
  std::deque<Picoseconds> taken_;         // when the host took the latest batches
  std::vector<Piece> host_since_device_;  // host activity that may explain a gap of the devices
  std::map<const Program*, std::pair<std::shared_ptr<const Program>, ProgramPrice>> prices_;
};

struct Timeline {
  std::vector<StepTimeline> steps;
  Picoseconds total{};
};

// The whole of a run on `machine`, from its records alone.
Timeline simulate(std::span<const StepRecord> records, const Machine& machine);

// Which share a kernel's time belongs to.
Share share_of(const Kernel& kernel, const Price& price);

}  // namespace tpulab

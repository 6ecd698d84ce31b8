// The clocks of one group of identical devices and of the host processes that drive them.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "engine/base/share.h"
#include "engine/base/units.h"
#include "engine/machine/straggler.h"

namespace tpulab {

struct Piece {
  Share share{};
  Picoseconds start{};
  Picoseconds end{};
};

// What a group did in one step. `begin` of a step is `end` of the one before.
struct LaneTimeline {
  Picoseconds begin{};
  Picoseconds end{};          // of its devices' last program, or of what the host did behind it
  std::vector<Piece> host;    // what its hosts did
  std::vector<Piece> device;  // what its devices did; covers begin..end without gaps
  std::array<Picoseconds, share_count> shares{};  // of a device, adds up to end - begin
  Picoseconds batches{};  // what its loaders need for those of the step, in the background

  Picoseconds duration() const { return end - begin; }
};

class Lane {
 public:
  explicit Lane(DeviceGroup group) : group_(std::move(group)) {}

  const DeviceGroup& group() const { return group_; }
  Picoseconds host() const { return host_; }
  Picoseconds device() const { return device_; }
  Picoseconds ready() const { return ready_; }
  Picoseconds now() const { return std::max(host_, device_); }
  // Of hosts, loaders and devices so far, as if one came after the other.
  Picoseconds work() const { return work_; }

  // The memory of `used` serves again.
  void begin_step(LaneTimeline used);
  LaneTimeline end_step();
  // What decides how the next step goes, as distances from `origin`.
  void add_clocks(Picoseconds origin, std::vector<Picoseconds>& clocks) const;

  // What the lane's host needs for it.
  Picoseconds on_host(Picoseconds duration) const { return scaled(duration, group_.host_factor); }
  // The host is busy; a slow host for longer.
  void host_does(Share share, Picoseconds duration);
  // The host waits, whatever its speed.
  void host_waits(Share share, Picoseconds until);
  // What ran is over by `until`, nothing is made ready or under way.
  void begin_anew(Picoseconds until);
  // The host takes a value from the devices, and cannot run ahead until it has it: it waits for all
  // they were given, then works for `duration`. Answers how long it waited. What the devices wait
  // for afterwards, as the host is behind by that much, counts as `share`, too.
  Picoseconds host_takes_value(Share share, Picoseconds duration);
  // Waits for a place among `limit` programs in flight; answers how long.
  Picoseconds wait_for_place(std::size_t limit);
  // A batch that a background loader makes in `loading`, and another thread sends in `upload` while
  // the next is made [XLA: ParallelLoader]; `ahead` batches are kept. Answers when the loader began
  // it; ready() is when it was on the device.
  Picoseconds take_batch(Picoseconds loading, Picoseconds upload, std::size_t ahead);

  // The devices begin a program as soon as they and the host are ready.
  void begin_program();
  void device_does(Share share, Picoseconds duration);
  void device_waits(Share share, Picoseconds until);
  // Whatever a core's speed: a collective that all groups begin at `start`.
  void device_exchanges(Share share, Picoseconds start, Picoseconds duration);
  void end_program() { in_flight_.push_back(device_); }

 private:
  void fill_gap(Picoseconds until);
  void fill_gap_with(const Piece& piece);

  DeviceGroup group_;
  Picoseconds work_{};
  Picoseconds host_{};
  Picoseconds device_{};                // when the devices finish what they were given
  std::vector<Picoseconds> in_flight_;  // ends of programs the host ran ahead with
  Picoseconds loader_{};                // end of the batch made last
  Picoseconds ready_{};                 // and of the one sent last
  std::vector<Picoseconds> taken_;      // when the host took the latest batches
  std::vector<Piece> since_device_;     // host activity that may explain a gap of the devices
  Piece value_;                         // the newest that the host took, from when it asked
  Picoseconds behind_{};                // that it has kept the host back and no gap has shown yet
  LaneTimeline step_;
};

}  // namespace tpulab

// Parts of a machine that are slower than their like.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/machine/machine.h"

namespace tpulab {

// "host:3:1.4": host 3 takes 1.4 times as long for everything, and so do its devices' programs to
// begin. "core:5:1.4": device 5 computes 1.4 times as long; artificial, as real cores do not differ
// so. "link:2:1.4": the links of chip 2 take 1.4 times as long for a byte. "none" or empty: no
// straggler. Throws Error for other words, a factor outside 1 to 100, or an index that the slice
// does not have.
std::vector<Straggler> stragglers_named(std::string_view text, const Slice& slice);

// How much longer a collective's bytes take: all chips send as much, in step with the slowest. A
// simplification: what crosses other links alone is as slow.
double slowness_of_links(const Machine& machine);
const Straggler* slowest_link(const Machine& machine);  // null: none is slow

// The one that the working devices feel most; null where none of them has one.
const Straggler* slowest_part(const Machine& machine);
// "core 5", "host 3", "links of chip 5".
std::string name_of(const Straggler& part, const Slice& slice);
// "core 5 takes 3x as long as the others", "... as its like" where it works alone.
std::string text_of(const Straggler& part, const Machine& machine);

// Devices of a run that do the same at the same time.
struct DeviceGroup {
  std::vector<int> devices;
  double host_factor = 1;
  double device_factor = 1;
};

// The largest group first; at least one.
std::vector<DeviceGroup> device_groups(const Machine& machine);

}  // namespace tpulab

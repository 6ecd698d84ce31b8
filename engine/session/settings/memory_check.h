// Whether a run fits: the HBM of one emulated device, and the memory of this computer.
#pragma once

#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/units.h"
#include "engine/session/settings/remedies.h"

namespace tpulab {

// HBM that a training step takes on one device: as the schedule of the compiled step has it, of a
// named model by the sizes of its arrays.
Bytes step_memory(const Settings& settings);

// Rows of one device in an epoch, as Lightning's DistributedSampler pads them: 1,437 on 8 -> 180.
std::int64_t rows_per_device(const Settings& settings);
// drop_last leaves out the one batch that these rows make.
bool drops_every_batch(const Settings& settings);

// Whether that is what a device has; of settings that go together. Tries no other settings.
bool fits_hbm(const Settings& settings);

// That, and an epoch has batches that divide as the mesh wants.
bool would_run(const Settings& settings);

// Changes with which it would, each tried.
std::vector<WayToFit> ways_to_fit(const Settings& settings);

// Where it does not fit: "RESOURCE_EXHAUSTED: ... Used 16.0 GiB of 15.5 GiB hbm. ...".
std::string what_is_needed(const Settings& settings);

// Says what would fit as it is typed at the prompt: "batch 11, or remat full; batch 2".
class DoesNotFit : public Impossible {
 public:
  DoesNotFit(const Settings& settings, std::vector<WayToFit> ways);

  const std::string& needed() const { return needed_; }
  const std::vector<WayToFit>& ways() const { return ways_; }

 private:
  std::string needed_;
  std::vector<WayToFit> ways_;
};

// Throws DoesNotFit with changes that were tried and fit; Impossible where it is this computer.
void check_memory(const Settings& settings);

}  // namespace tpulab

// A run as a file: its settings and where it stands, as safetensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "engine/session/settings/settings.h"
#include "engine/session/snapshot.h"
#include "engine/training/checkpoint.h"

namespace tpulab {

// Of a file that is written, or read.
inline constexpr std::size_t largest_checkpoint = std::size_t{2} << 30;

struct Checkpoint {
  Settings settings{};
  std::shared_ptr<const TrainerState> state{};
  bool verified = true;  // by its checksum, which a file of an older version has not
};

// Of the numbers and their place in the run, whatever file they are in.
std::uint64_t digest_of(const TrainerState& state);

// Weights and optimizer state under their names; settings, position and a checksum are its
// metadata.
std::string checkpoint_text(const Settings& settings, const TrainerState& state);
// Throws Error, which names the file, for what is no such text, or not as it was written.
Checkpoint checkpoint_of(std::string_view bytes, const std::string& file);

// Throws Error unless a run with these settings can go on from there.
void check_can_resume(const Settings& settings, const TrainerState& state);
// A limit beyond so many steps or epochs: twice as many.
std::int64_t limit_beyond(std::int64_t reached);
// What such a run needs to go on where it ends, as it is typed: "max_steps=80"; empty elsewhere.
std::string longer_run(const Settings& settings, const LoopPlace& place);

// What a run that did not begin anew went on from. Throws Error where that is not there any more,
// or the file holds something else by now.
Checkpoint beginning_in_file(const RunView& run);

}  // namespace tpulab

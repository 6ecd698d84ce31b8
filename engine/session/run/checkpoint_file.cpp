#include "engine/session/run/checkpoint_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/random_bits.h"
#include "engine/base/text.h"
#include "engine/formats/safetensors.h"
#include "engine/session/run/run.h"
#include "engine/session/settings/plan.h"
#include "engine/session/settings/setting_values.h"
#include "engine/session/settings/settings_file.h"

namespace tpulab {

namespace {

constexpr const char* settings_key = "settings";
constexpr const char* data_key = "data";
constexpr const char* checksum_key = "checksum";

struct Counter {
  const char* key;
  std::int64_t LoopPlace::*value;
};
constexpr std::array<Counter, 4> counters{{{"step", &LoopPlace::step},
                                           {"epoch", &LoopPlace::epoch},
                                           {"rows_seen", &LoopPlace::rows_seen},
                                           {"evaluations", &LoopPlace::checks}}};

const std::string& entry_of(const Safetensors& stored, const char* key, const std::string& file) {
  const auto found = stored.metadata.find(key);
  if (found != stored.metadata.end()) return found->second;
  throw Error(fmt::format("{} is no checkpoint of tpulab: its metadata has no '{}'", file, key));
}

std::int64_t count_of(const Safetensors& stored, const char* key, const std::string& file) {
  const std::string& text = entry_of(stored, key, file);
  if (const auto number = whole_number(text)) return *number;
  throw Error(fmt::format("{}: its {} is '{}'; expected a whole number", file, key, text));
}

std::string digits_of(std::uint64_t digest) { return fmt::format("{:016x}", digest); }

std::uint64_t digest_of(const NamedArray& array) {
  Fnv hash;
  hash.add(array.name);
  for (const std::int64_t extent : array.values.shape().extents()) {
    hash.add(static_cast<std::uint64_t>(extent));
  }
  for (const float value : array.values.values()) hash.add(std::bit_cast<std::uint32_t>(value));
  return hash.value;
}

std::string checksum_of(std::string_view settings, const TrainerState& state) {
  Fnv hash;
  hash.add(digest_of(state));
  hash.add(settings);
  return digits_of(hash.value);
}

// False where it has no checksum to tell.
bool is_whole(const Safetensors& stored, const TrainerState& state, const std::string& file) {
  const auto written = stored.metadata.find(checksum_key);
  if (written == stored.metadata.end()) return false;
  if (written->second == checksum_of(stored.metadata.at(settings_key), state)) return true;
  throw Error(
      fmt::format("{} is damaged: its numbers or settings are not those that were written; resume "
                  "another checkpoint, or take '{}' out of its metadata if you changed it yourself",
                  file, checksum_key));
}

Safetensors stored_in(std::string_view bytes, const std::string& file) {
  try {
    return parse_safetensors(bytes, file);
  } catch (const Error& error) {
    throw Error(
        fmt::format("{}; a checkpoint is what `checkpoint FILE.safetensors` writes", error.what()));
  }
}

}  // namespace

std::uint64_t digest_of(const TrainerState& state) {
  Fnv hash;
  for (const Counter& counter : counters) {
    hash.add(static_cast<std::uint64_t>(state.place.*counter.value));
  }
  hash.add(state.data);
  std::uint64_t arrays = 0;  // in whatever order a file has them
  for (const NamedArray& array : state.arrays) arrays += digest_of(array);
  hash.add(arrays);
  return hash.value;
}

std::string checkpoint_text(const Settings& settings, const TrainerState& state) {
  const std::string text = text_of_settings(settings);
  Safetensors stored{{{settings_key, text}, {checksum_key, checksum_of(text, state)}},
                     state.arrays};
  for (const Counter& counter : counters) {
    stored.metadata[counter.key] = std::to_string(state.place.*counter.value);
  }
  stored.metadata[data_key] = digits_of(state.data);
  return text_of(stored);
}

Checkpoint checkpoint_of(std::string_view bytes, const std::string& file) {
  Safetensors stored = stored_in(bytes, file);
  auto state = std::make_shared<TrainerState>();
  for (const Counter& counter : counters) {
    state->place.*counter.value = count_of(stored, counter.key, file);
  }
  if (const auto data = stored.metadata.find(data_key); data != stored.metadata.end()) {
    std::from_chars(data->second.data(), data->second.data() + data->second.size(), state->data,
                    16);
  }
  state->arrays = std::move(stored.arrays);
  const std::string settings = entry_of(stored, settings_key, file);
  const bool verified = is_whole(stored, *state, file);
  return {settings_of_text(settings, file + ", settings"), std::move(state), verified};
}

void check_can_resume(const Settings& settings, const TrainerState& state) {
  if (is_named(settings) || !settings.numbers) {
    throw Error("only a run with its numbers goes on from a checkpoint; numbers on");
  }
  try {
    check_fits(state, trainer_options(settings), machine_for(settings).world());
  } catch (const Error& error) {
    throw Error(fmt::format(
        "the checkpoint does not fit these settings: {}; resume it without changing them",
        error.what()));
  }
  if (const std::string more = longer_run(settings, state.place); !more.empty()) {
    throw Error(
        fmt::format("the checkpoint stands behind step {} and {}, where its run ends; give more, "
                    "as {}",
                    state.place.step, count_with(state.place.epoch, "whole epoch"), more));
  }
}

std::int64_t limit_beyond(std::int64_t reached) { return std::max<std::int64_t>(reached, 1) * 2; }

// Both limits, where both are reached.
std::string longer_run(const Settings& settings, const LoopPlace& place) {
  std::string more;
  const auto add = [&more](const char* name, std::int64_t limit, std::int64_t reached) {
    if (limit < 0 || reached < limit) return;
    more += fmt::format("{}{}={}", more.empty() ? "" : " ", name, limit_beyond(reached));
  };
  add("max_steps", settings.max_steps, place.step);
  add("max_epochs", epochs_of(settings), place.epoch);
  return more;
}

Checkpoint beginning_in_file(const RunView& run) {
  if (run.from_file.empty()) throw Error("its file is not known");
  Checkpoint kept = checkpoint_of(read_file(run.from_file, largest_checkpoint), run.from_file);
  const std::int64_t step = kept.state->place.step;
  if (step != run.from_step) {
    throw Error(fmt::format("{} stands behind step {} now", run.from_file, step));
  }
  // Of a run that an older version kept the step alone is known.
  if (run.from_digest == 0 || run.from_digest == digest_of(*kept.state)) return kept;
  throw Error(
      fmt::format("{} was written anew and holds other weights behind step {}; where the "
                  "file of then is kept, put it there again",
                  run.from_file, step));
}

std::string Run::checkpoint() const {
  if (!has_weights()) {
    throw Impossible(settings_.numbers
                         ? fmt::format("of {} no weights are kept: it begins with the numbers "
                                       "beside its text, whenever it is run",
                                       settings_.model)
                         : "a run in time only has no weights to keep");
  }
  if (state_ == RunState::failed) {
    throw Impossible(fmt::format("run {} has failed; its weights are not worth keeping", number_));
  }
  std::string text = checkpoint_text(settings_, steps_.trainer()->state());
  if (text.size() > largest_checkpoint) {
    throw Impossible(fmt::format("a checkpoint of {} could not be read again: it may have {}",
                                 text_of(Bytes{std::ssize(text)}),
                                 text_of(Bytes{static_cast<std::int64_t>(largest_checkpoint)})));
  }
  return text;
}

}  // namespace tpulab

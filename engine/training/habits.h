// What a training script does beside its step's mathematics: what it reads, sends, and lets change.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tpulab {

// How many rows of a batch the script's collate function keeps: what it drops changes the shape of
// the step's inputs.
enum class Shapes : std::uint8_t { fixed, random, bucketed };
Shapes shapes_named(std::string_view name);  // throws Error

// Steps after which counts that change come round again, so that long runs are told from a part.
inline constexpr std::int64_t habits_period = 1000;

// Of `rows` of one device in that step, at least half. random: one of at most 32 counts; bucketed:
// the next of at most 4, filled up with other rows.
std::int64_t kept_rows(Shapes shapes, std::int64_t rows, std::uint64_t seed, std::int64_t step);

struct Habits {
  std::int64_t log_every_n_steps = 50;  // item() of the loss after such a step; 0: never
  std::int64_t item_every_n_steps = 0;  // loss.item() inside training_step; 0: never
  bool progress_bar = false;            // two item() of the loss where the bar is refreshed
  std::int64_t progress_bar_every = 1;  // batches between two refreshes
  bool cpu_constant = false;            // a tensor is made on the CPU for each batch, and sent
  std::string fallback_op{};            // "aten::median": of each batch's losses, on the CPU
  Shapes shapes = Shapes::fixed;        // of training batches; others only where a step takes one
  std::int64_t loop_turns = 0;          // at most, of a Python loop over each batch's losses
  std::int64_t keep_every_n_steps = 0;  // after such a step each batch's losses are kept; 0: never
  bool sync_validation = false;         // each batch of validation is a graph of its own
  std::uint64_t seed = 1;               // of what changes from step to step

  bool logged_after(std::int64_t step) const;
  bool item_inside(std::int64_t step) const;
  bool keeps_losses(std::int64_t step) const;
  // Whether each batch of validation is a program of its own: a loader cuts on several devices, and
  // compiled functions are called batch by batch.
  bool cuts_validation(bool traces_each_step, std::int64_t devices) const {
    return devices > 1 || !traces_each_step || sync_validation;
  }
  // From 1 to loop_turns, another number from step to step; 0 without a loop.
  std::int64_t turns_in(std::int64_t step) const;
  std::int64_t rows_kept(std::int64_t rows, std::int64_t step) const {
    return kept_rows(shapes, rows, seed, step);
  }
};

}  // namespace tpulab

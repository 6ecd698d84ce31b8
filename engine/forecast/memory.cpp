#include "engine/forecast/memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.h"
#include "engine/machine/loader.h"

namespace tpulab {

namespace {

// Of a block that runs repeatedly: what a pass does not leave to the other is there once.
std::string times_of(const LargeArray& array, const Block& block) {
  if (array.copies.count > 1) {
    return fmt::format(" in {} copies of {}", array.copies.count, text_of(array.copies.one));
  }
  if (block.repeats == 1) return {};
  if (block.of_loss) return fmt::format(" in each of {} pieces, one by one", block.repeats);
  return fmt::format(", one of {} repeats at a time", block.repeats);
}

// Those that take most of HBM with all copies that are there at once.
std::string largest_arrays(const StepWork& step) {
  struct Line {
    Bytes all;
    std::string text;
  };
  std::vector<Line> lines;
  for (const Block& block : step.blocks) {
    for (const LargeArray& array : block.large) {
      const Bytes all = array.copies.all();
      lines.push_back({all, fmt::format("{} of {}: {}{}", array.name, block.name, text_of(all),
                                        times_of(array, block))});
    }
  }
  std::ranges::stable_sort(lines, std::ranges::greater{}, &Line::all);
  constexpr std::size_t most = 3;
  if (lines.size() > most) lines.resize(most);
  std::string text;
  for (const Line& line : lines) text += (text.empty() ? "" : "; ") + line.text;
  return text;
}

// ", after 7 turns of a pipeline: ..."; empty where all turns have rows.
std::string turns_without_rows(const StepWork& step) {
  const auto emptiest = std::ranges::max_element(
      step.blocks, {}, [](const Block& block) { return block.turns - block.useful; });
  if (emptiest == step.blocks.end() || emptiest->turns == emptiest->useful) return {};
  return fmt::format(", after {} turns of a pipeline: {} of them have no rows and leave as much",
                     emptiest->turns, emptiest->turns - emptiest->useful);
}

// Where a step that is given does not say which of its state are weights, all of it is.
ForecastMemory given_memory(ForecastMemory memory, const GivenStep& given) {
  memory.weights = std::min(given.state, given.work.working);
  memory.activations = given.work.working - memory.weights;
  memory.optimizer_state = std::min(given.work.state, memory.weights);
  memory.weights = memory.weights - memory.optimizer_state;
  memory.with_state = given.trains && given.work.parameters() == 0;
  return memory;
}

// A pass without gradients holds the largest array of a block as often as a layer reads one and
// makes one, and never more than a step.
Bytes forward_pass(const StepWork& step) {
  constexpr std::int64_t arrays_of_a_layer = 2;
  Bytes largest;
  for (const Block& block : step.blocks) largest = std::max(largest, block.largest);
  return std::min(largest * arrays_of_a_layer, step.working);
}

std::string kept_between_steps(const ForecastMemory& memory) {
  if (memory.with_state) return "Weights and what an optimizer keeps " + text_of(memory.weights);
  return fmt::format("Weights {}, optimizer state {}", text_of(memory.weights),
                     text_of(memory.optimizer_state));
}

}  // namespace

// What lives at once beside weights and state: activations and gradients, and the new weights and
// state where these do not take the place of the old ones.
ForecastMemory memory_of(const ResolvedStep& step, const Slice& slice) {
  ForecastMemory memory{.limit = slice.usable_hbm_per_device(),
                        .on_host = step.work.offloaded + step.work.on_host,
                        .host_limit = slice.host_memory_per_device()};
  if (step.request.given) return given_memory(memory, *step.request.given);
  memory.weights = step.work.weights;
  memory.optimizer_state = step.work.state;
  memory.activations = step.work.working;
  if (!step.request.donate) memory.temporaries = memory.weights + memory.optimizer_state;
  return memory;
}

ForecastMemory memory_in_run(const ResolvedStep& step, const Machine& machine) {
  ForecastMemory memory = memory_of(step, machine.slice);
  memory.batches_ahead = step.work.batch * batches_kept_ready(machine);
  return memory;
}

ForecastMemory memory_of_validation(const ResolvedStep& step, std::int64_t batches,
                                    const Slice& slice) {
  return {.weights = step.work.weights,
          .optimizer_state = step.work.state,
          .activations = forward_pass(step.work),
          .validation_rows = step.work.batch * batches,
          .limit = slice.usable_hbm_per_device()};
}

std::string out_of_memory_text(const ForecastMemory& memory, const StepWork& step) {
  if (memory.fits()) return {};
  if (memory.total() <= memory.limit) {
    return fmt::format(
        "RESOURCE_EXHAUSTED: a device leaves {} in its host's memory, of which {} are for each "
        "device{}.",
        text_of(memory.on_host), text_of(memory.host_limit), turns_without_rows(step));
  }
  return fmt::format(
      "RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm. Used {} of {} hbm. Exceeded hbm "
      "capacity by {}.\n{}, activations and gradients {}, temporaries {}, batches kept ready {}.\n"
      "Largest arrays: {}.",
      text_of(memory.total()), text_of(memory.limit), text_of(memory.total() - memory.limit),
      kept_between_steps(memory), text_of(memory.activations), text_of(memory.temporaries),
      text_of(memory.batches_ahead), largest_arrays(step));
}

}  // namespace tpulab

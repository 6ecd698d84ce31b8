#include "engine/forecast/memory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/base/text.h"

namespace tpulab {

namespace {

Bytes share_of(std::int64_t parameters, DType dtype, int shards) {
  return {parameters * bytes_of(dtype) / shards};
}

bool keeps_all(const Block& block, Remat remat) {
  return remat == Remat::none || block.repeats == 1;
}

// Inputs of layers are kept divided by a tensor group, as its sequence parallelism does.
Bytes layer_input(const Block& block, int tensor) { return {block.input.value / tensor}; }

// Activations that wait for the backward pass. Of offloaded ones two are here: one comes while the
// other is in use.
Bytes kept_activations(const StepWork& step, Remat remat, int tensor) {
  Bytes kept;
  for (const Block& block : step.blocks) {
    if (keeps_all(block, remat)) {
      kept += block.saved * block.repeats;
    } else if (remat == Remat::minimal) {
      kept += block.saved_products * block.repeats;
    } else {
      kept += layer_input(block, tensor) * (remat == Remat::offload ? 2 : block.repeats);
    }
  }
  return kept;
}

// What one block needs on top while its backward pass runs: the largest gradient, and the
// activations that are computed again. No two blocks do so at once.
Bytes working_set(const StepWork& step, Remat remat) {
  Bytes most;
  for (const Block& block : step.blocks) {
    const Bytes again = keeps_all(block, remat) ? Bytes{} : block.saved;
    most = std::max(most, again + block.largest);
  }
  return most;
}

// Weights of one layer as all devices of a fully sharded group hold them while it runs, and of the
// next one.
Bytes gathered_weights(const StepWork& step, const ForecastRequest& request, const Mesh& mesh) {
  if (mesh.fsdp <= 1) return {};
  std::int64_t most = 0;
  for (const Block& block : step.blocks) most = std::max(most, block.parameters_here);
  return {2 * most * bytes_of(compute_of(request))};
}

std::string largest_arrays(const StepWork& step) {
  std::vector<const Block*> blocks;
  for (const Block& block : step.blocks) blocks.push_back(&block);
  std::ranges::sort(blocks, std::ranges::greater{},
                    [](const Block* block) { return block->largest; });
  std::vector<std::string> lines;
  for (const Block* block : blocks) {
    if (lines.size() == 3 || block->largest.value == 0) break;
    const std::string times =
        block->repeats > 1 ? fmt::format(" in each of {} layers", block->repeats) : "";
    lines.push_back(fmt::format("{} of {}: {}{}", block->largest_name, block->name,
                                text_of(block->largest), times));
  }
  return fmt::format("{}", fmt::join(lines, "; "));
}

// What lives at once beside weights and state: gradients, and the activations that wait for them.
ForecastMemory traced_memory(ForecastMemory memory, const StepWork& step, int states) {
  memory.weights = step.weights;
  memory.optimizer_state = step.weights * states;
  memory.gradients = std::min(step.working, step.weights);
  memory.activations = step.working - memory.gradients;
  return memory;
}

// Which of its state are weights, a step that is given does not say.
ForecastMemory given_memory(ForecastMemory memory, const GivenStep& given) {
  memory.weights = std::min(given.state, given.work.working);
  memory.activations = given.work.working - memory.weights;
  return memory;
}

}  // namespace

Bytes offloaded_bytes(const StepWork& step, Remat remat, int tensor) {
  Bytes bytes;
  if (remat != Remat::offload) return bytes;
  for (const Block& block : step.blocks) {
    if (!keeps_all(block, remat)) bytes += layer_input(block, tensor) * block.repeats;
  }
  return bytes;
}

ForecastMemory memory_of(const PricedStep& step, const Slice& slice) {
  const ForecastRequest& request = step.request;
  ForecastMemory memory{.limit = slice.usable_hbm_per_device()};
  if (request.given) return given_memory(memory, *request.given);
  const int states = state_count({.kind = *request.optimizer});
  if (step.work.partitioned) return traced_memory(memory, step.work, states);
  std::int64_t here = 0;
  for (const Block& block : step.work.blocks) here += block.repeats * block.parameters_here;
  const DType storage = storage_of(request);
  memory.weights = share_of(here, storage, step.mesh.fsdp);
  memory.gradients = share_of(here, storage, step.mesh.fsdp);
  memory.optimizer_state = memory.weights * states;
  memory.activations = kept_activations(step.work, request.remat, step.mesh.tensor);
  memory.temporaries =
      working_set(step.work, request.remat) + gathered_weights(step.work, request, step.mesh);
  return memory;
}

std::string out_of_memory_text(const ForecastMemory& memory, const StepWork& step) {
  if (memory.fits()) return {};
  return fmt::format(
      "RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm. Used {} of {} hbm. Exceeded hbm "
      "capacity by {}.\nWeights {}, gradients {}, optimizer state {}, activations {}, temporaries "
      "{}.\nLargest arrays: {}.",
      text_of(memory.total()), text_of(memory.limit), text_of(memory.total() - memory.limit),
      text_of(memory.weights), text_of(memory.gradients), text_of(memory.optimizer_state),
      text_of(memory.activations), text_of(memory.temporaries), largest_arrays(step));
}

}  // namespace tpulab

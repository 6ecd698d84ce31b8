#include "engine/training/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/training/models/models.h"

namespace tpulab {

namespace {

double forward_operations(const Workload& workload, std::int64_t sequence) {
  const auto one = known_work(workload.network, {.batch = 1, .sequence = sequence});
  return static_cast<double>(one->forward_flops().value);
}

// Operations are counted in 63 bits; a step has four times those of its forward pass at most. In
// the tokens of a row they are a linear and a quadratic part, which two short rows tell.
void check_size(const Workload& workload, const WorkOptions& options) {
  constexpr std::int64_t surely_small = 65'536;  // values of a batch dimension, of any model here
  constexpr double most = 2e18;
  const std::int64_t own = known_work(workload.network, {.batch = 1})->tokens_per_row;
  const std::int64_t tokens = own > 0 && options.sequence > 0 ? options.sequence : own;
  if (options.batch * std::max<std::int64_t>(tokens, 1) <= surely_small) return;
  double each = 0;
  if (tokens == 0) {
    each = forward_operations(workload, 0);
  } else {
    const double once = forward_operations(workload, 128);
    const double quadratic = (forward_operations(workload, 256) - 2 * once) / (256.0 * 128);
    const double linear = (once - quadratic * 128 * 128) / 128;
    const auto row = static_cast<double>(tokens);
    each = linear * row + quadratic * row * row;
  }
  const std::int64_t sharers = std::int64_t{options.mesh.tensor} * options.mesh.context;
  each /= static_cast<double>(sharers);
  if (each * static_cast<double>(options.batch) <= most) return;
  const std::string on =
      sharers == 1 ? "a device" : fmt::format("{} devices that share them", sharers);
  throw TooManyOperations(fmt::format(
      "{} with {} rows on {} is {:.1e} operations of a device a forward pass, more than any TPU is "
      "given at once; choose a smaller batch or sequence",
      workload.model, options.batch, on, each * static_cast<double>(options.batch)));
}

void check_tokens(const Workload& workload, std::int64_t sequence) {
  const std::int64_t most = workload.network.most_tokens;
  if (most == 0 || sequence <= most) return;
  throw Error(fmt::format("{} reads rows of {} tokens at most, not {}: {}; choose a sequence to {}",
                          workload.model, text_with_commas(most), text_with_commas(sequence),
                          workload.network.most_because, most));
}

void quantise(std::vector<NamedKernel>& kernels) {
  for (NamedKernel& kernel : kernels) {
    if (!kernel.product) continue;
    KernelWork work = kernel.work;
    for (Work& item : work.items) {
      if (auto* product = std::get_if<MatrixWork>(&item)) {
        product->quantised = true;
        product->passes = 1;  // integers have no further bits
      }
    }
    kernel.work = std::move(work);
  }
}

}  // namespace

RowBlocks row_blocks_of(const Generation& generation) {
  constexpr double whole_rows_mib = 32;
  return generation.vmem_mib >= whole_rows_mib ? RowBlocks::in_vmem : RowBlocks::in_hbm;
}

SoftmaxAgain softmax_again(const Generation& generation) {
  const bool two_as_one = generation.cores_per_chip > generation.devices_per_chip;
  return two_as_one ? SoftmaxAgain::in_loops : SoftmaxAgain::in_products_too;
}

Remat remat_named(std::string_view name) {
  const auto* const found = std::ranges::find(remat_names, name);
  if (found != remat_names.end()) return static_cast<Remat>(found - remat_names.begin());
  throw Error(fmt::format("unknown rematerialisation '{}'; choose {}", name, remat_choices));
}

void launch(std::vector<NamedKernel>& kernels, NamedKernel kernel, int launches) {
  kernels.push_back(std::move(kernel));
  for (int more = 1; more < launches; ++more) {
    const NamedKernel& before = kernels[kernels.size() - static_cast<std::size_t>(more)];
    kernels.push_back({.name = "after " + before.name, .part = before.part});
  }
}

// Alike ones that wait are there at once, and may be many; of others nobody says that they are.
void note_array(Block& block, std::string_view kernel, const Operand& made, Copies copies) {
  constexpr std::size_t most = 3;
  block.largest = std::max(block.largest, made.bytes());
  std::vector<LargeArray>& large = block.large;
  if (!copies.waits && large.size() >= most && copies.all() <= large[most - 1].copies.all()) return;
  LargeArray array{fmt::format("{} {}", kernel, text_of(made.dtype, made.shape)), copies};
  const auto alike = std::ranges::find(large, array.name, &LargeArray::name);
  if (alike != large.end() && alike->copies.one == copies.one) {
    if (!copies.waits) return;
    array.copies.count += alike->copies.waits ? alike->copies.count : 0;
    large.erase(alike);
  }
  const auto place = std::ranges::find_if(
      large, [&](const LargeArray& other) { return other.copies.all() < array.copies.all(); });
  large.insert(place, std::move(array));
  if (large.size() > most && !large.back().copies.waits) large.pop_back();
}

const CollectiveWork* collective_of(const KernelWork& work) {
  return work.items.empty() ? nullptr : std::get_if<CollectiveWork>(&work.items.front());
}

double StepWork::share_compiled(double loop_compiles_as) const {
  double ops = traced_ops;
  for (const auto& [turns, looped_ops] : looped) {
    ops -= looped_ops * std::max(0.0, 1 - loop_compiles_as / static_cast<double>(turns));
  }
  return traced_ops > 0 ? ops / traced_ops : 1;
}

std::int64_t StepWork::parameters() const {
  std::int64_t total = 0;
  for (const Block& block : blocks) total += block.repeats * block.parameters;
  return total;
}

std::int64_t StepWork::weight_arrays() const {
  std::int64_t total = 0;
  for (const Block& block : blocks) total += block.repeats * block.weights;
  return total;
}

Flops StepWork::forward_flops() const {
  Flops total;
  for (const Block& block : blocks) {
    for (const NamedKernel& kernel : block.forward) {
      for (const Work& item : kernel.work->items) {
        if (const auto* work = std::get_if<MatrixWork>(&item)) {
          total += work->published_flops() * (block.repeats * block.useful);
        } else if (const auto* lanes = std::get_if<VectorWork>(&item)) {
          total += lanes->convolved * (block.repeats * block.useful);
        }
      }
    }
  }
  return total;
}

StepWork step_work(const Workload& workload, const WorkOptions& options) {
  if (options.batch < 1) throw Error("a device needs at least one row; choose a larger batch");
  check_tokens(workload, options.sequence);
  check_size(workload, options);
  StepWork step = work_of(workload.network, options);
  if (options.quantised) {
    for (Block& block : step.blocks) {
      quantise(block.forward);
      quantise(block.backward);
    }
  }
  return step;
}

StepCalls step_calls(const Workload& workload, const WorkOptions& options) {
  return calls_of(workload.network, options);
}

OptimizerKind usual_optimizer(const Workload& workload) {
  // Networks of convolutions; transformers that see have a family.
  const Input input = workload.network.model.input;
  const bool images = (input == Input::image || input == Input::scene || input == Input::outlines ||
                       input == Input::volume) &&
                      workload.network.family.empty();
  return images ? OptimizerKind::sgd : OptimizerKind::adam;
}

}  // namespace tpulab

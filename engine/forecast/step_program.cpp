#include "engine/forecast/step_program.h"

#include <fmt/format.h>

#include <utility>

#include "engine/base/random_bits.h"
#include "engine/compiler/price_program.h"
#include "engine/forecast/memory.h"
#include "engine/forecast/mesh.h"

namespace tpulab {

namespace {

// Tokens by their positions, images by theirs; of others the number of values is known.
std::string batch_text(const ResolvedStep& step) {
  const std::int64_t rows = step.rows_of_replica();
  if (step.alone) return fmt::format("{} operands", name_of(compute_of(step.request)));
  if (step.work.tokens_per_row > 0) {
    return fmt::format("{}[{},{}] tokens", name_of(stack_named(step.request.stack).integers), rows,
                       step.work.tokens_per_row / step.mesh.context);
  }
  const DType dtype = sent_of(step.request);
  if (const Shape& row = step.work.row; row.rank() > 0) {
    return text_of(dtype, row.of_rows(rows)) + (row.rank() > 1 ? " images" : " rows");
  }
  const std::int64_t values = step.work.batch.value / rows / bytes_of(dtype);
  return fmt::format("{}[{},{}] rows", name_of(dtype), rows, values);
}

// Sizes that the names of kernels do not tell: bytes over HBM, operations of the array.
std::uint64_t sizes_of(const std::vector<Kernel>& kernels) {
  Fnv hash;
  const auto add = [&](std::int64_t value) { hash.add(static_cast<std::uint64_t>(value)); };
  for (const Kernel& kernel : kernels) {
    for (const auto* operands : {&kernel.work->reads, &kernel.work->writes}) {
      for (const Operand& one : *operands) add(one.bytes().value);
    }
    for (const Work& item : kernel.work->items) {
      if (const auto* work = std::get_if<MatrixWork>(&item)) add(work->flops().value);
    }
  }
  return hash.value;
}

// What goes in, and which options made the ops; a text that is given has its own.
void tell_inputs(const ResolvedStep& step, Fingerprint& parts) {
  if (step.request.given && !step.request.given->inputs.empty()) {
    parts.inputs = step.request.given->inputs;
    return;
  }
  parts.inputs.push_back(batch_text(step));
  parts.inputs.push_back(
      fmt::format("{}[{}] weights", name_of(storage_of(step.request)), step.work.parameters()));
  parts.ops.push_back(fmt::format("precision {} {} {}", step.request.precision, step.request.matmul,
                                  step.request.quant));
  parts.ops.emplace_back(name_of(*step.request.optimizer));
}

// Its ops in words are its kernels.
Fingerprint fingerprint_of(const ResolvedStep& step, const std::vector<Kernel>& kernels,
                           const Machine& machine) {
  Fingerprint parts;
  tell_inputs(step, parts);
  parts.wiring = sizes_of(kernels);
  parts.outputs.emplace_back("weights and optimizer state");
  parts.topology = fmt::format("{}, {} devices, mesh {}", machine.slice.name, machine.world(),
                               text_of(step.mesh));
  return parts;
}

// Whether a step that is given does what one kernel does: collectives and copies stand beside it.
bool is_one_kernel(const std::vector<Kernel>& kernels) {
  std::int64_t all = 0;
  std::int64_t computing = 0;
  for (const Kernel& kernel : kernels) {
    if (kernel.collective || crosses_host_link(kernel)) continue;
    const std::int64_t launches = kernel.launches * kernel.runs;
    all += launches;
    if (!kernel.work->items.empty()) computing += launches;
  }
  return all == 1 || computing == 1;
}

}  // namespace

Program step_program(const ResolvedStep& step, std::vector<Kernel> kernels,
                     const Machine& machine) {
  Program program;
  program.fingerprint = fingerprint_of(step, kernels, machine);
  program.alone = step.alone || (step.request.given != nullptr && is_one_kernel(kernels));
  program.kernels = std::move(kernels);
  program.world = machine.world();
  program.input_bytes = step.work.batch;
  program.peak_bytes = memory_of(step, machine.slice).total();
  program.offloaded = step.work.offloaded;
  program.made_again = step.work.made_again;
  return program;
}

}  // namespace tpulab

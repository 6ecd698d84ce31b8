// wide_products: the chip multiplies int8 faster than what its products are made of.
#include <fmt/format.h>

#include "engine/advice/diagnosis.h"
#include "engine/base/text.h"
#include "engine/machine/matrix_unit.h"

namespace tpulab::wide_products_diagnosis {

namespace {

std::int64_t wide_products(const RecordedRun& run) {
  std::int64_t wide = 0;
  for (const StepProduct& one : run.products()) {
    wide += takes_bytes(*one.work, run.machine.generation()) ? 0 : one.runs;
  }
  return wide;
}

std::string text_of_speed(const Constant& speed) {
  std::string text = fmt::format("{:g} times as fast", speed.value);
  if (speed.mark == Mark::assumed) text += fmt::format(" (assumed, {})", speed.source);
  return text;
}

// Frameworks but JAX train nothing in int8 on a TPU. Of several passes int8 would drop all but one
// too: which passes there are is said elsewhere.
Finding in_run(const RecordedRun& run) {
  const Constant& speed = run.machine.generation().int8_speed;
  if (speed.value <= 1 || !run.machine.stack->name.starts_with("jax")) return {};
  const std::int64_t products = wide_products(run);
  if (products == 0 || run.most_passes() > 1) return {};
  Finding finding = found(
      {fmt::format("{} of a step multiply bf16; the chip multiplies int8 {}, and compute binds {} "
                   "of a step, HBM {}",
                   count_with(products, "product"), text_of_speed(speed),
                   text_of_share(run.share(Share::compute)),
                   text_of_share(run.share(Share::hbm_bound)))},
      "products with weights, forward and of both gradients, take fewer clocks and fewer bytes on "
      "int8, less what it takes to measure, scale and round their operands; one that stays in VMEM "
      "whole only then is read once, which may be most of the gain, up to a size that is inferred "
      "(`explain dot`). What is held in HBM, and attention's products, stay; what is learned is "
      "coarser",
      {"quant int8"});
  finding.traced_once =
      "in JAX: AQT or Qwix, whose dot_general and conv_general_dilated take the place of "
      "jax.lax's (MaxText: quantization=int8); look at the loss of a long run";
  return finding;
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "wide_products",
    .title = "products are bf16 where the chip multiplies int8 faster",
    .family = Family::software,
    .caused_by =
        "stack jax; slice v6e-64; batch 2; model llama3-8b; precision bf16-true; remat full",
    .cured_by = "quant int8",
    .change = "none that trains in int8 on a TPU; in JAX AQT or Qwix (MaxText: quantization=int8)",
    .changes_training = true,
    .in_run = in_run,
};

}  // namespace tpulab::wide_products_diagnosis

// wide_storage: weights, gradients and activations are stored in f32.
#include <fmt/format.h>

#include "engine/advice/diagnosis.h"
#include "engine/base/text.h"

namespace tpulab::wide_storage_diagnosis {

namespace {

Bytes bytes_of_operands(const Program& program, DType dtype) {
  Bytes sum;
  for (const Kernel& kernel : program.kernels) {
    for (const auto* operands : {&kernel.work->reads, &kernel.work->writes}) {
      for (const Operand& one : *operands) {
        if (one.dtype != dtype) continue;
        sum += Bytes{one.shape.elements() * bytes_of(dtype) * kernel.runs};
      }
    }
  }
  return sum;
}

Bytes bytes_of_operands(const RecordedRun& run, DType dtype) {
  Bytes sum;
  for (const auto& program : run.train_programs()) sum += bytes_of_operands(*program, dtype);
  return sum;
}

std::string said_once(const StackRow& stack) {
  if (stack.traces_each_step()) return {};
  if (stack.name.starts_with("tensorflow")) {
    return "in TensorFlow: tf.keras.mixed_precision.set_global_policy(\"mixed_bfloat16\"), or "
           "\"bfloat16\" for bf16-true; look at the accuracy over several seeds";
  }
  return "in JAX: dtype=jnp.bfloat16 of Flax's modules, for bf16-true param_dtype too (MaxText: "
         "dtype, weight_dtype); look at the accuracy over several seeds";
}

// Products of several passes keep more of f32 than one of bf16 storage would: which there are is
// said elsewhere.
Finding in_run(const RecordedRun& run) {
  const Bytes wide = bytes_of_operands(run, DType::f32);
  const Bytes narrow = bytes_of_operands(run, DType::bf16);
  if (wide == Bytes{} || wide < narrow || run.most_passes() > 1) return {};
  Finding finding = found(
      {fmt::format(
          "{} of f32 and {} of bf16 cross HBM in a step, padding aside; HBM binds {} of it",
          text_of(wide), text_of(narrow), text_of_share(run.share(Share::hbm_bound, 0)))},
      "products round to bf16 anyway; what is stored in bf16 is half as much to move and exchange",
      {"precision bf16-mixed", "precision bf16-true"});
  finding.traced_once = said_once(*run.machine.stack);
  return finding;
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "wide_storage",
    .title = "values are stored in f32",
    .family = Family::structure,
    .caused_by = "batch 128; model resnet50; numbers off; precision 32-true",
    .cured_by = "precision bf16-true",
    .change = "Trainer(precision=\"bf16-true\"); look at the accuracy over several seeds",
    .changes_training = true,
    .least_gain = 0.1,
    .in_run = in_run,
};

}  // namespace tpulab::wide_storage_diagnosis

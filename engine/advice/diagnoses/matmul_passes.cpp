// matmul_passes: each product takes several bf16 passes.
#include <fmt/format.h>

#include "engine/advice/diagnosis.h"
#include "engine/base/text.h"

namespace tpulab::matmul_passes_diagnosis {

namespace {

Finding in_run(const RecordedRun& run) {
  std::int64_t products = 0;
  for (const StepProduct& one : run.products()) products += one.work->passes > 1 ? one.runs : 0;
  if (products == 0) return {};
  return found({fmt::format("{} of a step take {} bf16 passes each",
                            count_with(products, "product"), run.most_passes())},
               "one pass rounds operands to bf16 and adds in f32, as a TPU does by default",
               {"matmul.precision default"});
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "matmul_passes",
    .title = "products take several bf16 passes",
    .family = Family::habits,
    .caused_by = "batch 128; model resnet50; numbers off; matmul.precision highest",
    .cured_by = "matmul.precision default",
    .change = "torch_xla.backends.set_mat_mul_precision(\"default\")",
    .in_run = in_run,
};

}  // namespace tpulab::matmul_passes_diagnosis

// image_blocks: images are laid in blocks along the batch, which its rows do not fill.
#include <fmt/format.h>

#include "engine/advice/diagnosis.h"
#include "engine/base/text.h"
#include "engine/machine/price.h"

namespace tpulab::image_blocks_diagnosis {

namespace {

struct Images {
  std::int64_t rows = 0;
  DType dtype = DType::f32;
};

// As convolutions with windows take them; none where there are none.
Images images_of(const Program& program) {
  for (const Kernel& kernel : program.kernels) {
    for (const Work& work : kernel.work->items) {
      const auto* product = std::get_if<MatrixWork>(&work);
      if (product == nullptr || product->images == 0) continue;
      for (const Operand& read : kernel.work->reads) {
        if (read.shape.rank() == 4) return {product->images, read.dtype};
      }
    }
  }
  return {};
}

Finding in_run(const RecordedRun& run) {
  const Program* program = run.train_program();
  const Images images = program == nullptr ? Images{} : images_of(*program);
  if (images.rows == 0 || images.rows != run.usual_rows()) return {};
  const std::int64_t held = padded_rows(images.rows, images.dtype);
  if (10 * held <= 11 * images.rows) return {};
  std::vector<std::string> tries;
  if (held > sublane_count) tries.push_back(fmt::format("batch {}", held - sublane_count));
  tries.push_back(fmt::format("batch {}", held));
  return found(
      {fmt::format("{} a device are held and moved as {}, in blocks of {}; HBM takes {} of "
                   "a step",
                   count_with(images.rows, "image"), held, sublane_count,
                   text_of_share(run.share(Share::hbm_bound)))},
      "what fills a block up crosses HBM as the images do", std::move(tries));
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "image_blocks",
    .title = "images leave their blocks half empty",
    .family = Family::structure,
    .caused_by = "stack jax; model resnet50; slice v4-8; precision bf16-mixed; batch 9",
    .cured_by = "batch 8",
    .change = "DataLoader(batch_size=...) a multiple of 8",
    .changes_training = true,
    .in_run = in_run,
};

}  // namespace tpulab::image_blocks_diagnosis

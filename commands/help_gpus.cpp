// The page `help gpus`.
#include "commands/help_gpus.h"

namespace tpulab {

std::string_view gpus_text() {
  return R"(
How many GPUs is one TPU board? A slice may name GPUs for forecast, compare,
sweep and whatif; nothing runs on them.

compare v3-8 v100x8 model=resnet50
compare v3-8 v100x8 model=resnet50,bert-large stack=jax precision=bf16-mixed

v100, v100-32gb, a100, a100-80gb, h100    one GPU
v100x8                                    a box of up to 8 over NVLink
a100x16                                   full boxes over a network (assumed)

The answer comes model by model: what was published of the two side by side,
and what the table says. A row of GPUs is a published figure where one has the
model, the chip, the precision and the length of a row: the median of those of
its count, else of all in one box by GPU. Else it is a roofline, marked rough
(nine of ten figures lie within 26 %), without host and input, times what a
figure of the chip at another count, batch or memory is to its own roofline.

gpu.precision is mixed (fp16 or bf16 products, f32 weights), tf32 (from A100
on) or fp32. Many published ratios differ only in this: a v3-8 is 6 to 8 V100s
at ResNet-50 in mixed precision and 24 in fp32. `show slice v100x8` lists the
constants with their sources, `show gpus` every published figure.
)";
}

}  // namespace tpulab

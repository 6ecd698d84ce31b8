#include "engine/formats/stablehlo/loss_arguments.h"

#include <gtest/gtest.h>

#include "engine/base/file.h"
#include "engine/formats/stablehlo/stablehlo_step.h"

namespace tpulab::loss_arguments_test {
namespace {

// 8x16 weights that the loss is made of, through a call and a loop; a momentum of their shape that
// only the update reads; a counter.
TEST(LossArguments, weights_are_what_comes_back_changed_and_makes_the_loss) {
  const ImportedStep step = import_stablehlo(
      read_file(TPULAB_SOURCE_DIR "/tests/engine/formats/stablehlo/momentum_step.mlir"), "f.mlir");
  EXPECT_EQ(step.work.parameters(), 8 * 16);
  EXPECT_EQ(step.state.value, 2 * 8 * 16 * 4 + 4);
  EXPECT_EQ(step.inputs, (std::vector<std::string>{"f32[8,16]", "f32[8,16]", "s32[]", "f32[4,8]"}));
}

}  // namespace
}  // namespace tpulab::loss_arguments_test

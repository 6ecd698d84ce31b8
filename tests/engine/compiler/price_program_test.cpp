#include "engine/compiler/price_program.h"

#include <gtest/gtest.h>

#include "engine/forecast/forecast.h"
#include "engine/forecast/known_steps.h"

namespace tpulab {
namespace {

TEST(PriceOfAProgram, is_the_same_where_equal_kernels_are_priced_once) {
  const ForecastRequest request{.model = "resnet50", .batch = 256};
  const Machine machine = machine_of(request);
  const auto programs = known_programs(request, machine);
  Program program = *programs->of({.rows = 256}, machine);
  int own = 0;
  for (std::size_t k = 0; k < program.alike.size(); ++k) {
    const auto like = static_cast<std::size_t>(program.alike[k]);
    ASSERT_LE(like, k);
    own += like == k ? 1 : 0;
    EXPECT_TRUE(program.kernels[k].work == program.kernels[like].work);
  }
  EXPECT_LT(3 * own, 2 * static_cast<int>(program.kernels.size()));
  const ProgramPrice once = price(program, machine);
  program.alike.clear();
  const ProgramPrice each = price(program, machine);
  EXPECT_EQ(once.time, each.time);
  EXPECT_EQ(once.exposed, each.exposed);
}

}  // namespace
}  // namespace tpulab

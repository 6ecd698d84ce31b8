#include "engine/forecast/step_program.h"

#include <gtest/gtest.h>

#include <memory>

#include "engine/compiler/price_program.h"
#include "engine/forecast/resolved_step.h"
#include "engine/forecast/single_kernel.h"

namespace tpulab::step_program_test {
namespace {

constexpr const char* gemm = "gemm-8192x8192x8192";

// Of a step on one v6e device, in ps.
double time_of(ForecastRequest request) {
  request.slice = "v6e-1";
  const Machine machine = machine_of(request);
  const ResolvedStep step = resolved_step(request, machine);
  std::vector<Kernel> kernels;
  for (const StepKernel& one : step.kernels) kernels.push_back(one.kernel);
  const Program program = step_program(step, std::move(kernels), machine);
  return static_cast<double>(price(program, machine).time.count());
}

// The work of a named kernel as an imported program, and what stands beside it.
double time_of_imported(std::vector<NamedKernel> beside, std::int64_t turns = 1) {
  auto given = std::make_shared<GivenStep>();
  given->work = kernel_step(gemm, {.compute = DType::bf16});
  Block& block = given->work.blocks.front();
  block.repeats = turns;
  block.forward.insert(block.forward.end(), beside.begin(), beside.end());
  return time_of({.given = given});
}

TEST(StepProgram, an_imported_program_of_one_kernel_takes_as_long_as_the_kernel_by_its_name) {
  const double named = time_of({.model = gemm, .precision = "bf16-true"});
  EXPECT_EQ(time_of_imported({}), named);
  EXPECT_GT(time_of_imported({}, 2), 2.2 * named);
}

TEST(StepProgram, copies_beside_one_kernel_leave_it_alone_and_another_kernel_does_not) {
  const Operand array{{8, 128}, DType::bf16};
  const NamedKernel copy{.name = "copy", .work = KernelWork{{}, {array}, {array}}};
  const NamedKernel loop{
      .name = "add",
      .work = KernelWork{{VectorWork{.shape = array.shape, .cheap = 1}}, {array}, {array}}};
  const double alone = time_of_imported({});
  EXPECT_NEAR(time_of_imported({copy}), alone, 0.1 * alone);
  EXPECT_GT(time_of_imported({loop}), 1.15 * alone);
}

}  // namespace
}  // namespace tpulab::step_program_test

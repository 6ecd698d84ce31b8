#include "engine/formats/stablehlo/division_rules.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/formats/stablehlo/stablehlo_step.h"
#include "tests/engine/formats/stablehlo/collective_calls.h"

namespace tpulab::division_rules_test {
namespace {

// What four devices exchange for an operation on %x, divided by its first axis.
int calls_of(const std::string& given, const std::string& operation, const std::string& made) {
  int calls = 0;
  const ImportedStep step = import_stablehlo(
      "module @m attributes {mhlo.num_partitions = 4 : i32} {\n"
      "  sdy.mesh @mesh = <[\"x\"=4]>\n"
      "  func.func @main(%x: " +
          given + R"( {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) -> )" + "(" + made +
          R"( {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) {)" + "\n    " + operation +
          "\n    return %r : " + made + "\n  }\n}\n",
      "f.mlir");
  test::for_each_call(step, [&](const CollectiveWork&, const Block&) { ++calls; });
  return calls;
}

// So does the TPU compiler (v6e) rank the rows of each device.
TEST(DivisionRule, of_what_works_along_the_last_axes_divides_the_others) {
  const std::string square = "tensor<8x16x16xf32>";
  EXPECT_EQ(calls_of(square,
                     "%r, %i = chlo.top_k(%x, k = 2) : " + square +
                         " -> (tensor<8x16x2xf32>, tensor<8x16x2xi32>)",
                     "tensor<8x16x2xf32>"),
            0);
  EXPECT_EQ(calls_of(square, "%r = stablehlo.reverse %x, dims = [1] : " + square, square), 0);
  EXPECT_GT(calls_of(square, "%r = stablehlo.reverse %x, dims = [0] : " + square, square), 0);
  EXPECT_EQ(calls_of(square, "%r = stablehlo.cholesky %x, lower = true : " + square, square), 0);
  EXPECT_EQ(calls_of(square,
                     "%r = \"stablehlo.triangular_solve\"(%x, %x) <{left_side = true, lower = "
                     "true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = "
                     "false}> : (" +
                         square + ", " + square + ") -> " + square,
                     square),
            0);
  const std::string complex = "tensor<8x16x16xcomplex<f32>>";
  EXPECT_EQ(
      calls_of(complex,
               "%r = stablehlo.fft %x, type = FFT, length = [16] : (" + complex + ") -> " + complex,
               complex),
      0);
}

}  // namespace
}  // namespace tpulab::division_rules_test

#include "engine/formats/branch_time.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "engine/formats/hlo/compiled_step.h"
#include "engine/formats/stablehlo/stablehlo_step.h"
#include "tests/engine/ops/check_op.h"

namespace tpulab::branch_time_test {

TEST(BranchTime, is_that_of_what_takes_longest_beside_a_start) {
  const Operand array{{1024, 1024}, DType::f32};
  const KernelWork copy{{VectorWork{.shape = array.shape}}, {array}, {array}};
  EXPECT_NEAR(about_seconds(copy), 1e-6 + 2 * 4 * 1024 * 1024 / 1.2e12, 1e-9);
  const KernelWork product{{MatrixWork{.m = 8192, .k = 8192, .n = 8192}}, {}, {}};
  EXPECT_NEAR(about_seconds(product), 1e-6 + 2 * 8192. * 8192 * 8192 / 275e12, 1e-9);
  const KernelWork sent{{CollectiveWork{.bytes = {45'000'000}}}, {array}, {array}};
  EXPECT_NEAR(about_seconds(sent), 1e-6 + 1e-3, 1e-9);
}

// One product of 2 x 2048^3 operations against three operations on one number each, and a loop of
// such products against four in a row.
TEST(BranchTime, the_branch_that_takes_longest_is_priced_however_few_lines_it_has) {
  const std::string matrix = "tensor<2048x2048xf32>";
  const auto product = [&](const char* name, const char* from) {
    return fmt::format(
        "    %{} = stablehlo.dot_general %{}, %w, contracting_dims = [1] x [0] : ({}, {}) -> {}\n",
        name, from, matrix, matrix, matrix);
  };
  const std::string one = product("p", "x") + "    stablehlo.return %p : " + matrix + "\n";
  std::string many;
  for (const char* line :
       {"%a = stablehlo.tanh %x", "%b = stablehlo.tanh %a", "%c = stablehlo.tanh %b"}) {
    many += fmt::format("    {} : {}\n", line, matrix);
  }
  many += "    stablehlo.return %c : " + matrix + "\n";
  const std::string four = product("a", "x") + product("b", "a") + product("c", "b") +
                           product("d", "c") + "    stablehlo.return %d : " + matrix + "\n";
  const std::string loop =
      "    %zero = stablehlo.constant dense<0> : tensor<i32>\n"
      "    %l:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, " +
      matrix +
      "\n"
      "    cond {\n"
      "      %n = stablehlo.constant dense<100> : tensor<i32>\n"
      "      %t = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "      stablehlo.return %t : tensor<i1>\n"
      "    } do {\n"
      "      %s = stablehlo.constant dense<1> : tensor<i32>\n"
      "      %j = stablehlo.add %i, %s : tensor<i32>\n"
      "  " +
      product("p", "v") + "      stablehlo.return %j, %p : tensor<i32>, " + matrix +
      "\n"
      "    }\n"
      "    stablehlo.return %l#1 : " +
      matrix + "\n";
  const auto step = [&](const std::string& first, const std::string& second) {
    return import_stablehlo(
        "func.func @main(%which: tensor<i32>, %x: " + matrix + ", %w: " + matrix + ") -> " +
            matrix + " {\n  %n = \"stablehlo.case\"(%which) ({\n" + first + "  }, {\n" + second +
            "  }) : (tensor<i32>) -> " + matrix + "\n  return %n : " + matrix + "\n}\n",
        "f.mlir");
  };
  const std::int64_t flops = 2LL * 2048 * 2048 * 2048;
  EXPECT_EQ(step(one, many).flops.value, flops);
  EXPECT_EQ(step(many, one).flops.value, flops);
  EXPECT_EQ(step(many, one).kernels, 1);
  EXPECT_EQ(step(loop, four).flops.value, 100 * flops);
  EXPECT_EQ(step(four, loop).flops.value, 100 * flops);
  EXPECT_EQ(step(one, four).flops.value, 4 * flops);
  EXPECT_EQ(step(four, one).work.working, step(one, four).work.working);
  // Of a choice inside a branch.
  const std::string inside = "    %n = \"stablehlo.case\"(%which) ({\n" + one + "  }, {\n" + many +
                             "  }) : (tensor<i32>) -> " + matrix +
                             "\n    stablehlo.return %n : " + matrix + "\n";
  EXPECT_EQ(step(inside, many).flops.value, flops);
  EXPECT_EQ(step(four, inside).flops.value, 4 * flops);
  EXPECT_EQ(step(inside, many).notes.back(), "2 branches of which the longest is priced");
  EXPECT_EQ(step(four, inside).notes.back(), "1 branches of which the longest is priced");
  // One that is not read is left out, as if it were shorter; deep ones are weighed once each.
  const std::string unread =
      "    %s = stablehlo.made_up %x : " + matrix + "\n    stablehlo.return %s : " + matrix + "\n";
  EXPECT_EQ(step(one, unread).flops.value, flops);
  EXPECT_EQ(step(unread, one).notes.back(),
            "1 branches that are not read, taken to be shorter than the others");
  EXPECT_NE(test::error_of([&] { step(unread, unread); }).find("made_up"), std::string::npos);
  std::string deep = one;
  for (int i = 0; i < 24; ++i) {
    deep = "    %n = \"stablehlo.case\"(%which) ({\n" + deep + "  }, {\n" + many +
           "  }) : (tensor<i32>) -> " + matrix + "\n    stablehlo.return %n : " + matrix + "\n";
  }
  EXPECT_EQ(step(deep, many).flops.value, flops);
}

// One product against three copies.
TEST(BranchTime, a_compiled_branch_that_takes_longest_is_priced_however_few_lines_it_has) {
  const std::string matrix = "f32[4096,4096]{1,0:T(8,128)}";
  const auto branch = [&](const std::string& name, const std::string& body) {
    return "%" + name + " (p: f32[4096,4096]) -> f32[4096,4096] {\n  %p = " + matrix +
           " parameter(0)\n" + body + "}\n";
  };
  const std::string text =
      branch("one", "  ROOT %d = " + matrix +
                        " dot(%p, %p), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n") +
      branch("three", "  %a = " + matrix + " copy(%p)\n  %b = " + matrix +
                          " copy(%a)\n  ROOT %c = " + matrix + " copy(%b)\n");
  for (const char* order : {"%one, %three", "%three, %one"}) {
    const ImportedStep step = import_hlo(
        "HloModule m, is_scheduled=true\n\n" + text + "ENTRY %main (p: f32[8]) -> f32[8] {\n" +
            ("  %x = " + matrix + " parameter(0)\n  %i = s32[] parameter(1)\n  ROOT %r = " +
             matrix + " conditional(%i, %x, %x), branch_computations={" + order + "}\n") +
            "}\n",
        "m.txt");
    EXPECT_EQ(step.flops.value, 2LL * 4096 * 4096 * 4096) << order;
    EXPECT_EQ(step.kernels, 1) << order;
  }
}

}  // namespace tpulab::branch_time_test

#include "engine/formats/branch_time.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "engine/formats/hlo/compiled_step.h"
#include "engine/formats/stablehlo/stablehlo_step.h"
#include "tests/engine/ops/check_op.h"

namespace tpulab::branch_time_test {
namespace {

TEST(BranchTime, is_that_of_what_takes_longest_beside_a_start) {
  const Operand array{{1024, 1024}, DType::f32};
  const KernelWork copy{{VectorWork{.shape = array.shape}}, {array}, {array}};
  EXPECT_NEAR(about_seconds(copy), 1e-6 + 2 * 4 * 1024 * 1024 / 1.2e12, 1e-9);
  const KernelWork product{{MatrixWork{.m = 8192, .k = 8192, .n = 8192}}, {}, {}};
  EXPECT_NEAR(about_seconds(product), 1e-6 + 2 * 8192. * 8192 * 8192 / 275e12, 1e-9);
  const KernelWork sent{{CollectiveWork{.bytes = {45'000'000}}}, {array}, {array}};
  EXPECT_NEAR(about_seconds(sent), 1e-6 + 1e-3, 1e-9);
}

constexpr std::int64_t flops = 2LL * 2048 * 2048 * 2048;
const std::string matrix = "tensor<2048x2048xf32>";

std::string product(const char* name, const char* from) {
  return fmt::format(
      "    %{} = stablehlo.dot_general %{}, %w, contracting_dims = [1] x [0] : ({}, {}) -> {}\n",
      name, from, matrix, matrix, matrix);
}
std::string returned(const char* name) {
  return fmt::format("    stablehlo.return %{} : {}\n", name, matrix);
}

const std::string one = product("p", "x") + returned("p");
const std::string four =
    product("a", "x") + product("b", "a") + product("c", "b") + product("d", "c") + returned("d");

// Operations on one number each.
std::string three() {
  std::string lines;
  for (const char* line :
       {"%a = stablehlo.tanh %x", "%b = stablehlo.tanh %a", "%c = stablehlo.tanh %b"}) {
    lines += fmt::format("    {} : {}\n", line, matrix);
  }
  return lines + returned("c");
}

std::string loop_of_100() {
  return "    %zero = stablehlo.constant dense<0> : tensor<i32>\n"
         "    %l:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, " +
         matrix +
         "\n    cond {\n"
         "      %n = stablehlo.constant dense<100> : tensor<i32>\n"
         "      %t = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
         "      stablehlo.return %t : tensor<i1>\n"
         "    } do {\n"
         "      %s = stablehlo.constant dense<1> : tensor<i32>\n"
         "      %j = stablehlo.add %i, %s : tensor<i32>\n" +
         product("p", "v") + "      stablehlo.return %j, %p : tensor<i32>, " + matrix +
         "\n    }\n    stablehlo.return %l#1 : " + matrix + "\n";
}

std::string choice(const std::string& first, const std::string& second) {
  return "  %n = \"stablehlo.case\"(%which) ({\n" + first + "  }, {\n" + second +
         "  }) : (tensor<i32>) -> " + matrix + "\n";
}

ImportedStep step(const std::string& first, const std::string& second) {
  return import_stablehlo("func.func @main(%which: tensor<i32>, %x: " + matrix + ", %w: " + matrix +
                              ") -> " + matrix + " {\n" + choice(first, second) +
                              "  return %n : " + matrix + "\n}\n",
                          "f.mlir");
}

TEST(BranchTime, the_branch_that_takes_longest_is_priced_however_few_lines_it_has) {
  EXPECT_EQ(step(one, three()).flops.value, flops);
  EXPECT_EQ(step(three(), one).flops.value, flops);
  EXPECT_EQ(step(three(), one).kernels, 1);
  EXPECT_EQ(step(loop_of_100(), four).flops.value, 100 * flops);
  EXPECT_EQ(step(four, loop_of_100()).flops.value, 100 * flops);
  EXPECT_EQ(step(one, four).flops.value, 4 * flops);
  EXPECT_EQ(step(four, one).work.working, step(one, four).work.working);
}

// Each is weighed once, however deep it lies.
TEST(BranchTime, of_a_choice_inside_a_branch_is_that_of_its_longest) {
  const std::string inside = choice(one, three()) + returned("n");
  EXPECT_EQ(step(inside, three()).flops.value, flops);
  EXPECT_EQ(step(four, inside).flops.value, 4 * flops);
  EXPECT_EQ(step(inside, three()).notes.back(), "2 branches of which the longest is priced");
  EXPECT_EQ(step(four, inside).notes.back(), "1 branches of which the longest is priced");
  std::string deep = one;
  for (int i = 0; i < 24; ++i) deep = choice(deep, three()) + returned("n");
  EXPECT_EQ(step(deep, three()).flops.value, flops);
}

TEST(BranchTime, a_branch_that_is_not_read_is_left_out_where_another_is) {
  const std::string unread = "    %s = stablehlo.made_up %x : " + matrix + "\n" + returned("s");
  EXPECT_EQ(step(one, unread).flops.value, flops);
  EXPECT_EQ(step(unread, one).notes.back(),
            "1 branches that are not read, taken to be shorter than the others");
  EXPECT_NE(test::error_of([&] { step(unread, unread); }).find("made_up"), std::string::npos);
}

// One product against three copies.
TEST(BranchTime, a_compiled_branch_that_takes_longest_is_priced_however_few_lines_it_has) {
  const std::string array = "f32[4096,4096]{1,0:T(8,128)}";
  const auto branch = [&](const std::string& name, const std::string& body) {
    return "%" + name + " (p: f32[4096,4096]) -> f32[4096,4096] {\n  %p = " + array +
           " parameter(0)\n" + body + "}\n";
  };
  const std::string text =
      branch("one", "  ROOT %d = " + array +
                        " dot(%p, %p), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n") +
      branch("three", "  %a = " + array + " copy(%p)\n  %b = " + array +
                          " copy(%a)\n  ROOT %c = " + array + " copy(%b)\n");
  for (const char* order : {"%one, %three", "%three, %one"}) {
    const ImportedStep step = import_hlo(
        "HloModule m, is_scheduled=true\n\n" + text + "ENTRY %main (p: f32[8]) -> f32[8] {\n" +
            ("  %x = " + array + " parameter(0)\n  %i = s32[] parameter(1)\n  ROOT %r = " + array +
             " conditional(%i, %x, %x), branch_computations={" + order + "}\n") +
            "}\n",
        "m.txt");
    EXPECT_EQ(step.flops.value, 2LL * 4096 * 4096 * 4096) << order;
    EXPECT_EQ(step.kernels, 1) << order;
  }
}

// As well where what lacks its branches lies in a branch, which was looked at before.
TEST(BranchTime, a_compiled_choice_without_branches_is_refused) {
  const std::string empty = "f32[8]{0} conditional(%i, %p), branch_computations={}\n";
  const std::string text =
      "HloModule m, is_scheduled=true\n\n"
      "%inner (p: f32[8]) -> f32[8] {\n  %p = f32[8]{0} parameter(0)\n  %i = s32[] constant(0)\n"
      "  ROOT %e = " +
      empty +
      "}\n\nENTRY %main (p: f32[8]) -> f32[8] {\n  %p = f32[8]{0} parameter(0)\n"
      "  %i = s32[] constant(0)\n  ROOT %r = f32[8]{0} conditional(%i, %p), "
      "branch_computations={%inner}\n}\n";
  EXPECT_NE(test::error_of([&] { import_hlo(text, "m.txt"); }).find("without branches"),
            std::string::npos);
}

}  // namespace
}  // namespace tpulab::branch_time_test

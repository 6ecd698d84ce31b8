#include "engine/formats/stablehlo/regrouped.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/formats/stablehlo/stablehlo_step.h"
#include "tests/engine/formats/stablehlo/collective_calls.h"

namespace tpulab::regrouped_test {
namespace {

struct Rows {
  std::string mesh = R"("x"=8)";
  std::string by = R"("x")";
  int all = 64;
  int first = 4;  // axis of what they become
};

// Rows of 16 numbers, divided, become so many times fewer; `then` makes %1 of these.
ImportedStep read(const Rows& rows, const std::string& then) {
  const std::string parts = fmt::format("tensor<{}x{}x16xf32>", rows.first, rows.all / rows.first);
  return import_stablehlo(
      fmt::format(R"(module @m attributes {{mhlo.num_partitions = {} : i32}} {{
  sdy.mesh @mesh = <[{}]>
  func.func @main(%x: tensor<{}x16xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{{}}}, {{}}]>}})
      -> {}
    %0 = stablehlo.reshape %x : (tensor<{}x16xf32>) -> {}
    {}
  }}
}}
)",
                  rows.all == 64 ? 8 : 6, rows.mesh, rows.all, rows.by,
                  then.empty() ? parts + " {" : "tensor<1x16x16xf32> {", rows.all, parts,
                  then.empty()
                      ? fmt::format("%1 = stablehlo.tanh %0 : {0}\n    return %1 : {0}", parts)
                      : then),
      "f.mlir");
}

std::vector<std::string> calls_of(const ImportedStep& step) {
  std::vector<std::string> calls;
  test::for_each_call(step, [&](const CollectiveWork& call, const Block&) {
    calls.push_back(fmt::format("{} of {}, apart {}: {}", test::name_of_call(call), call.among.size,
                                call.among.apart, call.bytes.value));
  });
  return calls;
}

Shape made_by(const ImportedStep& step) {
  return step.work.blocks[0].forward.back().work->writes[0].shape;
}

TEST(Regrouped, rows_are_divided_along_both_axes_that_they_become) {
  const ImportedStep step = read({}, "");
  EXPECT_EQ(calls_of(step), std::vector<std::string>{});
  EXPECT_EQ(made_by(step), (Shape{1, 8, 16}));
  // By axes that the mesh has already.
  const ImportedStep two = read({.mesh = R"("a"=2, "b"=4)", .by = R"("a", "b")", .first = 2}, "");
  EXPECT_EQ(calls_of(two), std::vector<std::string>{});
  EXPECT_EQ(made_by(two), (Shape{1, 8, 16}));
}

// Of all four, as XLA's compiler has it too.
TEST(Regrouped, rows_are_gathered_where_one_of_the_first_axis_is_taken) {
  const ImportedStep step = read({}, R"(
    %1 = stablehlo.slice %0 [0:1, 0:16, 0:16] : (tensor<4x16x16xf32>) -> tensor<1x16x16xf32>
    %2 = stablehlo.tanh %1 : tensor<1x16x16xf32>
    return %2 : tensor<1x16x16xf32>)");
  EXPECT_EQ(
      calls_of(step),
      (std::vector<std::string>{fmt::format("all-gather of 4, apart 2: {}", 4 * 8 * 16 * 4)}));
  EXPECT_EQ(made_by(step), (Shape{1, 8, 16}));
}

TEST(Regrouped, rows_of_devices_that_do_not_divide_so_are_gathered_first) {
  const ImportedStep step = read({.mesh = R"("x"=6)", .all = 48}, "");
  EXPECT_EQ(calls_of(step),
            (std::vector<std::string>{fmt::format("all-gather of 6, apart 1: {}", 48 * 16 * 4)}));
}

TEST(Regrouped, nothing_is_of_arrays_that_hold_nothing) {
  const ImportedStep step = read({.mesh = R"("x"=6)", .all = 0, .first = 1}, "");
  EXPECT_EQ(made_by(step).elements(), 0);
}

}  // namespace
}  // namespace tpulab::regrouped_test

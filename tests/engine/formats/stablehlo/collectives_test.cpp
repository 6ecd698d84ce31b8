#include <gtest/gtest.h>

#include <vector>

#include "engine/formats/stablehlo/stablehlo_step.h"
#include "tests/engine/formats/stablehlo/collective_calls.h"

namespace tpulab::collectives_test {
namespace {

// Four devices, each of which has 16 rows to send and place for 32.
TEST(Collectives, of_ragged_rows_are_priced_as_if_all_were_sent) {
  const ImportedStep step = import_stablehlo(R"(
module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%x: tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
      %n: tensor<16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<128x8xf32> {
    %r = sdy.manual_computation(%x, %n) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}]>]
        out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"}
        (%a: tensor<16x8xf32>, %m: tensor<4xi32>) {
      %zero = stablehlo.constant dense<0.0> : tensor<32x8xf32>
      %o = stablehlo.custom_call @ragged_all_to_all(%a, %zero, %m, %m, %m, %m) {api_version = 4 :
          i32, backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> :
          tensor<1x4xi64>}} : (tensor<16x8xf32>, tensor<32x8xf32>, tensor<4xi32>, tensor<4xi32>,
          tensor<4xi32>, tensor<4xi32>) -> tensor<32x8xf32>
      %t = stablehlo.tanh %o : tensor<32x8xf32>
      sdy.return %t : tensor<32x8xf32>
    } : (tensor<64x8xf32>, tensor<16xi32>) -> tensor<128x8xf32>
    return %r : tensor<128x8xf32>
  }
})",
                                             "f.mlir");
  std::vector<CollectiveWork> calls;
  test::for_each_call(step,
                      [&](const CollectiveWork& call, const Block&) { calls.push_back(call); });
  ASSERT_EQ(calls.size(), 1U);
  EXPECT_EQ(test::name_of_call(calls[0]), "all-to-all");
  EXPECT_EQ(calls[0].bytes.value, 16 * 8 * 4);
  EXPECT_EQ(calls[0].among.size, 4);
  EXPECT_EQ(step.exchanging, 4);
  EXPECT_EQ(
      step.notes,
      (std::vector<std::string>{"1 exchanges of ragged rows, priced as if all of them were sent"}));
}

}  // namespace
}  // namespace tpulab::collectives_test

// What a shard_map leaves in parts, and who reads it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "engine/base/error.h"
#include "engine/formats/stablehlo/stablehlo_step.h"
#include "tests/engine/formats/stablehlo/collective_calls.h"

namespace tpulab::shard_map_test {
namespace {

// "all-reduce of 4": bytes of each call.
using Calls = std::map<std::string, std::vector<std::int64_t>>;
Calls calls_of(const ImportedStep& step) {
  Calls calls;
  test::for_each_call(step, [&](const CollectiveWork& call, const Block&) {
    calls[fmt::format("{} of {}", test::name_of_call(call), call.among.size)].push_back(
        call.bytes.value);
  });
  return calls;
}

ImportedStep imported(const std::string& mesh, int devices, const std::string& arguments,
                      const std::string& body, const std::string& result) {
  return import_stablehlo(fmt::format("module @m attributes {{mhlo.num_partitions = {} : i32}} {{\n"
                                      "  sdy.mesh @mesh = <[{}]>\n"
                                      "  func.func @main({}) -> {} {{\n{}\n  }}\n}}\n",
                                      devices, mesh, arguments, result, body),
                          "f.mlir");
}

const std::string by_rows = R"( {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})";

// y = x w, rows of x and y divided.
const std::string product = R"(
    %0 = sdy.manual_computation(%w, %x) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{"x"}, {}]>]
        out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"}
        (%a: tensor<64x32xf32>, %b: tensor<128x64xf32>) {
      %1 = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<128x64xf32>,
          tensor<64x32xf32>) -> tensor<128x32xf32>
      sdy.return %1 : tensor<128x32xf32>
    } : (tensor<64x32xf32>, tensor<512x64xf32>) -> tensor<512x32xf32>)";

const std::string sum_of_squares = R"(
    %2 = stablehlo.multiply %0, %0 : tensor<512x32xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0, 1] :
        (tensor<512x32xf32>, tensor<f32>) -> tensor<f32>)";

constexpr std::int64_t flops = 2LL * 128 * 64 * 32;

// XLA's compiler has the same one call.
TEST(ShardMap, leaves_parts_that_a_loss_outside_of_it_adds_up) {
  const ImportedStep step =
      imported(R"("x"=4)", 4, "%w: tensor<64x32xf32>, %x: tensor<512x64xf32>" + by_rows,
               product + sum_of_squares + "\n    return %3 : tensor<f32>", "tensor<f32>");
  EXPECT_EQ(calls_of(step), (Calls{{"all-reduce of 4", {4}}}));
  EXPECT_EQ(step.flops.value, flops);
  EXPECT_EQ(step.notes, std::vector<std::string>{});
}

TEST(ShardMap, hands_its_parts_to_another_one) {
  const std::string second = R"(
    %2 = stablehlo.tanh %0 : tensor<512x32xf32>
    %3 = sdy.manual_computation(%2, %x) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>]
        out_shardings=[<@mesh, [{}, {}]>] manual_axes={"x"}
        (%c: tensor<128x32xf32>, %d: tensor<128x64xf32>) {
      %4 = stablehlo.dot_general %d, %c, contracting_dims = [0] x [0] : (tensor<128x64xf32>,
          tensor<128x32xf32>) -> tensor<64x32xf32>
      %5 = "stablehlo.all_reduce"(%4) <{replica_groups = dense<[[0, 1, 2, 3]]> :
          tensor<1x4xi64>}> ({
      ^bb0(%e: tensor<f32>, %f: tensor<f32>):
        %6 = stablehlo.add %e, %f : tensor<f32>
        stablehlo.return %6 : tensor<f32>
      }) : (tensor<64x32xf32>) -> tensor<64x32xf32>
      sdy.return %5 : tensor<64x32xf32>
    } : (tensor<512x32xf32>, tensor<512x64xf32>) -> tensor<64x32xf32>
    %7 = stablehlo.subtract %w, %3 : tensor<64x32xf32>
    return %7 : tensor<64x32xf32>)";
  const ImportedStep step =
      imported(R"("x"=4)", 4, "%w: tensor<64x32xf32>, %x: tensor<512x64xf32>" + by_rows,
               product + second, "tensor<64x32xf32>");
  EXPECT_EQ(calls_of(step), (Calls{{"all-reduce of 4", {64 * 32 * 4}}}));
  EXPECT_EQ(step.flops.value, 2 * flops);
}

TEST(ShardMap, is_gathered_where_all_of_it_is_wanted) {
  const ImportedStep step =
      imported(R"("x"=4)", 4, "%w: tensor<64x32xf32>, %x: tensor<512x64xf32>" + by_rows,
               product + "\n    return %0 : tensor<512x32xf32>",
               "(tensor<512x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>})");
  EXPECT_EQ(calls_of(step), (Calls{{"all-gather of 4", {512 * 32 * 4}}}));
}

TEST(ShardMap, divides_arguments_of_which_the_text_says_nothing) {
  const ImportedStep step =
      imported(R"("x"=4)", 4, "%w: tensor<64x32xf32>, %x: tensor<512x64xf32>",
               product + sum_of_squares + "\n    return %3 : tensor<f32>", "tensor<f32>");
  EXPECT_EQ(step.stays.value, (64 * 32 + 128 * 64) * 4);
}

// Rows are divided by an axis of which the shard_map says nothing, inside of it too.
TEST(ShardMap, leaves_other_axes_of_the_mesh_to_the_rest) {
  const ImportedStep step =
      imported(R"("d"=2, "x"=4)", 8,
               R"(%w: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
      %x: tensor<512x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {"x"}]>})",
               R"(
    %0 = sdy.manual_computation(%w, %x) in_shardings=[<@mesh, [{"x", ?}, {?}]>,
        <@mesh, [{?}, {"x", ?}]>] out_shardings=[<@mesh, [{?}, {?}]>] manual_axes={"x"}
        (%a: tensor<16x32xf32>, %b: tensor<512x16xf32>) {
      %1 = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<512x16xf32>,
          tensor<16x32xf32>) -> tensor<512x32xf32>
      %2 = "stablehlo.all_reduce"(%1) <{replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> :
          tensor<2x4xi64>}> ({
      ^bb0(%e: tensor<f32>, %f: tensor<f32>):
        %6 = stablehlo.add %e, %f : tensor<f32>
        stablehlo.return %6 : tensor<f32>
      }) : (tensor<512x32xf32>) -> tensor<512x32xf32>
      sdy.return %2 : tensor<512x32xf32>
    } : (tensor<64x32xf32>, tensor<512x64xf32>) -> tensor<512x32xf32>)" +
                   sum_of_squares + "\n    return %3 : tensor<f32>",
               "tensor<f32>");
  EXPECT_EQ(calls_of(step), (Calls{{"all-reduce of 4", {256 * 32 * 4}}, {"all-reduce of 2", {4}}}));
  EXPECT_EQ(step.flops.value, 2LL * 256 * 16 * 32);
}

TEST(ShardMap, is_read_in_its_older_form) {
  const std::string rows = R"({mhlo.sharding = "{devices=[4,1]<=[4]}"})";
  const std::string text = fmt::format(
      R"(module @m attributes {{mhlo.num_partitions = 4 : i32}} {{
  func.func @main(%w: tensor<64x32xf32>, %x: tensor<512x64xf32> {0}) -> tensor<f32> {{
    %a = stablehlo.custom_call @Sharding(%x) {0} : (tensor<512x64xf32>) -> tensor<512x64xf32>
    %b = stablehlo.custom_call @SPMDFullToShardShape(%a) {{mhlo.sharding = "{{manual}}"}} :
        (tensor<512x64xf32>) -> tensor<128x64xf32>
    %c = stablehlo.dot_general %b, %w, contracting_dims = [1] x [0] : (tensor<128x64xf32>,
        tensor<64x32xf32>) -> tensor<128x32xf32>
    %d = stablehlo.custom_call @Sharding(%c) {{mhlo.sharding = "{{manual}}"}} :
        (tensor<128x32xf32>) -> tensor<128x32xf32>
    %0 = stablehlo.custom_call @SPMDShardToFullShape(%d) {0} :
        (tensor<128x32xf32>) -> tensor<512x32xf32>{1}
    return %3 : tensor<f32>
  }}
}}
)",
      rows, sum_of_squares);
  const ImportedStep step = import_stablehlo(text, "f.mlir");
  EXPECT_EQ(calls_of(step), (Calls{{"all-reduce of 4", {4}}}));
  EXPECT_EQ(step.flops.value, flops);
}

TEST(ShardMap, is_read_beside_a_mesh_that_nothing_names) {
  const ImportedStep step = imported(
      R"("x"=4)", 4, "%w: tensor<64x32xf32>, %x: tensor<512x64xf32>" + by_rows,
      product + sum_of_squares +
          "\n    return %3 : tensor<f32>\n  }\n  sdy.mesh @other = <[\"a\"=2, \"b\"=2]>\n"
          "  func.func @nothing(%x: tensor<f32>) -> tensor<f32> {\n    return %x : tensor<f32>",
      "tensor<f32>");
  EXPECT_EQ(calls_of(step), (Calls{{"all-reduce of 4", {4}}}));
}

// As the devices of a torus lie beside each other.
TEST(ShardMap, is_read_in_its_older_form_whose_devices_have_one_order_of_their_own) {
  const std::string text = R"(module @m attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<512x64xf32> {mhlo.sharding = "{devices=[4,1]0,1,3,2}"}) ->
      (tensor<512x64xf32> {mhlo.sharding = "{devices=[4,1]0,1,3,2}"}) {
    %a = stablehlo.custom_call @SPMDFullToShardShape(%x) {mhlo.sharding = "{manual}"} :
        (tensor<512x64xf32>) -> tensor<128x64xf32>
    %b = stablehlo.tanh %a : tensor<128x64xf32>
    %0 = stablehlo.custom_call @SPMDShardToFullShape(%b) {mhlo.sharding =
        "{devices=[4,1]0,1,3,2}"} : (tensor<128x64xf32>) -> tensor<512x64xf32>
    return %0 : tensor<512x64xf32>
  }
})";
  const ImportedStep step = import_stablehlo(text, "f.mlir");
  EXPECT_EQ(step.inputs, std::vector<std::string>{"f32[128,64]"});
  EXPECT_EQ(calls_of(step), Calls{});
}

// One divides by two devices, the other by four.
TEST(ShardMap, ends_in_its_older_form_behind_the_beginning_of_another) {
  const std::string text = R"(module @m attributes {mhlo.num_partitions = 8 : i32} {
  func.func @main(%x: tensor<512x64xf32> {mhlo.sharding =
      "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"}, %v: tensor<512x64xf32> {mhlo.sharding =
      "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}"}) ->
      (tensor<512x64xf32>, tensor<512x64xf32>) {
    %a = stablehlo.custom_call @SPMDFullToShardShape(%x) {mhlo.sharding =
        "{devices=[1,1,2,4]<=[8] last_tile_dims={manual, replicated}}"} :
        (tensor<512x64xf32>) -> tensor<256x64xf32>
    %b = stablehlo.custom_call @SPMDFullToShardShape(%v) {mhlo.sharding =
        "{devices=[1,1,4,2]<=[2,4]T(1,0) last_tile_dims={manual, replicated}}"} :
        (tensor<512x64xf32>) -> tensor<128x64xf32>
    %c = stablehlo.tanh %a : tensor<256x64xf32>
    %d = stablehlo.tanh %b : tensor<128x64xf32>
    %e = stablehlo.custom_call @SPMDShardToFullShape(%c) {mhlo.sharding =
        "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"} :
        (tensor<256x64xf32>) -> tensor<512x64xf32>
    %f = stablehlo.custom_call @SPMDShardToFullShape(%d) {mhlo.sharding =
        "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}"} :
        (tensor<128x64xf32>) -> tensor<512x64xf32>
    return %e, %f : tensor<512x64xf32>, tensor<512x64xf32>
  }
})";
  const ImportedStep step = import_stablehlo(text, "f.mlir");
  EXPECT_EQ(step.inputs, (std::vector<std::string>{"f32[256,64]", "f32[128,64]"}));
}

TEST(ShardMap, says_where_one_without_a_body_stands) {
  const std::string body = R"(
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}, {}]>]
        out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} :
        (tensor<512x64xf32>) -> tensor<512x64xf32>
    return %0 : tensor<512x64xf32>)";
  try {
    imported(R"("x"=4)", 4, "%x: tensor<512x64xf32>" + by_rows, body, "tensor<512x64xf32>");
    ADD_FAILURE() << "it was read";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "f.mlir line 5: sdy.manual_computation: it has no body");
  }
}

TEST(ShardMap, says_why_it_cannot_be_read) {
  try {
    imported(R"("x"=65536)", 65536, "%w: tensor<64x32xf32>, %x: tensor<512x64xf32>" + by_rows,
             product + "\n    return %0 : tensor<512x32xf32>", "tensor<512x32xf32>");
    ADD_FAILURE() << "it was read";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "f.mlir: its shard_map is not read: its mesh has more than 4,096 devices; export "
                 "it on one mesh of up to 4,096 devices");
  }
}

// What jax.pmap lowers to: weights, rows and losses of each of 4 devices below each other.
TEST(ShardMap, of_a_pmap_takes_the_rows_and_weights_of_one_device) {
  const std::string first = R"({sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>})";
  const ImportedStep step = imported(
      R"("x"=4)", 4, "%w: tensor<4x8x8xf32> " + first + ", %x: tensor<4x16x8xf32> " + first,
      R"(    %0:2 = sdy.manual_computation(%w, %x) in_shardings=[<@mesh, [{"x"}, {}, {}]>,
        <@mesh, [{"x"}, {}, {}]>] out_shardings=[<@mesh, [{"x"}, {}, {}]>, <@mesh, [{"x"}]>]
        manual_axes={"x"} (%a: tensor<1x8x8xf32>, %b: tensor<1x16x8xf32>) {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %v = stablehlo.reshape %a : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
      %y = stablehlo.reshape %b : (tensor<1x16x8xf32>) -> tensor<16x8xf32>
      %h = stablehlo.dot_general %y, %v, contracting_dims = [1] x [0] : (tensor<16x8xf32>,
          tensor<8x8xf32>) -> tensor<16x8xf32>
      %s = stablehlo.reduce(%h init: %zero) applies stablehlo.add across dimensions = [0, 1] :
          (tensor<16x8xf32>, tensor<f32>) -> tensor<f32>
      %g = stablehlo.dot_general %y, %h, contracting_dims = [0] x [0] : (tensor<16x8xf32>,
          tensor<16x8xf32>) -> tensor<8x8xf32>
      %u = stablehlo.subtract %v, %g : tensor<8x8xf32>
      %n = stablehlo.reshape %u : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
      %l = stablehlo.reshape %s : (tensor<f32>) -> tensor<1xf32>
      sdy.return %n, %l : tensor<1x8x8xf32>, tensor<1xf32>
    } : (tensor<4x8x8xf32>, tensor<4x16x8xf32>) -> (tensor<4x8x8xf32>, tensor<4xf32>)
    return %0#0, %0#1 : tensor<4x8x8xf32>, tensor<4xf32>)",
      "(tensor<4x8x8xf32>, tensor<4xf32>)");
  EXPECT_TRUE(step.trains);
  EXPECT_EQ(step.rows, 16);
  EXPECT_EQ(step.work.parameters(), 8 * 8);
  EXPECT_EQ(step.work.batch.value, 16 * 8 * 4);
}

}  // namespace
}  // namespace tpulab::shard_map_test

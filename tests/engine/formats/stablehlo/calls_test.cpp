// Programs that train nothing: forward passes, decoding steps.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "engine/base/error.h"
#include "engine/formats/stablehlo/stablehlo_step.h"

namespace tpulab::calls_test {
namespace {

// The condition of so many turns, and how the body counts on: from %i to %j.
std::string turns(int count) {
  return fmt::format(
      "  cond {{\n"
      "    %n = stablehlo.constant dense<{}> : tensor<i32>\n"
      "    %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "    stablehlo.return %c : tensor<i1>\n"
      "  }} do {{\n"
      "    %one = stablehlo.constant dense<1> : tensor<i32>\n"
      "    %j = stablehlo.add %i, %one : tensor<i32>\n",
      count);
}

std::int64_t bytes_moved(const ImportedStep& step) {
  std::int64_t bytes = 0;
  for (const Block& block : step.work.blocks) {
    for (const NamedKernel& kernel : block.forward) {
      bytes += block.repeats * kernel.work->bytes().value;
    }
  }
  return bytes;
}

// One call on all of its devices, whose weights are never sent.
TEST(ImportedCall, a_forward_pass_that_devices_share_is_one_call) {
  const ImportedStep step = import_stablehlo(
      "module @jit_f attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {\n"
      "  func.func @main(%x: tensor<8x64xf32> {mhlo.sharding = \"{replicated}\"},\n"
      "      %w: tensor<64x256xf32> {mhlo.sharding = \"{devices=[1,4]<=[4]}\"}) "
      "-> tensor<8x256xf32> {\n"
      "    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x64xf32>, "
      "tensor<64x256xf32>) -> tensor<8x256xf32>\n"
      "    return %0 : tensor<8x256xf32>\n  }\n}\n",
      "f.mlir");
  EXPECT_FALSE(step.trains);
  EXPECT_EQ(step.alike, 4);
  EXPECT_EQ(step.work.batch.value, 0);
  EXPECT_EQ(step.stays.value, (8 * 64 + 64 * 64) * 4);
}

// The second product's rows are added up, and the third waits for that.
TEST(ImportedCall, nothing_runs_beside_what_the_devices_of_a_call_exchange) {
  const ImportedStep step = import_stablehlo(
      "module @jit_f attributes {mhlo.num_partitions = 4 : i32} {\n"
      "  func.func @main(%x: tensor<8x256xf32> {mhlo.sharding = \"{devices=[1,4]<=[4]}\"},\n"
      "      %w: tensor<256x64xf32> {mhlo.sharding = \"{devices=[4,1]<=[4]}\"}) "
      "-> tensor<8x64xf32> {\n"
      "    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : "
      "(tensor<8x256xf32>, tensor<256x64xf32>) -> tensor<8x64xf32>\n"
      "    return %0 : tensor<8x64xf32>\n  }\n}\n",
      "f.mlir");
  const std::vector<NamedKernel>& kernels = step.work.blocks.at(0).forward;
  const auto sum = std::ranges::find(kernels, "all-reduce", &NamedKernel::name);
  ASSERT_NE(sum, kernels.end());
  EXPECT_EQ(sum->begun, 0);
}

// Two of a million rows are read.
TEST(ImportedCall, a_table_lies_in_memory_though_few_of_its_rows_are_read) {
  const ImportedStep step = import_stablehlo(
      "func.func @main(%t: tensor<1000000x128xf32>, %i: tensor<2x1xi32>) -> tensor<2x128xf32> {\n"
      "  %0 = \"stablehlo.gather\"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = "
      "[1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, "
      "indices_are_sorted = false, slice_sizes = array<i64: 1, 128>}> : (tensor<1000000x128xf32>, "
      "tensor<2x1xi32>) -> tensor<2x128xf32>\n"
      "  return %0 : tensor<2x128xf32>\n}\n",
      "f.mlir");
  EXPECT_GE(step.work.working.value, 1000000 * 128 * 4);
  EXPECT_LT(bytes_moved(step), 4096);
}

// As cache.at[:, pos].set(token) writes it.
TEST(ImportedCall, rows_are_scattered_into_a_donated_cache_where_it_lies) {
  const auto moved = [](const char* attributes) {
    return bytes_moved(import_stablehlo(
        fmt::format(
            "func.func @main(%c: tensor<4096x8x128xbf16> {}, %i: tensor<1xi32>, "
            "%u: tensor<8x128xbf16>) -> tensor<4096x8x128xbf16> {{\n"
            "  %0 = \"stablehlo.scatter\"(%c, %i, %u) <{{indices_are_sorted = false, "
            "scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], "
            "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = "
            "false}}> ({{\n  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):\n    stablehlo.return %b : "
            "tensor<bf16>\n  }}) : (tensor<4096x8x128xbf16>, tensor<1xi32>, tensor<8x128xbf16>) -> "
            "tensor<4096x8x128xbf16>\n  return %0 : tensor<4096x8x128xbf16>\n}}\n",
            attributes),
        "f.mlir"));
  };
  EXPECT_LT(moved("{tf.aliasing_output = 0 : i32}"), 8 * 128 * 2 * 4);
  EXPECT_GE(moved(""), 2 * 4096 * 8 * 128 * 2);  // the caller keeps the old one
}

// while (i < 64) & ~done
TEST(ImportedCall, a_loop_that_may_end_early_is_priced_as_far_as_it_counts) {
  const ImportedStep step = import_stablehlo(
      "func.func @main(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>, %d: tensor<i1>) -> "
      "tensor<64x64xf32> {\n"
      "  %z = stablehlo.constant dense<0> : tensor<i32>\n"
      "  %0:3 = stablehlo.while(%i = %z, %y = %x, %e = %d) : tensor<i32>, tensor<64x64xf32>, "
      "tensor<i1>\n"
      "  cond {\n"
      "    %n = stablehlo.constant dense<64> : tensor<i32>\n"
      "    %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "    %o = stablehlo.not %e : tensor<i1>\n"
      "    %a = stablehlo.and %c, %o : tensor<i1>\n"
      "    stablehlo.return %a : tensor<i1>\n"
      "  } do {\n"
      "    %one = stablehlo.constant dense<1> : tensor<i32>\n"
      "    %j = stablehlo.add %i, %one : tensor<i32>\n"
      "    %m = stablehlo.dot_general %y, %w, contracting_dims = [1] x [0] : (tensor<64x64xf32>, "
      "tensor<64x64xf32>) -> tensor<64x64xf32>\n"
      "    stablehlo.return %j, %m, %e : tensor<i32>, tensor<64x64xf32>, tensor<i1>\n"
      "  }\n"
      "  return %0#1 : tensor<64x64xf32>\n}\n",
      "f.mlir");
  EXPECT_EQ(step.flops.value, 64 * 2 * 64 * 64 * 64);
  EXPECT_EQ(
      step.notes,
      (std::vector<std::string>{"1 of the loops may end early, priced as far as they count"}));
}

// Each of four turns keeps what it hands on: 4 products, and 4 copies of 64 x 64.
TEST(ImportedCall, what_a_loop_keeps_and_hands_on_is_written_twice) {
  const auto moved = [](const char* kept) {
    return bytes_moved(import_stablehlo(
        fmt::format(
            "func.func @main(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>, %s: "
            "tensor<4x64x64xf32> {{tf.aliasing_output = 0 : i32}}) -> tensor<4x64x64xf32> {{\n"
            "  %z = stablehlo.constant dense<0> : tensor<i32>\n"
            "  %0:3 = stablehlo.while(%i = %z, %y = %x, %k = %s) : tensor<i32>, "
            "tensor<64x64xf32>, tensor<4x64x64xf32>\n"
            "{}"
            "    %m = stablehlo.dot_general %y, %w, contracting_dims = [1] x [0] : "
            "(tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>\n"
            "    %e = stablehlo.exponential %m : tensor<64x64xf32>\n"
            "    %p = stablehlo.reshape %{} : (tensor<64x64xf32>) -> tensor<1x64x64xf32>\n"
            "    %q = stablehlo.dynamic_update_slice %k, %p, %i, %z, %z : (tensor<4x64x64xf32>, "
            "tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> "
            "tensor<4x64x64xf32>\n"
            "    stablehlo.return %j, %m, %q : tensor<i32>, tensor<64x64xf32>, "
            "tensor<4x64x64xf32>\n"
            "  }}\n"
            "  return %0#2 : tensor<4x64x64xf32>\n}}\n",
            turns(4), kept),
        "f.mlir"));
  };
  const std::int64_t array = 64 * 64 * 4;
  EXPECT_GE(moved("m"), 4 * (3 + 2) * array);
  EXPECT_LT(moved("e"), 4 * (3 + 2) * array);  // written where it belongs
}

// The second update finds the old array in memory no more.
TEST(ImportedCall, a_second_update_of_one_array_is_written_into_a_copy) {
  const std::int64_t moved = bytes_moved(import_stablehlo(
      "func.func @main(%c: tensor<4096x128xf32> {tf.aliasing_output = 0 : i32}, "
      "%u: tensor<1x128xf32>, %n: tensor<i32>) -> (tensor<4096x128xf32>, tensor<4096x128xf32>) {\n"
      "  %z = stablehlo.constant dense<0> : tensor<i32>\n"
      "  %v = stablehlo.add %u, %u : tensor<1x128xf32>\n"
      "  %0 = stablehlo.dynamic_update_slice %c, %v, %n, %z : (tensor<4096x128xf32>, "
      "tensor<1x128xf32>, tensor<i32>, tensor<i32>) -> tensor<4096x128xf32>\n"
      "  %1 = stablehlo.dynamic_update_slice %c, %u, %n, %z : (tensor<4096x128xf32>, "
      "tensor<1x128xf32>, tensor<i32>, tensor<i32>) -> tensor<4096x128xf32>\n"
      "  return %0, %1 : tensor<4096x128xf32>, tensor<4096x128xf32>\n}\n",
      "f.mlir"));
  EXPECT_GE(moved, 2 * 4096 * 128 * 4);
  EXPECT_LT(moved, 3 * 4096 * 128 * 4);
}

// XLA: 10 turns over a donated array of 2 GiB need 2 GiB.
TEST(ImportedCall, a_loop_works_in_the_memory_of_what_it_is_given) {
  const auto working = [](const char* attributes) {
    return import_stablehlo(
               fmt::format(
                   "func.func @main(%a: tensor<1024x1024xf32> {}) -> tensor<1024x1024xf32> {{\n"
                   "  %z = stablehlo.constant dense<0> : tensor<i32>\n"
                   "  %0:2 = stablehlo.while(%i = %z, %x = %a) : tensor<i32>, "
                   "tensor<1024x1024xf32>\n"
                   "{}"
                   "    %y = stablehlo.multiply %x, %x : tensor<1024x1024xf32>\n"
                   "    stablehlo.return %j, %y : tensor<i32>, tensor<1024x1024xf32>\n"
                   "  }}\n"
                   "  return %0#1 : tensor<1024x1024xf32>\n}}\n",
                   attributes, turns(10)),
               "f.mlir")
        .work.working.value;
  };
  const std::int64_t array = 1024 * 1024 * 4;
  EXPECT_LT(working("{tf.aliasing_output = 0 : i32}"), array * 11 / 10);
  EXPECT_GE(working(""), 2 * array);  // its caller keeps it
}

// As of an update that infinite gradients skip: XLA's branches write where the state lay.
TEST(ImportedCall, branches_work_in_the_memory_of_what_is_donated) {
  const auto working = [](const char* attributes) {
    return import_stablehlo(
               fmt::format(
                   "func.func @main(%a: tensor<1024x1024xf32> {}, %x: tensor<1024xf32>, %n: "
                   "tensor<i32>) -> (tensor<1024x1024xf32>, tensor<1024xf32>) {{\n"
                   "  %0 = \"stablehlo.case\"(%n) ({{\n"
                   "    stablehlo.return %a : tensor<1024x1024xf32>\n"
                   "  }}, {{\n"
                   "    %1 = stablehlo.multiply %a, %a : tensor<1024x1024xf32>\n"
                   "    %2 = stablehlo.tanh %1 : tensor<1024x1024xf32>\n"
                   "    stablehlo.return %2 : tensor<1024x1024xf32>\n"
                   "  }}) : (tensor<i32>) -> tensor<1024x1024xf32>\n"
                   "  %3 = stablehlo.tanh %x : tensor<1024xf32>\n"
                   "  return %0, %3 : tensor<1024x1024xf32>, tensor<1024xf32>\n}}\n",
                   attributes),
               "f.mlir")
        .work.working.value;
  };
  const std::int64_t array = 1024 * 1024 * 4;
  EXPECT_LT(working("{tf.aliasing_output = 0 : i32}"), array * 11 / 10);
  EXPECT_GE(working(""), 2 * array);  // its caller keeps it
}

// Sixteen functions, each of which calls the next one twice.
TEST(ImportedCall, functions_that_hand_on_too_many_values_are_refused_at_once) {
  std::string values;
  std::string given;
  std::string types;
  for (int i = 0; i < 100; ++i) {
    const char* const comma = i > 0 ? ", " : "";
    values += fmt::format("{}%a{}", comma, i);
    given += fmt::format("{}%a{}: tensor<8xf32>", comma, i);
    types += fmt::format("{}tensor<8xf32>", comma);
  }
  std::string text;
  for (int i = 0; i < 17; ++i) {
    text += fmt::format("func.func @{}({}) -> tensor<8xf32> {{\n",
                        i > 0 ? fmt::format("f{}", i) : "main", given);
    for (const char* const name : {"b", "c"}) {
      if (i == 16) break;
      text += fmt::format("  %{} = func.call @f{}({}) : ({}) -> tensor<8xf32>\n", name, i + 1,
                          values, types);
    }
    text += "  %r = stablehlo.tanh %a0 : tensor<8xf32>\n  return %r : tensor<8xf32>\n}\n";
  }
  try {
    import_stablehlo(text, "f.mlir");
    FAIL() << "it was read";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("more than 500,000 values"), std::string::npos);
  }
}

}  // namespace
}  // namespace tpulab::calls_test

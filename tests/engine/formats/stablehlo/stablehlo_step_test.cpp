#include "engine/formats/stablehlo/stablehlo_step.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "engine/base/error.h"
#include "engine/base/file.h"

namespace tpulab::stablehlo_step_test {
namespace {

ImportedStep imported(const std::string& file) {
  return import_stablehlo(read_file(TPULAB_SOURCE_DIR "/tests/engine/formats/stablehlo/" + file),
                          file);
}

std::string refusal_of(const std::string& operations) {
  try {
    import_stablehlo(
        "func.func @main(%a: tensor<4x8xf32>, %n: tensor<i32>) -> tensor<4x8xf32> {\n" +
            operations + "\n}\n",
        "f.mlir");
  } catch (const Error& error) {
    return error.what();
  }
  return "read";
}

std::int64_t traffic(const StepWork& work) {
  std::int64_t bytes = 0;
  for (const Block& block : work.blocks) {
    for (const NamedKernel& kernel : block.forward) {
      for (const auto* operands : {&kernel.work->reads, &kernel.work->writes}) {
        for (const Operand& one : *operands) {
          bytes += block.repeats * one.shape.elements() * bytes_of(one.dtype);
        }
      }
    }
  }
  return bytes;
}

const Block& loop_of(const ImportedStep& step) {
  return *std::ranges::max_element(step.work.blocks, {}, &Block::repeats);
}

// Two layers forward, the gradient of both weights and of the hidden layer.
TEST(ImportedStep, a_perceptron_has_the_operations_of_its_five_products) {
  const ImportedStep step = imported("mlp_step.mlir");
  const std::int64_t first = 2 * 32 * 64 * 128;
  const std::int64_t second = 2 * 32 * 128 * 10;
  EXPECT_EQ(step.flops.value, 2 * first + 3 * second);
  EXPECT_EQ(step.rows, 32);
  EXPECT_EQ(step.work.batch.value, 32 * 64 * 4 + 32 * 4);
  EXPECT_EQ(step.state.value, (64 * 128 + 128 + 128 * 10) * 4);
  EXPECT_EQ(step.devices, 1);
}

TEST(ImportedStep, transposes_of_products_and_unread_values_are_no_kernels) {
  const ImportedStep step = imported("mlp_step.mlir");
  for (const NamedKernel& kernel : step.work.blocks.front().forward) {
    EXPECT_FALSE(kernel.name.starts_with("transpose")) << kernel.name;
    EXPECT_FALSE(kernel.name.starts_with("broadcast")) << kernel.name;
  }
  EXPECT_LE(step.kernels, 12);
}

TEST(ImportedStep, a_loop_runs_so_often_as_its_counter_says) {
  const ImportedStep step = imported("scanned_layers.mlir");
  EXPECT_EQ(step.flops.value, 12LL * 2 * 8 * 256 * 256);
  EXPECT_EQ(loop_of(step).repeats, 12);
}

// Each time one layer's weights are read, and its row of the stack is written.
TEST(ImportedStep, a_slice_in_a_loop_moves_the_slice_alone) {
  const ImportedStep step = imported("scanned_layers.mlir");
  const std::int64_t weights = 12LL * 256 * 256 * 2;
  const std::int64_t rows = 12LL * 8 * 256 * 2;
  EXPECT_GE(traffic(step.work), weights + 3 * rows);
  EXPECT_LE(traffic(step.work), weights + 8 * rows);
}

TEST(ImportedStep, memory_holds_the_arguments_and_what_loops_leave) {
  const ImportedStep step = imported("scanned_layers.mlir");
  const std::int64_t held = 12LL * 256 * 256 * 2 + 12LL * 8 * 256 * 2;
  EXPECT_GE(step.work.working.value, held);
  EXPECT_LE(step.work.working.value, held * 5 / 4);
}

// A gradient has as many operations as what it is the gradient of.
TEST(ImportedStep, both_gradients_of_a_strided_convolution_cost_what_it_costs) {
  const ImportedStep step = imported("convolutions.mlir");
  const std::int64_t forward = 2LL * 8 * 14 * 14 * 32 * 3 * 3 * 16;
  EXPECT_EQ(step.flops.value, 3 * forward);
}

// A pixel of a group of 8 channels each is a product of 64 images; so are its gradients.
TEST(ImportedStep, narrow_groups_multiply_the_images_of_each_pixel) {
  const std::string image = "tensor<64x28x28x256xbf16>";
  const auto convolved = [&](const std::string& axes, const std::string& groups,
                             const std::string& filter, const std::string& made) {
    const ImportedStep step =
        import_stablehlo("func.func @main(%x: " + image + ", %w: " + filter + ") -> " + made +
                             " {\n  %0 = stablehlo.convolution(%x, %w) dim_numbers = " + axes +
                             ", window = {pad = [[1, 1], [1, 1]]} {" + groups + "} : (" + image +
                             ", " + filter + ") -> " + made + "\n  return %0 : " + made + "\n}\n",
                         "f.mlir");
    return std::get<MatrixWork>(step.work.blocks.front().forward.front().work->items.front());
  };
  const MatrixWork forward =
      convolved("[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]",
                "batch_group_count = 1 : i64, feature_group_count = 32 : i64",
                "tensor<3x3x8x256xbf16>", image);
  EXPECT_EQ(forward, (MatrixWork{.batch = 32 * 784, .m = 64, .k = 72, .n = 8, .window = 9}));
  const MatrixWork to_filter =
      convolved("[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]",
                "batch_group_count = 32 : i64, feature_group_count = 1 : i64", image,
                "tensor<3x3x8x256xbf16>");
  EXPECT_EQ(to_filter, (MatrixWork{.batch = 32 * 784, .m = 72, .k = 64, .n = 8, .window = 9}));
}

TEST(ImportedStep, an_embedding_reads_the_rows_it_looks_up_and_not_its_table) {
  const ImportedStep step = imported("generic_embedding.mlir");
  const std::int64_t table = 1000 * 64 * 4;
  const std::int64_t rows = 4 * 16 * 64 * 4;
  // The table once as what is updated, its successor, the gradient written and read.
  EXPECT_LE(traffic(step.work), 4 * table + 6 * rows);
  EXPECT_EQ(step.state.value, table);
}

TEST(ImportedStep, each_operation_is_read_in_the_form_that_jax_writes) {
  const ImportedStep step = imported("many_forms.mlir");
  EXPECT_EQ(step.flops.value, 2 * 4 * 8 * 4);
  EXPECT_EQ(step.notes,
            (std::vector<std::string>{"1 branches of which the longest is priced",
                                      "1 shardings left out, so that each device is priced "
                                      "with the whole of the step"}));
  for (const NamedKernel& kernel : step.work.blocks.front().forward) {
    for (const Work& item : kernel.work->items) {
      const auto* product = std::get_if<MatrixWork>(&item);
      if (product == nullptr) continue;
      EXPECT_EQ(product->passes, 6);
    }
  }
}

// By hand: complex products are four real ones, n^3 / 3 a decomposition, n^2 a column of a solve,
// and a row of ragged experts meets one of them.
TEST(ImportedStep, rare_operations_are_read_and_counted) {
  const ImportedStep step = imported("rare_forms.mlir");
  const std::int64_t spectral = 4 * 2 * 16 * 8 * 32 * 32;
  const std::int64_t decomposed = 2 * 2 * 128 * 128 * 22;  // 128 / 6, rounded up
  const std::int64_t solved = 2 * 128 * 128 * 128;
  const std::int64_t ragged = 2 * 2 * 512 * 64 * 256;
  EXPECT_EQ(step.flops.value, spectral + decomposed + solved + ragged);
  EXPECT_EQ(step.exchanging, 8);
  std::vector<CollectiveWork> exchanges;
  for (const NamedKernel& kernel : step.work.blocks.front().forward) {
    for (const Work& item : kernel.work->items) {
      if (const auto* one = std::get_if<CollectiveWork>(&item)) exchanges.push_back(*one);
    }
  }
  ASSERT_EQ(exchanges.size(), 2U);
  EXPECT_EQ(exchanges[0].kind, CollectiveKind::permute);
  EXPECT_EQ(exchanges[0].among.size, 4);
  EXPECT_EQ(exchanges[0].among.apart, 2);
  EXPECT_EQ(exchanges[1].kind, CollectiveKind::all_to_all);
  EXPECT_EQ(exchanges[1].bytes.value, 8 * 32 * 64 * 4);
}

// Each device has its eighth of the rows, and gradient and loss travel in one call.
TEST(ImportedStep, a_shard_map_is_what_one_device_runs_and_exchanges) {
  const ImportedStep step = imported("shard_map.mlir");
  EXPECT_EQ(step.flops.value, 2LL * 2 * 32 * 512 * 512);
  EXPECT_EQ(step.rows, 32);
  EXPECT_EQ(step.exchanging, 8);
  std::int64_t sent = 0;
  int calls = 0;
  for (const NamedKernel& kernel : step.work.blocks.front().forward) {
    for (const Work& item : kernel.work->items) {
      const auto* collective = std::get_if<CollectiveWork>(&item);
      if (collective == nullptr) continue;
      ++calls;
      sent += collective->bytes.value;
      EXPECT_EQ(collective->among.size, 8);
    }
  }
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(sent, 512 * 512 * 4 + 4);
}

TEST(ImportedStep, what_cannot_be_read_is_said_with_line_and_operation) {
  EXPECT_EQ(refusal_of("%0 = stablehlo.einsum %a : tensor<4x8xf32>\n"
                       "%1 = stablehlo.einsum %a : tensor<4x8xf32>\n"
                       "return %0 : tensor<4x8xf32>"),
            "f.mlir line 2: stablehlo.einsum: this operation is not read; 1 line more");
  EXPECT_EQ(refusal_of("%0 = stablehlo.custom_call @mosaic(%a) : (tensor<4x8xf32>) -> "
                       "tensor<4x8xf32>\nreturn %0 : tensor<4x8xf32>"),
            "f.mlir line 2: stablehlo.custom_call: @mosaic is a program of its own that the text "
            "does not hold; HLO text of the TPU's compiler (`help import`) is read with most, "
            "their arrays priced alone");
  EXPECT_EQ(refusal_of("%0 = stablehlo.custom_call @lapack_spotrf_ffi(%a) : (tensor<4x8xf32>) -> "
                       "tensor<4x8xf32>\n%1 = stablehlo.custom_call @lapack_spotrf_ffi(%0) : "
                       "(tensor<4x8xf32>) -> tensor<4x8xf32>\nreturn %0 : tensor<4x8xf32>"),
            "f.mlir line 2: stablehlo.custom_call: @lapack_spotrf_ffi is a program of its own that "
            "the text does not hold, of CPUs; jax.jit(step).trace(...).lower(lowering_platforms="
            "(\"tpu\",)) needs none; 1 line more");
  EXPECT_EQ(refusal_of("%0 = stablehlo.add %a, %b : tensor<4x8xf32>\nreturn %0 : tensor<4x8xf32>"),
            "f.mlir line 2: stablehlo.add: %b is not defined above");
  EXPECT_EQ(refusal_of("%0 = stablehlo.convert %a : (tensor<4x8xf32>) -> tensor<4x8xf64>\n"
                       "return %a : tensor<4x8xf32>")
                .substr(0, 61),
            "f.mlir line 2: stablehlo.convert: f64 is no type that a TPU i");
  EXPECT_EQ(refusal_of("%0 = stablehlo.negate %a : (tensor<4x8xf32>) -> tensor<4x9xf32>\n"
                       "return %a : tensor<4x8xf32>"),
            "f.mlir line 2: stablehlo.negate: its operands make f32[4,8], the text says f32[4,9]");
}

TEST(ImportedStep, a_loop_without_a_constant_end_is_refused) {
  const std::string text =
      "%c = stablehlo.constant dense<0> : tensor<i32>\n"
      "%0:2 = stablehlo.while(%i = %c, %x = %a) : tensor<i32>, tensor<4x8xf32>\n"
      " cond {\n"
      "  %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "  stablehlo.return %1 : tensor<i1>\n"
      "} do {\n"
      "  %c1 = stablehlo.constant dense<1> : tensor<i32>\n"
      "  %2 = stablehlo.add %i, %c1 : tensor<i32>\n"
      "  %3 = stablehlo.negate %x : tensor<4x8xf32>\n"
      "  stablehlo.return %2, %3 : tensor<i32>, tensor<4x8xf32>\n"
      "}\n"
      "return %0#1 : tensor<4x8xf32>";
  EXPECT_EQ(refusal_of(text),
            "f.mlir line 3: stablehlo.while: how often it runs is known only at run time; a "
            "condition is read that compares a counter with a constant: add one as a bound, (i < "
            "100) & ..");
}

TEST(ImportedStep, functions_that_call_each_other_without_end_are_refused) {
  const std::string text =
      "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
      "  %0 = call @main(%a) : (tensor<4xf32>) -> tensor<4xf32>\n"
      "  return %0 : tensor<4xf32>\n}\n";
  EXPECT_THROW(import_stablehlo(text, "f.mlir"), Error);
}

// As long as a ResNet-50 with its gradient.
std::string long_text(int layers) {
  std::string text =
      "module @jit_step attributes {mhlo.num_partitions = 1 : i32} {\n"
      "  func.func public @main(%w: tensor<256x256xf32>, %x: tensor<64x256xf32>) -> "
      "(tensor<64x256xf32>) {\n    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>\n"
      "    %v0 = stablehlo.negate %x : tensor<64x256xf32>\n";
  for (int i = 0; i < layers; ++i) {
    text += fmt::format(
        "    %d{0} = stablehlo.dot_general %v{0}, %w, contracting_dims = [1] x [0], precision = "
        "[DEFAULT, DEFAULT] : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>\n"
        "    %s{0} = stablehlo.reduce(%d{0} init: %cst) applies stablehlo.add across dimensions = "
        "[1] : (tensor<64x256xf32>, tensor<f32>) -> tensor<64xf32>\n"
        "    %b{0} = stablehlo.broadcast_in_dim %s{0}, dims = [0] : (tensor<64xf32>) -> "
        "tensor<64x256xf32>\n"
        "    %e{0} = stablehlo.subtract %d{0}, %b{0} : tensor<64x256xf32>\n"
        "    %v{1} = stablehlo.tanh %e{0} : tensor<64x256xf32>\n",
        i, i + 1);
  }
  return text + fmt::format("    return %v{} : tensor<64x256xf32>\n  }}\n}}\n", layers);
}

TEST(ImportedStep, ten_thousand_lines_are_read_in_the_time_of_a_keystroke) {
  const std::string text = long_text(2000);
  const auto start = std::chrono::steady_clock::now();
  const ImportedStep step = import_stablehlo(text, "f.mlir");
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(step.flops.value, 2000LL * 2 * 64 * 256 * 256);
  // 300 ms is the goal on an idle computer; sanitizers and neighbours may take their part.
  EXPECT_LT(taken.count(), 6.0);
  RecordProperty("milliseconds", static_cast<int>(taken.count() * 1000));
}

// The runtime allocates it when it dispatches the program: an argument, the result, and two at
// once of what lies between them, of which products alone read bf16.
TEST(ImportedStep, a_result_that_takes_over_nothing_has_memory_from_the_start) {
  const auto product = [](const char* made, const char* left) {
    return fmt::format(
        "  {} = stablehlo.dot_general {}, %x, contracting_dims = [1] x [0] : "
        "(tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>\n",
        made, left);
  };
  const ImportedStep step =
      import_stablehlo("func.func @main(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {\n" +
                           product("%a", "%x") + product("%b", "%a") + product("%c", "%b") +
                           product("%d", "%c") + "  return %d : tensor<512x512xf32>\n}\n",
                       "f.mlir");
  EXPECT_EQ(step.work.working.value, 512 * 512 * (4 + 4 + 2 * 2));
}

// A donor names no result: the first of its type that no other argument becomes takes its memory.
TEST(ImportedStep, a_donor_gives_its_memory_as_one_that_names_its_result_does) {
  const auto memory = [](const std::string& given) {
    return import_stablehlo("func.func @main(%w: tensor<512x512xf32> {" + given +
                                "}, %x: tensor<8x512xf32>) -> (tensor<8x512xf32>, "
                                "tensor<512x512xf32>) {\n"
                                "  %0 = stablehlo.add %w, %w : tensor<512x512xf32>\n"
                                "  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x "
                                "[0] : (tensor<8x512xf32>, tensor<512x512xf32>) -> "
                                "tensor<8x512xf32>\n"
                                "  return %1, %0 : tensor<8x512xf32>, tensor<512x512xf32>\n}\n",
                            "f.mlir")
        .work.working.value;
  };
  const std::int64_t named = memory("tf.aliasing_output = 1 : i32");
  EXPECT_EQ(memory("jax.buffer_donor = true"), named);
  EXPECT_EQ(memory("jax.other = true"), named + 512 * 512 * 4);
}

// As random bits are made: each of forty links is read by two operations, 2^40 ways lead through.
TEST(ImportedStep, a_chain_whose_links_are_read_twice_is_followed_once) {
  std::string text =
      "func.func @main(%x: tensor<64x64xf32>, %c: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> "
      "(tensor<64x64xf32>, tensor<64x64xf32>) {\n";
  std::string before = "%x";
  for (int link = 0; link < 40; ++link) {
    text += fmt::format(
        "  %a{0} = stablehlo.add {1}, %c : tensor<64x64xf32>\n"
        "  %b{0} = stablehlo.subtract {1}, %c : tensor<64x64xf32>\n"
        "  %m{0} = stablehlo.multiply %a{0}, %b{0} : tensor<64x64xf32>\n",
        link, before);
    before = fmt::format("%m{}", link);
  }
  constexpr const char* product =
      "contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>";
  text += fmt::format(
      "  %p = stablehlo.dot_general {0}, %w, {1}\n"
      "  %q = stablehlo.dot_general %w, {0}, {1}\n"
      "  return %p, %q : tensor<64x64xf32>, tensor<64x64xf32>\n}}\n",
      before, product);
  const ImportedStep step = import_stablehlo(text, "f.mlir");
  EXPECT_EQ(step.flops.value, 2 * 2 * 64 * 64 * 64);
  EXPECT_LE(step.kernels, 3);
}

TEST(ImportedStep, parameters_of_a_divided_step_are_those_of_all_devices) {
  const auto parameters = [](std::string_view sharding) {
    return import_stablehlo(
               fmt::format("module @jit_f attributes {{mhlo.num_partitions = 4 : i32}} {{\n"
                           "  func.func @main(%w: tensor<64x256xf32> {{mhlo.sharding = \"{}\"}}, "
                           "%x: tensor<8x64xf32>) -> (tensor<64x256xf32>, tensor<f32>) {{\n"
                           "    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : "
                           "(tensor<8x64xf32>, tensor<64x256xf32>) -> tensor<8x256xf32>\n"
                           "    %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
                           "    %l = stablehlo.reduce(%0 init: %z) applies stablehlo.add across "
                           "dimensions = [0, 1] : (tensor<8x256xf32>, tensor<f32>) -> tensor<f32>\n"
                           "    %1 = stablehlo.add %w, %w : tensor<64x256xf32>\n"
                           "    return %1, %l : tensor<64x256xf32>, tensor<f32>\n  }}\n}}\n",
                           sharding),
               "f.mlir")
        .work.parameters();
  };
  EXPECT_EQ(parameters("{replicated}"), 64 * 256);
  EXPECT_EQ(parameters("{devices=[1,4]<=[4]}"), 64 * 256);
}

// A token is written into a cache of 4,096, and all of it is multiplied.
std::int64_t traffic_of_cache(std::string_view attributes) {
  const std::string text = fmt::format(
      "func.func @main(%c: tensor<8x4096x128xbf16> {}, %t: tensor<8x1x128xbf16>, "
      "%q: tensor<8x1x128xbf16>, %n: tensor<i32>) -> (tensor<8x4096x128xbf16>, "
      "tensor<8x1x4096xf32>) {{\n"
      "  %z = stablehlo.constant dense<0> : tensor<i32>\n"
      "  %k = stablehlo.add %t, %t : tensor<8x1x128xbf16>\n"
      "  %u = stablehlo.dynamic_update_slice %c, %k, %z, %n, %z : (tensor<8x4096x128xbf16>, "
      "tensor<8x1x128xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x4096x128xbf16>\n"
      "  %s = stablehlo.dot_general %q, %u, batching_dims = [0] x [0], contracting_dims = [2] x "
      "[2] "
      ": (tensor<8x1x128xbf16>, tensor<8x4096x128xbf16>) -> tensor<8x1x4096xf32>\n"
      "  return %u, %s : tensor<8x4096x128xbf16>, tensor<8x1x4096xf32>\n}}\n",
      attributes);
  return traffic(import_stablehlo(text, "f.mlir").work);
}

TEST(ImportedStep, a_donated_cache_is_written_where_it_lies_though_it_is_read_afterwards) {
  const std::int64_t cache = 8 * 4096 * 128 * 2;
  const std::int64_t donated = traffic_of_cache("{tf.aliasing_output = 0 : i32}");
  EXPECT_GE(donated, cache);
  EXPECT_LE(donated, cache * 11 / 10);
  EXPECT_EQ(traffic_of_cache("{jax.buffer_donor = true}"), donated);
}

// The caller keeps the old one.
TEST(ImportedStep, a_cache_that_is_not_donated_is_copied) {
  EXPECT_GE(traffic_of_cache(""), 3 * (8 * 4096 * 128 * 2));
}

}  // namespace
}  // namespace tpulab::stablehlo_step_test

#include "engine/formats/stablehlo/graph_builder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/formats/stablehlo/stablehlo_step.h"

namespace tpulab::graph_builder_test {
namespace {

std::string text_of(const std::string& name) {
  return read_file(TPULAB_SOURCE_DIR "/tests/engine/formats/stablehlo/" + name);
}

// As the TPU compiler does with attention (libtpu 0.0.42.1 on v3): of the scores it writes those
// that the product makes, in bf16; exponentials and their shares are made again in each kernel that
// reads them, the product with the values and the sum of a row.
TEST(GraphBuilder, writes_no_exponentials_that_readers_can_make_of_the_scores) {
  const ImportedStep step = import_stablehlo(text_of("attention_row.mlir"), "f.mlir");
  int written = 0;
  for (const NamedKernel& kernel : step.work.blocks.front().forward) {
    for (const Operand& made : kernel.work->writes) {
      if (made.shape.elements() != 512 * 512) continue;
      ++written;
      EXPECT_EQ(made.dtype, DType::bf16) << kernel.name;
    }
  }
  EXPECT_EQ(written, 1);
}

std::string refusal_of_moved(const std::string& operation, const std::string& made) {
  try {
    import_stablehlo(
        "func.func @main(%a: tensor<4x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x4xf32> {"
        "\n%0 = stablehlo." +
            operation + " : (tensor<4x8xf32>) -> " + made +
            "\n%1 = stablehlo.dot_general %b, %0, contracting_dims = [1] x [0] : "
            "(tensor<8x8xf32>, " +
            made +
            ") -> tensor<8x4xf32>"
            "\nreturn %1 : tensor<8x4xf32>}",
        "f.mlir");
  } catch (const Error& error) {
    return error.what();
  }
  return "read";
}

// A product reads through what permutes its operand: nothing else would have looked at the axes.
TEST(GraphBuilder, refuses_axes_that_are_no_order_with_their_line) {
  EXPECT_EQ(refusal_of_moved("transpose %a, dims = [1, 0]", "tensor<8x4xf32>"), "read");
  const std::string start = "f.mlir line 2: stablehlo.transpose: axes ";
  for (const char* axes : {"1,2", "1", "1,1", "-1,0", "0,1"}) {
    EXPECT_EQ(refusal_of_moved(fmt::format("transpose %a, dims = [{}]", axes), "tensor<8x4xf32>"),
              start + axes + " of f32[4,8] make no f32[8,4]");
  }
  EXPECT_EQ(refusal_of_moved("reverse %a, dims = [5]", "tensor<4x8xf32>"),
            "f.mlir line 2: stablehlo.reverse: axes 5 of f32[4,8] make no f32[4,8]");
}

// Rotary positions: the TPU compiler makes one loop of the halves and what joins them (libtpu
// 0.0.42.1 on v3), which reads each half once and writes what it returns.
TEST(GraphBuilder, parts_of_an_array_are_read_where_they_lie) {
  const ImportedStep step = import_stablehlo(R"(
func.func @main(%x: tensor<8x512x64xf32>, %c: tensor<8x512x32xf32>, %s: tensor<8x512x32xf32>)
    -> tensor<8x512x64xbf16> {
  %a = stablehlo.slice %x [0:8, 0:512, 0:32] : (tensor<8x512x64xf32>) -> tensor<8x512x32xf32>
  %b = stablehlo.slice %x [0:8, 0:512, 32:64] : (tensor<8x512x64xf32>) -> tensor<8x512x32xf32>
  %0 = stablehlo.multiply %a, %c : tensor<8x512x32xf32>
  %1 = stablehlo.multiply %b, %s : tensor<8x512x32xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<8x512x32xf32>
  %3 = stablehlo.multiply %a, %s : tensor<8x512x32xf32>
  %4 = stablehlo.multiply %b, %c : tensor<8x512x32xf32>
  %5 = stablehlo.add %3, %4 : tensor<8x512x32xf32>
  %6 = stablehlo.concatenate %2, %5, dim = 2
      : (tensor<8x512x32xf32>, tensor<8x512x32xf32>) -> tensor<8x512x64xf32>
  %7 = stablehlo.convert %6 : (tensor<8x512x64xf32>) -> tensor<8x512x64xbf16>
  return %7 : tensor<8x512x64xbf16>
}
)",
                                             "f.mlir");
  EXPECT_EQ(step.kernels, 1);
  const KernelWork& work = step.work.blocks.front().forward.front().work;
  std::int64_t read = 0;
  for (const Operand& one : work.reads) read += one.shape.elements();
  EXPECT_EQ(read, 4 * 8 * 512 * 32);  // both halves, and what turns them
  ASSERT_EQ(work.writes.size(), 1U);
  EXPECT_EQ(work.writes[0].dtype, DType::bf16);
}

// A GELU and its derivative follow from what the product makes: that alone is kept for both.
TEST(GraphBuilder, one_array_is_written_for_several_that_follow_from_it) {
  const ImportedStep step = import_stablehlo(R"(
func.func @main(%x: tensor<512x256xbf16>, %w: tensor<256x256xbf16>)
    -> (tensor<512x256xbf16>, tensor<512x256xbf16>) {
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<512x256xbf16>, tensor<256x256xbf16>) -> tensor<512x256xbf16>
  %a = stablehlo.tanh %h : tensor<512x256xbf16>
  %b = stablehlo.multiply %h, %h : tensor<512x256xbf16>
  %0 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0]
      : (tensor<512x256xbf16>, tensor<256x256xbf16>) -> tensor<512x256xbf16>
  %1 = stablehlo.dot_general %b, %w, contracting_dims = [1] x [0]
      : (tensor<512x256xbf16>, tensor<256x256xbf16>) -> tensor<512x256xbf16>
  return %0, %1 : tensor<512x256xbf16>, tensor<512x256xbf16>
}
)",
                                             "f.mlir");
  EXPECT_EQ(step.kernels, 3);
  for (const NamedKernel& kernel : step.work.blocks.front().forward) {
    EXPECT_EQ(kernel.work->writes.size(), 1U) << kernel.name;
  }
}

// jax.checkpoint writes a barrier where the backward pass computes again what the forward pass did.
TEST(GraphBuilder, what_stands_behind_a_barrier_is_computed_again) {
  const auto flops = [](const char* way) {
    return import_stablehlo(fmt::format(R"(
func.func @main(%w: tensor<64x64xf32>, %x: tensor<8x64xf32>)
    -> (tensor<8x64xf32>, tensor<8x64xf32>) {{
  %h = stablehlo.tanh %x : tensor<8x64xf32>
  %a = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0]
      : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  {}
  %b = stablehlo.dot_general %k#0, %k#1, contracting_dims = [1] x [0]
      : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %s = stablehlo.sine %b : tensor<8x64xf32>
  return %a, %s : tensor<8x64xf32>, tensor<8x64xf32>
}}
)",
                                        way),
                            "f.mlir")
        .flops.value;
  };
  const std::int64_t once = 2 * 8 * 64 * 64;
  EXPECT_EQ(flops("%k:2 = stablehlo.optimization_barrier %h, %w : tensor<8x64xf32>, "
                  "tensor<64x64xf32>"),
            2 * once);
  EXPECT_EQ(flops("%k:2 = sdy.reshard %h, %w : tensor<8x64xf32>, tensor<64x64xf32>"), once);
}

// XLA hands a loop the mask of 64x64 that it got (libtpu 0.0.42.1); what repeats it for 128 heads
// is made in the loop, as a mask that a device made of ones would be.
TEST(GraphBuilder, a_broadcast_that_a_loop_only_reads_is_not_stored_for_it) {
  const ImportedStep step = import_stablehlo(text_of("repeated_mask.mlir"), "f.mlir");
  const std::int64_t all = 128 * 64 * 64;
  for (const Block& block : step.work.blocks) {
    int large = 0;
    for (const NamedKernel& kernel : block.forward) {
      for (const auto* operands : {&kernel.work->reads, &kernel.work->writes}) {
        for (const Operand& one : *operands) large += one.shape.elements() == all ? 1 : 0;
      }
    }
    EXPECT_EQ(large, block.repeats == 12 ? 2 : 0) << block.name;  // %a and its product
  }
}

TEST(GraphBuilder, a_loop_reads_an_array_under_another_shape_where_it_lies) {
  const ImportedStep step = import_stablehlo(R"(
func.func @main(%x: tensor<64x4096xf32>, %y: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %w = stablehlo.reshape %x : (tensor<64x4096xf32>) -> tensor<512x512xf32>
  %0:3 = stablehlo.while(%i = %zero, %a = %w, %b = %y)
      : tensor<i32>, tensor<512x512xf32>, tensor<512x512xf32>
  cond {
    %last = stablehlo.constant dense<12> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %last, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0]
        : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %2 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %2, %a, %1 : tensor<i32>, tensor<512x512xf32>, tensor<512x512xf32>
  }
  return %0#2 : tensor<512x512xf32>
}
)",
                                             "f.mlir");
  ASSERT_EQ(step.work.blocks.size(), 1U);
  EXPECT_EQ(step.work.blocks[0].repeats, 12);
}

// A step that is left out where a gradient is not finite (scaled losses): whether the weights
// change is known behind the last gradient, so no update is fused into its product.
TEST(GraphBuilder, nothing_of_a_branch_is_fused_with_what_lies_before_it) {
  const ImportedStep step = import_stablehlo(R"(
func.func @main(%which: tensor<i32>, %x: tensor<512x512xf32>, %w: tensor<512x512xf32>)
    -> tensor<512x512xf32> {
  %g = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  %n = "stablehlo.case"(%which) ({
    stablehlo.return %w : tensor<512x512xf32>
  }, {
    %0 = stablehlo.subtract %w, %g : tensor<512x512xf32>
    stablehlo.return %0 : tensor<512x512xf32>
  }) : (tensor<i32>) -> tensor<512x512xf32>
  return %n : tensor<512x512xf32>
}
)",
                                             "f.mlir");
  ASSERT_EQ(step.work.blocks.size(), 2U);
  EXPECT_EQ(step.work.blocks[1].name, "branch of line 6");
  EXPECT_EQ(step.kernels, 2);
}

// New weights take the place of the old ones, which the gradient of what lies before still reads:
// their update waits for it, in whatever order the text has both.
TEST(GraphBuilder, an_update_waits_for_the_last_reader_of_the_weights_that_it_overwrites) {
  const std::string gradient =
      "  %d = stablehlo.dot_general %x, %g, contracting_dims = [0] x [0] : (tensor<256x256xf32>, "
      "tensor<256x256xf32>) -> tensor<256x256xf32>\n"
      "  %n = stablehlo.subtract %w, %d : tensor<256x256xf32>\n";
  const std::string before =
      "  %h = stablehlo.dot_general %g, %w, contracting_dims = [1] x [1] : (tensor<256x256xf32>, "
      "tensor<256x256xf32>) -> tensor<256x256xf32>\n";
  for (const std::string& body : {gradient + before, before + gradient}) {
    const ImportedStep step = import_stablehlo(
        "func.func @main(%w: tensor<256x256xf32> {tf.aliasing_output = 0 : i32}, %x: "
        "tensor<256x256xf32>, %g: tensor<256x256xf32>) -> (tensor<256x256xf32>, "
        "tensor<256x256xf32>) {\n" +
            body + "  return %n, %h : tensor<256x256xf32>, tensor<256x256xf32>\n}\n",
        "f.mlir");
    EXPECT_EQ(step.work.working.value, 4 * 256 * 256 * 4);  // three arguments and %h
  }
}

std::string mixing_loop(int turns, const char* round) {
  return fmt::format(R"(
func.func @main(%x: tensor<512x512xf32>, %y: tensor<512x512xf32>) -> tensor<512x512xf32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %a = %x, %b = %y)
      : tensor<i32>, tensor<512x512xf32>, tensor<512x512xf32>
  cond {{
    %last = stablehlo.constant dense<{}> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %last, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }} do {{
    %1 = func.call @mixed(%a, %b)
        : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %2 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %2, %b, %1 : tensor<i32>, tensor<512x512xf32>, tensor<512x512xf32>
  }}
  return %0#2 : tensor<512x512xf32>
}}
func.func private @mixed(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>)
    -> tensor<512x512xf32> {{
  %0 = stablehlo.{}
  return %0 : tensor<512x512xf32>
}}
)",
                     turns, round);
}

constexpr const char* added = "add %a, %b : tensor<512x512xf32>";
constexpr const char* multiplied =
    "dot_general %a, %b, contracting_dims = [1] x [0] : "
    "(tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>";

// As JAX has them for a TPU; for a CPU it writes a loop. With them, what drops activations costs no
// arrays in memory: a step of four layers of 1,024 and 4,096 columns on 4,096 rows takes 512 MiB on
// v3 by the compiler, and took 1.9 GiB when the loop was read as one.
TEST(GraphBuilder, a_loop_of_a_few_rounds_that_mix_values_is_one_kernel) {
  const ImportedStep step = import_stablehlo(mixing_loop(5, added), "f.mlir");
  ASSERT_EQ(step.work.blocks.size(), 1U);
  EXPECT_EQ(step.kernels, 1);
  const KernelWork& work = step.work.blocks[0].forward[0].work;
  EXPECT_EQ(work.reads.size(), 2U);
  EXPECT_EQ(work.writes.size(), 1U);
}

TEST(GraphBuilder, loops_of_many_turns_stay_loops_as_do_those_that_multiply_matrices) {
  const auto turns = [](const std::string& text) {
    return import_stablehlo(text, "f.mlir").work.blocks.back().repeats;
  };
  EXPECT_EQ(turns(mixing_loop(9, added)), 9);
  EXPECT_EQ(turns(mixing_loop(4, multiplied)), 4);
}

}  // namespace
}  // namespace tpulab::graph_builder_test

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/formats/stablehlo/stablehlo_step.h"

namespace tpulab::callbacks_test {
namespace {

// A step whose loss is printed, as for a TPU.
constexpr std::string_view printed = R"(
    %d = "stablehlo.send"(%s, %t) <{channel_handle = #stablehlo.channel_handle<handle = 2,
        type = 2>, is_host_transfer = true}> : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
    %q:2 = "stablehlo.recv"(%d) <{channel_handle = #stablehlo.channel_handle<handle = 3,
        type = 3>, is_host_transfer = true}> : (!stablehlo.token) ->
        (tensor<f32>, !stablehlo.token))";

// `more` stands behind the loss %s.
std::string step_with(std::string_view more, std::string_view rate = "%one") {
  return fmt::format(R"(
func.func @main(%w: tensor<8x8xf32>, %x: tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<f32>) {{
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>,
      tensor<8x8xf32>) -> tensor<4x8xf32>
  %s = stablehlo.reduce(%h init: %one) applies stablehlo.add across dimensions = [0, 1] :
      (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
  {}
  %g = stablehlo.dot_general %x, %h, contracting_dims = [0] x [0] : (tensor<4x8xf32>,
      tensor<4x8xf32>) -> tensor<8x8xf32>
  %r = stablehlo.broadcast_in_dim {}, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
  %k = stablehlo.multiply %g, %r : tensor<8x8xf32>
  %u = stablehlo.subtract %w, %k : tensor<8x8xf32>
  return %u, %s : tensor<8x8xf32>, tensor<f32>
}})",
                     more, rate);
}

constexpr std::string_view two =
    "2 exchanges with the host (callbacks, feeds) that take no time here";

TEST(Callbacks, take_no_time_and_are_named) {
  const ImportedStep plain = import_stablehlo(step_with(""), "f.mlir");
  EXPECT_TRUE(plain.notes.empty());
  const ImportedStep step = import_stablehlo(
      step_with(fmt::format("%t = stablehlo.create_token : !stablehlo.token\n{}", printed)),
      "f.mlir");
  EXPECT_EQ(step.kernels, plain.kernels);
  EXPECT_EQ(step.rows, 4);
  EXPECT_EQ(step.notes, (std::vector<std::string>{std::string(two)}));
}

TEST(Callbacks, of_python_on_a_cpu_are_read_as_well) {
  const ImportedStep step = import_stablehlo(
      step_with("%a = stablehlo.custom_call @xla_ffi_python_cpu_callback(%s) {backend_config = "
                "\"\"} : (tensor<f32>) -> tensor<f32>\n"
                "  stablehlo.custom_call @xla_python_cpu_callback(%a) : (tensor<f32>) -> ()",
                "%a"),
      "f.mlir");
  EXPECT_TRUE(step.trains);
  EXPECT_EQ(step.notes, (std::vector<std::string>{std::string(two)}));
}

// The token of ordered prints goes in and comes out, through the loop.
TEST(Callbacks, in_order_hand_on_what_takes_no_memory) {
  const ImportedStep step = import_stablehlo(fmt::format(R"(
func.func @main(%o: !stablehlo.token {{jax.token = true}}, %w: tensor<8x8xf32>,
    %x: tensor<8x8xf32>) -> (!stablehlo.token {{jax.token = true}}, tensor<8x8xf32>, tensor<f32>) {{
  %none = stablehlo.constant dense<0> : tensor<i32>
  %nothing = stablehlo.constant dense<0.0> : tensor<f32>
  %r:4 = stablehlo.while(%t = %o, %v = %w, %i = %none, %l = %nothing) : !stablehlo.token,
      tensor<8x8xf32>, tensor<i32>, tensor<f32>
  cond {{
    %n = stablehlo.constant dense<10> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %p = stablehlo.dot_general %x, %v, contracting_dims = [1] x [0] : (tensor<8x8xf32>,
        tensor<8x8xf32>) -> tensor<8x8xf32>
    %s = stablehlo.reduce(%p init: %nothing) applies stablehlo.add across dimensions = [0, 1] :
        (tensor<8x8xf32>, tensor<f32>) -> tensor<f32>
    {}
    %u = stablehlo.subtract %v, %p : tensor<8x8xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %q#1, %u, %j, %s : !stablehlo.token, tensor<8x8xf32>, tensor<i32>, tensor<f32>
  }}
  return %r#0, %r#1, %r#3 : !stablehlo.token, tensor<8x8xf32>, tensor<f32>
}})",
                                                         printed),
                                             "f.mlir");
  EXPECT_EQ(step.steps, 10);
  EXPECT_EQ(step.rows, 10 * 8);
  EXPECT_EQ(step.state.value, 8 * 8 * 4);
  EXPECT_EQ(step.stays.value, 8 * 8 * 4);
  EXPECT_EQ(step.inputs, (std::vector<std::string>{"f32[8,8]", "f32[8,8]"}));
}

}  // namespace
}  // namespace tpulab::callbacks_test

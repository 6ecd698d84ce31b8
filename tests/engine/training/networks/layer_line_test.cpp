#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/training/dataset.h"
#include "engine/training/networks/networks.h"

namespace tpulab::layer_line_test {
namespace {

std::int64_t parameters(std::string_view line, const Dataset& data = digits()) {
  const Model model = layer_line(line);
  return parameter_count(parameters_of(model, data.example(model.input), DType::f32));
}

std::string refusal(std::string_view line, const Dataset& data = digits()) {
  try {
    parameters(line, data);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(LayerLine, builds_what_it_says) {
  EXPECT_EQ(parameters("dense 10"), 64 * 10 + 10);
  EXPECT_EQ(parameters("dense 32 relu | dense 10"), 64 * 32 + 32 + 32 * 10 + 10);
  EXPECT_EQ(parameters("conv 16 3x3 relu | maxpool 2 | dense 10"), 160 + 4 * 4 * 16 * 10 + 10);
  EXPECT_EQ(parameters("conv 4 3x3 stride 2 | batchnorm relu | avgpool 4 | flatten | dense 10"),
            40 + 8 + 4 * 10 + 10);
  // Three products of 8 x 8 and one with its bias.
  EXPECT_EQ(parameters("attention 2 | layernorm | flatten | dense 10"),
            3 * 64 + 72 + 16 + 64 * 10 + 10);
  EXPECT_EQ(parameters("embed 8 | dense 29", text()), 29 * 8 + 8 * 29 + 29);
}

TEST(LayerLine, takes_other_widths_of_its_dense_layers) {
  const std::vector<std::int64_t> one{128};
  EXPECT_EQ(with_widths("conv 4 3x3 |flatten|dense  130 relu| dense 10", one),
            "conv 4 3x3 | flatten | dense 128 relu | dense 10");
  EXPECT_EQ(with_widths("dense 130 | dense 10", one), "dense 128 | dense 10");
  EXPECT_EQ(with_widths("dense 10", one), std::nullopt);
  EXPECT_EQ(with_widths("resnet50", one), std::nullopt);
}

TEST(LayerLine, takes_other_outputs_of_its_last_layer) {
  EXPECT_EQ(with_outputs("dense 8 relu | dense 2", 10), "dense 8 relu | dense 10");
  EXPECT_EQ(with_outputs("dense 2 relu", 10), "dense 10 relu");
  EXPECT_EQ(with_outputs("dense 8 |dense  2 relu", 10), "dense 8 |dense 10 relu");
  EXPECT_EQ(with_outputs("dense 10 | relu", 2), std::nullopt);
}

TEST(LayerLine, names_the_layer_and_the_shapes_that_do_not_fit) {
  EXPECT_EQ(refusal("dense 32 | conv 4 3x3"),
            "layer 2 'conv 4 3x3' does not fit its input f32[1,32]: it reads images "
            "[rows,h,w,channels]");
  EXPECT_EQ(refusal("conv 4 3x3 | maxpool 9 | dense 10"),
            "layer 2 'maxpool 9' does not fit its input f32[1,8,8,4]: its window is larger than "
            "the image");
  EXPECT_EQ(refusal("attention 3 | flatten | dense 10"),
            "layer 1 'attention 3' does not fit its input f32[1,8,8]: its heads do not divide the "
            "width");
  EXPECT_EQ(refusal("dense 32 relu"),
            "layer 1 'dense 32 relu' gives f32[1,32], but the data has 10 classes; end with dense "
            "10");
  EXPECT_EQ(refusal("layernorm | dense 10"),
            "layer 2 'dense 10' gives f32[1,8,10], but the data has 10 classes; end with flatten | "
            "dense 10");
}

TEST(LayerLine, that_puts_tokens_together_is_told_that_each_has_its_label) {
  const std::string told = refusal("embed 8 | flatten | dense 29", text());
  EXPECT_NE(told.find("29 classes for each of "), std::string::npos) << told;
  EXPECT_TRUE(told.ends_with(" labels of a row; leave flatten out")) << told;
  EXPECT_EQ(refusal("embed 8 | dense 29", text()), "");
}

TEST(LayerLine, says_what_to_write_instead) {
  EXPECT_TRUE(refusal("dens 10 | dense 10")
                  .starts_with("layer 1 'dens 10': there is no layer "
                               "'dens'; did you mean dense?"));
  EXPECT_EQ(refusal("conv 16 | dense 10"),
            "layer 1 'conv 16': write conv CHANNELS HEIGHTxWIDTH [stride N]");
  EXPECT_EQ(refusal("dense 0"),
            "layer 1 'dense 0': '0' is no size from 1 to 65536; write dense OUTPUTS");
  EXPECT_EQ(refusal("dense 10 | | dense 10"),
            "layer 2 '': it is empty; write a layer between two |");
  EXPECT_NE(refusal("dense 99999999999999999999"), "");
  EXPECT_EQ(refusal("Linear 512 | relu"),
            "layer 1 'Linear 512': 'Linear' is called dense here; write dense OUTPUTS");
  EXPECT_TRUE(refusal("nn.Conv2d(1, 16, 3) | relu")
                  .ends_with("write conv CHANNELS HEIGHTxWIDTH [stride N]"));
  EXPECT_TRUE(refusal("dense 64 | nn.ReLU() | dense 10").ends_with("is called relu here"));
  EXPECT_TRUE(refusal("dense 64 Dropout 0.5 | dense 10").ends_with("has no dropout; leave it out"));
  EXPECT_TRUE(refusal("dropout 0.5 | dense 10").ends_with("has no dropout; leave it out"));
  EXPECT_EQ(
      refusal("dense 10 rellu"),
      "layer 1 'dense 10 rellu': 'rellu' is no activation; did you mean relu? there are relu, "
      "gelu, silu, tanh, sigmoid; write dense OUTPUTS [ACTIVATION]");
  EXPECT_NE(refusal("dense 10 relu rellu").find("'rellu' is no activation"), std::string::npos);
  EXPECT_EQ(refusal("conv 16 3x3 relu stride 2 | dense 10"),
            "layer 1 'conv 16 3x3 relu stride 2': write conv CHANNELS HEIGHTxWIDTH [stride N]");
  EXPECT_NE(refusal("dense 10 softmax").find("the loss makes its softmax itself"),
            std::string::npos);
}

TEST(LayerLine, refuses_data_that_it_cannot_read) {
  EXPECT_EQ(
      refusal("conv 4 3x3 | dense 29", text()),
      "the model reads an image, and a row of text is a sequence of tokens; the model reads data "
      "digits, and text is read by gpt-tiny or llama-tiny");
}

}  // namespace
}  // namespace tpulab::layer_line_test

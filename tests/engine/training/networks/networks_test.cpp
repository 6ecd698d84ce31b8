#include "engine/training/networks/networks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "engine/runtime/counters.h"
#include "engine/training/networks/blocks.h"
#include "tests/engine/training/training_session.h"

namespace tpulab::networks_test {
namespace {

using test::Session;

Model named(std::string_view name) { return *trained_model(name, {64}); }

const Dataset& data_for(const Model& model) {
  if (model.input == Input::scene) return scenes();
  if (model.input == Input::pair) return numerals();
  if (model.input == Input::volume) return solids();
  if (model.input == Input::outlines) return figures();
  return model.input == Input::tokens ? addition() : digits();
}

TrainerOptions options_for(std::string_view name) {
  TrainerOptions options;
  options.model = named(name);
  options.data = &data_for(options.model);
  options.max_epochs = -1;
  options.precision = MatmulPrecision::highest;
  return options;
}

std::int64_t parameters(std::string_view name) {
  const Model model = named(name);
  return parameter_count(parameters_of(model, data_for(model).example(model.input), DType::f32));
}

TEST(Networks, have_the_parameters_that_a_hand_count_gives) {
  // 5x5x1x6 + 6, 5x5x6x16 + 16, 64x120 + 120, 120x84 + 84, 84x10 + 10.
  EXPECT_EQ(parameters("lenet"), 156 + 2'416 + 7'800 + 10'164 + 850);
  // 3x3x32 + 32, 3x3x32x64 + 64, 1,024x128 + 128, 128x10 + 10.
  EXPECT_EQ(parameters("cnn"), 320 + 18'496 + 131'200 + 1'290);
  // He et al. 2015, table 6: 0.27 M; here one grey channel instead of three, and projections.
  EXPECT_NEAR(static_cast<double>(parameters("resnet20")), 0.27e6, 0.01e6);
  // Tokens 12x64, positions 8x64; a layer: 2 norms of 2x64, 3 products of 64x64, 64x64 + 64,
  // 64x256 + 256, 256x64 + 64; a norm and the head 64x12 + 12.
  EXPECT_EQ(parameters("gpt-tiny"),
            768 + 512 + 2 * (256 + 3 * 4'096 + 4'160 + 16'640 + 16'448) + 128 + 780);
}

std::int64_t of_tokens(const DecoderSizes& sizes) {
  const Example row{.row = {4}, .dtype = DType::s32, .classes = sizes.vocabulary, .labels = 4};
  return parameter_count(parameters_of(decoder(sizes), row, DType::f32));
}

TEST(Networks, of_tokens_differ_by_what_a_hand_count_adds) {
  DecoderSizes sizes{.layers = 3,
                     .width = 8,
                     .heads = 2,
                     .shared = 1,
                     .hidden = 16,
                     .gated = true,
                     .vocabulary = 11,
                     .rms = true,
                     .biases = false};
  const std::int64_t before = of_tokens(sizes);
  // Tables 2x11x8; a layer: queries and output 2x8x8, keys and values 2x8x4, 3x8x16, 2 norms.
  EXPECT_EQ(before, 176 + 3 * (128 + 64 + 384 + 16) + 8);
  sizes.input_biases = true;
  EXPECT_EQ(of_tokens(sizes), before + 3 * (8 + 4 + 4));
  sizes.head_norms = true;
  EXPECT_EQ(of_tokens(sizes), before + 3 * (8 + 4 + 4) + 3 * (4 + 4));
}

TEST(Networks, of_tokens_keep_a_table_of_all_their_positions) {
  const DecoderSizes sizes{.layers = 1,
                           .width = 8,
                           .heads = 2,
                           .shared = 2,
                           .hidden = 16,
                           .vocabulary = 11,
                           .tied = true,
                           .input_biases = true,
                           .positions = 32};
  // 11x8 tokens, 32x8 positions; products with biases, 2 norms of 16; a norm.
  EXPECT_EQ(of_tokens(sizes), 88 + 256 + 4 * (64 + 8) + (128 + 16) + (128 + 8) + 32 + 16);
}

TEST(Networks, of_photographs_have_the_published_parameters) {
  // torchvision's, without the running averages of their norms.
  const Example photograph{.row = {224, 224, 3}, .classes = 1000};
  const auto count = [&](const char* name) {
    return parameter_count(parameters_of(named(name), photograph, DType::f32));
  };
  EXPECT_EQ(count("resnet18"), 11'689'512);
  EXPECT_EQ(count("resnet34"), 21'797'672);
  EXPECT_EQ(count("resnet50"), 25'557'032);
  EXPECT_EQ(count("resnet101"), 44'549'160);
  EXPECT_EQ(count("resnet152"), 60'192'808);
  // timm's resnetrs50 and resnetrs101: 35.69 and 63.62 million.
  EXPECT_NEAR(static_cast<double>(count("resnet-rs-50")) / 1e6, 35.69, 0.005);
  EXPECT_NEAR(static_cast<double>(count("resnet-rs-101")) / 1e6, 63.62, 0.005);
}

TEST(Learning, of_networks_for_photographs_falls_on_digits_too) {
  // Single losses of 16 rows vary by half, and by the order of sums that a computer's products
  // take: over four seeds and three such orders the last four of twelve steps had up to 0.45 and
  // 0.81 of the first.
  for (const auto& [name, share] : {std::pair{"resnet18", 0.7f}, {"resnet-rs-50", 0.95f}}) {
    TrainerOptions options = options_for(name);
    options.batch = 16;
    Session session({.devices = {0}, .options = options});
    const std::vector<float> losses = session.train(12);
    const float last = std::accumulate(losses.end() - 4, losses.end(), 0.0f) / 4;
    EXPECT_LT(last, share * losses.front()) << name;
  }
}

TEST(Networks, in_mixed_precision_round_activations_and_keep_f32_weights) {
  TrainerOptions options = options_for("cnn");
  options.compute = DType::bf16;
  options.batch = 16;
  Session mixed({.devices = {0}, .options = options});
  options.compute = DType::f32;
  Session full({.devices = {0}, .options = options});
  const std::vector<float> rounded = mixed.train(10);
  const std::vector<float> exact = full.train(10);
  EXPECT_NE(rounded, exact);
  // bf16 keeps 8 bits: a rounding is off by 2^-9 at most.
  EXPECT_NEAR(rounded[0], exact[0], 0.01f * exact[0]);
  EXPECT_NEAR(rounded[9], exact[9], 0.1f * exact[9]);
  for (const Array& weight : mixed.trainer.weights()) EXPECT_EQ(weight.dtype(), DType::f32);
}

// Pixels of digits are sixteenths: bf16 holds them.
TEST(Networks, are_sent_rows_of_half_the_bytes_with_the_same_losses) {
  TrainerOptions options = options_for("cnn");
  options.batch = 16;
  options.drop_last = true;
  Session usual({.devices = {0}, .options = options});
  options.sent = DType::f32;
  Session wide({.devices = {0}, .options = options});
  options.sent = DType::bf16;
  Session narrow({.devices = {0}, .options = options});
  const std::vector<float> losses = usual.train(5);
  EXPECT_EQ(wide.train(5), losses);
  EXPECT_EQ(narrow.train(5), losses);
  const auto sent = [](const Session& session) {
    return counters_of(session.metrics.copy()).total("OutboundData");
  };
  EXPECT_EQ(sent(wide), sent(usual));
  // 64 pixels of 2 bytes less in each row of the steps, and of two validation batches before.
  EXPECT_EQ(sent(wide) - sent(narrow), (5 + 2) * 16 * 64 * 2);
}

TEST(Networks, of_experts_are_told_from_those_without) {
  EXPECT_EQ(trained_model("llama-tiny", {})->name({}), "llama 2 x 64");
  EXPECT_EQ(trained_model("moe-tiny", {})->name({}), "llama 2 x 64, 4 experts");
}

constexpr std::int64_t few_parameters = 1'000'000;

// Small enough to be trained twice by each test. Every process of these tests asks for the names,
// so that only digits may be made for them.
std::vector<std::string> small_names() {
  std::vector<std::string> names = trained_names();
  std::erase_if(names, [](const std::string& name) {
    return name.starts_with("resnet") && parameters(name) > few_parameters;
  });
  return names;
}

class EachNetwork : public testing::TestWithParam<std::string> {};

TEST_P(EachNetwork, learns) {
  ASSERT_LE(parameters(GetParam()), few_parameters);
  TrainerOptions options = options_for(GetParam());
  options.batch = options.model.input == Input::volume ? 4 : 16;
  options.optimizer.learning_rate = 4e-3;
  Session session({.devices = {0}, .options = options});
  const std::vector<float> losses = session.train(45);
  EXPECT_LT(losses.back(), 0.85f * losses.front());
}

TEST_P(EachNetwork, follows_separate_replicas_where_merged) {
  TrainerOptions options = options_for(GetParam());
  options.batch = options.model.input == Input::volume ? 2 : 8;
  options.optimizer.kind = OptimizerKind::sgd;
  options.optimizer.learning_rate = 0.01;
  Session merged({.options = options});
  Session separate({.options = options, .execution = {.separate_replicas = true}});
  const std::vector<float> fast = merged.train(4);
  const std::vector<float> slow = separate.train(4);
  // Batch norms take each core's own mean, so their replicas run one by one.
  // The text of a U-Net is one array for all rows of a core, which no row of another may read.
  const auto is = [](const char* start) { return GetParam().starts_with(start); };
  EXPECT_EQ(merged.trainer.runtime().merged(),
            !is("resnet") && !is("ssd") && !is("unet-") && !is("mask-"));
  for (std::size_t i = 0; i < fast.size(); ++i) {
    EXPECT_NEAR(fast[i], slow[i], 2e-5 * slow[i]) << "step " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, EachNetwork, testing::ValuesIn(small_names()),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// The gradient of the first positions' answers by what stands at the last one.
float flow_from_the_last_position(const Model& model, const Example& example) {
  ProgramCache cache;
  WorkerPool workers(1);
  Metrics metrics;
  Runtime runtime(test::machine_of("v3-8", {0}), cache, workers, metrics, {});
  runtime.begin_step(StepKind::train, 0, 1);
  std::vector<Tensor> leaves;
  const std::vector<Parameter> all = parameters_of(model, example, DType::f32);
  for (Array& value : initial_values(all, 3)) {
    const Type type{value.shape(), DType::f32, Placement::shared};
    leaves.push_back(runtime.leaf(runtime.place(type, std::move(value), "parameter")));
  }
  Array values(example.row.of_rows(1));
  for (std::int64_t i = 0; i < values.elements(); ++i) values[i] = 0.1f * static_cast<float>(i);
  const Type type{values.shape(), DType::f32, Placement::shared};
  const Tensor x = runtime.leaf(runtime.place(type, std::move(values), "x"));
  Scope scope(leaves, DType::f32, MatmulPrecision::highest);
  const Tensor y = model.forward(scope, x, example);
  const std::int64_t last = example.row[0] - 1;
  const Tensor first = reshape(slice(y, 1, 0, last), Shape{last * y.shape()[2]});
  const std::vector<Tensor> wanted{x};
  const Tensor flow = slice(gradient(mean(first), wanted)[0], 1, last, 1);
  const std::vector<Live> live{{reduce_sum(multiply(flow, flow), std::vector<int>{0, 1, 2})}};
  const float square = runtime.peek(runtime.mark_step(live, "test", "")[0])[0];
  runtime.end_step();
  return square;
}

TEST(Networks, of_the_causal_kind_do_not_look_ahead) {
  // Attention alone, over numbers, so that there is a gradient by position.
  const Example example{.row = {6, 8}, .classes = 4, .labels = 6};
  const auto flow = [&](bool causal) {
    const Model model{.input = Input::sequence,
                      .name = [](const Example&) { return std::string("attention"); },
                      .forward =
                          [causal](Scope& scope, Tensor x, const Example&) {
                            return self_attention(scope, "a", x, {2, 2, true, causal});
                          }};
    return flow_from_the_last_position(model, example);
  };
  EXPECT_GT(flow(false), 0);
  EXPECT_EQ(flow(true), 0);
  // Where a position's label is the next one, it would be read off.
  EXPECT_EQ(flow_from_the_last_position(layer_line("attention 2 | dense 4"), example), 0);
}

}  // namespace
}  // namespace tpulab::networks_test

#include "tests/engine/training/small_networks.h"

#include "engine/training/networks/blocks.h"
#include "engine/training/networks/networks.h"

namespace tpulab::test {

Network small_perceptron() { return {perceptron({8, 12}), {.row = {6}, .classes = 5}}; }
Network deep_perceptron() { return {perceptron({8, 12, 4}), {.row = {6}, .classes = 5}}; }
Network small_gpt() {
  return {
      decoder({.layers = 2, .width = 8, .heads = 4, .shared = 4, .head_width = 2, .hidden = 12}),
      {.row = {5}, .dtype = DType::s32, .classes = 7, .labels = 5}};
}
Network small_llama(bool tied) {
  return {decoder({.layers = 2,
                   .width = 16,
                   .heads = 4,
                   .shared = 2,
                   .head_width = 4,
                   .hidden = 12,
                   .gated = true,
                   .tied = tied,
                   .rms = true}),
          {.row = {5}, .dtype = DType::s32, .classes = 7, .labels = 3}};
}
Network small_qwen() {
  return {decoder({.layers = 2,
                   .width = 16,
                   .heads = 4,
                   .shared = 2,
                   .head_width = 6,
                   .hidden = 12,
                   .gated = true,
                   .tied = true,
                   .rms = true,
                   .biases = false,
                   .input_biases = true,
                   .head_norms = true,
                   .gelu_gate = true,
                   .scaled_tokens = true}),
          {.row = {5}, .dtype = DType::s32, .classes = 7, .labels = 3}};
}
Network small_gemma() {
  return {decoder({.layers = 5,
                   .width = 16,
                   .heads = 4,
                   .shared = 2,
                   .head_width = 4,
                   .hidden = 12,
                   .gated = true,
                   .tied = true,
                   .rms = true,
                   .biases = false,
                   .gelu_gate = true,
                   .scaled_tokens = true,
                   .window = 2,
                   .global_every = 2,
                   .outer_norms = true,
                   .score_cap = 2,
                   .logit_cap = 3}),
          {.row = {5}, .dtype = DType::s32, .classes = 7, .labels = 3}};
}
Network small_deepseek(std::int64_t chosen) {
  return {decoder({.layers = 3,
                   .width = 16,
                   .heads = 4,
                   .shared = 4,
                   .hidden = 12,
                   .gated = true,
                   .rms = true,
                   .biases = false,
                   .experts = 4,
                   .chosen = chosen,
                   .shared_hidden = 8,
                   .dense_layers = 1,
                   .dense_hidden = 20,
                   .latent = {10, 6, 4, 2, 4}}),
          {.row = {5}, .dtype = DType::s32, .classes = 7, .labels = 3}};
}
Network small_mixtral(std::int64_t chosen) {
  return {decoder({.layers = 2,
                   .width = 16,
                   .heads = 4,
                   .shared = 2,
                   .head_width = 4,
                   .hidden = 12,
                   .gated = true,
                   .rms = true,
                   .biases = false,
                   .experts = 4,
                   .chosen = chosen}),
          {.row = {5}, .dtype = DType::s32, .classes = 7, .labels = 3}};
}
Network small_neox() {
  return {decoder({.layers = 2,
                   .width = 16,
                   .heads = 4,
                   .shared = 4,
                   .head_width = 4,
                   .hidden = 12,
                   .input_biases = true,
                   .head_bias = false,
                   .rotated = 2,
                   .parallel = true}),
          {.row = {5}, .dtype = DType::s32, .classes = 7, .labels = 5}};
}
Network small_bert() {
  return {
      encoder({.layers = 2, .width = 8, .heads = 4, .hidden = 12, .vocabulary = 7, .positions = 6}),
      {.row = {5}, .dtype = DType::s32, .classes = 7, .labels = 2}};
}
Network small_vit() {
  return {vision_transformer({.patch = 2, .layers = 2, .width = 16, .heads = 4, .hidden = 12}),
          {.row = {4, 4, 1}, .classes = 5}};
}
Network small_mixer() {
  return {mlp_mixer({.patch = 2, .layers = 2, .width = 16, .mixed = 8, .hidden = 12}),
          {.row = {4, 4, 1}, .classes = 5}};
}
Network small_translator() {
  return {translator({.layers = 1, .width = 8, .heads = 4, .hidden = 12, .vocabulary = 7}),
          {.row = {2, 5}, .dtype = DType::s32, .classes = 7, .labels = 5}};
}

Network small_attention() {
  Model model{.input = Input::tokens, .name = {}, .forward = {}};
  model.forward = [](Scope& scope, Tensor tokens, const Example& example) {
    const Tensor table = token_table(scope, "tokens", example.classes, 8);
    const Tensor x = embedded(scope, table, tokens);
    const Tensor mixed = self_attention(scope, "attention", x, {.heads = 4, .shared = 2});
    return class_logits(scope, "head", layer_normalised(scope, "norm", add(x, mixed)),
                        example.classes);
  };
  return {std::move(model), {.row = {6}, .dtype = DType::s32, .classes = 7, .labels = 6}};
}

}  // namespace tpulab::test

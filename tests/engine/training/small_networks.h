// Networks of every kind, small enough that all devices of a mesh run them side by side.
#pragma once

#include "engine/training/model.h"

namespace tpulab::test {

struct Network {
  Model model;
  Example example;
};

Network small_perceptron();
Network deep_perceptron();
Network small_gpt();
Network small_llama(bool tied = false);
// Qwen's biases and norms of heads, Gemma's gate and embeddings.
Network small_qwen();
// Gemma 2's windows, norms and caps.
Network small_gemma();
// DeepSeek-V3's attention, first layers and shared expert.
Network small_deepseek(std::int64_t chosen = 2);
Network small_mixtral(std::int64_t chosen = 2);
Network small_neox();
Network small_bert();
Network small_translator();
Network small_vit();
Network small_mixer();
// All tokens see each other, wherever they are.
Network small_attention();

}  // namespace tpulab::test

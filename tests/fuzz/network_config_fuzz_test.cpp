// Files of config.json as they may come: cut, spliced, with sizes at their limits.
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/formats/huggingface/network_config.h"
#include "tests/fuzz/mutation.h"

namespace tpulab::fuzz::network_config_fuzz_test {
namespace {

Corpus configurations() {
  Corpus corpus{.seeds = {},
                .words = {"{", "}", "[", "]", ",", "\"", ": null", ": true", ": \"gelu\"", "1e999",
                          "4096.5", "-1", "18446744073709551615", "\"model_type\": \"bert\",",
                          "\"model_type\": \"resnet\",", "\"head_dim\": 1,",
                          "\"num_key_value_heads\": 3,", "\"tie_word_embeddings\": true,"}};
  for (const char* const name :
       {"llama-3-8b", "mistral-7b-v0.1", "qwen2-7b", "qwen3-0.6b", "gemma-2b", "gpt2",
        "pythia-160m", "bert-base-uncased", "roberta-base", "resnet-50"}) {
    corpus.seeds.push_back(read_file(TPULAB_SOURCE_DIR "/tests/engine/formats/huggingface/" +
                                     std::string(name) + ".json"));
  }
  return corpus;
}

// Read, with parameters to count, or refused by its name, whatever it is.
void fuzz(Effort effort) {
  expect_holds(configurations(), effort, [](const std::string& text, Random&) {
    try {
      EXPECT_GT(read_network_config(text, "config.json").parameters, 0);
    } catch (const Error& error) {
      EXPECT_EQ(std::string_view(error.what()).substr(0, 11), "config.json");
    }
  });
}

TEST(NetworkConfigFuzz, a_damaged_text_is_read_or_refused_by_its_name) { fuzz({.inputs = 5'000}); }
TEST(SlowNetworkConfigFuzz, a_damaged_text_is_read_or_refused_by_its_name) { fuzz({.slow = true}); }

}  // namespace
}  // namespace tpulab::fuzz::network_config_fuzz_test

#include "engine/formats/huggingface/network_config.h"

#include <gtest/gtest.h>

#include <map>

#include "engine/base/error.h"
#include "engine/base/file.h"

namespace tpulab::network_config_test {
namespace {

std::string text_of_model(const std::string& name) {
  return read_file(TPULAB_SOURCE_DIR "/tests/engine/formats/huggingface/" + name + ".json");
}

ConfiguredNetwork network(const std::string& name) {
  return read_network_config(text_of_model(name), name);
}

// As each is published: by its model card, or by num_parameters() of Transformers.
const std::map<std::string, std::int64_t> published{{"llama-2-7b", 6'738'415'616},
                                                    {"llama-3-8b", 8'030'261'248},
                                                    {"llama-3.2-1b", 1'235'814'400},
                                                    {"tinyllama-1.1b", 1'100'048'384},
                                                    {"mistral-7b-v0.1", 7'241'732'096},
                                                    {"mixtral-8x7b-v0.1", 46'702'792'704},
                                                    {"qwen3-30b-a3b", 30'532'122'624},
                                                    {"qwen2-7b", 7'615'616'512},
                                                    {"qwen2.5-0.5b", 494'032'768},
                                                    {"qwen3-8b", 8'190'735'360},
                                                    {"qwen3-0.6b", 596'049'920},
                                                    {"gemma-2b", 2'506'172'416},
                                                    {"gemma-2-2b", 2'614'341'888},
                                                    {"gemma-3-1b", 999'885'952},
                                                    {"phi-3-mini-4k", 3'821'079'552},
                                                    {"gpt2", 124'439'808},
                                                    {"pythia-160m", 162'322'944},
                                                    {"bert-base-uncased", 109'514'298},
                                                    {"bert-large-uncased", 335'174'458},
                                                    {"roberta-base", 124'697'433},
                                                    {"vit-base-patch16-224", 86'567'656},
                                                    {"vit-large-patch16-224", 304'326'632},
                                                    {"resnet-50", 25'557'032}};

TEST(NetworkConfig, of_public_models_has_their_parameters_exactly) {
  for (const auto& [name, parameters] : published) {
    EXPECT_EQ(network(name).parameters, parameters) << name;
  }
}

// Of BertForSequenceClassification and RobertaForSequenceClassification with two classes.
TEST(NetworkConfig, of_classifiers_has_their_parameters_exactly) {
  const auto classifier = [](const char* name, std::string_view head, std::string_view kind) {
    std::string text = text_of_model(name);
    text.replace(text.find(head), head.size(), kind);
    return read_network_config(text, name);
  };
  const ConfiguredNetwork bert =
      classifier("bert-base-uncased", "BertForMaskedLM", "BertForSequenceClassification");
  EXPECT_EQ(bert.parameters, 109'483'778);
  EXPECT_EQ(bert.sizes, "12 layers of 768, 12 heads, 2 classes");
  EXPECT_EQ(classifier("roberta-base", "RobertaForMaskedLM", "RobertaForSequenceClassification")
                .parameters,
            124'647'170);
}

TEST(NetworkConfig, has_as_many_parameters_in_the_step_that_is_priced) {
  for (const char* const name : {"qwen3-0.6b", "gpt2", "pythia-160m", "roberta-base"}) {
    const Workload workload{name, network(name).network};
    EXPECT_EQ(step_work(workload, {.batch = 1}).parameters(), published.at(name)) << name;
  }
}

TEST(NetworkConfig, a_family_that_is_named_is_the_same_network) {
  const auto flops = [](const Workload& workload) {
    return step_work(workload, {.batch = 2, .sequence = 512}).forward_flops().value;
  };
  for (const auto& [config, name] :
       std::map<std::string, std::string>{{"llama-2-7b", "llama2-7b"},
                                          {"llama-3-8b", "llama3-8b"},
                                          {"mistral-7b-v0.1", "mistral-7b"},
                                          {"mixtral-8x7b-v0.1", "mixtral-8x7b"},
                                          {"gemma-2-2b", "gemma2-2b"},
                                          {"gemma-3-1b", "gemma3-1b"},
                                          {"vit-base-patch16-224", "vit-b16"},
                                          {"bert-large-uncased", "bert-large"}}) {
    EXPECT_EQ(flops({config, network(config).network}), flops(workload_named(name))) << config;
  }
}

TEST(NetworkConfig, says_what_it_read) {
  EXPECT_EQ(network("llama-3-8b").sizes, "32 layers of 4,096, 32 heads (8 of keys and values)");
  EXPECT_EQ(network("gemma-2b").sizes,
            "18 layers of 2,048, 8 heads (1 of keys and values), one table of tokens for both "
            "ends");
  EXPECT_EQ(network("gpt2").notes, std::vector<std::string>{"no dropout"});
  EXPECT_TRUE(network("llama-3-8b").notes.empty());
  EXPECT_TRUE(network("bert-base-uncased").notes.empty());  // it drops what the file says
  EXPECT_EQ(network("qwen3-30b-a3b").sizes,
            "48 layers of 2,048, 32 heads (4 of keys and values) of 128, 8 of 128 experts");
  EXPECT_EQ(network("resnet-50").sizes, "3-4-6-3 blocks, 1000 classes");
  EXPECT_EQ(network("vit-base-patch16-224").sizes,
            "12 layers of 768, 12 heads, patches of 16 in images of 224, 1000 classes");
}

std::string refused(const std::string& text) {
  try {
    read_network_config(text, "config.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "read";
}

// The text of a model with a piece of it replaced.
std::string changed(const std::string& model, const std::string& piece, const std::string& by) {
  std::string text = text_of_model(model);
  const auto at = text.find(piece);
  if (at == std::string::npos) return "no such piece";
  return refused(text.replace(at, piece.size(), by));
}

TEST(NetworkConfig, names_a_field_that_it_does_not_know) {
  EXPECT_EQ(changed("llama-2-7b", "\"vocab_size\"", "\"num_local_experts\": 8, \"vocab_size\""),
            "config.json: field \"num_local_experts\" (8) of a llama is not known here and may "
            "change the network; take it out if it does not");
  EXPECT_EQ(changed("llama-2-7b", "\"vocab_size\"", "\"num_local_experts\": null, \"vocab_size\""),
            "read");
}

TEST(NetworkConfig, says_what_a_field_should_be) {
  EXPECT_EQ(changed("llama-2-7b", "\"hidden_size\": 4096", "\"hidden_size\": \"4096\""),
            "config.json: field \"hidden_size\" is \"4096\"; expected a whole number from 1 to "
            "262,144");
  EXPECT_EQ(changed("llama-2-7b", "\"num_hidden_layers\": 32", "\"layers\": 32"),
            "config.json: field \"num_hidden_layers\" is not there; expected a whole number from 1 "
            "to 4,096");
  for (const char* const wrong : {"0", "-4", "1e30", "18446744073709551615", "4096.5", "[4096]",
                                  "{\"a\":1}", "true", "99999999999999999999999"}) {
    const std::string told =
        changed("gpt2", "\"n_embd\": 768", std::string("\"n_embd\": ") + wrong);
    EXPECT_TRUE(told.starts_with("config.json: field \"n_embd\" is ")) << told;
  }
}

TEST(NetworkConfig, refuses_what_its_family_does_not_do) {
  EXPECT_EQ(changed("bert-base-uncased", "BertForMaskedLM", "BertForPreTraining"),
            "config.json: field \"architectures\" is [\"BertForPreTraining\"]; of a bert "
            "BertForMaskedLM or BertForSequenceClassification is emulated");
  EXPECT_EQ(changed("vit-base-patch16-224", "\"patch_size\": 16", "\"patch_size\": 15"),
            "config.json: field \"patch_size\" is 15; it does not divide an image of 224 pixels");
  EXPECT_EQ(changed("vit-base-patch16-224", "\"qkv_bias\": true", "\"qkv_bias\": false"),
            "config.json: field \"qkv_bias\" is false; expected true: nothing else is emulated");
  EXPECT_EQ(changed("llama-3-8b", "\"attention_bias\": false", "\"attention_bias\": true"),
            "config.json: field \"attention_bias\" is true; biases of attention without those of "
            "the feed-forward layer, or these alone, are not emulated");
  EXPECT_EQ(changed("gpt2", "gelu_new", "relu"),
            "config.json: field \"activation_function\" is \"relu\"; expected gelu_new or gelu or "
            "gelu_fast or gelu_pytorch_tanh: nothing else is emulated");
  EXPECT_EQ(changed("llama-2-7b", "\"num_attention_heads\": 32", "\"num_attention_heads\": 31"),
            "config.json: field \"num_attention_heads\" is 31; it does not divide the width of "
            "4096");
  EXPECT_EQ(changed("qwen3-30b-a3b", "\"norm_topk_prob\": true", "\"norm_topk_prob\": false"),
            "config.json: field \"norm_topk_prob\" is false; probabilities that sum to one among "
            "those chosen are emulated");
  EXPECT_EQ(
      changed("mixtral-8x7b-v0.1", "\"num_experts_per_tok\": 2", "\"num_experts_per_tok\": 9"),
      "config.json: field \"num_experts_per_tok\" is 9; expected a whole number from 1 to 8");
  EXPECT_EQ(changed("resnet-50", "\"relu\"", "\"gelu\""),
            "config.json: field \"hidden_act\" is \"gelu\"; expected relu: nothing else is "
            "emulated");
}

TEST(NetworkConfig, a_field_that_is_not_there_can_be_what_is_refused) {
  std::string text = text_of_model("pythia-160m");
  for (const auto& [piece, by] : {std::pair{"  \"rotary_pct\": 0.25,\n", ""},
                                  {"\"hidden_size\": 768", "\"hidden_size\": 24"}}) {
    ASSERT_NE(text.find(piece), std::string::npos) << piece;
    text.replace(text.find(piece), std::string_view(piece).size(), by);
  }
  EXPECT_TRUE(refused(text).starts_with("config.json: field \"rotary_pct\" is not there; "))
      << refused(text);
}

TEST(NetworkConfig, a_residual_network_has_as_many_blocks_as_are_compiled_in_a_second) {
  EXPECT_EQ(changed("resnet-50", "    6,", "    250,"),
            "config.json: field \"depths\" is [3,4,250,3]; 256 blocks in all are the most");
}

TEST(NetworkConfig, names_the_nearest_kind_and_all) {
  const std::string told = refused(R"({"model_type": "lama"})");
  EXPECT_EQ(told,
            "config.json: model_type \"lama\" is not known; the nearest is llama, there are llama, "
            "mistral, mixtral, qwen2, qwen3, qwen3_moe, gemma, gemma2, gemma3_text, phi3, gpt2, "
            "gpt_neox, bert, roberta, vit, resnet");
  EXPECT_EQ(refused("{}"),
            "config.json: field \"model_type\" is not there; expected a word in "
            "quotes");
}

TEST(NetworkConfig, a_row_ends_where_positions_do) {
  const auto most = [](const char* name, std::int64_t tokens) {
    const Workload workload{name, network(name).network};
    try {
      step_work(workload, {.batch = 1, .sequence = tokens});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("read");
  };
  EXPECT_EQ(most("gpt2", 1024), "read");
  EXPECT_EQ(most("gpt2", 1025),
            "gpt2 reads rows of 1,024 tokens at most, not 1,025: its table of positions ends "
            "there; choose a sequence to 1024");
  EXPECT_EQ(most("mistral-7b-v0.1", 8192), "read");  // in a window of 4,096
  EXPECT_EQ(most("roberta-base", 513).substr(0, 40), "roberta-base reads rows of 512 tokens at");
  EXPECT_EQ(most("qwen2-7b", 16384), "read");  // its window is switched off
}

TEST(NetworkConfig, says_which_layers_look_back_a_window) {
  EXPECT_EQ(network("mistral-7b-v0.1").sizes,
            "32 layers of 4,096, 32 heads (8 of keys and values), a window of 4,096 in each");
  EXPECT_EQ(network("gemma-3-1b").sizes,
            "26 layers of 1,152, 4 heads (1 of keys and values), a window of 512 in 5 of 6, one "
            "table of tokens for both ends");
  EXPECT_EQ(network("qwen2-7b").sizes.find("window"), std::string::npos);
  // Published operations of a row of 8,192: scores and values of 32 heads of 128 in 32 layers.
  const auto flops = [](const std::string& name) {
    const Workload workload{
        name, name == "mistral-7b" ? workload_named(name).network : network(name).network};
    return step_work(workload, {.batch = 1, .sequence = 8192}).forward_flops().value;
  };
  EXPECT_EQ(flops("mistral-7b") - flops("mistral-7b-v0.1"),
            std::int64_t{32} * 2 * 2 * 32 * 128 * 8192 * (8192 - 4096));
}

TEST(NetworkConfig, reads_the_pattern_of_windows_that_layers_name) {
  // The same again for all of its layers.
  const auto with_types = [](const std::string& types, int layers = 26) {
    std::string all = types;
    const auto words = std::ranges::count(types, ',') + 1;
    for (std::int64_t i = words; i < layers; i += words) all += "," + types;
    return changed("gemma-3-1b", "\"sliding_window_pattern\": 6", "\"layer_types\": [" + all + "]");
  };
  const std::string slides = "\"sliding_attention\",";
  const std::string all = "\"full_attention\"";
  EXPECT_NE(with_types(all, 25).find("it has 25 entries for 26 layers"), std::string::npos);
  EXPECT_EQ(with_types(slides + all), "read");
  EXPECT_EQ(with_types(all), "read");
  EXPECT_EQ(with_types(all + "," + slides + all).substr(0, 49),
            "config.json: field \"layer_types\" is [\"full_attent");
  EXPECT_EQ(with_types("\"chunked_attention\"").substr(0, 34),
            "config.json: field \"layer_types\" i");
  std::string pairs = slides + all;
  for (int i = 2; i < 26; i += 2) pairs += "," + slides + all;
  EXPECT_EQ(
      changed("gemma-3-1b", "\"sliding_window\": 512,", "\"layer_types\": [" + pairs + "],"),
      "config.json: field \"sliding_window\" is not there; layers of sliding_attention need a "
      "window");
  EXPECT_EQ(changed("qwen2-7b", "\"use_sliding_window\": false", "\"use_sliding_window\": true"),
            "read");  // of its 28 layers the first 28 have none
  EXPECT_TRUE(
      changed("gemma-2-2b", "\"final_logit_softcapping\": 30.0", "\"final_logit_softcapping\": -1")
          .ends_with("expected a number above 0, to 1e9"));
}

TEST(NetworkConfig, text_that_is_no_configuration_is_refused_by_line_or_field) {
  EXPECT_EQ(refused("{\n\"a\": 1,\n}").substr(0, 19), "config.json line 3:");
  EXPECT_EQ(refused("{\"model_type\": \"gpt2\", \"n_embd\": 1, \"n_embd\": 2}"),
            "config.json: field \"n_embd\" is there twice; keep the one that is meant");
  EXPECT_EQ(refused("[1, 2]"),
            "config.json: it is no object of fields; expected the JSON of a config.json");
  EXPECT_EQ(refused(std::string(1'000'000, '[')),
            "config.json: it nests deeper than 16 brackets; a config.json does not");
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "{\"a\":";
  EXPECT_EQ(refused(deep), "config.json: it nests deeper than 16 brackets; a config.json does not");
  EXPECT_EQ(refused("{\"a\":\"" + std::string(std::size_t{9} << 20, 'x') + "\"}"),
            "config.json: it has 9 MiB; a config.json has some kilobytes");
  EXPECT_EQ(refused("{\"model_type\": \"\xff\"}").substr(0, 19), "config.json line 1:");
  EXPECT_NE(refused("{\"model_type\": \"gpt2\", \"n_embd\": 1e999}"), "read");
}

TEST(NetworkConfig, a_window_that_is_said_twice_is_one_window) {
  const auto twice = [](const std::string& other) {
    return changed("gemma-2-2b", "\"sliding_window\": 4096",
                   "\"sliding_window\": 4096, \"sliding_window_size\": " + other);
  };
  EXPECT_EQ(twice("4096"), "read");
  EXPECT_NE(twice("2048").find("sliding_window_size"), std::string::npos);
}

}  // namespace
}  // namespace tpulab::network_config_test

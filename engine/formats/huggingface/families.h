// A function for each model_type: fields of its config.json -> sizes of a traced family. Published
// defaults of Transformers stand in for what is not there where they cannot be mistaken.
#pragma once

#include "engine/formats/huggingface/config_fields.h"
#include "engine/formats/huggingface/network_config.h"

namespace tpulab {

// Beyond these no network was published, and counts of parameters and bytes stay within 63 bits.
inline constexpr std::int64_t most_layers_configured = 4'096;
inline constexpr std::int64_t widest_layer = 262'144;
inline constexpr std::int64_t widest_hidden = 1'048'576;
inline constexpr std::int64_t most_heads = 4'096;
inline constexpr std::int64_t largest_vocabulary = 16'777'216;
inline constexpr std::int64_t most_positions = 16'777'216;
inline constexpr std::int64_t largest_side = 16'384;  // pixels
inline constexpr std::int64_t usual_row = 4'096;  // tokens of a longer one that nobody asked for

ConfiguredNetwork llama_network(ConfigFields& fields);
ConfiguredNetwork mistral_network(ConfigFields& fields);
ConfiguredNetwork phi3_network(ConfigFields& fields);
ConfiguredNetwork mixtral_network(ConfigFields& fields);
ConfiguredNetwork qwen2_network(ConfigFields& fields);
ConfiguredNetwork qwen3_network(ConfigFields& fields);
ConfiguredNetwork qwen3_moe_network(ConfigFields& fields);
ConfiguredNetwork gemma_network(ConfigFields& fields);
ConfiguredNetwork gemma2_network(ConfigFields& fields);
ConfiguredNetwork gemma3_network(ConfigFields& fields);
ConfiguredNetwork gpt2_network(ConfigFields& fields);
ConfiguredNetwork gpt_neox_network(ConfigFields& fields);
ConfiguredNetwork bert_network(ConfigFields& fields);
ConfiguredNetwork roberta_network(ConfigFields& fields);
ConfiguredNetwork vit_network(ConfigFields& fields);
ConfiguredNetwork resnet_network(ConfigFields& fields);

}  // namespace tpulab

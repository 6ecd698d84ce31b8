#include "engine/formats/huggingface/network_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/formats/huggingface/config_text.h"
#include "engine/formats/huggingface/families.h"

namespace tpulab {

namespace {

struct ConfiguredKind {
  std::string_view model_type;
  std::array<std::string_view, 2> heads;  // that are traced; the first where a file names none
  ConfiguredNetwork (*read)(ConfigFields& fields);
};

constexpr std::array<ConfiguredKind, 16> kinds{{
    {"llama", {"LlamaForCausalLM"}, llama_network},
    {"mistral", {"MistralForCausalLM"}, mistral_network},
    {"mixtral", {"MixtralForCausalLM"}, mixtral_network},
    {"qwen2", {"Qwen2ForCausalLM"}, qwen2_network},
    {"qwen3", {"Qwen3ForCausalLM"}, qwen3_network},
    {"qwen3_moe", {"Qwen3MoeForCausalLM"}, qwen3_moe_network},
    {"gemma", {"GemmaForCausalLM"}, gemma_network},
    {"gemma2", {"Gemma2ForCausalLM"}, gemma2_network},
    {"gemma3_text", {"Gemma3ForCausalLM"}, gemma3_network},
    {"phi3", {"Phi3ForCausalLM"}, phi3_network},
    {"gpt2", {"GPT2LMHeadModel"}, gpt2_network},
    {"gpt_neox", {"GPTNeoXForCausalLM"}, gpt_neox_network},
    {"bert", {"BertForMaskedLM", "BertForSequenceClassification"}, bert_network},
    {"roberta", {"RobertaForMaskedLM", "RobertaForSequenceClassification"}, roberta_network},
    {"vit", {"ViTForImageClassification"}, vit_network},
    {"resnet", {"ResNetForImageClassification"}, resnet_network},
}};

const ConfiguredKind& kind_named(const std::string& type, const std::string& file) {
  if (const auto* found = find_row(kinds, type, &ConfiguredKind::model_type)) return *found;
  std::vector<std::string> names;
  names.reserve(kinds.size());
  for (const ConfiguredKind& kind : kinds) names.emplace_back(kind.model_type);
  const std::string nearest = nearest_name(type, names);
  throw Error(fmt::format("{}: model_type \"{}\" is not known; {}there are {}", file, type,
                          nearest.empty() ? "" : fmt::format("the nearest is {}, ", nearest),
                          fmt::join(names, ", ")));
}

// Another head has other parameters.
void check_head(ConfigFields& fields, const ConfiguredKind& kind) {
  for (const std::string& name : fields.words("architectures")) {
    if (!name.empty() && std::ranges::find(kind.heads, name) != kind.heads.end()) continue;
    const auto [usual, other] = kind.heads;
    fields.refuse("architectures", fmt::format("of a {} {}{}{} is emulated", kind.model_type, usual,
                                               other.empty() ? "" : " or ", other));
  }
}

// Of all kinds.
void check_common(ConfigFields& fields) {
  for (const char* const name : {"is_decoder", "is_encoder_decoder", "add_cross_attention",
                                 "tie_encoder_decoder", "gradient_checkpointing"}) {
    fields.only_flag(name, false);
  }
  if (fields.entries("pruned_heads") > 0) {
    fields.refuse("pruned_heads", "layers of different heads are not emulated");
  }
}

// Sizes that do not fit together are found as they are traced.
std::int64_t counted_parameters(const TracedNetwork& network, const std::string& file) {
  try {
    return parameter_count(
        parameters_of(network.model, network.row, DType::f32, one_device, {.layers_once = true}));
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", file, error.what()));
  }
}

}  // namespace

ConfiguredNetwork read_network_config(std::string_view text, const std::string& file) {
  ConfigFields fields(parse_config(text, file), file);
  const ConfiguredKind& kind = kind_named(fields.word("model_type"), file);
  check_head(fields, kind);
  check_common(fields);
  ConfiguredNetwork network = kind.read(fields);
  fields.expect_all_known(kind.model_type);
  network.kind = kind.model_type;
  if (fields.drops_values()) network.notes.emplace_back("no dropout");
  network.parameters = counted_parameters(network.network, file);
  return network;
}

}  // namespace tpulab

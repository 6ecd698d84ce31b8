// Language models. Sources: the configuration classes of Transformers, one for each model_type.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/formats/huggingface/families.h"
#include "engine/training/models/models.h"

namespace tpulab {

namespace {

constexpr std::string_view of_table = "its table of positions ends there";

// What the kinds of one layer differ in.
struct LlamaKind {
  std::int64_t head_width = 0;  // where none is said; 0: the width over the heads
  bool input_biases = false;
  bool head_norms = false;
  bool gemma = false;
  bool says_biases = true;        // has attention_bias and mlp_bias
  bool window_by_flag = false;    // use_sliding_window says whether there is one
  std::int64_t global_every = 0;  // layers, the last without a window; 0: all have one, if any
  double score_cap = 0;           // of Gemma 2, unless the file says others
  double logit_cap = 0;
  bool outer_norms = false;
  std::string_view hidden = "intermediate_size";
  std::string_view experts{};  // the field with their number; none: one layer that all tokens take
};

void check_heads(const ConfigFields& fields, const DecoderSizes& sizes, std::string_view heads) {
  if (sizes.head_width == 0 && sizes.width % sizes.heads != 0) {
    fields.refuse(heads, fmt::format("it does not divide the width of {}", sizes.width));
  }
  if (sizes.heads % sizes.shared != 0) {
    fields.refuse(
        heads, fmt::format("it is no multiple of the {} heads of keys and values", sizes.shared));
  }
}

void read_sizes(ConfigFields& fields, DecoderSizes& sizes, std::int64_t head_width,
                std::string_view hidden = "intermediate_size") {
  sizes.layers = fields.whole("num_hidden_layers", most_layers_configured);
  sizes.width = fields.whole("hidden_size", widest_layer);
  sizes.heads = fields.whole("num_attention_heads", most_heads);
  sizes.hidden = fields.whole(hidden, widest_hidden);
  sizes.vocabulary = fields.whole("vocab_size", largest_vocabulary);
  sizes.shared = sizes.heads;
  sizes.head_width = head_width;
}

void check_activation(ConfigFields& fields, const LlamaKind& kind) {
  if (!kind.gemma) return fields.only("hidden_act", {"silu", "swish"});
  fields.only("hidden_act", {"gelu", "gelu_pytorch_tanh"});
  fields.only("hidden_activation", {"gelu", "gelu_pytorch_tanh"});
}

// Of how many layers the last alone looks at all tokens; 0: none does.
std::int64_t turn_of(const ConfigFields& fields, const std::vector<std::string>& types) {
  const auto first = std::ranges::find(types, "full_attention");
  const std::int64_t turn = first == types.end() ? 0 : first - types.begin() + 1;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const bool all = turn > 0 && (static_cast<std::int64_t>(i) + 1) % turn == 0;
    if (types[i] == (all ? "full_attention" : "sliding_attention")) continue;
    fields.refuse("layer_types",
                  "sliding_attention in every layer, in none, or in all but every Nth is emulated");
  }
  return turn;
}

void read_window(ConfigFields& fields, DecoderSizes& sizes, const LlamaKind& kind) {
  const bool used = fields.flag_or("use_sliding_window", !kind.window_by_flag);
  const std::int64_t window = fields.whole_or("sliding_window", most_positions, 0);
  // Some configurations of Gemma 2 say it twice.
  if (fields.whole_or("sliding_window_size", most_positions, window) != window) {
    fields.refuse("sliding_window_size", "it is another window than sliding_window");
  }
  const std::int64_t without = fields.whole_or("max_window_layers", most_positions, 1);
  sizes.global_every =
      fields.whole_or("sliding_window_pattern", most_layers_configured, kind.global_every);
  const std::vector<std::string> types = fields.words("layer_types");
  if (!types.empty()) {
    if (std::ssize(types) != sizes.layers) {
      fields.refuse("layer_types",
                    fmt::format("it has {} entries for {} layers", types.size(), sizes.layers));
    }
    sizes.global_every = turn_of(fields, types);
    if (sizes.global_every != 1 && window == 0) {
      fields.refuse("sliding_window", "layers of sliding_attention need a window");
    }
  } else if (used && window > 0 && kind.window_by_flag) {
    if (without < sizes.layers) {
      fields.refuse("max_window_layers", "a window in the layers behind these is not emulated");
    }
    return;
  }
  sizes.window = used ? window : 0;
  if (sizes.window == 0 || sizes.global_every == 1) sizes.window = sizes.global_every = 0;
}

// All biases of a layer or none.
void read_biases(ConfigFields& fields, DecoderSizes& sizes, const LlamaKind& kind) {
  sizes.input_biases = kind.input_biases;
  sizes.biases = sizes.head_bias = false;
  if (!kind.says_biases) return;
  const bool attention = fields.flag_or("attention_bias", false);
  if (fields.flag_or("mlp_bias", false) != attention) {
    const bool alone = attention || !fields.has("mlp_bias");
    fields.refuse(alone ? "attention_bias" : "mlp_bias",
                  "biases of attention without those of the feed-forward layer, or these alone, "
                  "are not emulated");
  }
  sizes.biases = sizes.input_biases = attention;
}

// Their probabilities sum to one among those chosen; what balances them is in the loss alone.
void read_experts(ConfigFields& fields, DecoderSizes& sizes, const LlamaKind& kind) {
  constexpr std::int64_t most_experts = 4'096;
  sizes.experts = fields.whole(kind.experts, most_experts);
  sizes.chosen = fields.whole("num_experts_per_tok", sizes.experts);
  fields.only_flag("output_router_logits", false);
  fields.ignore("router_aux_loss_coef");
}

std::string words_of(const DecoderSizes& sizes) {
  std::string text = fmt::format("{} of {}, {}", count_with(sizes.layers, "layer"),
                                 text_with_commas(sizes.width), count_with(sizes.heads, "head"));
  if (sizes.shared < sizes.heads) text += fmt::format(" ({} of keys and values)", sizes.shared);
  if (sizes.head_width * sizes.heads > sizes.width) {
    text += fmt::format(" of {}", sizes.head_width);
  }
  if (sizes.window > 0) {
    text += fmt::format(", a window of {} in ", text_with_commas(sizes.window));
    text += sizes.global_every == 0
                ? "each"
                : fmt::format("{} of {}", sizes.global_every - 1, sizes.global_every);
  }
  if (sizes.experts > 0) text += fmt::format(", {} of {} experts", sizes.chosen, sizes.experts);
  if (sizes.tied) text += ", one table of tokens for both ends";
  return text;
}

ConfiguredNetwork made(const DecoderSizes& sizes, std::int64_t tokens, std::int64_t most,
                       std::string_view because) {
  if (most > 0) tokens = std::min(tokens, most);
  ConfiguredNetwork made{.network = traced_decoder(sizes, std::min(tokens, usual_row))};
  made.network.most_tokens = most;
  made.network.most_because = because;
  made.sizes = words_of(sizes);
  return made;
}

ConfiguredNetwork llama_like(ConfigFields& fields, const LlamaKind& kind) {
  DecoderSizes sizes{.gated = true, .rms = true};
  read_sizes(fields, sizes, kind.head_width, kind.hidden);
  sizes.shared = fields.whole_or("num_key_value_heads", most_heads, sizes.heads);
  sizes.head_width = fields.whole_or("head_dim", widest_layer / 16, kind.head_width);
  check_heads(fields, sizes, "num_attention_heads");
  check_activation(fields, kind);
  read_biases(fields, sizes, kind);
  if (!kind.experts.empty()) read_experts(fields, sizes, kind);
  fields.only_flag("rope_interleaved", false);
  fields.none_inside("rope_parameters", "partial_rotary_factor");
  fields.none_inside("rope_scaling", "partial_rotary_factor");
  sizes.tied = fields.flag_or("tie_word_embeddings", kind.gemma);
  sizes.head_norms = kind.head_norms;
  sizes.gelu_gate = sizes.scaled_tokens = kind.gemma;
  sizes.outer_norms = kind.outer_norms;
  if (kind.outer_norms) {
    sizes.score_cap = fields.size_or("attn_logit_softcapping", kind.score_cap);
    sizes.logit_cap = fields.size_or("final_logit_softcapping", kind.logit_cap);
  }
  read_window(fields, sizes, kind);
  return made(sizes, fields.whole_or("max_position_embeddings", most_positions, 2'048), 0, {});
}

}  // namespace

ConfiguredNetwork llama_network(ConfigFields& fields) { return llama_like(fields, {}); }

// Its checkpoint joins queries, keys and values, and gate and up: the same parameters.
ConfiguredNetwork phi3_network(ConfigFields& fields) {
  if (fields.share_or("partial_rotary_factor", 1) != 1) {
    fields.refuse("partial_rotary_factor", "heads that are rotated as a whole are emulated");
  }
  fields.ignore("original_max_position_embeddings");
  ConfiguredNetwork made = llama_like(fields, {});
  made.notes.emplace_back("joined products of a layer as five");
  return made;
}

ConfiguredNetwork mistral_network(ConfigFields& fields) {
  return llama_like(fields, {.says_biases = false});
}

ConfiguredNetwork mixtral_network(ConfigFields& fields) {
  if (fields.share_or("router_jitter_noise", 0) > 0) {
    fields.refuse("router_jitter_noise", "noise before the router is not emulated");
  }
  return llama_like(fields, {.says_biases = false, .experts = "num_local_experts"});
}

ConfiguredNetwork qwen2_network(ConfigFields& fields) {
  fields.only_flag("use_mrope", false);
  return llama_like(fields, {.input_biases = true, .says_biases = false, .window_by_flag = true});
}

ConfiguredNetwork qwen3_network(ConfigFields& fields) {
  fields.only_flag("attention_bias", false);
  return llama_like(
      fields,
      {.head_width = 128, .head_norms = true, .says_biases = false, .window_by_flag = true});
}

// Of its experts; no layer is a plain one.
ConfiguredNetwork qwen3_moe_network(ConfigFields& fields) {
  fields.only_flag("attention_bias", false);
  fields.ignore("intermediate_size");  // of plain layers
  if (!fields.flag_or("norm_topk_prob", false)) {
    fields.refuse("norm_topk_prob",
                  "probabilities that sum to one among those chosen are emulated");
  }
  if (fields.whole_or("decoder_sparse_step", most_layers_configured, 1) != 1) {
    fields.refuse("decoder_sparse_step", "experts in each layer are emulated");
  }
  if (fields.entries("mlp_only_layers") > 0) {
    fields.refuse("mlp_only_layers", "experts in each layer are emulated");
  }
  return llama_like(fields, {.head_width = 128,
                             .head_norms = true,
                             .says_biases = false,
                             .window_by_flag = true,
                             .hidden = "moe_intermediate_size",
                             .experts = "num_experts"});
}

ConfiguredNetwork gemma_network(ConfigFields& fields) {
  return llama_like(fields, {.head_width = 256, .gemma = true});
}

ConfiguredNetwork gemma2_network(ConfigFields& fields) {
  fields.only_flag("use_bidirectional_attention", false);
  return llama_like(fields, {.head_width = 256,
                             .gemma = true,
                             .global_every = 2,
                             .score_cap = 50,
                             .logit_cap = 30,
                             .outer_norms = true});
}

// Its text alone: a "gemma3" sees images too.
ConfiguredNetwork gemma3_network(ConfigFields& fields) {
  fields.only_flag("use_bidirectional_attention", false);
  return llama_like(fields, {.head_width = 256,
                             .head_norms = true,
                             .gemma = true,
                             .global_every = 6,
                             .outer_norms = true});
}

ConfiguredNetwork gpt2_network(ConfigFields& fields) {
  DecoderSizes sizes{.tied = true, .input_biases = true, .head_bias = false};
  sizes.layers = fields.whole("n_layer", most_layers_configured);
  sizes.width = fields.whole("n_embd", widest_layer);
  sizes.heads = sizes.shared = fields.whole("n_head", most_heads);
  sizes.hidden = fields.whole_or("n_inner", widest_hidden, 4 * sizes.width);
  sizes.vocabulary = fields.whole("vocab_size", largest_vocabulary);
  sizes.positions = fields.whole("n_positions", most_positions);
  check_heads(fields, sizes, "n_head");
  sizes.tied = fields.flag_or("tie_word_embeddings", true);
  fields.only("activation_function", {"gelu_new", "gelu", "gelu_fast", "gelu_pytorch_tanh"});
  fields.only_flag("scale_attn_weights", true);
  fields.only_flag("scale_attn_by_inverse_layer_idx", false);
  fields.only_flag("reorder_and_upcast_attn", false);
  for (const char* const of_other_heads :
       {"summary_activation", "summary_type", "summary_proj_to_labels", "summary_use_proj"}) {
    fields.ignore(of_other_heads);
  }
  return made(sizes, sizes.positions, sizes.positions, of_table);
}

ConfiguredNetwork gpt_neox_network(ConfigFields& fields) {
  DecoderSizes sizes{.input_biases = true, .head_bias = false};
  read_sizes(fields, sizes, 0);
  check_heads(fields, sizes, "num_attention_heads");
  const std::int64_t head = sizes.width / sizes.heads;
  sizes.rotated =
      std::llround(std::floor(fields.share_or("rotary_pct", 0.25) * static_cast<double>(head)));
  if (sizes.rotated < 2 || sizes.rotated % 2 != 0) {
    fields.refuse("rotary_pct", fmt::format("of heads of {} that leaves no pairs to turn", head));
  }
  sizes.parallel = fields.flag_or("use_parallel_residual", true);
  sizes.tied = fields.flag_or("tie_word_embeddings", false);
  fields.only_flag("attention_bias", true);
  fields.only("hidden_act", {"gelu", "gelu_new", "gelu_fast", "gelu_pytorch_tanh"});
  return made(sizes, fields.whole_or("max_position_embeddings", most_positions, 2'048), 0, {});
}

}  // namespace tpulab

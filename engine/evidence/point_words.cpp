#include "engine/evidence/point_words.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "engine/base/text.h"

namespace tpulab {

namespace {

struct Spelling {
  std::string_view name;
  std::string_view others;
};

constexpr std::array<ShapeKey, 4> gemm_keys{
    {{"batch", "b", 1}, {"m", "rows"}, {"k", "inner depth contraction"}, {"n", "columns cols"}}};
constexpr std::array<ShapeKey, 8> conv_keys{
    {{"batch", "b n"},
     {"height", "h in_height input_height image image_size side size"},
     {"width", "w in_width input_width image image_size side size"},
     {"inputs", "in_channels input_channels channels_in cin c_in ic c channels"},
     {"outputs", "out_channels output_channels channels_out cout c_out oc filters features"},
     {"window", "kernel_size ksize kernel_width filter filter_size kw r kernel_side"},
     {"stride", "strides stride_h", 1},
     {"padding", "pad pads", -1}}};
constexpr std::array<ShapeKey, 3> row_keys{
    {{"batch", "b", 1},
     {"rows", "m tokens sequence seq seq_len"},
     {"width", "n columns cols hidden hidden_size features d dim d_model normalized_shape"}}};
constexpr std::array<ShapeKey, 8> attention_keys{
    {{"batch", "b", 1},
     {"heads", "h num_heads n_heads nheads hq q_heads query_heads"},
     {"key_value_heads", "kv_heads num_kv_heads n_kv_heads hkv", -1},
     {"sequence", "s seq seq_len sequence_length length l kv_len keys kv_sequence"},
     {"queries", "q_len query_len sq", -1},
     {"width", "d head_dim d_head head_width dim d_k head_size"},
     {"causal", "is_causal", -1},
     {"padded_width", "d_pad", -1}}};
constexpr std::array<ShapeKey, 5> encoder_keys{
    {{"batch", "b", 1},
     {"sequence", "s seq seq_len sequence_length tokens length"},
     {"width", "d d_model hidden hidden_size dim"},
     {"heads", "h num_heads n_heads nheads"},
     {"hidden", "ffn d_ff ff intermediate_size mlp_dim", -1}}};
constexpr std::array<ShapeKey, 1> network_keys{{{"batch", "b"}}};
constexpr std::array<ShapeKey, 1> collective_keys{{{"bytes", "size size_bytes payload"}}};

constexpr std::array<KernelKind, 11> kinds{{
    {"gemm", "matmul mm dot bmm batch_matmul dense linear", gemm_keys, "m k n"},
    {"conv", "conv2d convolution conv_2d convolution2d", conv_keys, ""},
    {"softmax", "soft_max", row_keys, "rows width"},
    {"layernorm", "layer_norm layer_normalization ln", row_keys, "rows width"},
    {"attention", "sdpa self_attention flash_attention multi_head_attention mha", attention_keys,
     "batch heads sequence width"},
    {"encoder", "encoder_block transformer_block encoder_layer bert_layer transformer_encoder",
     encoder_keys, "sequence width"},
    {"resnet18", "resnet_18 resnet18_forward resnet18_inference", network_keys, "batch"},
    {"resnet50", "resnet_50 resnet50_forward resnet50_inference", network_keys, "batch"},
    {"all_reduce", "allreduce psum", collective_keys, "bytes"},
    {"all_gather", "allgather", collective_keys, "bytes"},
    {"reduce_scatter", "reducescatter psum_scatter", collective_keys, "bytes"},
}};

constexpr std::array<Spelling, 15> keys{{
    {"value", "measured measured_value"},
    {"kernel", "op kernel_name"},
    {"model", "network model_name"},
    {"hardware", "slice tpu accelerator"},
    {"stack", "framework software"},
    {"source", "src reference"},
    {"noise", "relative_noise uncertainty"},
    {"unit", "units"},
    {"kind", "class"},
    {"batch", "global_batch batch_global batch_size global_batch_size gbs"},
    {"sequence", "seq seq_len sequence_length seqlen max_target_length"},
    {"image", "image_size resolution"},
    {"rows", "samples_per_epoch epoch_samples dataset_size epoch_size"},
    {"tensor", "tensor_parallel tp model_parallel"},
    {"quant", "quantization quantisation"},
}};

constexpr std::array<Spelling, 3> stacks{{
    {"jax", "flax maxtext jit pax paxml praxis t5x xla jax_flax haiku"},
    {"tensorflow", "tf tf1 tf2 tensorflow1 tensorflow2 keras tf_estimator"},
    {"pytorch-xla", "pytorch_xla torch_xla torchxla pytorch torch ptxla pytorch/xla lightning"},
}};

constexpr std::array<Spelling, 3> precisions{{
    {"f32", "fp32 float32 32_true 32 float"},
    {"bf16", "bfloat16 bf16_mixed mixed_bfloat16 mixed mixed_bf16 bf16/f32"},
    {"bf16-true", "bf16_true pure_bf16"},
}};

constexpr std::array<Spelling, 6> remats{{
    {"none", "no off false 0"},
    {"minimal", "save_dots dots selective minimal_flash"},
    {"narrow", "save_dot_except_mlpwi"},
    {"full", "yes on true 1 all everything"},
    {"offload", "offloaded host_offload decoder_layer_input_offload"},
    {"minimal-offload", "minimal_offloaded minimal_offload"},
}};

constexpr std::array<Spelling, 2> quants{{
    {"none", "no off false bf16 0"},
    {"int8", "i8 aqt aqt_int8 int8_training"},
}};

constexpr std::array<Spelling, 5> optimizers{{
    {"auto", "usual"},
    {"sgd", "momentum lars"},
    {"adam", ""},
    {"adamw", "adam_w"},
    {"lamb", ""},
}};

constexpr std::array<Spelling, 2> efforts{{
    {"tuned", "recipe vendor mlperf optimized optimised"},
    {"ordinary", "untuned example examples default"},
}};

template <std::size_t Count>
std::optional<std::string> found(std::string_view typed, const std::array<Spelling, Count>& rows) {
  const std::string word = plain_word(typed);
  for (const auto& [name, others] : rows) {
    if (word == plain_word(name) || is_word(word, name, others)) return std::string(name);
  }
  return std::nullopt;
}

// Read by name elsewhere in this room, or free words of people.
constexpr std::string_view other_keys =
    "id precision remat effort optimizer year cores chips shape shapes type name points point data "
    "fsdp expert context block height width queries heads key_value_heads scoped_vmem_mib "
    "norm_cores loss_pieces narrow_state late_percent late_sequence eval_every eval_rows epochs "
    "note notes comment comments weight weights";

void add_words(std::string_view words, std::vector<std::string>& all) {
  for (std::string& word : split(words, ' ')) all.push_back(std::move(word));
}

std::vector<std::string> known_keys() {
  std::vector<std::string> all;
  add_words(other_keys, all);
  for (const auto& [name, others] : keys) {
    all.emplace_back(name);
    add_words(others, all);
  }
  for (const KernelKind& kind : kinds) {
    for (const ShapeKey& key : kind.keys) {
      all.emplace_back(key.name);
      add_words(key.others, all);
    }
  }
  return all;
}

}  // namespace

std::string plain_word(std::string_view typed) {
  std::string word = lowered(typed);
  std::ranges::replace_if(
      word, [](char letter) { return letter == '-' || letter == ' '; }, '_');
  return word;
}

std::vector<std::string_view> words_of(std::string_view name, std::string_view others) {
  std::vector<std::string_view> words = words_in(others);
  words.insert(words.begin(), name);
  return words;
}

bool is_word(std::string_view word, std::string_view name, std::string_view others) {
  return word == name || has_word(others, word);
}

const KernelKind* kernel_kind(std::string_view typed) {
  const std::string word = plain_word(typed);
  return find_row(kinds, true,
                  [&](const KernelKind& kind) { return is_word(word, kind.name, kind.others); });
}

std::string key_word(std::string_view typed) {
  return found(typed, keys).value_or(plain_word(typed));
}
std::string nearly_key(const std::string& key) {
  constexpr std::size_t too_short_to_tell = 5;
  static const std::vector<std::string> known = known_keys();
  const bool is_known = std::ranges::find(known, key) != known.end();
  return is_known || key.size() < too_short_to_tell ? std::string() : nearest_name(key, known);
}
std::string stack_word(std::string_view typed) {
  return found(typed, stacks).value_or(std::string(typed));
}
std::optional<std::string> precision_word(std::string_view typed) {
  return found(typed, precisions);
}
std::optional<std::string> remat_word(std::string_view typed) { return found(typed, remats); }
std::optional<std::string> quant_word(std::string_view typed) { return found(typed, quants); }
std::optional<std::string> effort_word(std::string_view typed) { return found(typed, efforts); }
std::optional<std::string> optimizer_word(std::string_view typed) {
  return found(typed, optimizers);
}

}  // namespace tpulab

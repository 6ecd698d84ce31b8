// BERT's kind, with its masked-language head or as it classifies rows, and networks for images.
// Sources: the configuration classes of
// Transformers, one for each model_type.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "engine/base/text.h"
#include "engine/formats/huggingface/families.h"
#include "engine/training/models/models.h"

namespace tpulab {

namespace {

// Two where nothing is said, as in Transformers.
std::int64_t classes_of(ConfigFields& fields) {
  const std::int64_t named = fields.entries("id2label");
  return named > 0 ? named : fields.whole_or("num_labels", largest_vocabulary, 2);
}

void check_heads(const ConfigFields& fields, std::int64_t width, std::int64_t heads) {
  if (width % heads == 0) return;
  fields.refuse("num_attention_heads", fmt::format("it does not divide the width of {}", width));
}

bool classifies(ConfigFields& fields) {
  const std::vector<std::string> heads = fields.words("architectures");
  return !heads.empty() && heads.front().ends_with("ForSequenceClassification");
}

// The network has one rate for all that it drops: of two, neither is taken.
std::optional<double> dropped_share(ConfigFields& fields) {
  constexpr double usual = 0.1;  // Transformers' BertConfig
  const double share = fields.share_or("hidden_dropout_prob", usual);
  if (share != fields.share_or("attention_probs_dropout_prob", usual)) return std::nullopt;
  if (share >= 1) fields.refuse("hidden_dropout_prob", "nothing would be left");
  return share;
}

// `unread`: rows of the table of positions that no token has.
ConfiguredNetwork masked_encoder(ConfigFields& fields, std::int64_t unread) {
  EncoderSizes sizes;
  sizes.layers = fields.whole("num_hidden_layers", most_layers_configured);
  sizes.width = fields.whole("hidden_size", widest_layer);
  sizes.heads = fields.whole("num_attention_heads", most_heads);
  sizes.hidden = fields.whole("intermediate_size", widest_hidden);
  sizes.vocabulary = fields.whole("vocab_size", largest_vocabulary);
  sizes.positions = fields.whole("max_position_embeddings", most_positions);
  sizes.segments = fields.whole("type_vocab_size", most_positions);
  check_heads(fields, sizes.width, sizes.heads);
  const std::int64_t most = sizes.positions - unread;
  if (most < 1) fields.refuse("max_position_embeddings", "it leaves no token a position");
  fields.only("hidden_act", {"gelu", "gelu_new", "gelu_fast", "gelu_pytorch_tanh"});
  fields.only("position_embedding_type", {"absolute"});
  fields.only_flag("tie_word_embeddings", true);
  const std::optional<double> dropped = dropped_share(fields);
  sizes.dropout = dropped.value_or(0);
  for (const char* const pooler : {"pooler_fc_size", "pooler_num_attention_heads",
                                   "pooler_num_fc_layers", "pooler_size_per_head", "pooler_type"}) {
    fields.ignore(pooler);  // of heads that this one is not
  }
  const std::int64_t tokens = std::min(most, usual_row);
  const std::int64_t classes = classifies(fields) ? classes_of(fields) : 0;
  ConfiguredNetwork made{.network = classes > 0 ? traced_classifier(sizes, classes, tokens)
                                                : traced_encoder(sizes, tokens)};
  if (!dropped) made.notes.emplace_back("no dropout");
  made.network.most_tokens = most;
  made.network.most_because = "its table of positions ends there";
  made.sizes =
      fmt::format("{} of {}, {}, {}", count_with(sizes.layers, "layer"),
                  text_with_commas(sizes.width), count_with(sizes.heads, "head"),
                  classes > 0 ? fmt::format("{} classes", classes) : "a masked-language head");
  return made;
}

}  // namespace

ConfiguredNetwork bert_network(ConfigFields& fields) { return masked_encoder(fields, 0); }

// Its positions are counted behind the padding token's.
ConfiguredNetwork roberta_network(ConfigFields& fields) { return masked_encoder(fields, 2); }

ConfiguredNetwork vit_network(ConfigFields& fields) {
  VisionSizes sizes;
  sizes.layers = fields.whole("num_hidden_layers", most_layers_configured);
  sizes.width = fields.whole("hidden_size", widest_layer);
  sizes.heads = fields.whole("num_attention_heads", most_heads);
  sizes.hidden = fields.whole("intermediate_size", widest_hidden);
  check_heads(fields, sizes.width, sizes.heads);
  const std::int64_t side = fields.whole_or("image_size", largest_side, 224);
  sizes.patch = fields.whole_or("patch_size", largest_side, 16);
  if (side % sizes.patch != 0) {
    fields.refuse("patch_size", fmt::format("it does not divide an image of {} pixels", side));
  }
  fields.only("hidden_act", {"gelu", "gelu_new", "gelu_fast", "gelu_pytorch_tanh"});
  fields.only_flag("qkv_bias", true);
  for (const char* const other : {"encoder_stride", "pooler_act", "pooler_output_size"}) {
    fields.ignore(other);  // of heads that this one is not
  }
  const Example row{.row = {side, side, fields.whole_or("num_channels", 1'024, 3)},
                    .classes = classes_of(fields)};
  ConfiguredNetwork made{
      .network = {.model = vision_transformer(sizes), .row = row, .family = "ViT"}};
  made.sizes = fmt::format("{} of {}, {}, patches of {} in images of {}, {} classes",
                           count_with(sizes.layers, "layer"), text_with_commas(sizes.width),
                           count_with(sizes.heads, "head"), sizes.patch, side, row.classes);
  return made;
}

ConfiguredNetwork resnet_network(ConfigFields& fields) {
  constexpr std::int64_t most_blocks = 256;  // written out one by one, compiled in a second
  ResidualSizes sizes{.blocks = fields.wholes("depths", most_blocks),
                      .width = fields.whole("embedding_size", 4'096),
                      .bottlenecks = fields.word_or("layer_type", "bottleneck") == "bottleneck"};
  fields.only("layer_type", {"bottleneck", "basic"});
  fields.only("hidden_act", {"relu"});
  fields.only_flag("downsample_in_first_stage", false);
  fields.only_flag("downsample_in_bottleneck", false);
  fields.ignore("out_features");
  fields.ignore("out_indices");
  fields.ignore("stage_names");
  if (std::accumulate(sizes.blocks.begin(), sizes.blocks.end(), std::int64_t{0}) > most_blocks) {
    fields.refuse("depths", fmt::format("{} blocks in all are the most", most_blocks));
  }
  std::int64_t expected = sizes.width * (sizes.bottlenecks ? 4 : 1);
  const std::vector<std::int64_t> widths = fields.wholes("hidden_sizes", widest_layer);
  bool doubles = widths.size() == sizes.blocks.size();
  for (std::size_t i = 0; doubles && i < widths.size(); ++i) {
    doubles = widths[i] == expected;
    expected *= 2;
  }
  if (!doubles) {
    fields.refuse("hidden_sizes",
                  fmt::format("a stage for each of depths is emulated whose width is {} and "
                              "doubles with each",
                              sizes.width * (sizes.bottlenecks ? 4 : 1)));
  }
  const std::int64_t classes = classes_of(fields);
  const Example photograph{.row = {224, 224, fields.whole_or("num_channels", 1'024, 3)},
                           .classes = classes};
  const std::string stages = fmt::format("{}", fmt::join(sizes.blocks, "-"));
  const std::string name = fmt::format("resnet {} x {}{}", stages, sizes.width,
                                       sizes.bottlenecks ? ", bottlenecks" : "");
  ConfiguredNetwork made{.network = {.model = resnet(name, sizes), .row = photograph}};
  made.sizes = fmt::format("{} blocks, {}", stages, fmt::format("{} classes", classes));
  return made;
}

}  // namespace tpulab

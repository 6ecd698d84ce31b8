// Named networks, and the sizes behind the names.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/training/models/models.h"
#include "engine/training/networks/networks.h"

// Sources: BERT arXiv 1810.04805; ResNet v1.5 github.com/NVIDIA/DeepLearningExamples; Transformer
// (big) arXiv 1706.03762 with MLPerf's vocabulary; ViT arXiv 2010.11929; Stable Diffusion
// github.com/AI-Hypercomputer/maxdiffusion, its U-Net; GNMT, SSD and U-Net 3D
// github.com/mlcommons/training;
// GPT-3 arXiv 2005.14165; Llama 2 arXiv 2307.09288; Llama 3 arXiv 2407.21783; Mixtral arXiv
// 2401.04088; DeepSeek-V3 arXiv 2412.19437 (without the module that predicts a second token); Gemma
// 2 arXiv 2408.00118, Gemma 3 arXiv 2503.19786 (its text alone); MaxText
// github.com/AI-Hypercomputer/maxtext, MaxText/configs. Rows of data: ImageNet arXiv 1409.0575;
// MNIST yann.lecun.com/exdb/mnist; COCO cocodataset.org.

namespace tpulab {

namespace {

struct Named {
  std::string_view name;
  TracedNetwork network;
};

constexpr PublishedData imagenet{"ImageNet-1k", 1'281'167, 50'000};
constexpr PublishedData coco{"COCO 2017", 118'287, 5'000};
constexpr PublishedData kits19{"KiTS19", 168, 42};
constexpr PublishedData mnist{"MNIST", 60'000, 10'000};

// What the maps of SSD's smallest sizes need.
Example scene_of(Example row, std::int64_t side) {
  constexpr std::int64_t least = 257;
  if (side < least) {
    throw Error(
        fmt::format("SSD's last maps need images of {} pixels at least, not {}; choose a "
                    "larger image",
                    least, side));
  }
  const DetectorSizes sizes = ssd_sizes();
  const auto half = [](std::int64_t extent) { return (extent + 1) / 2; };
  std::int64_t extent = half(half(half(side)));
  std::int64_t boxes = sizes.boxes[0] * extent * extent;
  for (std::size_t map = 0; map < sizes.further.size(); ++map) {
    extent = sizes.further[map].strides ? half(extent) : extent - 2;
    boxes += sizes.boxes[map + 1] * extent * extent;
  }
  row.row = {side, side, 3};
  row.labels = boxes * labels_of_a_box;
  return row;
}

// The maps of Mask R-CNN's pyramid are halved so often.
Example regions_of(Example row, std::int64_t height, std::int64_t width) {
  constexpr std::int64_t halved = 64;
  if (height % halved != 0 || width % halved != 0) {
    throw Error(
        fmt::format("Mask R-CNN halves each side six times, which {} does not allow; choose "
                    "a multiple of {} as image",
                    height, halved));
  }
  row.row = {height, width, 3};
  row.labels = RegionLabels(mask_rcnn_sizes(), height, width).all;
  return row;
}

// Its sides are halved so often.
Example volume_of(Example row, std::int64_t side) {
  constexpr std::int64_t halved = 32;
  if (side % halved != 0) {
    throw Error(
        fmt::format("U-Net 3D halves each side five times, which {} does not allow; choose "
                    "a multiple of {} as image",
                    side, halved));
  }
  row.row = {side, side, side, 1};
  row.labels = side * side * side;
  return row;
}

std::vector<Named> image_models() {
  const Example photograph{.row = {224, 224, 3}, .classes = 1000};
  const Example digit{.row = {28, 28, 1}, .classes = 10};
  std::vector<Named> rows{
      {"mnist-cnn", {.model = *trained_model("mnist-cnn", {}), .row = digit, .data = &mnist}}};
  for (const char* name : {"resnet18", "resnet34", "resnet50", "resnet101", "resnet152"}) {
    rows.push_back(
        {name, {.model = *trained_model(name, {}), .row = photograph, .data = &imagenet}});
  }
  // At the resolution of the smallest that were published [arXiv 2103.07579, table 7].
  const Example smaller{.row = {160, 160, 3}, .classes = 1000};
  for (const char* name : {"resnet-rs-50", "resnet-rs-101"}) {
    rows.push_back({name, {.model = *trained_model(name, {}), .row = smaller, .data = &imagenet}});
  }
  rows.push_back({"ssd",
                  {.model = detector("ssd", ssd_sizes()),
                   .row = scene_of({.row = {}, .classes = 81}, 300),
                   .of_pixels = scene_of,
                   .data = &coco}});
  rows.push_back(
      {"mask-rcnn",
       {.model = region_detector("mask-rcnn", mask_rcnn_sizes()),
        .row = regions_of({.row = {}, .classes = 91}, 832, 1344),
        .of_pixels = [](Example row, std::int64_t side) { return regions_of(row, side, side); },
        .data = &coco}});
  rows.push_back({"unet3d",
                  {.model = segmenter("unet3d", {32, 64, 128, 256, 320}),
                   .row = volume_of({.row = {}, .classes = 3}, 128),
                   .of_pixels = volume_of,
                   .data = &kits19}});
  const auto of_patches = [&](std::string_view name, Model model) {
    rows.push_back(
        {name, {.model = std::move(model), .row = photograph, .family = "ViT", .data = &imagenet}});
  };
  of_patches("vit-b16", vision_transformer({16, 12, 768, 12, 3072}));
  of_patches("vit-b32", vision_transformer({32, 12, 768, 12, 3072}));
  of_patches("vit-l16", vision_transformer({16, 24, 1024, 16, 4096}));
  of_patches("vit-s16", vision_transformer({16, 12, 384, 6, 1536}));
  of_patches("mlp-mixer-s16", mlp_mixer({16, 8, 512, 256, 2048}));
  of_patches("mlp-mixer-b16", mlp_mixer({16, 12, 768, 384, 3072}));
  of_patches("mlp-mixer-l16", mlp_mixer({16, 24, 1024, 512, 4096}));
  return rows;
}

Example masked_row(Example row, std::int64_t tokens) {
  // 76 of 512 and 20 of 128 tokens are predicted [BERT's max_predictions_per_seq].
  row.row = {tokens};
  row.labels = std::min<std::int64_t>(tokens, tokens >= 512 ? 76 : 20);
  return row;
}
Example pair_of_rows(Example row, std::int64_t tokens) {
  row.row = {2, tokens};
  row.labels = tokens;
  return row;
}
Example row_of_tokens(Example row, std::int64_t tokens) {
  row.row = {tokens};
  row.labels = tokens;
  return row;
}

Example classified_row(Example row, std::int64_t tokens) {
  row.row = {tokens};
  return row;
}
TracedNetwork traced_translator(const TranslatorSizes& sizes, std::int64_t tokens) {
  const Example row{.row = {}, .dtype = DType::s32, .classes = sizes.vocabulary};
  return {.model = translator(sizes),
          .row = pair_of_rows(row, tokens),
          .family = "translation",
          .of_tokens = pair_of_rows};
}

// The 32,000 pairs of bytes of MLPerf's vocabulary, as many as are a multiple of eight.
TracedNetwork traced_recurrence(const RecurrentSizes& sizes, std::int64_t tokens) {
  const Example row{.row = {}, .dtype = DType::s32, .classes = 32320};
  return {.model = recurrent_translator(sizes),
          .row = pair_of_rows(row, tokens),
          .family = "translation",
          .of_tokens = pair_of_rows,
          .pieces = true};
}

// Moments of latents and a text, as MaxDiffusion reads them, encoded beforehand.
TracedNetwork traced_diffusion(std::string name, const DiffusionSizes& sizes) {
  const std::int64_t numbers =
      2 * sizes.latents * sizes.side * sizes.side + sizes.tokens * sizes.text_width;
  return {.model = diffusion(std::move(name), sizes),
          .row = {.row = {numbers}, .classes = 1},
          .family = "diffusion"};
}

std::vector<Named> encoders() {
  constexpr double published = 0.1;  // of each, in the papers and in MLPerf
  const EncoderSizes base{12, 768, 12, 3072, 30522, 512, 2, published};
  const EncoderSizes large{24, 1024, 16, 4096, 30522, 512, 2, published};
  EncoderSizes roberta = base;
  roberta.vocabulary = 50265;
  return {{"bert-base", traced_encoder(base, 128)},
          {"bert-large", traced_encoder(large, 512)},
          {"stable-diffusion-1", traced_diffusion("stable-diffusion-1", {.text_width = 768})},
          {"stable-diffusion-2", traced_diffusion("stable-diffusion-2", {.head_width = 64})},
          {"roberta-base", traced_encoder(roberta, 128)},
          {"bert-base-glue", traced_classifier(base, 2, 128)},
          {"bert-large-glue", traced_classifier(large, 2, 128)},
          {"gnmt", traced_recurrence({.dropout = 0.2}, 32)},
          {"gnmt-2018", traced_recurrence({.dropout = 0.2, .within = true}, 32)},
          {"mlperf-transformer", traced_translator({.dropout = published}, 80)}};
}

// Llama's kind of layer.
TracedNetwork llama(DecoderSizes sizes, std::int64_t tokens) {
  sizes.rms = true;
  sizes.biases = false;
  return traced_decoder(sizes, tokens);
}

TracedNetwork mixtral(DecoderSizes sizes) {
  sizes.experts = 8;
  sizes.chosen = 2;
  return llama(sizes, 8192);
}

// Every second layer looks at all tokens, or every sixth.
TracedNetwork gemma(DecoderSizes sizes, bool second) {
  sizes.gated = sizes.tied = sizes.gelu_gate = sizes.scaled_tokens = sizes.outer_norms = true;
  sizes.vocabulary = second ? 256000 : 262144;
  sizes.global_every = second ? 2 : 6;
  sizes.head_norms = !second;
  if (second) {
    sizes.window = 4096;
    sizes.score_cap = 50;
    sizes.logit_cap = 30;
  } else if (sizes.window == 0) {
    sizes.window = 1024;
  }
  return llama(sizes, 8192);
}

constexpr DecoderSizes deepseek_v3{.layers = 61,
                                   .width = 7168,
                                   .heads = 128,
                                   .shared = 128,
                                   .hidden = 2048,
                                   .gated = true,
                                   .vocabulary = 129280,
                                   .experts = 256,
                                   .chosen = 8,
                                   .shared_hidden = 2048,
                                   .dense_layers = 3,
                                   .dense_hidden = 18432,
                                   .latent = {1536, 512, 128, 64, 128}};

// Layers, width, heads, those of keys and values and their width, hidden width, gated, vocabulary,
// tied.
std::vector<Named> decoders() {
  const DecoderSizes gpt3{96, 12288, 96, 96, 128, 49152, false, 50304, true};
  TracedNetwork learned = traced_decoder(gpt3, 2048);
  learned.positions = 2048;  // [arXiv 2005.14165, n_ctx]
  return {
      {"gpt3-175b", learned},
      {"gpt-j-6b", llama({28, 4096, 16, 16, 256, 16384, false, 50400, false}, 2048)},
      {"llama2-7b", llama({32, 4096, 32, 32, 128, 11008, true, 32000, false}, 4096)},
      {"llama2-13b", llama({40, 5120, 40, 40, 128, 13824, true, 32000, false}, 4096)},
      {"llama2-70b", llama({80, 8192, 64, 8, 128, 28672, true, 32000, false}, 4096)},
      {"llama3-8b", llama({32, 4096, 32, 8, 128, 14336, true, 128256, false}, 8192)},
      {"llama3-70b", llama({80, 8192, 64, 8, 128, 28672, true, 128256, false}, 8192)},
      {"llama3-405b", llama({126, 16384, 128, 8, 128, 53248, true, 128256, false}, 8192)},
      {"mistral-7b", llama({32, 4096, 32, 8, 128, 14336, true, 32000, false}, 8192)},
      {"mixtral-8x7b", mixtral({32, 4096, 32, 8, 128, 14336, true, 32000, false})},
      {"mixtral-8x22b", mixtral({56, 6144, 48, 8, 128, 16384, true, 32768, false})},
      {"gemma2-2b", gemma({26, 2304, 8, 4, 256, 9216}, true)},
      {"gemma2-9b", gemma({42, 3584, 16, 8, 256, 14336}, true)},
      {"gemma2-27b", gemma({46, 4608, 32, 16, 128, 36864}, true)},
      {"gemma3-1b", gemma({.layers = 26,
                           .width = 1152,
                           .heads = 4,
                           .shared = 1,
                           .head_width = 256,
                           .hidden = 6912,
                           .window = 512},
                          false)},
      {"gemma3-4b", gemma({34, 2560, 8, 4, 256, 10240}, false)},
      {"gemma3-12b", gemma({48, 3840, 16, 8, 256, 15360}, false)},
      {"gemma3-27b", gemma({62, 5376, 32, 16, 128, 21504}, false)},
      {"deepseek-v3", llama(deepseek_v3, 4096)},
      {"palm-540b", llama({118, 18432, 48, 1, 256, 73728, true, 256000, true}, 2048)},
      {"transformer-lm", llama({6, 512, 8, 8, 64, 2048, false, 30000, false}, 128)},
      // MaxText's configurations v4/22b and v4/52b.
      {"lm-22b", llama({48, 6144, 24, 24, 256, 24576, false, 32000, true}, 2048)},
      {"lm-52b", llama({32, 12288, 32, 32, 256, 49152, false, 32000, true}, 2048)},
  };
}

const std::vector<Named>& catalogue() {
  static const std::vector<Named> rows = [] {
    std::vector<Named> all = image_models();
    for (Named& row : encoders()) all.push_back(std::move(row));
    for (Named& row : decoders()) all.push_back(std::move(row));
    return all;
  }();
  return rows;
}

// MaxText's global_parameter_scale: from one billion on, doublings go by turns to the heads and the
// hidden width, the model's width, and the layers.
DecoderSizes decoder_of(std::int64_t billions) {
  const auto doublings = static_cast<int>(std::floor(std::log2(static_cast<double>(billions))));
  const int turns = doublings / 3;
  const std::int64_t heads = std::int64_t{16} << (turns + (doublings % 3 > 0 ? 1 : 0));
  const std::int64_t width = std::int64_t{2048} << (turns + (doublings % 3 > 1 ? 1 : 0));
  return {.layers = std::int64_t{16} << turns,
          .width = width,
          .heads = heads,
          .shared = heads,
          .head_width = 128,
          .hidden = 448 * heads,
          .gated = true,
          .vocabulary = 32000,
          .tied = true,
          .rms = true,
          .biases = false};
}

std::optional<std::int64_t> whole_number(std::string_view digits) {
  const auto number = number_in<std::int64_t>(digits);
  return number && *number > 0 ? number : std::nullopt;
}

// "lm-32b", or "32b" alone.
std::optional<TracedNetwork> decoder_by_size(std::string_view name) {
  if (name.starts_with("lm-")) name.remove_prefix(3);
  if (!name.ends_with('b')) return std::nullopt;
  const auto billions = whole_number(name.substr(0, name.size() - 1));
  if (!billions || *billions > 4096) return std::nullopt;
  return traced_decoder(decoder_of(*billions), 2048);
}

// "mlp-64-1024-10".
std::optional<TracedNetwork> perceptron_by_widths(std::string_view name) {
  if (!name.starts_with("mlp-")) return std::nullopt;
  std::vector<std::int64_t> widths;
  for (const std::string& word : split(name.substr(4), '-')) {
    const auto width = whole_number(word);
    if (!width) return std::nullopt;
    widths.push_back(*width);
  }
  if (widths.size() < 2) return std::nullopt;
  return TracedNetwork{perceptron({widths.begin() + 1, widths.end() - 1}),
                       {.row = {widths.front()}, .classes = widths.back()}};
}

}  // namespace

TracedNetwork traced_encoder(const EncoderSizes& sizes, std::int64_t tokens) {
  const Example row{.row = {}, .dtype = DType::s32, .classes = sizes.vocabulary};
  return {.model = encoder(sizes),
          .row = masked_row(row, tokens),
          .family = "encoders",
          .of_tokens = masked_row,
          .positions = sizes.positions};
}
TracedNetwork traced_classifier(EncoderSizes sizes, std::int64_t classes, std::int64_t tokens) {
  sizes.classifies = true;
  const Example row{.row = {tokens}, .dtype = DType::s32, .classes = classes};
  return {.model = encoder(sizes),
          .row = row,
          .family = "encoders",
          .of_tokens = classified_row,
          .positions = sizes.positions};
}
TracedNetwork traced_decoder(const DecoderSizes& sizes, std::int64_t tokens) {
  const Example row{.row = {}, .dtype = DType::s32, .classes = sizes.vocabulary};
  return {.model = decoder(sizes),
          .row = row_of_tokens(row, tokens),
          .family = sizes.experts > 0 ? "mixtures of experts" : "language models",
          .large = true,
          .of_tokens = row_of_tokens,
          .pieces = sizes.tied || !(sizes.biases && sizes.head_bias)};
}

Workload workload_named(std::string_view typed) {
  const std::string name = usual_name(typed);
  for (const Named& row : catalogue()) {
    if (row.name == name) return {std::string(typed), row.network};
  }
  if (auto network = decoder_by_size(name)) return {std::string(typed), std::move(*network)};
  if (auto network = perceptron_by_widths(name)) return {std::string(typed), std::move(*network)};
  throw Error(fmt::format("unknown model '{}'; {}there are {}, and mlp-64-1024-10 by its widths",
                          typed, hint_of(typed, workload_names()),
                          fmt::format("{}", fmt::join(workload_names(), ", "))));
}

bool names_workload(std::string_view name) {
  return std::ranges::any_of(catalogue(), [&](const Named& row) { return row.name == name; });
}

std::vector<std::string> workload_names() {
  std::vector<std::string> names;
  for (const Named& row : catalogue()) names.emplace_back(row.name);
  for (const char* more :
       {"lm-16b", "lm-32b", "lm-64b", "lm-128b", "lm-256b", "lm-512b", "lm-1024b"}) {
    names.emplace_back(more);
  }
  return names;
}

}  // namespace tpulab

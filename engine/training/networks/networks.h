// The networks that can be trained: a family is a file, its members are rows of sizes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ops/boxes.h"
#include "engine/training/model.h"

namespace tpulab {

Model perceptron(const std::vector<std::int64_t>& hidden);

// LeNet-5 (LeCun et al. 1998) with ReLU and maximum pooling, on images from 8 x 8.
Model lenet();
// Two convolutions and two dense layers: the network of PyTorch's and Lightning's first examples.
Model small_cnn();
// Three convolutions of 32, 64 and 64 channels: the network of the MNIST tutorials.
Model mnist_cnn();
// He et al. 2015 (arXiv 1512.03385).
struct ResidualSizes {
  std::vector<std::int64_t> blocks;  // of each stage
  std::int64_t width = 64;           // of the first stage's 3x3 convolutions; doubles with each
  bool bottlenecks = false;
  // ResNet-RS (Bello et al. 2021, arXiv 2103.07579): three 3x3 convolutions begin, one that strides
  // takes the place of the pool, shortcuts average where they stride, blocks weigh their channels.
  bool revised = false;
  std::int64_t striding = 4;  // of the stages, those that come first [SSD: two]
  // Was trained before: norms are fixed, and nothing up to the first stage's end learns.
  bool frozen = false;
};
Model resnet(std::string name, const ResidualSizes& sizes);

// SSD (Liu et al., arXiv 1512.02325) over a residual network, as MLPerf trains it: maps of features
// that get smaller, and of each default box of each cell of a map the logits of its classes, none
// at all first, and four offsets. A label is the class of such a box, and offsets in hundredths.
struct DetectorSizes {
  struct Map {
    std::int64_t narrow = 1;   // channels between the maps
    std::int64_t outputs = 1;  // and of this one
    bool strides = true;       // else its 3x3 window stays inside
  };
  ResidualSizes backbone;
  std::vector<Map> further{};         // behind the backbone's
  std::vector<std::int64_t> boxes{};  // of a cell of each map
};
inline constexpr std::int64_t labels_of_a_box = 5;
Model detector(std::string name, const DetectorSizes& sizes);
// ResNet-34 without its last stage, at 300 pixels 8,732 default boxes.
DetectorSizes ssd_sizes();

// Mask R-CNN (He et al., arXiv 1703.06870) as MLPerf trained it on TPUs
// (github.com/mlcommons/training_results_v0.6, Google/benchmarks/mask): a pyramid of maps over a
// residual network, at each cell of which three anchors are scored and moved; of those that
// overlap too much the best stays. Some of the boxes that are proposed are looked at again, and
// told apart, moved and, where things are, cut out of the image.
struct RegionSizes {
  ResidualSizes backbone;
  std::int64_t width = 256;    // channels of the pyramid and the mask's convolutions
  double anchor = 8;           // side of an anchor, in cells
  double whole = 224;          // of a box that is looked for on the fourth level, in pixels
  std::int64_t scored = 2000;  // anchors of each level that are taken for a proposal
  std::int64_t proposed = 1000;
  std::int64_t asked = 256;      // anchors of an image that count
  std::int64_t looked_at = 512;  // proposals, and of those at most with things
  std::int64_t with_things = 128;
  std::int64_t hidden = 1024;
  std::int64_t box_side = 7;  // parts of a box
  std::int64_t mask_side = 14;
  std::int64_t things = 100;   // of a row of labels, the rest of them empty
  std::int64_t outline = 112;  // pixels of a side
};
Model region_detector(std::string name, const RegionSizes& sizes);
RegionSizes mask_rcnn_sizes();
RegionSizes small_mask_rcnn_sizes();
// The maps of the pyramid, and where in a row of labels what lies: of each level first whether its
// anchors count (1 for a thing, 0 for none, -1: not at all), then by how much these are off in
// hundredths; of each thing its class, 0 for none, its box in pixels and its outline.
struct RegionLabels {
  struct Level {
    AnchorGrid grid;
    std::int64_t counts = 0;
    std::int64_t offsets = 0;
  };
  RegionLabels(const RegionSizes& sizes, std::int64_t height, std::int64_t width);

  Pyramid pyramid;
  std::vector<Level> levels;
  std::int64_t classes = 0;
  std::int64_t boxes = 0;
  std::int64_t outlines = 0;
  std::int64_t all = 0;
};

// U-Net over volumes, as MLPerf trains it on KiTS19 (github.com/mlcommons/training,
// image_segmentation): each level has two convolutions with instance norms, halves each side with
// the first and doubles it with a transposed one; of each voxel the logits of its classes, the
// first of which is none. It loses by cross entropy and by how little predicted and true parts
// overlap (Dice).
Model segmenter(std::string name, std::vector<std::int64_t> filters);

// Bai, Kolter, Koltun 2018: causal convolutions whose gaps double, two a residual block.
Model temporal_convolution(std::int64_t channels, std::int64_t levels);

// BERT's kind: all positions see each other. Over tokens (vocabulary > 0) it has learned positions,
// one segment, norms behind each half of a layer and a masked-language head that reads the
// embedding's weights and answers at the last positions asked for; over a sequence of numbers norms
// come first, so that small ones train without a warm-up, and it gives one answer a row.
struct EncoderSizes {
  std::int64_t layers = 2;
  std::int64_t width = 64;
  std::int64_t heads = 4;
  std::int64_t hidden = 256;
  std::int64_t vocabulary = 0;
  std::int64_t positions = 512;
  std::int64_t segments = 2;
  double dropout = 0;         // over tokens: of the embeddings, the scores and what each half adds
  bool wide_softmax = false;  // over tokens: of the scores, in f32
  bool classifies = false;    // over tokens: a pooler and one answer a row, as fine-tuned for GLUE
};
Model encoder(const EncoderSizes& sizes);

// ViT (Dosovitskiy et al., arXiv 2010.11929): square patches, a class token that answers, learned
// positions, norms first.
struct VisionSizes {
  std::int64_t patch = 16;  // pixels of a side
  std::int64_t layers = 12;
  std::int64_t width = 768;
  std::int64_t heads = 12;
  std::int64_t hidden = 3072;
};
Model vision_transformer(const VisionSizes& sizes);

// MLP-Mixer (Tolstikhin et al., arXiv 2105.01601): square patches, layers that mix these and then
// their channels, norms first, and the mean of all patches answers.
struct MixerSizes {
  std::int64_t patch = 16;  // pixels of a side
  std::int64_t layers = 12;
  std::int64_t width = 768;
  std::int64_t mixed = 384;  // hidden, over patches
  std::int64_t hidden = 3072;
};
Model mlp_mixer(const MixerSizes& sizes);

// "Attention is all you need": encoder and decoder with cross attention; norms come first, one
// table for both languages and the output. A row holds the source's and the target's tokens.
struct TranslatorSizes {
  std::int64_t layers = 6;  // of each side
  std::int64_t width = 1024;
  std::int64_t heads = 16;
  std::int64_t hidden = 4096;
  std::int64_t vocabulary = 33708;
  double dropout = 0;  // of the embeddings, scores, hidden units and what each part adds
};
Model translator(const TranslatorSizes& sizes);

// Attention whose keys and values are made of a narrow row, and its queries of another; a part of
// each head turns with the position, that of the keys is one for all heads [DeepSeek-V2, MLA].
struct LatentSizes {
  std::int64_t queries = 0;  // of the narrow rows; 0: no such attention
  std::int64_t keys = 0;
  std::int64_t plain = 0;   // numbers of a head that do not turn
  std::int64_t turned = 0;  // and that do
  std::int64_t values = 0;
};

// GNMT's kind: LSTMs, the encoder's first one in both directions, the decoder's first one with
// additive attention; one table for both languages, an output layer of its own.
struct RecurrentSizes {
  std::int64_t layers = 4;  // of each side
  std::int64_t width = 1024;
  double dropout = 0;  // of what goes into each layer but those of the encoder's first
  // Steps multiply their own inputs and add up their part of the gradients of weights [MLPerf
  // v0.5], else both is one product over all steps [from v0.6 on].
  bool within = false;
};
Model recurrent_translator(const RecurrentSizes& sizes);

// A U-Net that is told a time and a text, and tells the noise that was mixed into an image
// [arXiv 2112.10752]. With `side`, a row holds the moments of latents of that side and a text, both
// encoded; without, it is an image, and a learned text goes with all of them.
struct DiffusionSizes {
  std::vector<std::int64_t> widths{320, 640, 1280, 1280};  // each half as high and wide
  std::int64_t blocks = 2;                                 // of each on the way down
  std::int64_t groups = 32;                                // of channels that are normalised
  std::int64_t heads = 8;
  std::int64_t head_width = 0;  // in place of so many heads
  std::int64_t side = 64;
  std::int64_t latents = 4;  // channels
  std::int64_t tokens = 77;
  std::int64_t text_width = 1024;
};
Model diffusion(std::string name, const DiffusionSizes& sizes);

// Decoder language models. GPT's kind: layer norms, learned positions, GELU, biases. Llama's kind:
// RMS norms, rotary positions, gated SiLU, shared keys and values, no biases but small ones'. What
// other published ones differ in are the rows behind these.
struct DecoderSizes {
  std::int64_t layers = 2;
  std::int64_t width = 64;
  std::int64_t heads = 4;
  std::int64_t shared = 4;      // heads of keys and values
  std::int64_t head_width = 0;  // 0: the width over the heads
  std::int64_t hidden = 256;
  bool gated = false;             // three matrices in the feed-forward layer, else two
  std::int64_t vocabulary = 0;    // 0: the classes of the data
  bool tied = false;              // the output layer reads the embedding's weights
  bool rms = false;               // and rotary positions
  bool biases = true;             // of the output product, the feed-forward layer and the head
  bool input_biases = false;      // of queries, keys and values [GPT-2, Qwen2]
  bool head_bias = true;          // false: none whatever `biases` says [GPT-NeoX]
  std::int64_t positions = 0;     // rows of the table of learned ones; 0: as a row has tokens
  std::int64_t rotated = 0;       // numbers of a head that turn with the position; 0: as `rms` says
  bool head_norms = false;        // RMS norms of each query and key [Qwen3]
  bool parallel = false;          // both halves of a layer read the layer's input [GPT-NeoX]
  bool gelu_gate = false;         // in place of SiLU's [Gemma]
  bool scaled_tokens = false;     // embeddings times the root of the width [Gemma]
  std::int64_t experts = 0;       // gated feed-forward layers, of which each token takes `chosen`
  std::int64_t chosen = 0;        // [Mixtral]; 0: one that all take
  std::int64_t window = 0;        // tokens that attention looks back; 0: all
  std::int64_t global_every = 0;  // layers, of which the last looks at all [Gemma 2, 3]; 0: none
  bool outer_norms = false;       // of what each half of a layer adds, too [Gemma 2]
  std::int64_t shared_hidden = 0;  // of an expert that all take [DeepSeek-V3]; 0: none
  std::int64_t dense_layers = 0;   // that begin, without experts, as wide as this
  std::int64_t dense_hidden = 0;
  LatentSizes latent{};
  double score_cap = 0;  // of attention's scores and of the logits [Gemma 2]; 0: none
  double logit_cap = 0;
};
Model decoder(const DecoderSizes& sizes);

// The user's own: "conv 16 3x3 relu | maxpool 2 | dense 10". Throws Error naming the layer.
Model layer_line(std::string_view line);
// Such a line with other outputs of its dense layers, in order, those of the last stay. Nothing
// where it has not as many.
std::optional<std::string> with_widths(std::string_view line, std::span<const std::int64_t> widths);
// "conv 16 3x3 | dense 10", with so many outputs of its last layer; none if that is not dense.
std::optional<std::string> with_outputs(std::string_view line, std::int64_t outputs);

// By name or line; `hidden` are the sizes of an mlp. Nothing for names of other networks.
std::optional<Model> trained_model(std::string_view name, const std::vector<std::int64_t>& hidden);
std::vector<std::string> trained_names();

}  // namespace tpulab

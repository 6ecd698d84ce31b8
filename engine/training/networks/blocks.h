// What networks are made of: layers with their parameters, named and started as PyTorch does.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/training/model.h"
#include "engine/training/networks/networks.h"

namespace tpulab {

// What a tensor group divides of a dense layer: its outputs, so that each device has some columns
// of the result, or its inputs, of which each device has some and which are summed over the group.
// Of a pair, columns before rows, each pass exchanges one array [Megatron-LM].
enum class DenseSplit : std::uint8_t { none, columns, rows };

// y = x w + b over the last axis; both start uniform in +-1/sqrt(inputs) (torch.nn.Linear).
// `outputs` counts those of the whole group.
Tensor dense(Scope& scope, const std::string& name, Tensor x, std::int64_t outputs,
             DenseSplit split = DenseSplit::none, bool bias = true);
// As wide as x again, by a hidden layer: name.up and name.down.
using Activation = Tensor (*)(Tensor);
Tensor feed_forward(Scope& scope, const std::string& name, Tensor x, std::int64_t hidden,
                    Activation activation, bool biases = true, double dropped = 0);
// One logit a class; a tensor group divides the classes, padded up.
Tensor class_logits(Scope& scope, const std::string& name, Tensor x, std::int64_t classes,
                    bool bias = true);
// The weights of class_logits() without a bias, in x's dtype; and logits by them, or by a table.
Tensor class_weights(Scope& scope, const std::string& name, Tensor x, std::int64_t classes);
Tensor logits_by(Scope& scope, Tensor x, Tensor weights, bool transposed);
// These, as `finish` changes them; x itself where logits are made in pieces, which the scope is
// told how to make.
Tensor logits_or_head(Scope& scope, Tensor x, Tensor weights, bool transposed,
                      const std::function<Tensor(Tensor logits)>& finish);
inline constexpr Initial by_gpt{Initial::Kind::normal, 0.02};  // GPT-2's deviation of embeddings
// A vector for each class; a tensor group divides the classes, padded up.
Tensor token_table(Scope& scope, const std::string& name, std::int64_t classes, std::int64_t width);
// The table's rows of these ids, in the scope's dtype.
Tensor embedded(Scope& scope, Tensor table, Tensor ids);
// Logits by the same table, and their bias.
Tensor tied_logits(Scope& scope, Tensor x, Tensor table);
Tensor class_biased(Scope& scope, const std::string& name, Tensor logits, std::int64_t classes);

struct ConvolutionSizes {
  std::int64_t outputs = 1;  // channels
  std::int64_t depth = 0;    // of the window, 0: over images
  std::int64_t height = 1;
  std::int64_t width = 1;
  std::int64_t stride = 1;
  Padding padding = Padding::same();
  bool bias = true;  // no use before a normalisation
};
// x [b,h,w,c] or [b,d,h,w,c]; started as torch.nn.Conv2d: uniform in +-1/sqrt(window x channels).
Tensor convolution(Scope& scope, const std::string& name, Tensor x, const ConvolutionSizes& sizes);
// The same in two steps, of a filter over several arrays of so many channels.
struct Filter {
  ConvolutionSizes sizes;
  Tensor weight;
  Tensor bias;  // or none
};
Filter filter_of(Scope& scope, const std::string& name, std::int64_t channels,
                 const ConvolutionSizes& sizes);
Tensor convolved(Scope& scope, Tensor x, const Filter& filter);
// Squares of an image of so many pixels a side, each a row of numbers: [b,h,w,c] ->
// [b,squares,width].
Tensor patches(Scope& scope, const std::string& name, Tensor x, std::int64_t side,
               std::int64_t width);

// Each channel by the mean and variance of this core's own rows, in evaluation too: no running
// averages are kept.
Tensor batch_normalised(Scope& scope, const std::string& name, Tensor x);
// A norm that was trained before, as factors and summands that stay as they are.
Tensor scaled_channels(Scope& scope, const std::string& name, Tensor x);
Tensor layer_normalised(Scope& scope, const std::string& name, Tensor x);
Tensor rms_normalised(Scope& scope, const std::string& name, Tensor x);

// Heads of equal width; `shared` heads of keys and values serve all (as many as heads: none).
struct AttentionSizes {
  std::int64_t heads = 1;
  std::int64_t shared = 1;
  std::int64_t head_width = 0;  // 0: the width over the heads
  bool causal = false;
  bool rotary = false;
  std::int64_t rotated = 0;  // numbers of a head that turn; 0: all
  bool norms = false;        // RMS norms of each query and key
  bool biases = false;       // of queries, keys and values
  bool output_bias = true;
  double dropout = 0;         // of the scores
  std::int64_t window = 0;    // tokens that a causal one looks back; 0: all
  double cap = 0;             // of the scores; 0: none
  bool wide_softmax = false;  // in f32
};
// x [b,t,c], asked [b,s,c] -> [b,t,c]: queries of x, keys and values of `asked`, attention and its
// output product. A tensor group divides the heads; where it has more devices than heads of keys,
// neighbours hold copies of them. Devices that share a row's tokens gather its keys and values.
Tensor attention_over(Scope& scope, const std::string& name, Tensor x, Tensor asked,
                      const AttentionSizes& sizes);
inline Tensor self_attention(Scope& scope, const std::string& name, Tensor x,
                             const AttentionSizes& sizes) {
  return attention_over(scope, name, x, x, sizes);
}

// x [b,t,c] -> [b,t,c], causal. A tensor group divides the heads; all of it make the narrow rows.
Tensor latent_attention(Scope& scope, const std::string& name, Tensor x, std::int64_t heads,
                        const LatentSizes& sizes);

// Gated SiLU layers of which each row takes a few, weighed by a softmax over the logits of those
// [Mixtral, arXiv 2401.04088]. All rows are served; there is no loss that balances experts. A
// tensor group divides the hidden width of each; devices that share the experts send each other
// the rows that chose theirs.
struct ExpertSizes {
  std::int64_t experts = 1;
  std::int64_t chosen = 1;  // by each row
  std::int64_t hidden = 1;
};
// x [b,t,c] -> [b,t,c]
Tensor mixed_experts(Scope& scope, const std::string& name, Tensor x, const ExpertSizes& sizes);

// `layers` alike behind each other: "layer1", "layer2" ..., or, where the time alone is asked for,
// "layer" once, which runs so often.
Tensor repeated(Scope& scope, std::int64_t layers, const std::string& name, Tensor x,
                const std::function<Tensor(const std::string& name, Tensor x)>& layer);
// Of which every `period` are alike: layer() is told its place among them, from 0. Where the time
// alone is asked for one period is traced, "layer.1", "layer.2" ..., and what is left over,
// "last.1".
Tensor repeated_in_turn(
    Scope& scope, std::int64_t layers, std::int64_t period, const std::string& name, Tensor x,
    const std::function<Tensor(const std::string& name, std::int64_t place, Tensor x)>& layer);

// A loop over time: of sequences [b,t,..] each step is given its own [b,..], and a state that
// begins with zeros; `step` answers the next state. What each state was behind all steps: [b,t,..].
// Where the time alone is asked for a step is traced once and runs t times. `weights`: some that
// steps multiply the state by.
using TimeStep = std::function<std::vector<Tensor>(const std::vector<Tensor>& inputs,
                                                   const std::vector<Tensor>& state)>;
std::vector<Tensor> in_turns(Scope& scope, const std::vector<Tensor>& sequences,
                             const std::vector<Shape>& states, Tensor weights, bool backwards,
                             const TimeStep& step);

// The stem and the stages of a residual network: [b,h,w,c] -> the features of each stage, or the
// last ones.
std::vector<Tensor> residual_maps(Scope& scope, Tensor x, const ResidualSizes& sizes);
Tensor residual_features(Scope& scope, Tensor x, const ResidualSizes& sizes);

// [rows, anything ...] -> [rows, numbers]
Tensor flattened(Tensor x);

}  // namespace tpulab

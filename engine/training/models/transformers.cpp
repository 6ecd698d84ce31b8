// Transformers: the BERT encoder, the translation model, decoder language models. A tensor group
// divides the heads, the hidden width and the vocabulary (Megatron's split): one all-reduce after
// the attention and one after the feed-forward layer, in each pass.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/training/models/layers.h"
#include "engine/training/models/models.h"

namespace tpulab {

namespace {

constexpr Epilogue residual{.cheap = 3, .reads = 1};
constexpr Epilogue with_gelu{.cheap = 8, .transcendental = 1};
constexpr Epilogue with_relu{.cheap = 2};

struct Tokens {
  std::int64_t rows = 1;
  std::int64_t sequence = 1;
  std::int64_t count() const { return rows * sequence; }
};

Tokens tokens_of(std::int64_t own_sequence, const WorkOptions& options) {
  return {options.batch, options.sequence > 0 ? options.sequence : own_sequence};
}

// Projections, attention and the output projection with its residual.
void append_attention(Layers& layers, const std::string& name, const Tokens& tokens,
                      std::int64_t width, const AttentionLayer& shape, bool bias) {
  const std::int64_t count = tokens.count();
  const std::int64_t asks = shape.heads * shape.width;
  const std::int64_t answers = shape.key_value_heads * shape.width;
  layers.dense(name + " query", {.rows = count, .inputs = width, .outputs = asks, .bias = bias});
  for (const char* part : {" key", " value"}) {
    layers.dense(
        name + part,
        {.rows = shape.batch * shape.keys, .inputs = width, .outputs = answers, .bias = bias});
  }
  layers.attention(name, shape);
  layers.dense(
      name + " out",
      {.rows = count, .inputs = asks, .outputs = width, .epilogue = residual, .bias = bias});
}

void append_norm(Layers& layers, const std::string& name, std::int64_t tokens, std::int64_t width,
                 bool centred) {
  layers.normalisation(name, tokens, width, centred);
  for (int i = 0; i < (centred ? 2 : 1); ++i) layers.parameter({width}, width);
}

void note_exchanges(Block& block, const Tokens& tokens, std::int64_t width, int exchanges,
                    const WorkOptions& options) {
  block.input = {tokens.count() * width * bytes_of(options.compute)};
  block.exchanged = block.input;
  block.input = {block.input.value / options.tensor};
  block.exchanges = options.tensor > 1 ? exchanges : 0;
}

Block table_block(const Tokens& tokens, std::int64_t vocabulary, std::int64_t width,
                  std::int64_t positions, const WorkOptions& options) {
  Block block{.name = "embedding"};
  Layers layers(block, options);
  const std::int64_t here = share_of_group("vocabulary", vocabulary, options);
  layers.embedding("embedding", tokens.count(), here, width);
  layers.parameter({here, width}, vocabulary * width);
  if (positions > 0) layers.parameter({positions, width}, positions * width);
  note_exchanges(block, tokens, width, 1, options);
  return block;
}

}  // namespace

std::int64_t share_of_group(const char* what, std::int64_t extent, const WorkOptions& options) {
  if (extent % options.tensor == 0) return extent / options.tensor;
  // A vocabulary is padded, as every framework does; heads and widths are not.
  if (std::string_view(what) == "vocabulary") return extent / options.tensor + 1;
  throw Error(fmt::format("a tensor group of {} does not divide the {} {}; choose a divisor",
                          options.tensor, extent, what));
}

StepWork work_of(const EncoderSizes& sizes, const WorkOptions& options) {
  const Tokens tokens = tokens_of(sizes.sequence, options);
  const std::int64_t heads = share_of_group("heads", sizes.heads, options);
  const std::int64_t hidden = share_of_group("hidden units", sizes.hidden, options);
  StepWork step{.batch = {tokens.count() * 3 * 4}, .tokens_per_row = tokens.sequence};
  // Positions, two segments, the norm's weights.
  step.blocks.push_back(table_block(tokens, sizes.vocabulary, sizes.width, 512 + 2, options));
  Layers embedding(step.blocks.back(), options);
  append_norm(embedding, "norm", tokens.count(), sizes.width, true);
  Block layer{.name = "layer", .repeats = sizes.layers};
  Layers layers(layer, options);
  const AttentionLayer shape{tokens.rows,     heads,           heads,
                             tokens.sequence, tokens.sequence, sizes.width / sizes.heads};
  append_attention(layers, "attention", tokens, sizes.width, shape, true);
  append_norm(layers, "attention norm", tokens.count(), sizes.width, true);
  layers.dense(
      "hidden",
      {.rows = tokens.count(), .inputs = sizes.width, .outputs = hidden, .epilogue = with_gelu});
  layers.dense(
      "output",
      {.rows = tokens.count(), .inputs = hidden, .outputs = sizes.width, .epilogue = residual});
  append_norm(layers, "output norm", tokens.count(), sizes.width, true);
  note_exchanges(layer, tokens, sizes.width, 2, options);
  step.blocks.push_back(std::move(layer));
  Block head{.name = "masked-language head"};
  Layers last(head, options);
  // 76 of 512 and 20 of 128 tokens are predicted [BERT's max_predictions_per_seq].
  const std::int64_t predicted = tokens.rows * (tokens.sequence >= 512 ? 76 : 20);
  last.dense("pooler", {.rows = tokens.rows,
                        .inputs = sizes.width,
                        .outputs = sizes.width,
                        .epilogue = {.cheap = 1, .transcendental = 1},
                        .divided = false});
  last.dense("transform", {.rows = predicted,
                           .inputs = sizes.width,
                           .outputs = sizes.width,
                           .epilogue = with_gelu,
                           .divided = false});
  append_norm(last, "norm", predicted, sizes.width, true);
  const std::int64_t vocabulary = share_of_group("vocabulary", sizes.vocabulary, options);
  last.dense("logits",
             {.rows = predicted, .inputs = sizes.width, .outputs = vocabulary, .tied = true});
  last.cross_entropy("loss", predicted, vocabulary);
  step.blocks.push_back(std::move(head));
  return step;
}

StepWork work_of(const TranslatorSizes& sizes, const WorkOptions& options) {
  const Tokens tokens = tokens_of(sizes.sequence, options);
  const std::int64_t heads = share_of_group("heads", sizes.heads, options);
  const std::int64_t hidden = share_of_group("hidden units", sizes.hidden, options);
  StepWork step{.batch = {tokens.count() * 2 * 4}, .tokens_per_row = tokens.sequence};
  step.blocks.push_back(table_block(tokens, sizes.vocabulary, sizes.width, 0, options));
  AttentionLayer shape{tokens.rows,     heads,           heads,
                       tokens.sequence, tokens.sequence, sizes.width / sizes.heads};
  for (const bool decoder : {false, true}) {
    Block layer{.name = decoder ? "decoder layer" : "encoder layer", .repeats = sizes.layers};
    Layers layers(layer, options);
    for (int i = 0; i < (decoder ? 2 : 1); ++i) {
      const std::string name = i == 0 ? "attention" : "cross attention";
      append_norm(layers, name + " norm", tokens.count(), sizes.width, true);
      append_attention(layers, name, tokens, sizes.width, shape, false);
    }
    append_norm(layers, "hidden norm", tokens.count(), sizes.width, true);
    layers.dense(
        "hidden",
        {.rows = tokens.count(), .inputs = sizes.width, .outputs = hidden, .epilogue = with_relu});
    layers.dense("output", {.rows = tokens.count(),
                            .inputs = hidden,
                            .outputs = sizes.width,
                            .epilogue = residual,
                            .last = true});
    note_exchanges(layer, tokens, sizes.width, decoder ? 3 : 2, options);
    step.blocks.push_back(std::move(layer));
  }
  Block head{.name = "head"};
  Layers last(head, options);
  const std::int64_t vocabulary = share_of_group("vocabulary", sizes.vocabulary, options);
  last.dense("logits", {.rows = tokens.count(),
                        .inputs = sizes.width,
                        .outputs = vocabulary,
                        .bias = false,
                        .tied = true});
  last.cross_entropy("loss", tokens.count(), vocabulary);
  step.blocks.push_back(std::move(head));
  return step;
}

StepWork work_of(const DecoderSizes& sizes, const WorkOptions& options) {
  const Tokens tokens = tokens_of(sizes.sequence, options);
  const std::int64_t count = tokens.count();
  const std::int64_t heads = share_of_group("heads", sizes.heads, options);
  // Fewer key-value heads than devices are copied.
  const std::int64_t key_value_heads =
      std::max<std::int64_t>(1, sizes.key_value_heads / options.tensor);
  const std::int64_t hidden = share_of_group("hidden units", sizes.hidden, options);
  const std::int64_t vocabulary = share_of_group("vocabulary", sizes.vocabulary, options);
  StepWork step{.batch = {count * 2 * 4}, .tokens_per_row = tokens.sequence};
  step.blocks.push_back(table_block(tokens, sizes.vocabulary, sizes.width, 0, options));
  Block layer{.name = "layer", .repeats = sizes.layers};
  Layers layers(layer, options);
  const AttentionLayer shape{
      tokens.rows,      heads, key_value_heads, tokens.sequence, tokens.sequence,
      sizes.head_width, true};
  append_norm(layers, "attention norm", count, sizes.width, false);
  append_attention(layers, "attention", tokens, sizes.width, shape, false);
  append_norm(layers, "hidden norm", count, sizes.width, false);
  layers.dense("hidden", {.rows = count,
                          .inputs = sizes.width,
                          .outputs = hidden,
                          .epilogue = with_gelu,
                          .bias = false});
  if (sizes.gated) {
    layers.dense("gate", {.rows = count,
                          .inputs = sizes.width,
                          .outputs = hidden,
                          .epilogue = {.cheap = 2, .reads = 1},
                          .bias = false});
  }
  layers.dense("output", {.rows = count,
                          .inputs = hidden,
                          .outputs = sizes.width,
                          .epilogue = residual,
                          .bias = false,
                          .last = true});
  note_exchanges(layer, tokens, sizes.width, 2, options);
  step.blocks.push_back(std::move(layer));
  Block head{.name = "head"};
  Layers last(head, options);
  append_norm(last, "norm", count, sizes.width, false);
  last.dense("logits", {.rows = count,
                        .inputs = sizes.width,
                        .outputs = vocabulary,
                        .bias = false,
                        .tied = sizes.tied});
  last.cross_entropy("loss", count, vocabulary);
  step.blocks.push_back(std::move(head));
  return step;
}

}  // namespace tpulab

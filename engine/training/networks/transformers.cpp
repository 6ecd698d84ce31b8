// Transformers: encoders, decoders, and both together. A tensor group divides heads, hidden widths
// and vocabularies (Megatron's split): what comes out of each half of a layer is added up.
#include <fmt/format.h>

#include <cmath>

#include "engine/training/networks/blocks.h"
#include "engine/training/networks/networks.h"

namespace tpulab {

namespace {

// A learned vector for each of the first positions [.., t, c]; of a row that devices share, for all
// of its tokens.
Tensor with_positions(Scope& scope, Tensor x, std::int64_t known = 0) {
  const std::int64_t here = x.shape()[1];
  const std::int64_t rows = std::max(known, here * scope.along(MeshAxis::context).size);
  Tensor table = scope.parameter("positions.weight", {rows, x.shape()[2]}, by_gpt);
  if (rows > here) table = slice(table, 0, 0, here);
  return add(x, convert(table, x.type().dtype));
}

Tensor gated(Scope& scope, const std::string& name, Tensor x, const DecoderSizes& sizes,
             std::int64_t hidden) {
  const std::int64_t width = x.shape().at(-1);
  const bool biases = sizes.biases;
  const Activation activation = sizes.gelu_gate ? gelu : silu;
  const Tensor gate =
      activation(dense(scope, name + ".gate", x, hidden, DenseSplit::columns, biases));
  const Tensor up = dense(scope, name + ".up", x, hidden, DenseSplit::columns, biases);
  return dense(scope, name + ".down", multiply(gate, up), width, DenseSplit::rows, biases);
}

// Norms before each half (GPT-2's order).
Tensor layer_of(Scope& scope, const std::string& name, Tensor x, const EncoderSizes& sizes) {
  const AttentionSizes heads{.heads = sizes.heads, .shared = sizes.heads};
  const Tensor normal = layer_normalised(scope, name + ".norm1", x);
  x = add(x, self_attention(scope, name + ".attention", normal, heads));
  const Tensor again = layer_normalised(scope, name + ".norm2", x);
  return add(x, feed_forward(scope, name, again, sizes.hidden, gelu));
}

// Norms behind each half, as published.
Tensor bert_layer(Scope& scope, const std::string& name, Tensor x, const EncoderSizes& sizes) {
  const AttentionSizes heads{.heads = sizes.heads,
                             .shared = sizes.heads,
                             .biases = true,
                             .dropout = sizes.dropout,
                             .wide_softmax = sizes.wide_softmax};
  const auto kept = [&](Tensor y) { return dropout(y, scope.dropping(sizes.dropout)); };
  const Tensor mixed = kept(self_attention(scope, name + ".attention", x, heads));
  x = layer_normalised(scope, name + ".norm1", add(x, mixed));
  const Tensor changed = kept(feed_forward(scope, name, x, sizes.hidden, gelu));
  return layer_normalised(scope, name + ".norm2", add(x, changed));
}

Tensor encoded_numbers(Scope& scope, Tensor x, const Example& example, const EncoderSizes& sizes) {
  x = with_positions(scope, dense(scope, "inputs", x, sizes.width));
  x = repeated(scope, sizes.layers, "layer", x,
               [&](const std::string& name, Tensor y) { return layer_of(scope, name, y, sizes); });
  const Tensor row = reduce_mean(layer_normalised(scope, "norm", x), {1});
  return dense(scope, "dense", row, example.classes);
}

// What the first token says of the row.
Tensor pooled_answer(Scope& scope, Tensor x, const Example& example, const EncoderSizes& sizes) {
  const Tensor first = reshape(slice(x, 1, 0, 1), {x.shape()[0], sizes.width});
  const Tensor pooled = hyperbolic_tangent(dense(scope, "pooler", first, sizes.width));
  return dense(scope, "classes", dropout(pooled, scope.dropping(sizes.dropout)), example.classes);
}

// All tokens are of the first of two segments.
Tensor masked_tokens(Scope& scope, Tensor tokens, const Example& example,
                     const EncoderSizes& sizes) {
  const Tensor table = token_table(scope, "tokens", sizes.vocabulary, sizes.width);
  Tensor x = with_positions(scope, embedded(scope, table, tokens),
                            std::max(sizes.positions, example.positions));
  const Tensor segments = scope.parameter("segments.weight", {sizes.segments, sizes.width}, by_gpt);
  const Tensor first = reshape(slice(segments, 0, 0, 1), Shape{sizes.width});
  x = layer_normalised(scope, "norm", add(x, convert(first, x.type().dtype)));
  x = dropout(x, scope.dropping(sizes.dropout));
  x = repeated(scope, sizes.layers, "layer", x, [&](const std::string& name, Tensor y) {
    return bert_layer(scope, name, y, sizes);
  });
  if (sizes.classifies) return pooled_answer(scope, x, example, sizes);
  const std::int64_t unasked = x.shape()[1] - example.labels;
  if (unasked > 0) x = slice(x, 1, unasked, example.labels);
  x = layer_normalised(scope, "head.norm", gelu(dense(scope, "head", x, sizes.width)));
  const Tensor logits = tied_logits(scope, x, table);
  return class_biased(scope, "head.logits", logits, sizes.vocabulary);
}

Tensor translated(Scope& scope, Tensor tokens, const TranslatorSizes& sizes) {
  const AttentionSizes all{
      .heads = sizes.heads, .shared = sizes.heads, .output_bias = false, .dropout = sizes.dropout};
  const auto kept = [&](Tensor y) { return dropout(y, scope.dropping(sizes.dropout)); };
  AttentionSizes earlier = all;
  earlier.causal = true;
  const Tensor table = token_table(scope, "tokens", sizes.vocabulary, sizes.width);
  const auto side = [&](std::int64_t which) {
    const Shape rows{tokens.shape()[0], tokens.shape()[2]};
    return kept(embedded(scope, table, reshape(slice(tokens, 1, which, 1), rows)));
  };
  const auto half = [&](const std::string& name, Tensor x, const auto& changed) {
    return add(x, kept(changed(layer_normalised(scope, name + ".norm", x))));
  };
  const auto feed = [&](const std::string& name, Tensor x) {
    return half(name, x, [&](Tensor y) {
      return feed_forward(scope, name, y, sizes.hidden, relu, true, sizes.dropout);
    });
  };
  Tensor source =
      repeated(scope, sizes.layers, "encoder", side(0), [&](const auto& name, Tensor x) {
        x = half(name + ".attention", x,
                 [&](Tensor y) { return self_attention(scope, name + ".attention", y, all); });
        return feed(name, x);
      });
  source = layer_normalised(scope, "encoder.norm", source);
  Tensor x = repeated(scope, sizes.layers, "decoder", side(1), [&](const auto& name, Tensor y) {
    y = half(name + ".attention", y,
             [&](Tensor z) { return self_attention(scope, name + ".attention", z, earlier); });
    y = half(name + ".cross", y,
             [&](Tensor z) { return attention_over(scope, name + ".cross", z, source, all); });
    return feed(name, y);
  });
  return tied_logits(scope, layer_normalised(scope, "decoder.norm", x), table);
}

Tensor normalised(Scope& scope, const std::string& name, Tensor x, const DecoderSizes& sizes) {
  return sizes.rms ? rms_normalised(scope, name, x) : layer_normalised(scope, name, x);
}

Tensor decoder_feed(Scope& scope, const std::string& name, Tensor x, const DecoderSizes& sizes) {
  if (sizes.experts > 0) {
    const Tensor mixed = mixed_experts(scope, name, x, {sizes.experts, sizes.chosen, sizes.hidden});
    if (sizes.shared_hidden == 0) return mixed;
    return add(mixed, gated(scope, name + ".shared", x, sizes, sizes.shared_hidden));
  }
  if (sizes.gated) return gated(scope, name, x, sizes, sizes.hidden);
  return feed_forward(scope, name, x, sizes.hidden, gelu, sizes.biases);
}

// A layer of a window, or one that looks at all.
Tensor decoder_layer(Scope& scope, const std::string& name, Tensor x, const DecoderSizes& sizes,
                     bool global) {
  const AttentionSizes heads{.heads = sizes.heads,
                             .shared = sizes.shared,
                             .head_width = sizes.head_width,
                             .causal = true,
                             .rotary = sizes.rms || sizes.rotated > 0,
                             .rotated = sizes.rotated,
                             .norms = sizes.head_norms,
                             .biases = sizes.input_biases,
                             .output_bias = sizes.biases,
                             .window = global ? 0 : sizes.window,
                             .cap = sizes.score_cap,
                             .wide_softmax = sizes.rms};
  const auto added = [&](const char* norm, Tensor to, Tensor y) {
    return add(to, sizes.outer_norms ? normalised(scope, name + norm, y, sizes) : y);
  };
  const Tensor normal = normalised(scope, name + ".norm1", x, sizes);
  const std::string attention = name + ".attention";
  const Tensor seen = sizes.latent.queries > 0
                          ? latent_attention(scope, attention, normal, sizes.heads, sizes.latent)
                          : self_attention(scope, attention, normal, heads);
  const Tensor mixed = added(".after1", x, seen);
  const Tensor again = normalised(scope, name + ".norm2", sizes.parallel ? x : mixed, sizes);
  return added(".after2", mixed, decoder_feed(scope, name, again, sizes));
}

Tensor decoder_layers(Scope& scope, Tensor x, const DecoderSizes& sizes) {
  if (sizes.dense_layers > 0) {
    DecoderSizes dense = sizes;
    dense.experts = 0;
    dense.hidden = sizes.dense_hidden;
    x = repeated(scope, sizes.dense_layers, "dense", x, [&](const std::string& name, Tensor y) {
      return decoder_layer(scope, name, y, dense, false);
    });
  }
  const std::int64_t left = sizes.layers - sizes.dense_layers;
  const std::int64_t turn = std::max<std::int64_t>(1, sizes.global_every);
  if (turn == 1) {
    return repeated(scope, left, "layer", x, [&](const std::string& name, Tensor y) {
      return decoder_layer(scope, name, y, sizes, sizes.global_every == 1);
    });
  }
  return repeated_in_turn(scope, left, turn, "layer", x,
                          [&](const std::string& name, std::int64_t place, Tensor y) {
                            return decoder_layer(scope, name, y, sizes, place + 1 == turn);
                          });
}

Tensor decoded(Scope& scope, Tensor tokens, const Example& example, const DecoderSizes& sizes) {
  const std::int64_t classes = sizes.vocabulary > 0 ? sizes.vocabulary : example.classes;
  const Tensor table = token_table(scope, "tokens", classes, sizes.width);
  Tensor x = embedded(scope, table, tokens);
  if (sizes.scaled_tokens) {
    const double root = std::sqrt(static_cast<double>(sizes.width));
    x = multiply(x, constant(*x.graph, root, x.shape(), x.type().dtype));
  }
  if (!sizes.rms && sizes.rotated == 0) {
    x = with_positions(scope, x, std::max(sizes.positions, example.positions));
  }
  x = normalised(scope, "norm", decoder_layers(scope, x, sizes), sizes);
  if (!sizes.tied && sizes.biases && sizes.head_bias) {
    return class_logits(scope, "head", x, classes);
  }
  const Tensor weights =
      sizes.tied ? convert(table, x.type().dtype) : class_weights(scope, "head", x, classes);
  return logits_or_head(scope, x, weights, sizes.tied, [cap = sizes.logit_cap](Tensor logits) {
    return cap > 0 ? soft_capped(logits, cap) : logits;
  });
}

// Small ones by what a person tells them apart; others by all that makes them.
std::string name_of(const char* kind, std::int64_t layers, std::int64_t width,
                    std::initializer_list<std::int64_t> more) {
  std::string name = fmt::format("{} {} x {}", kind, layers, width);
  for (const std::int64_t size : more) name += fmt::format(", {}", size);
  return name;
}

std::string dropping_text(double rate) {
  return rate > 0 ? fmt::format(", dropout {}", rate) : std::string();
}

}  // namespace

Model encoder(const EncoderSizes& sizes) {
  const bool tokens = sizes.vocabulary > 0;
  std::string name = name_of("bert", sizes.layers, sizes.width, {});
  if (tokens) {
    name = name_of("bert", sizes.layers, sizes.width,
                   {sizes.heads, sizes.hidden, sizes.vocabulary, sizes.positions, sizes.segments});
    name += dropping_text(sizes.dropout) + (sizes.wide_softmax ? ", softmax in f32" : "") +
            (sizes.classifies ? ", classes" : "");
  }
  return {.input = tokens ? Input::tokens : Input::sequence,
          .name = [name](const Example&) { return name; },
          .forward =
              [sizes, tokens](Scope& scope, Tensor x, const Example& example) {
                return tokens ? masked_tokens(scope, x, example, sizes)
                              : encoded_numbers(scope, x, example, sizes);
              },
          .drops = tokens && sizes.dropout > 0};
}

Model translator(const TranslatorSizes& sizes) {
  std::string name = name_of("translator", sizes.layers, sizes.width,
                             {sizes.heads, sizes.hidden, sizes.vocabulary}) +
                     dropping_text(sizes.dropout);
  return {.input = Input::pair,
          .name = [name = std::move(name)](const Example&) { return name; },
          .forward = [sizes](Scope& scope, Tensor x,
                             const Example&) { return translated(scope, x, sizes); },
          .drops = sizes.dropout > 0};
}

Model decoder(const DecoderSizes& sizes) {
  const char* const kind = sizes.rms ? "llama" : "gpt";
  std::string name = name_of(kind, sizes.layers, sizes.width, {});
  if (sizes.experts > 0) name += fmt::format(", {} experts", sizes.experts);
  if (sizes.vocabulary > 0) {
    name = name_of(kind, sizes.layers, sizes.width,
                   {sizes.heads, sizes.shared, sizes.head_width, sizes.hidden, sizes.vocabulary,
                    sizes.gated, sizes.tied, sizes.biases, sizes.input_biases, sizes.head_bias,
                    sizes.positions, sizes.rotated, sizes.head_norms, sizes.parallel,
                    sizes.gelu_gate, sizes.scaled_tokens, sizes.experts, sizes.chosen});
    if (sizes.window > 0) name += fmt::format(", window {}/{}", sizes.window, sizes.global_every);
    if (sizes.outer_norms) name += ", outer norms";
    if (sizes.latent.queries > 0) {
      name += fmt::format(", latent {} {} {} {} {}", sizes.latent.queries, sizes.latent.keys,
                          sizes.latent.plain, sizes.latent.turned, sizes.latent.values);
    }
    if (sizes.dense_layers + sizes.shared_hidden > 0) {
      name += fmt::format(", dense {} {}, shared {}", sizes.dense_layers, sizes.dense_hidden,
                          sizes.shared_hidden);
    }
    if (sizes.score_cap + sizes.logit_cap > 0)
      name += fmt::format(", caps {} {}", sizes.score_cap, sizes.logit_cap);
  }
  return {.input = Input::tokens,
          .name = [name = std::move(name)](const Example&) { return name; },
          .forward = [sizes](Scope& scope, Tensor x,
                             const Example& example) { return decoded(scope, x, example, sizes); }};
}

}  // namespace tpulab

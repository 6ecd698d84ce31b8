// Transformers: an encoder over numbers, decoders of GPT's and of Llama's kind over tokens.
#include <fmt/format.h>

#include "engine/training/networks/blocks.h"
#include "engine/training/networks/networks.h"

namespace tpulab {

namespace {

constexpr Initial by_gpt{Initial::Kind::normal, 0.02};

Tensor with_positions(Scope& scope, Tensor x) {
  const Shape shape{x.shape()[1], x.shape()[2]};
  return add(x, convert(scope.parameter("positions.weight", shape, by_gpt), x.type().dtype));
}

Tensor feed_forward(Scope& scope, const std::string& name, Tensor x, std::int64_t hidden) {
  const std::int64_t width = x.shape().at(-1);
  const Tensor up = dense(scope, name + ".up", x, hidden, DenseSplit::columns);
  return dense(scope, name + ".down", gelu(up), width, DenseSplit::rows);
}

Tensor gated(Scope& scope, const std::string& name, Tensor x, std::int64_t hidden) {
  const std::int64_t width = x.shape().at(-1);
  const Tensor gate = silu(dense(scope, name + ".gate", x, hidden, DenseSplit::columns));
  const Tensor up = dense(scope, name + ".up", x, hidden, DenseSplit::columns);
  return dense(scope, name + ".down", multiply(gate, up), width, DenseSplit::rows);
}

// Norms before each half (GPT-2's order), so that small ones train without a warm-up.
Tensor block(Scope& scope, const std::string& name, Tensor x, const TransformerSizes& sizes,
             bool causal) {
  const AttentionSizes heads{sizes.heads, sizes.heads, causal, false};
  const Tensor normal = layer_normalised(scope, name + ".norm1", x);
  x = add(x, self_attention(scope, name + ".attention", normal, heads));
  const Tensor again = layer_normalised(scope, name + ".norm2", x);
  return add(x, feed_forward(scope, name, again, sizes.hidden));
}

Tensor llama_block(Scope& scope, const std::string& name, Tensor x, const TransformerSizes& sizes) {
  const AttentionSizes heads{sizes.heads, sizes.shared, true, true};
  const Tensor normal = rms_normalised(scope, name + ".norm1", x);
  x = add(x, self_attention(scope, name + ".attention", normal, heads));
  return add(x, gated(scope, name, rms_normalised(scope, name + ".norm2", x), sizes.hidden));
}

std::string layer(std::int64_t index) { return fmt::format("layer{}", index + 1); }

Model named(std::string kind, const TransformerSizes& sizes, Input input,
            std::function<Tensor(Scope&, Tensor, const Example&)> forward) {
  std::string name = fmt::format("{} {} x {}", kind, sizes.layers, sizes.width);
  return {.input = input,
          .name = [name = std::move(name)](const Example&) { return name; },
          .forward = std::move(forward)};
}

}  // namespace

Model encoder(const TransformerSizes& sizes) {
  return named("bert", sizes, Input::sequence,
               [sizes](Scope& scope, Tensor x, const Example& example) {
                 x = with_positions(scope, dense(scope, "inputs", x, sizes.width));
                 for (std::int64_t i = 0; i < sizes.layers; ++i) {
                   x = block(scope, layer(i), x, sizes, false);
                 }
                 const Tensor row = reduce_mean(layer_normalised(scope, "norm", x), {1});
                 return dense(scope, "dense", row, example.classes);
               });
}

Model gpt(const TransformerSizes& sizes) {
  return named(
      "gpt", sizes, Input::tokens, [sizes](Scope& scope, Tensor x, const Example& example) {
        x = with_positions(scope, embedded(scope, "tokens", x, example.classes, sizes.width));
        for (std::int64_t i = 0; i < sizes.layers; ++i) {
          x = block(scope, layer(i), x, sizes, true);
        }
        const Tensor normal = layer_normalised(scope, "norm", x);
        return class_logits(scope, "head", normal, example.classes);
      });
}

Model llama(const TransformerSizes& sizes) {
  return named("llama", sizes, Input::tokens,
               [sizes](Scope& scope, Tensor x, const Example& example) {
                 x = embedded(scope, "tokens", x, example.classes, sizes.width);
                 for (std::int64_t i = 0; i < sizes.layers; ++i) {
                   x = llama_block(scope, layer(i), x, sizes);
                 }
                 const Tensor normal = rms_normalised(scope, "norm", x);
                 return class_logits(scope, "head", normal, example.classes);
               });
}

}  // namespace tpulab

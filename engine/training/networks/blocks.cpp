#include "engine/training/networks/blocks.h"

#include <fmt/format.h>

#include <cmath>

namespace tpulab {

namespace {

Initial by_inputs(std::int64_t inputs) {
  return {Initial::Kind::uniform, 1.0f / std::sqrt(static_cast<float>(inputs))};
}

Initial everywhere(double value) { return {Initial::Kind::constant, value}; }

Tensor product(Tensor x, Tensor weight, MatmulPrecision precision) {
  const MatmulOptions options{.precision = precision};
  return x.shape().rank() == 2 ? matmul(x, weight, options) : batch_matmul(x, weight, options);
}

// Columns of [inputs, outputs], of which neighbours may hold the same.
Tensor columns_of(Scope& scope, const std::string& name, Tensor x, std::int64_t outputs,
                  int copies = 1) {
  const std::int64_t inputs = x.shape().at(-1);
  const Tensor weight =
      scope.parameter(name + ".weight", {inputs, outputs}, by_inputs(inputs), {1, copies});
  return product(scope.divided(x), convert(weight, x.type().dtype), scope.precision());
}

// The device's inputs times its rows of [inputs, outputs], summed.
Tensor rows_of(Scope& scope, const std::string& name, Tensor x, std::int64_t outputs) {
  const std::int64_t inputs = x.shape().at(-1) * scope.tensor();
  const Tensor weight =
      scope.parameter(name + ".weight", {inputs, outputs}, by_inputs(inputs), {.axis = 0});
  const Tensor part = product(x, convert(weight, x.type().dtype), scope.precision());
  return all_reduce(part, scope.tensor_group());
}

Tensor whole_of(Scope& scope, const std::string& name, Tensor x, std::int64_t outputs) {
  const std::int64_t inputs = x.shape().at(-1);
  const Tensor weight = scope.parameter(name + ".weight", {inputs, outputs}, by_inputs(inputs));
  return product(x, convert(weight, x.type().dtype), scope.precision());
}

Tensor with_bias(Scope& scope, const std::string& name, Tensor y, Initial initial,
                 std::int64_t outputs, TensorAxis tensor = {}) {
  const Tensor bias = scope.parameter(name + ".bias", {outputs}, initial, tensor);
  return add(y, convert(bias, y.type().dtype));
}

// Neighbours that hold the same heads of keys and values, where the group has more devices.
int copies_of(std::int64_t shared, const Scope& scope) {
  if (scope.tensor() > shared && scope.tensor() % shared == 0) {
    return scope.tensor() / static_cast<int>(shared);
  }
  scope.share_of(shared, "heads of keys and values");
  return 1;
}

// The first numbers of each head alone where not all turn.
Tensor turned(Tensor heads, std::int64_t rotated) {
  const std::int64_t width = heads.shape().at(-1);
  if (rotated == 0 || rotated == width) return rotary_embedding(heads);
  return concatenate(
      {rotary_embedding(slice(heads, 3, 0, rotated)), slice(heads, 3, rotated, width - rotated)},
      3);
}

// One scale for all heads, of which each device of a group has some.
Tensor normal_heads(Scope& scope, const std::string& name, Tensor heads) {
  const Tensor scale = scope.parameter(name + ".weight", {heads.shape().at(-1)}, everywhere(1));
  return rms_norm(heads, divided_among(scale, scope.tensor_group()));
}

// As many as a tensor group divides.
std::int64_t padded_up(std::int64_t classes, const Scope& scope) {
  const std::int64_t group = scope.tensor();
  return (classes + group - 1) / group * group;
}

}  // namespace

Tensor dense(Scope& scope, const std::string& name, Tensor x, std::int64_t outputs,
             DenseSplit split, bool bias) {
  const Initial initial =
      by_inputs(x.shape().at(-1) * (split == DenseSplit::rows ? scope.tensor() : 1));
  if (split == DenseSplit::columns) {
    scope.share_of(outputs, "outputs of " + name);
    const Tensor y = columns_of(scope, name, x, outputs);
    return bias ? with_bias(scope, name, y, initial, outputs, {.axis = 0}) : y;
  }
  const Tensor y = split == DenseSplit::rows ? rows_of(scope, name, x, outputs)
                                             : whole_of(scope, name, x, outputs);
  return bias ? with_bias(scope, name, y, initial, outputs) : y;
}

Tensor feed_forward(Scope& scope, const std::string& name, Tensor x, std::int64_t hidden,
                    Activation activation, bool biases, double dropped) {
  const std::int64_t width = x.shape().at(-1);
  Tensor up = activation(dense(scope, name + ".up", x, hidden, DenseSplit::columns, biases));
  up = dropout(up, scope.dropping(dropped));
  return dense(scope, name + ".down", up, width, DenseSplit::rows, biases);
}

Tensor class_logits(Scope& scope, const std::string& name, Tensor x, std::int64_t classes,
                    bool bias) {
  return dense(scope, name, x, padded_up(classes, scope), DenseSplit::columns, bias);
}

Tensor class_weights(Scope& scope, const std::string& name, Tensor x, std::int64_t classes) {
  const std::int64_t inputs = x.shape().at(-1);
  const Tensor weights = scope.parameter(name + ".weight", {inputs, padded_up(classes, scope)},
                                         by_inputs(inputs), {.axis = 1});
  return convert(weights, x.type().dtype);
}

Tensor logits_by(Scope& scope, Tensor x, Tensor weights, bool transposed) {
  return batch_matmul(scope.divided(x), weights,
                      {.transpose_right = transposed, .precision = scope.precision()});
}

Tensor logits_or_head(Scope& scope, Tensor x, Tensor weights, bool transposed,
                      const std::function<Tensor(Tensor logits)>& finish) {
  const auto made = [=, &scope](Tensor tokens, Tensor by) {
    return finish(logits_by(scope, tokens, by, transposed));
  };
  if (!scope.in_pieces()) return made(x, weights);
  scope.leave_head([=](Tensor piece) { return made(piece, in_each_turn(weights)); });
  return x;
}

Tensor token_table(Scope& scope, const std::string& name, std::int64_t classes,
                   std::int64_t width) {
  return scope.parameter(name + ".weight", {padded_up(classes, scope), width}, by_gpt, {.axis = 0});
}

Tensor embedded(Scope& scope, Tensor table, Tensor ids) {
  if (scope.tensor() == 1) return convert(embedding(table, ids), scope.compute());
  const Tensor first = share_begin(*ids.graph, table.shape()[0], scope.tensor_group());
  const Tensor own = convert(embedding(table, ids, first), scope.compute());
  return all_reduce(own, scope.tensor_group());
}

Tensor tied_logits(Scope& scope, Tensor x, Tensor table) {
  return logits_by(scope, x, convert(table, x.type().dtype), true);
}

Tensor class_biased(Scope& scope, const std::string& name, Tensor logits, std::int64_t classes) {
  return with_bias(scope, name, logits, everywhere(0), padded_up(classes, scope), {.axis = 0});
}

Filter filter_of(Scope& scope, const std::string& name, std::int64_t channels,
                 const ConvolutionSizes& sizes) {
  const Shape image{sizes.height, sizes.width, channels, sizes.outputs};
  const Shape window = sizes.depth > 0 ? image.of_rows(sizes.depth) : image;
  const Initial initial = by_inputs(window.elements() / sizes.outputs);
  Filter filter{
      .sizes = sizes, .weight = scope.parameter(name + ".weight", window, initial), .bias = {}};
  if (sizes.bias) filter.bias = scope.parameter(name + ".bias", {sizes.outputs}, initial);
  return filter;
}

Tensor convolved(Scope& scope, Tensor x, const Filter& filter) {
  const DType dtype = x.type().dtype;
  const ConvolutionOptions options{.stride = filter.sizes.stride,
                                   .padding = filter.sizes.padding,
                                   .precision = scope.precision()};
  const Tensor weight = convert(filter.weight, dtype);
  const bool volumes = filter.sizes.depth > 0;
  const Tensor y = volumes ? conv3d(x, weight, options) : conv2d(x, weight, options);
  return filter.bias ? add(y, convert(filter.bias, dtype)) : y;
}

Tensor convolution(Scope& scope, const std::string& name, Tensor x, const ConvolutionSizes& sizes) {
  return convolved(scope, x, filter_of(scope, name, x.shape().at(-1), sizes));
}

Tensor patches(Scope& scope, const std::string& name, Tensor x, std::int64_t side,
               std::int64_t width) {
  const Tensor y = convolution(scope, name, x,
                               {.outputs = width,
                                .height = side,
                                .width = side,
                                .stride = side,
                                .padding = Padding::valid()});
  return reshape(y, {y.shape()[0], y.shape()[1] * y.shape()[2], width});
}

Tensor batch_normalised(Scope& scope, const std::string& name, Tensor x) {
  const std::int64_t channels = x.shape().at(-1);
  const Tensor scale = scope.parameter(name + ".weight", {channels}, everywhere(1));
  return batch_norm(x, scale, scope.parameter(name + ".bias", {channels}, everywhere(0))).output;
}

Tensor scaled_channels(Scope& scope, const std::string& name, Tensor x) {
  const std::int64_t channels = x.shape().at(-1);
  const auto fixed = [&](const char* part, double value) {
    const Tensor own = scope.parameter(name + part, {channels}, everywhere(value));
    return convert(without_gradient(own), x.type().dtype);
  };
  return add(multiply(x, fixed(".weight", 1)), fixed(".bias", 0));
}

Tensor layer_normalised(Scope& scope, const std::string& name, Tensor x) {
  const std::int64_t width = x.shape().at(-1);
  const Tensor scale = scope.parameter(name + ".weight", {width}, everywhere(1));
  return layer_norm(x, scale, scope.parameter(name + ".bias", {width}, everywhere(0)));
}

Tensor rms_normalised(Scope& scope, const std::string& name, Tensor x) {
  return rms_norm(x, scope.parameter(name + ".weight", {x.shape().at(-1)}, everywhere(1)));
}

Tensor attention_over(Scope& scope, const std::string& name, Tensor x, Tensor asked,
                      const AttentionSizes& sizes) {
  const std::int64_t width = x.shape().at(-1);
  const std::int64_t head = sizes.head_width > 0 ? sizes.head_width : width / sizes.heads;
  scope.share_of(sizes.heads, "heads");
  const int copies = copies_of(sizes.shared, scope);
  const auto split = [&](const char* part, Tensor from, std::int64_t all, int same) {
    Tensor y = columns_of(scope, name + part, from, head * all, same);
    const std::int64_t inputs = from.shape().at(-1);
    if (sizes.biases) {
      y = with_bias(scope, name + part, y, by_inputs(inputs), head * all, {0, same});
    }
    return split_heads(y, all * same / scope.tensor());
  };
  Tensor q = split(".query", x, sizes.heads, 1);
  Tensor k = split(".key", asked, sizes.shared, copies);
  const Tensor v = split(".value", asked, sizes.shared, copies);
  if (sizes.norms) {
    q = normal_heads(scope, name + ".query.norm", q);
    k = normal_heads(scope, name + ".key.norm", k);
  }
  if (sizes.rotary) {
    q = turned(q, sizes.rotated);
    k = turned(k, sizes.rotated);
  }
  const DeviceSet context = scope.along(MeshAxis::context);
  const Tensor keys = all_gather(k, 2, context);
  const bool fused = scope.tracing().fuses(q.shape()[2], keys.shape()[2]);
  const Tensor mixed = attention(q, keys, all_gather(v, 2, context),
                                 {.causal = sizes.causal,
                                  .precision = scope.precision(),
                                  .fused = fused,
                                  .dropout = scope.dropping(sizes.dropout),
                                  .window = sizes.window,
                                  .cap = sizes.cap,
                                  .wide_softmax = sizes.wide_softmax});
  return dense(scope, name + ".output", merge_heads(mixed), width, DenseSplit::rows,
               sizes.output_bias);
}

Tensor mixed_experts(Scope& scope, const std::string& name, Tensor x, const ExpertSizes& sizes) {
  const Shape shape = x.shape();
  const std::int64_t width = shape.at(-1);
  x = reshape(x, {shape.elements() / width, width});
  const Tensor logits = whole_of(scope, name + ".router", x, sizes.experts);
  const Tensor chosen = largest(logits, sizes.chosen);
  const Tensor weights = softmax(picked(logits, chosen));
  const DeviceSet sharers = scope.along(MeshAxis::expert);
  const Tensor rows =
      sent_to_experts(dispatched(scope.divided(x), sizes.chosen), chosen, sizes.experts, sharers);
  const Tensor asked = sent_to_experts(chosen, chosen, sizes.experts, sharers);
  const auto times = [&](const char* part, Tensor left, std::int64_t inputs, std::int64_t outputs,
                         int divided) {
    const Tensor matrices =
        scope.parameter(name + part, {sizes.experts, inputs, outputs}, by_inputs(inputs),
                        {.axis = divided, .of_experts = true});
    return expert_matmul(left, convert(matrices, left.type().dtype), asked,
                         {.precision = scope.precision()});
  };
  scope.share_of(sizes.hidden, "hidden width of " + name);
  const Tensor gate = silu(times(".gate.weight", rows, width, sizes.hidden, 2));
  const Tensor up = times(".up.weight", rows, width, sizes.hidden, 2);
  const Tensor made = sent_back(times(".down.weight", multiply(gate, up), sizes.hidden, width, 1),
                                chosen, sizes.experts, sharers);
  const Tensor mixed = reduce_sum(multiply_rows(made, divided_among(weights, scope.tensor_group())),
                                  std::vector<int>{1});
  return reshape(all_reduce(mixed, scope.tensor_group()), shape);
}

Tensor repeated(Scope& scope, std::int64_t layers, const std::string& name, Tensor x,
                const std::function<Tensor(const std::string& name, Tensor x)>& layer) {
  if (scope.tracing().layers_once) {
    const Region before =
        x.graph->enter_layer(scope.layers_of_stage(layers), scope.tracing().found_behind_layers);
    x = layer(name, carried(x));
    x.graph->enter(before);
    return x;
  }
  for (std::int64_t i = 1; i <= layers; ++i) x = layer(fmt::format("{}{}", name, i), x);
  return x;
}

Tensor repeated_in_turn(
    Scope& scope, std::int64_t layers, std::int64_t period, const std::string& name, Tensor x,
    const std::function<Tensor(const std::string& name, std::int64_t place, Tensor x)>& layer) {
  if (!scope.tracing().layers_once) {
    for (std::int64_t i = 0; i < layers; ++i) {
      x = layer(fmt::format("{}{}", name, i + 1), i % period, x);
    }
    return x;
  }
  const auto turn = [&](std::int64_t runs, std::int64_t places, const std::string& kind) {
    if (runs == 0 || places == 0) return;
    x = repeated(scope, runs, kind, x, [&](const std::string& one, Tensor y) {
      for (std::int64_t i = 0; i < places; ++i) {
        y = layer(fmt::format("{}.{}", one, i + 1), i, i == 0 ? y : carried(y));
      }
      return y;
    });
  };
  turn(layers / period, period, name);
  turn(1, layers % period, "last");
  return x;
}

namespace {

std::vector<Tensor> written_out(const std::vector<Tensor>& sequences, std::vector<Tensor> state,
                                bool backwards, const TimeStep& step) {
  const std::int64_t turns = sequences.front().shape()[1];
  std::vector<std::vector<Tensor>> all(state.size(),
                                       std::vector<Tensor>(static_cast<std::size_t>(turns)));
  for (std::int64_t turn = 0; turn < turns; ++turn) {
    const std::int64_t at = backwards ? turns - 1 - turn : turn;
    std::vector<Tensor> inputs;
    for (const Tensor& sequence : sequences) {
      const Shape& shape = sequence.shape();
      inputs.push_back(
          reshape(slice(sequence, 1, at, 1), {shape[0], shape.elements() / turns / shape[0]}));
    }
    state = step(inputs, state);
    for (std::size_t i = 0; i < state.size(); ++i) {
      const Shape& shape = state[i].shape();
      all[i][static_cast<std::size_t>(at)] = reshape(state[i], {shape[0], 1, shape[1]});
    }
  }
  std::vector<Tensor> made;
  made.reserve(all.size());
  for (const std::vector<Tensor>& one : all) made.push_back(concatenate(one, 1));
  return made;
}

}  // namespace

std::vector<Tensor> in_turns(Scope& scope, const std::vector<Tensor>& sequences,
                             const std::vector<Shape>& states, Tensor weights, bool backwards,
                             const TimeStep& step) {
  const bool once = scope.tracing().layers_once;
  std::vector<Tensor> state;
  state.reserve(states.size());
  for (const Shape& shape : states) {
    state.push_back(empty_state(sequences.front(), shape, once ? weights : Tensor{}));
  }
  if (!once) return written_out(sequences, state, backwards, step);
  const std::int64_t turns = sequences.front().shape()[1];
  Graph& graph = *sequences.front().graph;
  const Region before = graph.enter_layer(turns);
  std::vector<Tensor> inputs;
  inputs.reserve(sequences.size());
  for (const Tensor& sequence : sequences) inputs.push_back(of_turn(sequence));
  for (Tensor& one : state) one = carried(one);
  std::vector<Tensor> made = step(inputs, state);
  graph.enter(before);
  for (Tensor& one : made) one = of_all_turns(one, turns);
  return made;
}

Tensor flattened(Tensor x) {
  const std::int64_t rows = x.shape()[0];
  return reshape(x, {rows, x.shape().elements() / rows});
}

}  // namespace tpulab

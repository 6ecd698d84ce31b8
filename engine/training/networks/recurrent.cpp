// Recurrent translation: GNMT (Wu et al., arXiv 1609.08144) as MLPerf trains it.
#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "engine/base/error.h"
#include "engine/training/networks/blocks.h"
#include "engine/training/networks/networks.h"

namespace tpulab {

namespace {

// A product of each step by the same weights, whose gradient is made behind all steps or, `within`,
// added up from step to step.
class Recurrence {
 public:
  Recurrence(Scope& scope, const std::string& name, std::int64_t inputs, std::int64_t outputs,
             std::int64_t turns, bool within)
      : options_{.precision = scope.precision()} {
    const Initial initial{Initial::Kind::uniform, 1 / std::sqrt(static_cast<double>(inputs))};
    weight_ =
        convert(scope.parameter(name + ".weight", {inputs, outputs}, initial), scope.compute());
    const bool once = scope.tracing().layers_once;
    adds_up_ = once && within;
    if (once && !within) options_.turns = turns;
  }
  Tensor operator()(Tensor x) const {
    return matmul(x, adds_up_ ? in_each_turn(weight_) : weight_, options_);
  }
  Tensor weights() const { return weight_; }

 private:
  Tensor weight_;
  MatmulOptions options_;
  bool adds_up_ = false;
};

// What a layer makes of its inputs [b,t,c]: of all steps at once, or of a step's own, `within`.
class Inputs {
 public:
  Inputs(Scope& scope, const std::string& name, Tensor x, std::int64_t outputs, bool within) {
    if (!within) {
      all_ = dense(scope, name, x, outputs);
      return;
    }
    all_ = x;
    const std::int64_t inputs = x.shape().at(-1);
    own_.emplace(scope, name, inputs, outputs, x.shape()[1], true);
    const Initial initial{Initial::Kind::uniform, 1 / std::sqrt(static_cast<double>(inputs))};
    bias_ = convert(scope.parameter(name + ".bias", {outputs}, initial), x.type().dtype);
    once_ = scope.tracing().layers_once;
  }
  Tensor all() const { return all_; }
  Tensor of(Tensor step) const {
    if (!own_) return step;
    return add((*own_)(step), once_ ? in_each_turn(bias_) : bias_);
  }

 private:
  Tensor all_;
  std::optional<Recurrence> own_;
  Tensor bias_;
  bool once_ = false;
};

Tensor cell_part(Tensor state, std::int64_t first, std::int64_t count) {
  const int last = state.shape().rank() - 1;
  return slice(state, last, first, count);
}
// What a state [..,2c] hands on.
Tensor hidden_of(Tensor state) {
  const std::int64_t width = state.shape().at(-1) / 2;
  return cell_part(state, width, width);
}

// x [b,t,..] -> [b,t,width]
Tensor lstm_layer(Scope& scope, const std::string& name, Tensor x, const RecurrentSizes& sizes,
                  bool backwards = false) {
  const std::int64_t turns = x.shape()[1];
  const std::int64_t width = sizes.width;
  const Inputs inputs(scope, name + ".inputs", x, 4 * width, sizes.within);
  const Recurrence recurrence(scope, name + ".recurrent", width, 4 * width, turns, sizes.within);
  const std::vector<Tensor> states = in_turns(
      scope, {inputs.all()}, {{x.shape()[0], 2 * width}}, recurrence.weights(), backwards,
      [&](const std::vector<Tensor>& in, const std::vector<Tensor>& state) {
        return std::vector{lstm(add(recurrence(hidden_of(state[0])), inputs.of(in[0])), state[0])};
      });
  return hidden_of(states[0]);
}

// Scores keys [b,s,c] by v tanh(key + query) and mixes the values by their softmax: [b,c]
// [Bahdanau et al., arXiv 1409.0473].
Tensor additive_attention(Tensor query, Tensor keys, Tensor values, Tensor by) {
  const Tensor seen = hyperbolic_tangent(add(keys, repeat_like(query, keys, 1)));
  const Tensor scores = reduce_sum(multiply(seen, by), std::vector<int>{2});
  return reduce_sum(multiply_rows(values, softmax(scores)), std::vector<int>{1});
}

struct Attended {
  Tensor hidden;  // [b,t,width]
  Tensor mixed;   // of the source: [b,t,width]
};

// The first layer of the decoder, which looks at the source in each step and at what it saw there
// in the step before.
Attended attending_layer(Scope& scope, const std::string& name, Tensor x, Tensor source,
                         const RecurrentSizes& sizes) {
  const std::int64_t turns = x.shape()[1];
  const std::int64_t rows = x.shape()[0];
  const std::int64_t width = sizes.width;
  const Inputs inputs(scope, name + ".inputs", x, 4 * width, sizes.within);
  const auto product = [&](const char* part, std::int64_t outputs) {
    return Recurrence(scope, name + part, width, outputs, turns, sizes.within);
  };
  const Recurrence recurrence = product(".recurrent", 4 * width);
  const Recurrence looked = product(".attended", 4 * width);
  const Recurrence query = product(".query", width);
  const Tensor shift = scope.parameter(name + ".attention.bias", {width}, {.size = 0});
  const Initial small{Initial::Kind::uniform, 1 / std::sqrt(static_cast<double>(width))};
  const Tensor direction = scope.parameter(name + ".attention.weight", {width}, small);
  const Tensor length = scope.parameter(name + ".attention.length", {1},
                                        {.size = 1 / std::sqrt(static_cast<double>(width))});
  const Tensor square = reduce_sum(multiply(direction, direction), 0);
  const Tensor scale = multiply(reshape(length, Shape{}), reciprocal_square_root(square));
  const Tensor by = convert(multiply(direction, scale), scope.compute());
  const auto everywhere = [&](Tensor value) {
    return scope.tracing().layers_once ? in_each_turn(value) : value;
  };
  const Tensor keys = add(dense(scope, name + ".keys", source, width, DenseSplit::none, false),
                          convert(shift, scope.compute()));
  const std::vector<Tensor> states =
      in_turns(scope, {inputs.all()}, {{rows, 2 * width}, {rows, width}}, recurrence.weights(),
               false, [&](const std::vector<Tensor>& in, const std::vector<Tensor>& state) {
                 const Tensor gates =
                     add(add(recurrence(hidden_of(state[0])), looked(state[1])), inputs.of(in[0]));
                 const Tensor next = lstm(gates, state[0]);
                 const Tensor mixed = additive_attention(query(hidden_of(next)), everywhere(keys),
                                                         everywhere(source), everywhere(by));
                 return std::vector{next, mixed};
               });
  return {hidden_of(states[0]), states[1]};
}

void refuse_to_divide_rows(const DeviceSet& context) {
  if (context.size == 1) return;
  throw Error(fmt::format(
      "context={} divides the tokens of a row, but a recurrent network needs the state that the "
      "token before it left: its devices would wait for each other; leave context out of the mesh",
      context.size));
}

Tensor translated(Scope& scope, Tensor tokens, const Example& example,
                  const RecurrentSizes& sizes) {
  refuse_to_divide_rows(scope.along(MeshAxis::context));
  const auto kept = [&](Tensor x) { return dropout(x, scope.dropping(sizes.dropout)); };
  const Tensor table = token_table(scope, "tokens", example.classes, sizes.width);
  const auto side = [&](std::int64_t which) {
    const Shape rows{tokens.shape()[0], tokens.shape()[2]};
    return kept(embedded(scope, table, reshape(slice(tokens, 1, which, 1), rows)));
  };
  const auto name = [](const char* part, std::int64_t layer) {
    return fmt::format("{}{}", part, layer);
  };
  const Tensor source = side(0);
  Tensor x = concatenate({lstm_layer(scope, "encoder1.forward", source, sizes),
                          lstm_layer(scope, "encoder1.backward", source, sizes, true)},
                         2);
  for (std::int64_t layer = 2; layer <= sizes.layers; ++layer) {
    const Tensor y = lstm_layer(scope, name("encoder", layer), kept(x), sizes);
    x = layer > 2 ? add(x, y) : y;
  }
  const Attended first = attending_layer(scope, "decoder1", side(1), x, sizes);
  Tensor y = first.hidden;
  for (std::int64_t layer = 2; layer <= sizes.layers; ++layer) {
    const Tensor both = kept(concatenate({y, first.mixed}, 2));
    const Tensor made = lstm_layer(scope, name("decoder", layer), both, sizes);
    y = layer > 2 ? add(y, made) : made;
  }
  return logits_or_head(scope, y, class_weights(scope, "head", y, example.classes), false,
                        [](Tensor logits) { return logits; });
}

}  // namespace

Model recurrent_translator(const RecurrentSizes& sizes) {
  return {
      .input = Input::pair,
      .name =
          [sizes](const Example& example) {
            return fmt::format("gnmt {} x {}, {}{}", sizes.layers, sizes.width, example.classes,
                               sizes.within ? ", within steps" : "");
          },
      .forward = [sizes](Scope& scope, Tensor x,
                         const Example& example) { return translated(scope, x, example, sizes); },
      .drops = sizes.dropout > 0};
}

}  // namespace tpulab

#include "engine/training/model.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/training/partition.h"
#include "engine/training/random.h"

namespace tpulab {

namespace {

// The sum of twelve uniform numbers has deviation 1 and needs no function that libraries round
// differently.
float about_normal(Random& random) {
  float sum = -6;
  for (int i = 0; i < 12; ++i) sum += random.uniform(0, 1);
  return sum;
}

float drawn(const Initial& initial, Random& random) {
  const auto size = static_cast<float>(initial.size);
  switch (initial.kind) {
    case Initial::Kind::uniform:
      return random.uniform(-size, size);
    case Initial::Kind::normal:
      return size * about_normal(random);
    case Initial::Kind::constant:
      break;
  }
  return size;
}

}  // namespace

Tensor Scope::parameter(std::string_view name, const Shape& shape, Initial initial,
                        TensorAxis tensor) {
  if (mesh_.tensor == 1) tensor = {.of_experts = tensor.of_experts};
  Parameter parameter = part_of({std::string(name), shape, initial, tensor}, mesh_);
  if (graph_ != nullptr) {
    parameter.region = graph_->region();
    declared_.push_back(parameter);
    const Tensor leaf =
        graph_->leaf(-1, {parameter.shape, storage_, Placement::shared}, parameter.name);
    return gathered(leaf, parameter, mesh_, compute_);
  }
  expects(used_ < leaves_.size() && leaves_[used_].shape() == parameter.shape,
          "a leaf per parameter");
  return gathered(leaves_[used_++], parameter, mesh_, compute_);
}

std::int64_t Scope::share_of(std::int64_t extent, std::string_view what) const {
  if (extent % mesh_.tensor == 0) return extent / mesh_.tensor;
  throw DoesNotDivide(
      fmt::format("a tensor group of {} does not divide the {} {}", mesh_.tensor, extent, what),
      "choose a divisor");
}

std::int64_t Scope::layers_of_stage(std::int64_t layers) const {
  if (layers % mesh_.pipeline == 0) return layers / mesh_.pipeline;
  throw DoesNotDivide(
      fmt::format("pipeline={} does not divide {} equal layers", mesh_.pipeline, layers),
      "choose a divisor");
}

Tensor Scope::divided(Tensor x) {
  if (whole_.graph != x.graph || whole_.id != x.id) {
    whole_ = x;
    divided_ = divided_among(x, tensor_group());
  }
  return divided_;
}

std::string_view name_of(Input input) {
  switch (input) {
    case Input::image:
      return "an image";
    case Input::sequence:
      return "a sequence of numbers";
    case Input::tokens:
      return "a sequence of tokens";
    case Input::scene:
      return "an image with things in it";
    case Input::pair:
      return "two sequences of tokens";
    case Input::volume:
      return "a volume";
    case Input::outlines:
      return "an image with things and their outlines";
    case Input::numbers:
      break;
  }
  return "a list of numbers";
}

Tensor logits_of(const Model& model, Scope& scope, Tensor inputs, const Example& example,
                 DType storage) {
  if (inputs.type().dtype == DType::u8) {
    const Tensor bytes = convert(inputs, DType::f32);
    inputs = divide(bytes, scalar(*bytes.graph, example.byte_scale, "byte of a 1"));
  }
  if (!is_integer(inputs.type().dtype)) inputs = convert(inputs, scope.compute());
  const Tensor logits = convert(model.forward(scope, inputs, example), storage);
  if (scope.head()) return logits;
  if (logits.shape().rank() == 2 || model.objective.losses != nullptr) return logits;
  const std::int64_t unasked = logits.shape()[1] - example.labels;
  const Tensor asked = unasked == 0 ? logits : slice(logits, 1, unasked, example.labels);
  return reshape(asked, {asked.shape()[0] * example.labels, asked.shape().at(-1)});
}

Tensor losses_of(const Model& model, Tensor logits, Tensor labels, const Example& example) {
  const Objective::Asked& own = model.objective.losses;
  return own != nullptr ? own(logits, labels, example) : softmax_cross_entropy(logits, labels);
}

namespace {

// Tokens [n, ..] as [1, pieces, n / pieces, ..].
Tensor pieces_of(Tensor tokens, std::int64_t pieces) {
  const Shape& shape = tokens.shape();
  if (shape[0] % pieces != 0) {
    throw Error(
        fmt::format("loss_pieces {} do not divide the {} tokens of a device; choose a "
                    "divisor",
                    pieces, shape[0]));
  }
  std::vector<std::int64_t> extents{1, pieces, shape[0] / pieces};
  if (shape.rank() > 1) extents.push_back(shape[1]);
  return reshape(tokens, Shape(extents));
}

// Logits of a piece of the tokens at a time, whose array is as much smaller.
Tensor loss_in_pieces(Scope& scope, Tensor x, Tensor labels, const Example& example) {
  const std::int64_t pieces = scope.tracing().loss_pieces;
  const std::int64_t tokens = labels.shape()[0];
  const Tensor all = pieces_of(reshape(x, {tokens, x.shape().at(-1)}), pieces);
  const Tensor asked = pieces_of(labels, pieces);
  Graph& graph = *x.graph;
  const Region before = graph.enter_layer(pieces, Region::Finds::nothing);
  const Tensor made = convert(scope.head()(of_turn(all)), DType::f32);
  const Tensor logits = reshape(made, {tokens / pieces, made.shape().at(-1)});
  const Tensor own = reshape(of_turn(asked), Shape{tokens / pieces});
  const bool whole = logits.shape()[1] == example.classes;
  const Tensor losses =
      whole ? softmax_cross_entropy(logits, own)
            : shared_cross_entropy(logits, own, example.classes, scope.tensor_group());
  graph.enter(before);
  const Tensor each = of_all_turns(reshape(losses, {1, tokens / pieces}), pieces);
  return mean(reshape(each, Shape{tokens}));
}

}  // namespace

Tensor loss_of(const Model& model, Scope& scope, Tensor logits, Tensor labels,
               const Example& example) {
  if (scope.head()) return loss_in_pieces(scope, logits, labels, example);
  const bool shared = model.objective.losses == nullptr && logits.shape().at(-1) != example.classes;
  return mean(shared ? shared_cross_entropy(logits, labels, example.classes, scope.tensor_group())
                     : losses_of(model, logits, labels, example));
}

Tensor hits_of(const Model& model, Tensor logits, Tensor labels, const Example& example) {
  const Objective::Asked& own = model.objective.right;
  return reduce_sum(own != nullptr ? own(logits, labels, example) : correct_rows(logits, labels),
                    0);
}

std::int64_t answers_of(const Model& model, const Example& example) {
  return model.objective.right != nullptr ? 1 : example.labels;
}

std::vector<Parameter> parameters_of(const Model& model, const Example& example, DType storage,
                                     const Mesh& mesh, Tracing tracing) {
  Graph graph;
  Scope scope(graph, storage, mesh, tracing);
  const DType dtype = example.dtype == DType::f32 ? storage : example.dtype;
  const Type type{example.row.of_rows(1), dtype, Placement::per_core};
  model.forward(scope, graph.leaf(-1, type, "example"), example);
  return scope.declared();
}

std::int64_t parameter_count(std::span<const Parameter> parameters) {
  std::int64_t count = 0;
  for (const Parameter& parameter : parameters) {
    count += parameter.shape.elements() * parameter.region.runs;
  }
  return count;
}

std::vector<Array> initial_values(std::span<const Parameter> parameters, std::uint64_t seed) {
  Random random(seed);
  std::vector<Array> values;
  for (const Parameter& parameter : parameters) {
    Array& made = values.emplace_back(parameter.shape);
    for (float& value : made.values()) value = drawn(parameter.initial, random);
  }
  return values;
}

}  // namespace tpulab

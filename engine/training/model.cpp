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
  throw Error(fmt::format("a tensor group of {} does not divide the {} {}; choose a divisor",
                          mesh_.tensor, extent, what));
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
  if (logits.shape().rank() == 2 || model.objective.losses != nullptr) return logits;
  const std::int64_t unasked = logits.shape()[1] - example.labels;
  const Tensor asked = unasked == 0 ? logits : slice(logits, 1, unasked, example.labels);
  return reshape(asked, {asked.shape()[0] * example.labels, asked.shape().at(-1)});
}

Tensor losses_of(const Model& model, Tensor logits, Tensor labels, const Example& example) {
  const Objective::Asked own = model.objective.losses;
  return own != nullptr ? own(logits, labels, example) : softmax_cross_entropy(logits, labels);
}

Tensor loss_of(const Model& model, Scope& scope, Tensor logits, Tensor labels,
               const Example& example) {
  const bool shared = model.objective.losses == nullptr && logits.shape().at(-1) != example.classes;
  return mean(shared ? shared_cross_entropy(logits, labels, example.classes, scope.tensor_group())
                     : losses_of(model, logits, labels, example));
}

Tensor hits_of(const Model& model, Tensor logits, Tensor labels, const Example& example) {
  const Objective::Asked own = model.objective.right;
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

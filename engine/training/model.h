// A model as a value: one traced function over a row of data. Nobody above asks which one it is.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/graph/array.h"
#include "engine/graph/graph.h"
#include "engine/ops/ops.h"

namespace tpulab {

// How a parameter starts: uniform in +-size, normal with deviation size, or everywhere size.
struct Initial {
  enum class Kind : std::uint8_t { uniform, normal, constant };
  Kind kind = Kind::constant;
  double size = 0;
};

struct Parameter {
  std::string name;  // "layer1.weight"
  Shape shape;
  Initial initial;
};

// Hands a traced function its parameters: the step's leaves in their order, or, where there are
// none yet, a leaf without a buffer for each that the function asks for.
class Scope {
 public:
  // Declares, on a graph that is thrown away.
  Scope(Graph& graph, DType storage) : graph_(&graph), storage_(storage), compute_(storage) {}
  Scope(std::span<const Tensor> leaves, DType compute, MatmulPrecision precision)
      : leaves_(leaves), compute_(compute), precision_(precision) {}

  Tensor parameter(std::string_view name, const Shape& shape, Initial initial);
  MatmulPrecision precision() const { return precision_; }
  DType compute() const { return compute_; }  // of activations
  const std::vector<Parameter>& declared() const { return declared_; }

 private:
  Graph* graph_ = nullptr;
  DType storage_ = DType::f32;
  std::span<const Tensor> leaves_;
  DType compute_ = DType::f32;
  MatmulPrecision precision_ = MatmulPrecision::default_;
  std::vector<Parameter> declared_;
  std::size_t used_ = 0;
};

// What a model reads of a row of data.
enum class Input : std::uint8_t { numbers, image, sequence, tokens };
std::string_view name_of(Input input);  // "an image"

// One row of the data as a model reads it, and what is asked of it.
struct Example {
  Shape row;  // [64], [8,8,1], [8,8], [tokens]
  DType dtype = DType::f32;
  std::int64_t classes = 0;
  std::int64_t labels = 1;  // per row; of a sequence its last positions are asked
};

struct Model {
  Input input = Input::numbers;
  // "mlp 64-1024-1024-10"
  std::function<std::string(const Example&)> name;
  // x [rows, row ...] -> logits [rows, classes], or [rows, positions, classes]. Throws Error naming
  // the layer whose shapes do not fit.
  std::function<Tensor(Scope&, Tensor x, const Example&)> forward;
};

// Rows as the loss asks for them, in the dtype of the parameters: of a sequence its last positions,
// each a row. inputs [rows, row ...] -> [rows, classes].
Tensor logits_of(const Model& model, Scope& scope, Tensor inputs, const Example& example,
                 DType storage);

// The parameters of the model on such rows, in the order in which forward() asks for them.
std::vector<Parameter> parameters_of(const Model& model, const Example& example, DType storage);
std::int64_t parameter_count(std::span<const Parameter> parameters);
// Values in that order, the same on every computer.
std::vector<Array> initial_values(std::span<const Parameter> parameters, std::uint64_t seed);

}  // namespace tpulab

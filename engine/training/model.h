// A model as a value: one traced function over a row of data. Nobody above asks which one it is.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/mesh.h"
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

// The axis of a parameter that a tensor group divides: each of its devices has a share, or as many
// neighbours as `copies` have the same one.
struct TensorAxis {
  int axis = -1;  // none
  int copies = 1;
  bool of_experts = false;  // axis 0 counts experts, which are divided too
};

struct Parameter {
  std::string name;  // "layer1.weight"
  Shape shape;       // on one device
  Initial initial;
  TensorAxis tensor{};
  int fsdp_axis = -1;  // divided among the devices that share weights, gathered where it is read
  Region region{};     // of a layer that is traced once: there is one for each run
};

// How a step is traced whose time alone is asked for.
struct Tracing {
  bool layers_once = false;  // identical layers as one that runs repeatedly
  Region::Finds found_behind_layers = Region::Finds::values;  // by their backward passes
  std::int64_t fused_attention = 0;  // tokens of a block of its kernel; 0: kernels of its parts
  Draws random{};                    // what dropout draws
  std::int64_t loss_pieces = 1;      // of the tokens of all rows, whose logits are made one by one
  Tensor labels{};                   // [rows * labels], of a step that trains; else empty

  // Blocks divide the tokens, or these are so many that padding them is worth it
  // (MaxDiffusion: flash_min_seq_length).
  static constexpr std::int64_t worth_padding = 4096;
  bool fuses(std::int64_t queries, std::int64_t keys) const {
    const auto fits = [&](std::int64_t tokens) {
      return tokens % fused_attention == 0 || tokens >= worth_padding;
    };
    return fused_attention > 0 && fits(queries) && fits(keys);
  }
};

// Hands a traced function its parameters: the step's leaves in their order, or, where there are
// none yet, a leaf without a buffer for each that the function asks for. The function is traced for
// one device of `mesh` and sees that device's part of whatever a tensor group divides.
class Scope {
 public:
  // Declares, on a graph that is thrown away.
  Scope(Graph& graph, DType storage, const Mesh& mesh = one_device, Tracing tracing = {})
      : graph_(&graph), storage_(storage), compute_(storage), mesh_(mesh), tracing_(tracing) {}
  Scope(std::span<const Tensor> leaves, DType compute, MatmulPrecision precision,
        const Mesh& mesh = one_device, Tracing tracing = {})
      : leaves_(leaves), compute_(compute), precision_(precision), mesh_(mesh), tracing_(tracing) {}

  // `shape` is that of all devices together. Fully sharded ones come back gathered, as products
  // read them.
  Tensor parameter(std::string_view name, const Shape& shape, Initial initial,
                   TensorAxis tensor = {});
  MatmulPrecision precision() const { return precision_; }
  DType compute() const { return compute_; }  // of activations
  const Tracing& tracing() const { return tracing_; }
  const std::vector<Parameter>& declared() const { return declared_; }

  int tensor() const { return mesh_.tensor; }
  // What one stage has of so many equal layers. Throws Error where stages do not divide them.
  std::int64_t layers_of_stage(std::int64_t layers) const;
  DeviceSet tensor_group() const { return along(MeshAxis::tensor); }
  DeviceSet along(MeshAxis axis) const { return devices_along(axis, mesh_); }
  // What one device of the tensor group has of `extent`. Throws Error where it does not divide,
  // saying what that counts: "heads".
  std::int64_t share_of(std::int64_t extent, std::string_view what) const;
  // What the next layer that drops this share of its input draws.
  Dropout dropping(double rate) { return {rate, tracing_.random, ++streams_}; }
  // x for products of which each device makes a part; the same node for the same x.
  Tensor divided(Tensor x);
  // A model whose logits are made in pieces answers what they are made of, and leaves how: x
  // [1, tokens, c] -> [1, tokens, classes].
  using Head = std::function<Tensor(Tensor x)>;
  bool in_pieces() const { return tracing_.loss_pieces > 1; }
  void leave_head(Head head) { head_ = std::move(head); }
  const Head& head() const { return head_; }

 private:
  Graph* graph_ = nullptr;
  DType storage_ = DType::f32;
  std::span<const Tensor> leaves_;
  DType compute_ = DType::f32;
  MatmulPrecision precision_ = MatmulPrecision::default_;
  Mesh mesh_ = one_device;
  Tracing tracing_{};
  std::vector<Parameter> declared_;
  std::size_t used_ = 0;
  std::uint64_t streams_ = 0;
  Tensor whole_;    // what divided() was asked for last
  Tensor divided_;  // and its answer
  Head head_;
};

// What a model reads of a row of data.
enum class Input : std::uint8_t { numbers, image, sequence, tokens, scene, pair, volume, outlines };
std::string_view name_of(Input input);  // "an image"

// One row of the data as a model reads it, and what is asked of it.
struct Example {
  Shape row;  // [64], [8,8,1], [8,8], [tokens], [16,16,16,1]
  DType dtype = DType::f32;
  std::int64_t classes = 0;
  std::int64_t labels = 1;     // per row; of a sequence its last positions are asked
  double byte_scale = 255;     // of rows that are sent as bytes: what stands for 1
  std::int64_t positions = 0;  // that learned tables have, where other rows are longer; 0: as here
};

// What is asked where labels are not one class each. Outputs are as forward() gives them, in the
// dtype of the parameters; labels [rows * labels].
struct Objective {
  using Asked = std::function<Tensor(Tensor outputs, Tensor labels, const Example& example)>;
  Asked losses = nullptr;  // of each row: [rows]
  Asked right = nullptr;   // what is right of each row, from 0 to 1: f32 [rows]
};

struct Model {
  Input input = Input::numbers;
  // "mlp 64-1024-1024-10"
  std::function<std::string(const Example&)> name;
  // x [rows, row ...] -> logits [rows, classes], or [rows, positions, classes]. Throws Error naming
  // the layer whose shapes do not fit.
  std::function<Tensor(Scope&, Tensor x, const Example&)> forward;
  bool drops = false;     // training draws random numbers
  Objective objective{};  // none: each label is a class
};

// Rows as the loss asks for them, in the dtype of the parameters: of a sequence its last positions,
// each a row. inputs [rows, row ...] -> [rows, classes], or what an objective of its own asks for.
Tensor logits_of(const Model& model, Scope& scope, Tensor inputs, const Example& example,
                 DType storage);

// The mean loss of a device's rows under such logits. Labels [rows * positions asked].
Tensor loss_of(const Model& model, Scope& scope, Tensor logits, Tensor labels,
               const Example& example);
// Of each row, or position asked, where one device has all classes: [rows].
Tensor losses_of(const Model& model, Tensor logits, Tensor labels, const Example& example);
// How many of a device's answers are right, a scalar; and how many are asked for a row.
Tensor hits_of(const Model& model, Tensor logits, Tensor labels, const Example& example);
std::int64_t answers_of(const Model& model, const Example& example);

// The parameters of the model on such rows, in the order in which forward() asks for them.
std::vector<Parameter> parameters_of(const Model& model, const Example& example, DType storage,
                                     const Mesh& mesh = one_device, Tracing tracing = {});
std::int64_t parameter_count(std::span<const Parameter> parameters);
// Values in that order, the same on every computer.
std::vector<Array> initial_values(std::span<const Parameter> parameters, std::uint64_t seed);

}  // namespace tpulab

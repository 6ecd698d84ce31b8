// Op: the one virtual interface. An op says what it is, which shape it makes, its numbers, its
// gradient, its work and how replicas of it may be stacked. Everything above asks these questions
// and knows no op.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/work.h"
#include "engine/graph/array.h"
#include "engine/graph/node_ids.h"

namespace tpulab {

class Graph;
class WorkerPool;

// `shared`: every core holds the same value. `per_core`: each core has its own.
enum class Placement : std::uint8_t { shared, per_core };

struct Type {
  Shape shape;  // of one core
  DType dtype = DType::f32;
  Placement placement = Placement::shared;

  bool operator==(const Type&) const = default;
};

// A handle on a node of a graph that is being traced.
struct Tensor {
  Graph* graph = nullptr;
  NodeId id = -1;

  explicit operator bool() const { return graph != nullptr; }
  const Type& type() const;
  const Shape& shape() const { return type().shape; }
};

// How the values of all cores can be held as one array, so that replicas run as one product:
//   shared  one value, the same on every core
//   rows    the cores' values one below the other along axis 0
//   partial the sum of the cores' values (legal where an all-reduce is the only consumer)
//   none    not possible: replicas must run one by one
enum class Stack : std::uint8_t { shared, rows, partial, none };

struct OpTraits {
  bool elementwise =
      false;  // output element i needs only element i of same-shaped inputs, and whole scalars
  bool collective = false;      // combines the cores' values
  bool on_host = false;         // a TPU cannot run it: a partial cut and a CPU op at trace time
  bool constant = false;        // no inputs, value is a static attribute
  bool bitcast = false;         // the input's elements in the same order: no data moves on a device
  bool is_first_input = false;  // programs have that in its place
  bool reorders = false;        // the input's elements, or some of them, in another order
  bool repeats = false;   // the first input's values, repeated; of others the shape alone counts
  bool reduces = false;   // folds axes of its first input, element by element
  bool rounds = false;    // a product that rounds its f32 operands to bf16
  bool casts = false;     // f32 to bf16 or back: a matter of the device's types, traced by nobody
  bool carries = false;   // hands a layer what it begins with
  bool collects = false;  // looks at what all runs of its input's layer have left, side by side
  bool adds_up = false;   // adds to what the runs of its layer before have made
  bool stops = false;     // no gradient flows back through it
  bool compares = false;  // of its first input only counts what is above zero
  // Hands its input to the host's memory, where the result lies; without an input takes it from
  // there.
  bool host_link = false;
  int kernels = 1;          // that XLA makes of it, each waiting for the one before
  std::uint8_t images = 0;  // bit i: input i is a batch of images [b,h,w,c]; so may be the result

  static constexpr std::size_t image_inputs = 7;
  static constexpr std::uint8_t image_result = 1 << image_inputs;
};

struct EvaluateContext {
  WorkerPool* workers = nullptr;  // null: run on the calling thread (already inside a chunk)
  bool reference = false;         // k-sequential f32 accumulation, equal bits on every x86-64
  int stacked = 1;                // cores stacked along axis 0 of `rows` inputs
};

class Op {
 public:
  virtual ~Op() = default;

  // XLA's word for it: "dot", "add", "all-reduce"; for a host op the aten name, "aten::nonzero".
  virtual std::string_view name() const = 0;
  // Static attributes as text; part of the fingerprint ("lhs_contracting=0").
  virtual std::string attributes() const { return {}; }
  virtual OpTraits traits() const { return {}; }
  // The result's type. Throws Error naming op and shapes when they do not fit.
  // Placement: per_core if any input is (collectives answer shared).
  virtual Type infer(std::span<const Type> inputs) const = 0;
  // Writes every element of `out`, whose shape and dtype are set. Inputs do not alias `out`, but
  // that one of an elementwise op may begin where it does.
  // The result is rounded to out.dtype by the caller. For elementwise ops, inputs may be slices.
  virtual void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                        const EvaluateContext& context) const = 0;
  // Appends the gradient's nodes: one tensor per input, an empty one where none flows.
  virtual std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor output,
                                       Tensor upstream) const;
  // Per core, unpadded.
  virtual Work work(std::span<const Type> inputs, const Type& output) const = 0;
  // Of a kernel that does several things at once; {work()} of others.
  virtual std::vector<Work> works(std::span<const Type> inputs, const Type& output) const;
  // How the result is held if the inputs are held so.
  virtual Stack stack(std::span<const Stack> inputs, std::span<const Type> types) const;
  // Host ops only: the result's type depends on values.
  virtual Array evaluate_on_host(std::span<const ArrayView> inputs) const;

 protected:
  // Helper for infer: per_core if any input is.
  static Placement joined(std::span<const Type> inputs);
};

}  // namespace tpulab

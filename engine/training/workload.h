// What is trained, and the work of one training step on one device: the kernels that its compiled
// graph has, in words that need neither values nor a machine. Repeated layers are there once.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/work.h"
#include "engine/compiler/remat.h"
#include "engine/machine/generation.h"
#include "engine/runtime/traced_calls.h"
#include "engine/training/model.h"
#include "engine/training/optimizer.h"

namespace tpulab {

// In the order of Remat.
inline constexpr std::array<std::string_view, 6> remat_names{"none", "minimal", "narrow",
                                                             "full", "offload", "minimal-offload"};
inline constexpr const char* remat_choices =
    "none, minimal, narrow, full, offload or minimal-offload";
Remat remat_named(std::string_view name);  // throws Error

// Whether the rows of a reduction stay in VMEM, so that one kernel reads them once (TPUs from v4
// on), or each reduction ends a kernel and the array crosses HBM again.
enum class RowBlocks : std::uint8_t { in_vmem, in_hbm };

RowBlocks row_blocks_of(const Generation& generation);
// Of attention that is not fused, above all. Where two cores act as one device (v4, v5p), products
// find it written [TPU: BERT on v3, v4, v5e, v5p and v6e].
SoftmaxAgain softmax_again(const Generation& generation);

// How one device runs its part.
struct WorkOptions {
  std::int64_t batch = 1;       // rows on this device
  std::int64_t sequence = 0;    // tokens of a row, 0: the model's own
  std::int64_t image = 0;       // pixels of a side, 0: the model's own
  DType storage = DType::f32;   // parameters, gradients, optimizer state
  DType compute = DType::bf16;  // activations and operands of products
  std::optional<DType> sent{};  // rows of numbers; empty: as compute
  MatmulPrecision products = MatmulPrecision::default_;
  OptimizerKind optimizer = OptimizerKind::adam;
  RowBlocks row_blocks = RowBlocks::in_vmem;
  std::int64_t fused_attention = 1;  // as in Tracing; scores never reach HBM
  SoftmaxAgain softmax = SoftmaxAgain::nowhere;
  Bytes on_chip{};            // holds values between kernels
  bool scanned = false;       // layers that run repeatedly are a loop for each pass
  bool narrow_sums = false;   // replicas add up gradients in the dtype of products
  int random_operations = 0;  // of the vector unit, for one number of dropout; 0: none is drawn
  int update_shards = 1;      // devices that share the optimizer's update
  bool sums_batches = false;  // gradients of several batches wait for it
  Mesh mesh = one_device;
  bool quantised = false;  // products on int8 operands
  Remat remat = Remat::none;
  std::int64_t loss_pieces = 1;  // of a device's tokens, one after the other; of decoders
  Bytes hbm{};                   // that a step should need at most; 0: no limit
};

struct NamedKernel {
  std::string name{};
  SharedKernelWork work{};
  bool product = false;  // a matrix product or convolution
  std::string part{};    // of the network, whose weights it works on: "layer.up"; empty for others
  int begun = -1;        // as in Kernel
};

// What a device has of an array at once: one a run of what waits for the other pass.
struct Copies {
  Bytes one{};
  std::int64_t count = 1;
  bool waits = false;  // for the other pass: then alike ones are there too

  Bytes all() const { return one * count; }
};
struct LargeArray {
  std::string name{};
  Copies copies{};
};

// A part of the network with what its passes cost on one device.
struct Block {
  std::string name{};
  std::int64_t repeats = 1;  // identical ones, one after the other
  bool of_loss = false;      // pieces of the loss, no layers
  std::int64_t turns = 1;    // of both passes, for microbatches of a pipeline
  std::int64_t useful = 1;   // of those, that have rows: the others are its bubble
  std::vector<NamedKernel> forward{};
  std::vector<NamedKernel> backward{};
  std::vector<NamedKernel> update{};
  std::int64_t parameters = 0;             // of one repeat, over all devices that share it
  std::int64_t weights = 0;                // arrays of them
  Bytes largest{};                         // the largest array inside
  std::vector<LargeArray> large{};         // those that take most come first, three or more
  std::vector<std::int64_t> normalised{};  // channels of each batch normalisation
};

// What a kernel exchanges; null: nothing.
const CollectiveWork* collective_of(const KernelWork& work);
// Adds a kernel, and for each launch more the start of one: what follows from its sums alone has
// too few elements to count.
void launch(std::vector<NamedKernel>& kernels, NamedKernel kernel, int launches);
// If it is among the largest of `block`.
void note_array(Block& block, std::string_view kernel, const Operand& made, Copies copies);
inline void note_array(Block& block, std::string_view kernel, const Operand& made) {
  note_array(block, kernel, made, {made.bytes()});
}

// Of traced ops those of layers that run in loops, by how often a loop runs. None where layers are
// written out.
using LoopedOps = std::map<std::int64_t, int>;

struct StepWork {
  std::vector<Block> blocks{};
  Bytes batch{};                    // what the host sends to one device
  Bytes working{};                  // HBM of one device beside weights and state
  Bytes weights{};                  // on one device
  Bytes state{};                    // of the optimizer, on one device
  Bytes offloaded{};                // sent to the host's memory by one device, and taken back
  Bytes on_host{};                  // there too, where kernels of blocks say what is sent and taken
  std::int64_t made_again = 0;      // ops of the forward pass that the backward pass runs too
  bool squeezed = false;            // as of a program
  std::int64_t tokens_per_row = 0;  // 0 for images
  Shape row{};                      // of an image; empty for others
  int traced_ops = 0;               // framework operations of one step, about
  int forward_ops = 0;              // of those, up to the loss
  int update_ops = 0;               // of those, once a step however many batches it sums
  LoopedOps looped{};               // of those

  // What a compiler sees of them where a loop takes it as long as so many of its layers do.
  double share_compiled(double loop_compiles_as) const;

  std::int64_t parameters() const;  // of the whole model
  std::int64_t weight_arrays() const;
  // Unpadded products of one forward pass on this device, depthwise convolutions and what a causal
  // mask hides included: the count that published figures of model operations use.
  Flops forward_flops() const;
};

// Data that a network was published with, of which only the rows are known.
struct PublishedData {
  std::string_view name{};
  std::int64_t training_rows = 0;
  std::int64_t validation_rows = 0;
};

// A network that is traced on rows of a size of its own. Its parameters follow from both.
struct TracedNetwork {
  Model model;
  Example row;                // of images [224,224,3]: another size may be asked for
  std::string_view family{};  // of Transformers: "encoders"; what it is held against
  // Its weights may be too many for a device: left open, a mesh shares them where they take half of
  // it or a step is faster so, and a device has one row.
  bool large = false;
  Example (*of_tokens)(Example row, std::int64_t tokens) = nullptr;  // a longer or shorter row
  Example (*of_pixels)(Example row, std::int64_t side) = nullptr;    // where labels are as many
  std::int64_t most_tokens = 0;                                      // of a row, 0: any
  std::string_view most_because{};      // "its table of positions ends there"
  const PublishedData* data = nullptr;  // null: data without a length
  bool pieces = false;                  // its logits may be made piece by piece
  std::int64_t positions = 0;           // that were learned as it was published; 0: none, any
};
struct Workload {
  std::string model;
  TracedNetwork network;
};

// "resnet50", "bert-large", "llama3-70b", "lm-32b", "mlp-64-1024-10" ... Throws Error with the
// nearest name.
Workload workload_named(std::string_view name);
bool names_workload(std::string_view name);
// Names worth offering for completion and help.
std::vector<std::string> workload_names();

// A step of more operations than are counted. A batch that comes next may make it smaller.
class TooManyOperations : public Error {
 public:
  using Error::Error;
};

// One training step of one device. Throws Error where the options do not fit the sizes.
StepWork step_work(const Workload& workload, const WorkOptions& options);

// What PyTorch/XLA counts while it traces that step: for each batch, and once for all of them.
struct StepCalls {
  CallCounts forward;
  CallCounts backward;
  CallCounts update;
};
StepCalls step_calls(const Workload& workload, const WorkOptions& options);

// The optimizer that the published runs of this family used.
OptimizerKind usual_optimizer(const Workload& workload);

}  // namespace tpulab

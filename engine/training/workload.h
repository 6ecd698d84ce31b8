// What is trained, and the work of one training step on one device: the kernels that XLA makes of
// it, in words that need neither values nor a machine. Repeated layers are listed once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/work.h"
#include "engine/compiler/remat.h"
#include "engine/training/model.h"
#include "engine/training/optimizer.h"

namespace tpulab {

Remat remat_named(std::string_view name);  // throws Error
std::string_view name_of(Remat remat);

// Whether the rows of a reduction stay in VMEM, so that one kernel reads them once (TPUs from v4
// on), or each reduction ends a kernel and the array crosses HBM again.
enum class RowBlocks : std::uint8_t { in_vmem, in_hbm };

// How one device runs its part.
struct WorkOptions {
  std::int64_t batch = 1;       // rows on this device
  std::int64_t sequence = 0;    // tokens of a row, 0: the model's own
  std::int64_t image = 0;       // pixels of a side, 0: the model's own
  DType storage = DType::f32;   // parameters, gradients, optimizer state
  DType compute = DType::bf16;  // activations and operands of products
  int passes = 1;               // bf16 passes of a product: 1, 3, 6
  OptimizerKind optimizer = OptimizerKind::adam;
  RowBlocks row_blocks = RowBlocks::in_vmem;
  bool fused_attention = true;  // scores never reach HBM
  int tensor = 1;               // devices that share each layer's heads and hidden width
  int update_shards = 1;        // devices that share the optimizer's update
  Mesh mesh = one_device;       // of a traced network
  bool quantised = false;       // products on int8 operands
  Bytes hbm{};                  // that a traced step should need at most; 0: no limit
};

struct NamedKernel {
  std::string name{};
  KernelWork work{};
  bool product = false;  // a matrix product or convolution
  bool last = false;     // its result is its layer's: no backward pass of the layer reads it
};

// A part of the network with what its passes cost on one device.
struct Block {
  std::string name{};
  std::int64_t repeats = 1;  // identical ones, one after the other
  std::vector<NamedKernel> forward{};
  std::vector<NamedKernel> backward{};
  std::vector<NamedKernel> update{};
  std::int64_t parameters = 0;       // of one repeat, over all devices that share it
  std::int64_t parameters_here = 0;  // of one repeat, on one device of a tensor group
  Bytes saved{};                     // activations of one repeat kept for the backward pass
  Bytes saved_products{};            // the part of it that products make
  Bytes input{};                     // of one repeat
  Bytes largest{};                   // the largest array inside
  std::string largest_name{};
  Flops masked{};     // of one forward pass, left out because a causal mask hides them
  Bytes exchanged{};  // payload of one all-reduce between the devices of a tensor group
  int exchanges = 0;  // such all-reduces of one forward pass; as many in the backward pass
  std::vector<std::int64_t> normalised{};  // channels of each batch normalisation
};

struct StepWork {
  std::vector<Block> blocks{};
  Bytes batch{};                    // what the host sends to one device
  Bytes working{};                  // HBM of a traced step beside weights and state; else 0
  Bytes weights{};                  // of a traced step on one device; else 0
  bool partitioned = false;         // traced for a mesh: collectives are among the kernels
  std::int64_t tokens_per_row = 0;  // 0 for images
  int traced_ops = 0;               // framework operations of one step, about

  std::int64_t parameters() const;  // of the whole model
  // Unpadded products of one forward pass on this device, what a causal mask hides included: the
  // count that published figures of model operations use.
  Flops forward_flops() const;
};

// A network that is traced on rows of a size of its own. Its parameters follow from both.
struct TracedNetwork {
  Model model;
  Example row;  // of images [224,224,3]: another size may be asked for
};
// Sizes of the other families; a user's own sizes are one of these.
// BERT: bidirectional encoder with a masked-language head on `predictions` tokens of a row.
struct EncoderSizes {
  std::int64_t layers = 12;
  std::int64_t width = 768;
  std::int64_t heads = 12;
  std::int64_t hidden = 3072;
  std::int64_t vocabulary = 30522;
  std::int64_t sequence = 128;
};
// The translation model "Transformer (big)": encoder and decoder with cross attention.
struct TranslatorSizes {
  std::int64_t layers = 6;  // of each side
  std::int64_t width = 1024;
  std::int64_t heads = 16;
  std::int64_t hidden = 4096;
  std::int64_t vocabulary = 33708;
  std::int64_t sequence = 80;
};
struct DecoderSizes {
  std::int64_t layers = 0;
  std::int64_t width = 0;
  std::int64_t heads = 0;
  std::int64_t key_value_heads = 0;
  std::int64_t head_width = 128;
  std::int64_t hidden = 0;
  bool gated = true;  // three matrices in the feed-forward layer, else two
  std::int64_t vocabulary = 32000;
  bool tied = false;  // the output layer reads the embedding's weights
  std::int64_t sequence = 2048;
};

using ModelSizes = std::variant<TracedNetwork, EncoderSizes, TranslatorSizes, DecoderSizes>;

struct Workload {
  std::string model;
  ModelSizes sizes;
};

// "resnet50", "bert-large", "llama3-70b", "lm-32b", "mlp-64-1024-10" ... Throws Error with the
// nearest name.
Workload workload_named(std::string_view name);
bool names_workload(std::string_view name);
// Names worth offering for completion and help.
std::vector<std::string> workload_names();

// One training step of one device. Throws Error where the options do not fit the sizes.
StepWork step_work(const Workload& workload, const WorkOptions& options);

// The optimizer that the published runs of this family used.
OptimizerKind usual_optimizer(const Workload& workload);

}  // namespace tpulab

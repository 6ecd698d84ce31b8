// The fused kernels that XLA makes of the measured workloads, as machine-free work.
#pragma once

#include <vector>

#include "engine/training/workload.h"

namespace tpulab {

using Kernels = std::vector<KernelWork>;

// `batch` products of one shape.
Kernels gemm(std::int64_t m, std::int64_t k, std::int64_t n, DType dtype, std::int64_t batch = 1);

struct Convolution {
  std::int64_t batch = 1;
  std::int64_t height = 1;  // of the input
  std::int64_t width = 1;
  std::int64_t inputs = 1;  // channels
  std::int64_t outputs = 1;
  std::int64_t window = 1;  // a square
  std::int64_t stride = 1;
  std::int64_t padding = -1;  // on each side; -1: half of the window

  std::int64_t rows_out() const { return extent_out(height); }
  std::int64_t columns_out() const { return extent_out(width); }

 private:
  std::int64_t extent_out(std::int64_t extent) const;
};
Kernels convolution(const Convolution& shape, DType dtype);

Kernels softmax(std::int64_t rows, std::int64_t width, DType dtype, RowBlocks blocks);
Kernels layer_norm(std::int64_t rows, std::int64_t width, DType dtype, RowBlocks blocks);

struct Attention {
  std::int64_t heads = 1;            // times the batch
  std::int64_t sequence = 1;         // tokens that are asked
  std::int64_t width = 1;            // of one head
  std::int64_t queries = 0;          // tokens that ask; 0: as many
  std::int64_t key_value_heads = 0;  // times the batch; 0: as many as heads
  bool causal = false;
};
Kernels attention(const Attention& shape, DType dtype, RowBlocks blocks);

// Self-attention with its four projections, two layer norms, two dense layers with a relu between
// them.
struct EncoderBlock {
  std::int64_t batch = 1;
  std::int64_t sequence = 1;
  std::int64_t width = 1;
  std::int64_t heads = 1;
  std::int64_t hidden = 0;  // 0: four times the width
};
Kernels encoder_block(const EncoderBlock& shape, DType dtype, RowBlocks blocks);

// Forward pass on 224 x 224 images, batch normalisation folded into the convolutions.
Kernels resnet18_forward(std::int64_t batch, DType dtype);
Kernels resnet50_forward(std::int64_t batch, DType dtype);

}  // namespace tpulab

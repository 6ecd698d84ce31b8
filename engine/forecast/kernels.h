// The fused kernels that XLA makes of the measured workloads, as machine-free work.
#pragma once

#include <vector>

#include "engine/training/workload.h"

namespace tpulab {

using Kernels = std::vector<KernelWork>;

Kernels gemm(std::int64_t m, std::int64_t k, std::int64_t n, DType dtype);

struct Convolution {
  std::int64_t batch = 1;
  std::int64_t height = 1;  // of the input
  std::int64_t width = 1;
  std::int64_t inputs = 1;  // channels
  std::int64_t outputs = 1;
  std::int64_t window = 1;  // a square, padded by half of it
  std::int64_t stride = 1;
};
Kernels convolution(const Convolution& shape, DType dtype);

Kernels softmax(std::int64_t rows, std::int64_t width, DType dtype, RowBlocks blocks);
Kernels layer_norm(std::int64_t rows, std::int64_t width, DType dtype, RowBlocks blocks);

struct Attention {
  std::int64_t heads = 1;  // times the batch
  std::int64_t sequence = 1;
  std::int64_t width = 1;  // of one head
};
Kernels attention(const Attention& shape, DType dtype, RowBlocks blocks);

// Self-attention with its four projections, two layer norms, two dense layers of four times the
// width with a relu between them.
Kernels encoder_block(std::int64_t sequence, std::int64_t width, std::int64_t heads, DType dtype,
                      RowBlocks blocks);

// Forward pass on 224 x 224 images, batch normalisation folded into the convolutions.
Kernels resnet18_forward(std::int64_t batch, DType dtype);

}  // namespace tpulab

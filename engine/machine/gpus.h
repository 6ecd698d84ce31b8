// GPUs as rows of constants, to set a TPU beside them: forecasts only, nothing runs on them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/machine/generation.h"

namespace tpulab {

// What products are computed in; sums are f32 everywhere.
enum class GpuPrecision : std::uint8_t {
  mixed,  // fp16 or bf16 on the tensor cores, weights kept in f32
  tf32,   // f32 in memory, ten bits of mantissa in a product; not on V100
  fp32,
};
inline constexpr std::array<std::string_view, 3> gpu_precision_names{"mixed", "tf32", "fp32"};
std::string_view name_of(GpuPrecision precision);         // "mixed"
GpuPrecision gpu_precision_named(std::string_view name);  // throws Error

// One row a GPU. Peaks are dense operations per second.
struct Gpu {
  std::string_view name;         // "v100-32gb"
  std::string_view public_name;  // "V100 SXM2 32 GB"
  std::string_view chip;         // "V100": what its variants share
  std::string_view link_name;    // "NVLink 2"
  Constant mixed_flops_per_second;
  Constant tf32_flops_per_second;  // 0: the chip has none
  Constant fp32_flops_per_second;
  Constant memory_gb;                 // 1e9 bytes
  Constant memory_bytes_per_second;   // peak
  Constant link_bytes_per_second;     // inside a box, one GPU, one direction
  Constant network_bytes_per_second;  // between boxes, a whole box, one direction
  Constant matrix_efficiency_mixed;   // of the tensor cores: share of the peak that products reach
  Constant matrix_efficiency_fp32;    // of the plain units
  Constant memory_efficiency;         // share of the peak that a long stream reaches
  Constant link_efficiency;           // also of the network
  Constant kernel_seconds;            // between two kernels of a stream
  Constant hop_seconds;               // latency of one step of a ring

  // Of products, in operations per second; 0 where the chip lacks the precision.
  double flops_per_second(GpuPrecision precision) const;
  double matrix_efficiency(GpuPrecision precision) const;
};

inline constexpr int gpus_per_box = 8;

// GPUs that train together: up to eight in one box over NVLink, more in full boxes over a network.
struct GpuGroup {
  std::string name;  // "v100x8"
  const Gpu* gpu = nullptr;
  int count = 0;
  int boxes = 0;

  // "8 x V100 SXM2 16 GB (NVLink 2, 150 GB/s each way)".
  std::string words() const;
  std::string link_words() const;  // "NVLink 2, 150 GB/s each way"
};

// Whether it is meant as the name of GPUs, known or not: "v100x8", "v10x8", not "v3-8".
bool reads_as_gpus(std::string_view name);
// "v100x8", "a100-80gbx16", "h100" for one. Throws Error with the nearest names.
GpuGroup gpus_named(std::string_view name);
// Names worth offering for completion and help.
std::vector<std::string> gpu_names();

}  // namespace tpulab

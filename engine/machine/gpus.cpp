#include "engine/machine/gpus.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <limits>
#include <optional>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/machine/names.h"

// Source tags of this file:
//   HFGPU   huggingface.co/RajBhope/gpu-runtime-predictor gpu_catalog.json
//   GIST    a gist of mikasenghaas on H100 figures
//   ACK     Alibaba Cloud, topology-aware GPU scheduling: six links of 25 GB/s a V100
//   ASK     a gist of askainet on A100 figures
//   NCCL    github.com/NVIDIA/nccl/issues/1264: 450 GB/s one way on H100, 376 to 380 reached
//   CALC    github.com/calculon-ai/calculon systems/a100_80g.json
//   memory  general knowledge without a stored source

namespace tpulab {

namespace {

using enum Mark;

constexpr Gpu v100{
    .name = "v100",
    .public_name = "V100 SXM2 16 GB",
    .chip = "V100",
    .link_name = "NVLink 2",
    .mixed_flops_per_second = {125e12, documented, "HFGPU; fp16, there is no bf16"},
    .tf32_flops_per_second = {0, documented, "came with A100"},
    .fp32_flops_per_second = {15.7e12, documented, "HFGPU"},
    .memory_gb = {16, documented, "HFGPU"},
    .memory_bytes_per_second = {900e9, documented, "HFGPU"},
    .link_bytes_per_second = {150e9, documented, "ACK: six links of 25 GB/s each way"},
    .network_bytes_per_second = {50e9, assumed, "memory: four 100 Gb/s cards a box (DGX-1)"},
    .matrix_efficiency_mixed = {0.5, assumed, "half the peak: products of a network are small"},
    .matrix_efficiency_fp32 = {0.8, assumed, "plain units are easier to fill"},
    .memory_efficiency = {0.8, assumed, "CALC has 0.75 to 0.9 for long streams"},
    .link_efficiency = {0.8, derived, "NCCL: 376 to 380 of 450 GB/s on H100"},
    .kernel_seconds = {3e-6, assumed, "memory: launch gaps of a filled stream"},
    .hop_seconds = {5e-6, assumed, "memory: one step of NCCL's ring"}};

constexpr Gpu a100{
    .name = "a100",
    .public_name = "A100 SXM 40 GB",
    .chip = "A100",
    .link_name = "NVLink 3",
    .mixed_flops_per_second = {312e12, documented, "HFGPU"},
    .tf32_flops_per_second = {156e12, assumed, "memory"},
    .fp32_flops_per_second = {19.5e12, documented, "HFGPU"},
    .memory_gb = {40, documented, "HFGPU"},
    .memory_bytes_per_second = {1555e9, documented, "HFGPU"},
    .link_bytes_per_second = {300e9, documented, "ASK: 600 GB/s both ways; CALC"},
    .network_bytes_per_second = {200e9, assumed, "memory: eight 200 Gb/s cards a box (DGX A100)"},
    .matrix_efficiency_mixed = {0.5, assumed, "as v100"},
    .matrix_efficiency_fp32 = {0.8, assumed, "as v100"},
    .memory_efficiency = {0.8, assumed, "as v100"},
    .link_efficiency = {0.8, derived, "as v100"},
    .kernel_seconds = {3e-6, assumed, "as v100"},
    .hop_seconds = {5e-6, assumed, "as v100"}};

constexpr Gpu h100{
    .name = "h100",
    .public_name = "H100 SXM 80 GB",
    .chip = "H100",
    .link_name = "NVLink 4",
    .mixed_flops_per_second = {989e12, documented, "GIST"},
    .tf32_flops_per_second = {495e12, assumed, "memory"},
    .fp32_flops_per_second = {67e12, assumed, "memory"},
    .memory_gb = {80, documented, "GIST"},
    .memory_bytes_per_second = {3350e9, documented, "GIST"},
    .link_bytes_per_second = {450e9, documented, "NCCL"},
    .network_bytes_per_second = {400e9, assumed, "memory: eight 400 Gb/s cards a box (DGX H100)"},
    .matrix_efficiency_mixed = {0.5, assumed, "as v100"},
    .matrix_efficiency_fp32 = {0.8, assumed, "as v100"},
    .memory_efficiency = {0.8, assumed, "as v100"},
    .link_efficiency = {0.8, derived, "NCCL: 376 to 380 of 450 GB/s"},
    .kernel_seconds = {3e-6, assumed, "as v100"},
    .hop_seconds = {5e-6, assumed, "as v100"}};

constexpr Gpu v100_32gb = [] {
  Gpu row = v100;
  row.name = "v100-32gb";
  row.public_name = "V100 SXM2 32 GB";
  row.memory_gb = {32, documented, "HFGPU"};
  return row;
}();

constexpr Gpu a100_80gb = [] {
  Gpu row = a100;
  row.name = "a100-80gb";
  row.public_name = "A100 SXM 80 GB";
  row.memory_gb = {80, documented, "CALC"};
  row.memory_bytes_per_second = {2039e9, documented, "CALC: 2,048 GB/s; memory: 2,039"};
  return row;
}();

constexpr std::array<Gpu, 5> gpu_rows{v100, v100_32gb, a100, a100_80gb, h100};

constexpr int most_gpus = 1024;

const Gpu* find_gpu(std::string_view name) { return find_row(gpu_rows, name, &Gpu::name); }

// Empty if the text is not a whole number; one that no int holds is the largest int.
std::optional<int> count_in(std::string_view digits) {
  int number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [last, error] = std::from_chars(digits.data(), end, number);
  if (digits.empty() || last != end || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) return std::numeric_limits<int>::max();
  return number;
}

// "v100" of "8xv100"; empty if no count stands before it.
std::string_view behind_count(std::string_view name) {
  const std::size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
  const bool counted = digits > 0 && digits + 1 < name.size() && name[digits] == 'x';
  return counted ? name.substr(digits + 1) : std::string_view();
}

Error unknown_gpus(std::string_view typed) {
  const std::string hint = hint_of(lowered(typed), gpu_names());
  std::vector<std::string_view> names;
  names.reserve(gpu_rows.size());
  for (const Gpu& row : gpu_rows) names.push_back(row.name);
  return Error(fmt::format("unknown GPU '{}'; {}there are {}, with a count as in v100x8", typed,
                           hint, fmt::join(names, ", ")));
}

void check_count(std::string_view typed, const Gpu& gpu, int count) {
  if (count < 1) {
    throw Error(fmt::format("{} is no GPU at all; one is {}, a full box {}x{}", typed, gpu.name,
                            gpu.name, gpus_per_box));
  }
  if (count > most_gpus) {
    throw Error(fmt::format("{} is too many; at most {} GPUs can be asked for, {}x{}", typed,
                            text_with_commas(most_gpus), gpu.name, most_gpus));
  }
  if (count > gpus_per_box && count % gpus_per_box != 0) {
    throw Error(fmt::format("{} does not fill its boxes of {}; the nearest are {}x{} and {}x{}",
                            typed, gpus_per_box, gpu.name, count / gpus_per_box * gpus_per_box,
                            gpu.name, (count / gpus_per_box + 1) * gpus_per_box));
  }
}

}  // namespace

std::string_view name_of(GpuPrecision precision) {
  return gpu_precision_names[static_cast<std::size_t>(precision)];
}

GpuPrecision gpu_precision_named(std::string_view name) {
  const auto* const found = std::ranges::find(gpu_precision_names, name);
  if (found != gpu_precision_names.end()) {
    return static_cast<GpuPrecision>(found - gpu_precision_names.begin());
  }
  throw unknown_name(
      "GPU precision", name,
      std::vector<std::string>(gpu_precision_names.begin(), gpu_precision_names.end()));
}

double Gpu::flops_per_second(GpuPrecision precision) const {
  if (precision == GpuPrecision::mixed) return mixed_flops_per_second;
  return precision == GpuPrecision::tf32 ? tf32_flops_per_second : fp32_flops_per_second;
}

double Gpu::matrix_efficiency(GpuPrecision precision) const {
  return precision == GpuPrecision::fp32 ? matrix_efficiency_fp32 : matrix_efficiency_mixed;
}

std::string GpuGroup::link_words() const {
  if (count == 1) return "no link";
  std::string text =
      fmt::format("{}, {:.0f} GB/s each way", gpu->link_name, gpu->link_bytes_per_second / 1e9);
  if (boxes > 1) {
    text += fmt::format(", {} boxes of {} over a network of {:.0f} GB/s a box (assumed)", boxes,
                        gpus_per_box, gpu->network_bytes_per_second / 1e9);
  }
  return text;
}

std::string GpuGroup::words() const {
  return fmt::format("{} x {} ({})", count, gpu->public_name, link_words());
}

bool reads_as_gpus(std::string_view name) {
  const std::string_view turned = behind_count(name);
  if (!turned.empty()) return reads_as_gpus(turned);
  const bool letter = !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0;
  const bool counted = name.find('x') != std::string_view::npos;
  const bool dash = name.find('-') != std::string_view::npos;
  if (!letter || (dash && name.find("gb") == std::string_view::npos)) return false;
  const std::size_t digits = std::min(name.find_first_not_of("0123456789", 1), name.size()) - 1;
  return digits >= (counted ? 2 : 3);
}

GpuGroup gpus_named(std::string_view name) {
  if (const Gpu* gpu = find_gpu(name)) return {std::string(name), gpu, 1, 1};
  if (const std::string_view turned = behind_count(name); find_gpu(lowered(turned)) != nullptr) {
    throw Error(fmt::format("unknown GPU '{}'; the count stands behind: {}x{}", name,
                            lowered(turned), name.substr(0, name.size() - turned.size() - 1)));
  }
  const auto times = name.rfind('x');
  if (times == std::string_view::npos) throw unknown_gpus(name);
  const Gpu* gpu = find_gpu(name.substr(0, times));
  const std::optional<int> count = count_in(name.substr(times + 1));
  if (gpu == nullptr || !count) throw unknown_gpus(name);
  check_count(name, *gpu, *count);
  return {std::string(name), gpu, *count, (*count + gpus_per_box - 1) / gpus_per_box};
}

std::vector<std::string> gpu_names() {
  std::vector<std::string> names;
  for (const Gpu& row : gpu_rows) {
    names.emplace_back(row.name);
    for (const int count : {2, 4, 8, 16}) names.push_back(fmt::format("{}x{}", row.name, count));
  }
  return names;
}

}  // namespace tpulab

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/machine/generation.h"
#include "engine/machine/names.h"
#include "engine/machine/own_generations.h"

// Source tags, shared by all rows of this room:
//   GC-*      Cloud TPU documentation, cloud.google.com/tpu/docs/v3 and its neighbours
//   SB        "How to Scale Your Model", github.com/jax-ml/scaling-book
//   HC20      notes on Norrie and Patil, Hot Chips 2020
//   PTS       PyTorchSim's measurements of a v3 core and a v6e chip, github.com/PSAL-POSTECH
//   PALLAS-MM github.com/jax-ml/jax docs/pallas/tpu/matmul.ipynb (v5e)
//   TPUR      github.com/AI-Hypercomputer/tpu-recipes microbenchmarks
//   XPROF     github.com/openxla/xprof demo profile (v3, 32 cores, 4x4 chips)
//   MARIN     github.com/marin-community/marin/issues/6736 (v5p collectives)
//   PTT       ayaka14732.github.io/pallas-tpu-tutorial: clock counts on one v4 core
//   memory    general knowledge without a stored source

namespace tpulab {

namespace {

using enum Mark;

constexpr std::array<Generation, 7> generation_rows{{
    {.name = "v2",
     .public_name = "TPU v2",
     .cores_per_chip = 2,
     .devices_per_chip = 2,
     .name_counts_cores = true,
     .chips_per_host = 4,
     .max_chips = 256,
     .torus_rank = 2,
     .smallest_ring = {16, assumed, "memory: no rings below a full pod"},
     .clock_hertz = {700e6, derived, "46 TFLOP/s over 2 units of 128x128"},
     .matrix_units = {1, documented, "HC20"},
     .matrix_side = {128, documented, "HC20"},
     .matrix_efficiency = {0.99, derived, "SB: 95.6 ms ideal, 96 ms measured on v2-8"},
     .vector_lanes = {2048, documented, "HC20: 128 lanes x 8 sublanes x 2 ALUs"},
     .medium_clocks = {4, assumed, "as v3"},
     .transcendental_clocks = {10, assumed, "as v3"},
     .lane_reduction_clocks = {8, assumed, "as v4"},
     .hbm_gib = {8, documented, "GC-price: 8 GiB per core"},
     .usable_hbm_gib = {7.48, documented, "XLA's TPU compiler refuses what needs more"},
     .hbm_bytes_per_second = {350e9, assumed, "memory: 700 GB/s per chip"},
     .hbm_efficiency = {0.85, assumed, "as v3"},
     .vmem_mib = {16, documented, "HC20"},
     .block_mib = {16, documented, "XLA: default of the scoped VMEM limit"},
     .resident_mib = {0, assumed, "all of VMEM holds blocks"},
     .link_bytes_per_second = {62e9, assumed, "memory: 496 Gb/s"},
     .link_efficiency = {1, assumed, "as v3"},
     .hop_seconds = {1e-6, documented, "SB: about 1 us"},
     .collective_seconds = {19e-6, assumed, "as v3"},
     .network_bytes_per_second = {2.5e9, assumed, "100 Gb/s a host of four chips, less protocol"},
     .network_seconds = {50e-6, assumed, "a few switches and two host stacks"},
     .kernel_seconds = {0.55e-6, assumed, "as v3"},
     .block_seconds = {0.35e-6, assumed, "as v5e"},
     .program_seconds = {2e-6, assumed, "as v3"},
     .host_link_bytes_per_second = {12e9, assumed, "memory: PCIe gen3 x16"},
     .host_gb = {85, assumed, "as v3"},
     .host_cpus = {96, assumed, "as v3"}},
    {.name = "v3",
     .public_name = "TPU v3",
     .cores_per_chip = 2,
     .devices_per_chip = 2,
     .name_counts_cores = true,
     .chips_per_host = 4,
     .max_chips = 1024,
     .torus_rank = 2,
     .smallest_ring = {4, derived,
                       "XPROF: an all-reduce on 4x4 chips reaches 90 % of all four links"},
     .clock_hertz = {940e6, documented, "PTS configuration; 123 TFLOP/s over 4 units of 128x128"},
     .matrix_units = {2, documented, "GC-v3"},
     .matrix_side = {128, documented, "GC-v3"},
     .matrix_efficiency = {0.9, fitted, "PTS C-K1..C-K9; plausible 0.8 to 1"},
     .vector_lanes = {2048, documented, "HC20: 128 lanes x 8 sublanes x 2 ALUs"},
     .medium_clocks = {4, assumed, "a few Newton steps"},
     .transcendental_clocks = {10, assumed, "a polynomial of about ten terms"},
     .lane_reduction_clocks = {8, assumed, "as v4"},
     .hbm_gib = {16, documented, "GC-v3: 32 GiB per chip"},
     .usable_hbm_gib = {15.48, documented, "XLA's TPU compiler refuses what needs more"},
     .hbm_bytes_per_second = {450e9, documented, "GC-v3: 900 GB/s per chip"},
     .hbm_efficiency = {0.85, fitted, "PTS C-K1..C-K9; plausible 0.75 to 0.95"},
     .vmem_mib = {16, documented, "HC20"},
     .block_mib = {16, documented, "XLA: default of the scoped VMEM limit"},
     .resident_mib = {0, assumed, "all of VMEM holds blocks"},
     .link_bytes_per_second = {82e9, derived, "GC-v3: 340 TB/s all-reduce over 1,024 chips"},
     .link_efficiency = {1, derived, "XPROF: 28.5 MB over 4x4 chips in 178.5 us, the start in it"},
     .hop_seconds = {1e-6, documented, "SB: about 1 us"},
     .collective_seconds = {19e-6, derived, "XPROF: 2 KB over 4x4 chips in 27 us, less 8 hops"},
     .network_bytes_per_second = {2.5e9, assumed, "as v2"},
     .network_seconds = {50e-6, assumed, "a few switches and two host stacks"},
     .kernel_seconds = {0.55e-6, fitted, "PTS C-K1..C-K9; plausible 0.3 to 2 us"},
     .block_seconds = {0.35e-6, assumed, "as v5e"},
     .program_seconds = {2e-6, assumed, "of the size of a kernel start"},
     .host_link_bytes_per_second = {12e9, assumed, "memory: PCIe gen3 x16"},
     .host_gb = {85, assumed, "memory: 340 GB a VM of four chips"},
     .host_cpus = {96, assumed, "memory"}},
    {.name = "v4",
     .public_name = "TPU v4",
     .cores_per_chip = 2,
     .devices_per_chip = 1,
     .name_counts_cores = true,
     .chips_per_host = 4,
     .max_chips = 4096,
     .torus_rank = 3,
     .smallest_ring = {4, documented, "SB"},
     .clock_hertz = {1050e6, derived, "275 TFLOP/s over 8 units of 128x128"},
     .matrix_units = {8, documented, "GC-v4: 4 per core, two cores as one"},
     .matrix_side = {128, documented, "GC-v4"},
     .matrix_efficiency = {0.9, assumed, "as v3"},
     .vector_lanes = {4096, documented, "SB: two ALUs per lane and sublane, two cores"},
     .medium_clocks = {4, assumed, "as v3"},
     .transcendental_clocks = {6, derived, "PTT: two clocks of the extended unit, plus scaling"},
     .lane_reduction_clocks = {4, derived, "PTT: one block every 8 clocks, two cores"},
     .hbm_gib = {32, documented, "GC-v4"},
     .usable_hbm_gib = {30.75, documented, "XLA's TPU compiler refuses what needs more"},
     .hbm_bytes_per_second = {1200e9, documented, "GC-v4"},
     .hbm_efficiency = {0.85, assumed, "as v3"},
     .vmem_mib = {32, assumed, "memory: 16 MiB per core"},
     .block_mib = {16, documented, "XLA: default of the scoped VMEM limit"},
     .resident_mib = {128, derived, "TPU compiler: copies 128 MiB to CMEM, 129 not"},
     .link_bytes_per_second = {45e9, documented, "SB"},
     .link_efficiency = {0.85, assumed, "between XPROF and SB"},
     .hop_seconds = {1e-6, documented, "SB: about 1 us"},
     .collective_seconds = {3.5e-6, derived, "MARIN: 4.55 us for one hop on v5p"},
     .network_bytes_per_second = {6.25e9, documented, "SB: 25 GB/s a host of four chips"},
     .network_seconds = {50e-6, assumed, "a few switches and two host stacks"},
     .kernel_seconds = {1e-6, derived, "PTT: a sum over f32[8,128] takes 1,045 clocks"},
     .block_seconds = {0.35e-6, assumed, "as v5e"},
     .program_seconds = {2e-6, assumed, "as v3"},
     .host_link_bytes_per_second = {16e9, documented, "SB"},
     .host_gb = {101, assumed, "memory: 407 GB a VM of four chips"},
     .host_cpus = {240, assumed, "memory"},
     .held_mib = {128, documented, "XPROF: CMEM, which XLA fills with arrays of up to all of it"}},
    {.name = "v5e",
     .public_name = "TPU v5e",
     .cores_per_chip = 1,
     .devices_per_chip = 1,
     .name_counts_cores = false,
     .chips_per_host = 8,
     .max_chips = 256,
     .torus_rank = 2,
     .smallest_ring = {16, documented, "SB"},
     .clock_hertz = {1500e6, documented, "SB; 197 TFLOP/s over 4 units of 128x128"},
     .matrix_units = {4, documented, "GC-v5e"},
     .matrix_side = {128, documented, "GC-v5e"},
     .matrix_efficiency = {0.95, derived, "PALLAS-MM: 8192^3 at 92.3 % of peak, starts in it"},
     .vector_lanes = {4096, documented, "SB: four ALUs per lane and sublane"},
     .medium_clocks = {4, assumed, "as v3"},
     .transcendental_clocks = {10, assumed, "as v3"},
     .lane_reduction_clocks = {8, assumed, "as v4"},
     .hbm_gib = {16, documented, "GC-v5e"},
     .usable_hbm_gib = {15.75, documented, "XLA's TPU compiler refuses what needs more"},
     .hbm_bytes_per_second = {819e9, documented, "GC-v5e"},
     .hbm_efficiency = {0.90, assumed, "as v6e: PTS 1x8192x57344 at 90 % of peak"},
     .vmem_mib = {128, documented, "SB"},
     .block_mib = {16, documented, "XLA: default of the scoped VMEM limit"},
     .resident_mib = {112, derived, "TPU compiler: copies 112 MiB to VMEM, 113 not"},
     .link_bytes_per_second = {45e9, documented, "SB"},
     .link_efficiency = {0.82, documented, "SB: 34 MB all-gather in 680 us, ideal 560 us"},
     .hop_seconds = {1e-6, documented, "SB: about 1 us"},
     .collective_seconds = {3.5e-6, derived, "MARIN: 4.55 us for one hop on v5p"},
     .network_bytes_per_second = {3.1e9, documented, "GC-v6e: 25 GB/s a host of eight chips"},
     .network_seconds = {50e-6, assumed, "a few switches and two host stacks"},
     .kernel_seconds = {1.6e-6, assumed, "as v6e"},
     .block_seconds = {0.35e-6, derived, "PALLAS-MM: 262,144 blocks of 128^3 in 91.8 ms"},
     .program_seconds = {2e-6, assumed, "as v3"},
     .host_link_bytes_per_second = {15e9, documented, "SB"},
     .host_gb = {48, documented, "GC-v5e: 192 GB a VM of four chips"},
     .host_cpus = {112, documented, "GC-v5e"},
     .lone_chip_cpus = {24, documented, "GC-v5e"},
     .eight_chip_cpus = {224, documented, "GC-v5e"},
     .int8_speed = {2, documented, "GC-v6e: 393 TOP/s"}},
    {.name = "v5p",
     .public_name = "TPU v5p",
     .cores_per_chip = 2,
     .devices_per_chip = 1,
     .name_counts_cores = true,
     .chips_per_host = 4,
     .max_chips = 8960,
     .torus_rank = 3,
     .smallest_ring = {4, documented, "SB"},
     .clock_hertz = {1750e6, derived, "459 TFLOP/s over 8 units of 128x128"},
     .matrix_units = {8, documented, "GC-v5p: 4 per core, two cores as one"},
     .matrix_side = {128, documented, "GC-v5p"},
     .matrix_efficiency = {0.95, assumed, "as v5e"},
     .vector_lanes = {8192, documented, "SB: four ALUs per lane and sublane, two cores"},
     .medium_clocks = {4, assumed, "as v3"},
     .transcendental_clocks = {10, assumed, "as v3"},
     .lane_reduction_clocks = {4, assumed, "as v4"},
     .hbm_gib = {95.74, derived, "GC-v5p says 95; XLA's TPU compiler gives a program that much"},
     .usable_hbm_gib = {95.74, documented, "XLA's TPU compiler refuses what needs more"},
     .hbm_bytes_per_second = {2765e9, documented, "GC-v5p"},
     .hbm_efficiency = {0.90, assumed, "as v6e"},
     .vmem_mib = {128, assumed, "memory: 64 MiB per core"},
     .block_mib = {16, documented, "XLA: default of the scoped VMEM limit"},
     .resident_mib = {47, derived, "TPU compiler: copies 47 MiB to VMEM, 48 not"},
     .link_bytes_per_second = {90e9, documented, "SB"},
     .link_efficiency = {0.90, assumed, "MARIN: 86.3 GB/s between neighbours"},
     .hop_seconds = {1e-6, documented, "SB: about 1 us"},
     .collective_seconds = {3.5e-6, derived, "MARIN: 4.55 us for one hop"},
     .network_bytes_per_second = {6.25e9, documented, "GC-7x: 50 Gb/s a chip"},
     .network_seconds = {50e-6, assumed, "a few switches and two host stacks"},
     .kernel_seconds = {1.6e-6, assumed, "as v6e"},
     .block_seconds = {0.25e-6, assumed, "as v6e"},
     .program_seconds = {2e-6, assumed, "as v3"},
     .host_link_bytes_per_second = {15e9, documented, "SB"},
     .host_gb = {112, documented, "GC-v5p: 448 GB a VM of four chips"},
     .host_cpus = {208, assumed, "memory"},
     .int8_speed = {2, documented, "SB: 918 TOP/s"}},
    {.name = "v6e",
     .public_name = "TPU v6e",
     .cores_per_chip = 1,
     .devices_per_chip = 1,
     .name_counts_cores = false,
     .chips_per_host = 8,
     .max_chips = 256,
     .torus_rank = 2,
     .smallest_ring = {16, documented, "SB"},
     // Documents disagree on 2 or 4 units (of 256x256); 2 need this clock for 918 TFLOP/s.
     .clock_hertz = {3502e6, derived, "PTS configuration; 918 TFLOP/s over 2 units of 256x256"},
     .matrix_units = {2, documented, "GC-v6e"},
     .matrix_side = {256, documented, "GC-v6e"},
     .matrix_efficiency = {0.92, fitted, "PTS v6e; plausible 0.8 to 1"},
     .vector_lanes = {2048, assumed, "as v5e at half this clock"},
     .medium_clocks = {4, assumed, "as v3"},
     .transcendental_clocks = {4, fitted, "PTS v6e attention; plausible 2 to 10"},
     .lane_reduction_clocks = {8, assumed, "as v4, two units, half this clock"},
     .hbm_gib = {32, documented, "GC-v6e"},
     .usable_hbm_gib = {31.25, documented, "XLA's TPU compiler refuses what needs more"},
     .hbm_bytes_per_second = {1638e9, documented, "GC-v6e"},
     .hbm_efficiency = {0.90, fitted, "PTS v6e; plausible 0.8 to 0.95"},
     .vmem_mib = {128, assumed, "memory"},
     .block_mib = {16, documented, "XLA: default of the scoped VMEM limit"},
     .resident_mib = {96, derived, "PTS v6e: operands of 96 MiB are read once, of 100 MiB not"},
     .link_bytes_per_second = {90e9, documented, "SB"},
     .link_efficiency = {0.85, assumed, "between XPROF and SB"},
     .hop_seconds = {1e-6, documented, "SB: about 1 us"},
     .collective_seconds = {3.5e-6, derived, "MARIN: 4.55 us for one hop on v5p"},
     .network_bytes_per_second = {12.5e9, documented, "GC-7x: 100 Gb/s a chip"},
     .network_seconds = {50e-6, assumed, "a few switches and two host stacks"},
     .kernel_seconds = {1.6e-6, fitted, "PTS v6e; plausible 0.5 to 2 us"},
     .block_seconds = {0.25e-6, derived, "PTS v6e: attention over 128 tokens, 0.5 us a head"},
     .program_seconds = {2e-6, assumed, "as v3"},
     .host_link_bytes_per_second = {32e9, documented, "SB"},
     .host_gb = {180, assumed, "memory: 720 GB a VM of four chips"},
     .host_cpus = {180, assumed, "memory"},
     .lone_chip_cpus = {44, assumed, "memory"},
     .eight_chip_cpus = {180, assumed, "memory"},
     .load_rows_per_clock = {2, derived, "PTS v6e: 32 rows past 128 tiles take 140 clocks a tile"},
     .int8_speed = {2, documented, "GC-v6e: 1,836 TOP/s"}},
    {.name = "v7",
     .public_name = "TPU7x",
     .cores_per_chip = 2,
     .devices_per_chip = 2,
     .name_counts_cores = true,
     .chips_per_host = 4,
     .max_chips = 9216,
     .torus_rank = 3,
     .smallest_ring = {4, assumed, "as v5p"},
     .clock_hertz = {2200e6, derived, "2,307 TFLOP/s over 8 units of 256x256"},
     .matrix_units = {4, assumed, "memory"},
     .matrix_side = {256, assumed, "memory"},
     .matrix_efficiency = {0.92, assumed, "as v6e"},
     .vector_lanes = {4096, assumed, "as v5e"},
     .medium_clocks = {4, assumed, "as v3"},
     .transcendental_clocks = {4, assumed, "as v6e"},
     .lane_reduction_clocks = {4, assumed, "two units a core, as v6e"},
     .hbm_gib = {96, documented, "GC-7x: 192 GiB per chip"},
     .usable_hbm_gib = {94.75, documented, "XLA's TPU compiler refuses what needs more"},
     .hbm_bytes_per_second = {3690e9, documented, "GC-7x: 7,380 GB/s per chip"},
     .hbm_efficiency = {0.90, assumed, "as v6e"},
     .vmem_mib = {64, assumed, "memory"},
     .block_mib = {16, documented, "XLA: default of the scoped VMEM limit"},
     .resident_mib = {32, derived, "TPU compiler: copies 32 MiB to VMEM, 33 not"},
     .link_bytes_per_second = {100e9, derived, "GC-7x: 1,200 GB/s over 6 links, both directions"},
     .link_efficiency = {0.85, assumed, "as v6e"},
     .hop_seconds = {1e-6, documented, "SB: about 1 us"},
     .collective_seconds = {3.5e-6, derived, "MARIN: 4.55 us for one hop on v5p"},
     .network_bytes_per_second = {12.5e9, documented, "GC-7x: 100 Gb/s a chip"},
     .network_seconds = {50e-6, assumed, "a few switches and two host stacks"},
     .kernel_seconds = {1.6e-6, assumed, "as v6e"},
     .block_seconds = {0.25e-6, assumed, "as v6e"},
     .program_seconds = {2e-6, assumed, "as v3"},
     .host_link_bytes_per_second = {32e9, assumed, "as v6e"},
     .host_gb = {240, assumed, "memory: 960 GB a VM of four chips"},
     .host_cpus = {224, assumed, "memory"},
     .int8_speed = {2, assumed, "as fp8"},
     .fp8_speed = {2, documented, "GC-7x: 4,614 TFLOP/s"}},
}};

}  // namespace

std::string_view name_of(Mark mark) {
  static constexpr std::array<std::string_view, 5> names{"documented", "derived", "fitted",
                                                         "assumed", "yours"};
  return names[static_cast<std::size_t>(mark)];
}

double Generation::matrix_flops_per_second() const {
  return 2 * matrix_side * matrix_side * matrix_units * clock_hertz;
}

// As the TPU compiler's memory analyses have it (v4, v5e, v6e); times are fitted with less.
Bytes Generation::on_chip() const {
  constexpr double mib = 1 << 20;
  return {static_cast<std::int64_t>((vmem_mib - block_mib + held_mib) * mib)};
}

std::span<const Generation> generations() { return generation_rows; }

std::string_view generation_called(std::string_view name) {
  struct Called {
    std::string_view name;
    std::string_view row;
  };
  // Code names, accelerator types and what people write of them.
  static constexpr std::array<Called, 8> others{{{"v4p", "v4"},
                                                 {"v5litepod", "v5e"},
                                                 {"v5lite", "v5e"},
                                                 {"trillium", "v6e"},
                                                 {"ironwood", "v7"},
                                                 {"tpu7x", "v7"},
                                                 {"v7x", "v7"},
                                                 {"7x", "v7"}}};
  const Called* const found = find_row(std::span(others), lowered(name), &Called::name);
  return found == nullptr ? std::string_view() : found->row;
}

const Generation& generation_named(std::string_view name) {
  if (const Generation* const row = find_generation(name)) return *row;
  const auto* const called = std::ranges::find(generation_rows, name, &Generation::public_name);
  if (called != generation_rows.end()) return *called;
  if (const std::string why = why_no_machine(name); !why.empty()) {
    throw Error(fmt::format("unknown TPU generation '{}': {}", name, why));
  }
  std::vector<std::string> names;
  names.reserve(generation_rows.size() + own_generations().size());
  for (const Generation& row : generation_rows) names.emplace_back(row.name);
  for (const Generation& row : own_generations()) names.emplace_back(without_mark(row.name));
  throw unknown_name("TPU generation", without_mark(name), names);
}

}  // namespace tpulab

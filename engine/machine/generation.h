// A TPU generation as one row of constants. Every figure says where it comes from.
#pragma once

#include <span>
#include <string_view>

#include "engine/base/units.h"

namespace tpulab {

enum class Mark : unsigned char { documented, derived, fitted, assumed, yours };
std::string_view name_of(Mark mark);

// A hardware constant with its provenance; reads as a plain number.
struct Constant {
  double value = 0;
  Mark mark = Mark::assumed;
  std::string_view source;

  constexpr operator double() const { return value; }
};

// A device is what a framework sees: a core on v2 and v3, a chip on v4 and v5e.
struct Generation {
  std::string_view name;         // "v3"
  std::string_view public_name;  // "TPU v3"
  int cores_per_chip;            // TensorCores
  int devices_per_chip;          // 2 on v2/v3, 1 where two cores act as one
  bool name_counts_cores;        // "v3-8" is 8 cores, "tpu7x-8" too; "v5e-8" is 8 chips
  int chips_per_host;
  int max_chips;           // of one pod
  int torus_rank;          // 2 or 3
  Constant smallest_ring;  // an axis of a slice is closed by wrap-around links from this extent on
  Constant clock_hertz;
  Constant matrix_units;           // per device
  Constant matrix_side;            // 128 or 256
  Constant matrix_efficiency;      // share of its slots a long product fills
  Constant vector_lanes;           // ALU operations per clock per device
  Constant medium_clocks;          // ALU slots of one divide, square root, power
  Constant transcendental_clocks;  // ALU slots of one exp, log or tanh
  Constant lane_reduction_clocks;  // folding the 128 lanes of one block of 8 rows
  Constant hbm_gib;                // per device
  Constant usable_hbm_gib;         // what one program may take; data sheets round
  Constant hbm_bytes_per_second;   // per device, peak
  Constant hbm_efficiency;         // share of the peak a long stream reaches
  Constant vmem_mib;               // per device
  Constant block_mib;              // VMEM for the blocks of one kernel (XLA's scoped VMEM)
  Constant resident_mib;           // a product's operand up to this size stays in VMEM as a whole
  Constant link_bytes_per_second;  // one torus link, one direction
  Constant link_efficiency;
  Constant hop_seconds;                 // latency of one torus hop
  Constant collective_seconds;          // starting and synchronising one collective
  Constant network_bytes_per_second;    // data-centre network between slices, per chip
  Constant network_seconds;             // latency of one exchange over it
  Constant kernel_seconds;              // fixed cost of starting a fused kernel
  Constant block_seconds;               // starting one block of a product after the other
  Constant program_seconds;             // fixed device cost of starting a program
  Constant host_link_bytes_per_second;  // per chip, one direction
  Constant host_gb;                     // RAM of a host, per chip that it has
  Constant host_cpus;                   // of a VM of four chips
  // Of VMs of one chip and of eight.
  Constant lone_chip_cpus{0, Mark::assumed, "memory: no such VM"};
  Constant eight_chip_cpus{0, Mark::assumed, "memory: no such VM"};
  // Rows of a tile that enter the array in a clock.
  Constant load_rows_per_clock{1, Mark::assumed, "one row a clock"};
  // CMEM: the newest arrays stay there between kernels; VMEM holds some beside it (price.cpp).
  Constant held_mib{0, Mark::assumed, "no CMEM"};
  // Of a product, against bf16.
  Constant int8_speed{1, Mark::assumed, "no faster than bf16"};
  Constant fp8_speed{1, Mark::derived, "TPU compiler: converts to bf16"};
  // Of one chip, as the user pays for it; 0: not told, and list prices stand (chip_price.h).
  Constant own_dollars_per_hour{0, Mark::assumed, "not told"};

  // 2 x side^2 x units x clock: bf16 operations per second of one device.
  double matrix_flops_per_second() const;
  // VMEM that no kernel's blocks need, and CMEM: holds arrays between kernels.
  Bytes on_chip() const;
  // Of values, wherever they come from.
  bool operator==(const Generation&) const = default;
};

std::span<const Generation> generations();
// The row that is called so elsewhere: "v6e" by "trillium"; empty if none is.
std::string_view generation_called(std::string_view name);
// Built in, or the user's own (own_generations.h). Throws Error with the nearest name.
const Generation& generation_named(std::string_view name);

}  // namespace tpulab

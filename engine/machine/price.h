// price(): the estimated time of one fused kernel on one device, as its terms.
#pragma once

#include <array>
#include <string_view>

#include "engine/base/work.h"
#include "engine/machine/blocking.h"
#include "engine/machine/machine.h"

namespace tpulab {

enum class Bound : unsigned char { matrix_unit, vector_unit, hbm, overhead, collective, host_link };
std::string_view name_of(Bound bound);

// Terms overlap inside a kernel:
//   time = overhead + exposed + latency +
//          max(beside(products + blocks, once), vector + blocks, hbm, transfer, host_link)
// where `products` are those of the matrix unit, or of the vector unit for a single row, with all
// of `vector` where taps are turned (turns_taps()), and `once` is the part of hbm that reads each
// operand once.
struct Price {
  Picoseconds time{};
  Bound bound = Bound::overhead;
  Picoseconds matrix{};
  Picoseconds vector{};
  Picoseconds hbm{};
  Picoseconds transfer{};  // collective, bandwidth part
  Picoseconds latency{};   // collective, start and hops
  Picoseconds host_link{};
  Picoseconds overhead{};
  Picoseconds exposed{};  // HBM time that nothing hides: first blocks, last store
  Picoseconds blocks{};   // starting the blocks of a product or of a grid, one after the other
  Flops useful;           // unpadded matrix operations
  Flops padded;           // matrix operations the array really spends slots on
  Bytes traffic;  // padded bytes over HBM, read again where a product's operands exceed VMEM
  Bytes reread;   // of that, what is read again
};

// Whether a unit waits for each next block, which the core starts (Resource::kernel_starts).
bool is_delayed_by_blocks(Bound unit, const Price& price);

// What each of them takes of a kernel, the ends that nothing hides with HBM and blocks with each
// unit that they delay. The longest binds it.
struct Claim {
  Bound bound;
  Picoseconds time;
};
std::array<Claim, 6> claims_on(const Price& price);

// Shapes are per device. Blocks of products are searched once and remembered.
Price price(const KernelWork& kernel, const Machine& machine,
            Neighbours neighbours = Neighbours::around);

// Of an array in HBM: multiples of 8 whatever its dtype, as tiles are 8 rows of 128 lanes; a tile
// may be as flat as the array, but for what a word of 32 bits packs [TPU compiler, v2 to v6e:
// [3,17,1024] takes 24 rows of f32, bf16 and int8 alike, where it does not turn it].
std::int64_t padded_rows(std::int64_t rows, DType dtype);
// Bytes of an array in HBM, padded to tiles.
Bytes padded_bytes(const Shape& shape, DType dtype);

// What a chip holds of the arrays that kernels leave to each other: CMEM, and VMEM beside the
// blocks of one kernel, where an array and what is made of it are at once; of two cores that act as
// one neither sees the other's [TPU compiler: S(1) on v5e, v6e and v7, arrays of 8 to 56 MiB; none
// on v5p].
Bytes held_bytes(const Generation& generation);

// Unidirectional time of moving `bytes` between host memory and one device, without latency.
Picoseconds host_transfer_time(Bytes bytes, const Machine& machine);
// Time of `work` on one core of the host.
Picoseconds host_compute_time(const HostWork& work, const Machine& machine);
// Estimated compile time of a program of `nodes` graph nodes.
Picoseconds compile_time(int nodes, const Machine& machine);
// Of such a program that an earlier process left on disk: read, deserialised, loaded.
Picoseconds program_load_time(int nodes, const Machine& machine);

}  // namespace tpulab

#include "engine/machine/price.h"

#include <algorithm>
#include <array>

#include "engine/machine/collective.h"
#include "engine/machine/matrix_unit.h"
#include "engine/machine/vector_unit.h"

namespace tpulab {

namespace {

// Seconds and amounts of one kernel while its items are added up.
struct Sums {
  double matrix = 0;
  double vector = 0;
  double transfer = 0;
  double latency = 0;
  double blocks = 0;
  double reread_bytes = 0;
  std::int64_t batch = 0;  // of the product, 0 if there is none
  bool resident = false;   // its operands stay in VMEM as a whole if they fit
  Flops useful;
  Flops padded;
};

// A product with a vector is a multiplication and a sum over the streamed matrix: the vector unit
// does it without loading the array [PTS: 1 x 4096 x 4096 runs at 90 % of HBM].
void add_matrix_vector(Sums& sums, const MatrixWork& work, const Generation& generation) {
  const auto elements = static_cast<double>(work.batch * work.m * work.k * work.n);
  const double slots = 2 * elements * work.passes;
  sums.vector += slots / generation.vector_lanes / generation.clock_hertz;
  sums.batch = std::max(sums.batch, work.batch);
  sums.useful += work.flops();
  sums.padded += work.flops();
}

void add(Sums& sums, const MatrixWork& work, const Machine& machine) {
  const Generation& generation = machine.generation();
  if (work.m == 1 || work.n == 1) return add_matrix_vector(sums, work, generation);
  const Streaming streaming = cheapest_streaming(work, generation);
  const Blocking blocking = blocking_of(work, generation);
  const auto side = static_cast<std::int64_t>(generation.matrix_side);
  const double speed = work.quantised ? generation.int8_speed.value : 1.0;
  sums.matrix += streaming.clocks / generation.clock_hertz / generation.matrix_efficiency / speed;
  sums.blocks += blocking.blocks * generation.block_seconds;
  sums.reread_bytes += blocking.reread_bytes;
  sums.batch = std::max(sums.batch, work.batch);
  sums.resident = true;
  sums.useful += work.flops();
  sums.padded += {2 * streaming.columns * streaming.rows * side * side};
}

void add(Sums& sums, const VectorWork& work, const Machine& machine) {
  const Generation& generation = machine.generation();
  sums.vector += vector_clocks(work, generation) / generation.clock_hertz;
}

void add(Sums& sums, const CollectiveWork& work, const Machine& machine) {
  const CollectiveTime time = collective_time(work, machine);
  sums.transfer += time.transfer;
  sums.latency += time.latency;
}

// Work for a host, or none, costs the device nothing.
void add(Sums&, const HostWork&, const Machine&) {}
void add(Sums&, std::monostate, const Machine&) {}

Bytes bytes_over_hbm(const Operand& operand) { return padded_bytes(operand.shape, operand.dtype); }

Bytes traffic_of(const KernelWork& kernel, const Generation& generation) {
  const double passing = generation.passing_mib * (1 << 20);
  Bytes total;
  for (const auto* operands : {&kernel.reads, &kernel.writes}) {
    for (const Operand& operand : *operands) {
      const Bytes bytes = bytes_over_hbm(operand);
      if (!operand.passing || static_cast<double>(bytes.value) > passing) total += bytes;
    }
  }
  return total;
}

// Bytes that move before the array can start and after it has ended: operands that stay in VMEM
// as a whole, else one block of them, of one element of the batch; and the last block stored. Three
// double-buffered blocks and a result in f32 share the kernel's VMEM, an eighth each.
double exposed_bytes(const KernelWork& kernel, const Generation& generation, const Sums& sums) {
  if (sums.batch == 0) return 0;
  const double block = generation.block_mib / 8 * (1 << 20);
  const double resident = sums.resident ? generation.resident_mib * (1 << 20) : 0;
  const auto part = [&](const Operand& operand, bool whole) {
    const double bytes =
        static_cast<double>(bytes_over_hbm(operand).value) / static_cast<double>(sums.batch);
    if (whole && bytes <= resident) return bytes;
    return std::min(bytes, block);
  };
  double total = 0;
  for (const Operand& read : kernel.reads) total += part(read, true);
  for (const Operand& write : kernel.writes) total += part(write, false);
  return total;
}

Bound bound_of(const Price& price) {
  Bound bound = Bound::overhead;
  Picoseconds most = std::max(price.overhead, price.blocks);
  const auto consider = [&](Bound candidate, Picoseconds time) {
    if (time > most) bound = candidate, most = time;
  };
  consider(Bound::hbm, price.hbm);
  consider(Bound::vector_unit, price.vector);
  consider(Bound::matrix_unit, price.matrix);
  consider(Bound::collective, price.transfer + price.latency);
  return bound;
}

}  // namespace

std::string_view name_of(Bound bound) {
  static constexpr std::array<std::string_view, 5> names{"matrix unit", "vector unit", "HBM",
                                                         "overhead", "collective"};
  return names[static_cast<std::size_t>(bound)];
}

Price price(const KernelWork& kernel, const Machine& machine, Neighbours neighbours) {
  const Generation& generation = machine.generation();
  Sums sums;
  for (const Work& item : kernel.items) {
    std::visit([&](const auto& work) { add(sums, work, machine); }, item);
  }
  const double memory = generation.hbm_bytes_per_second * generation.hbm_efficiency;
  double exposed = 0;
  if (neighbours == Neighbours::none) exposed = exposed_bytes(kernel, generation, sums);
  Price result;
  result.traffic =
      traffic_of(kernel, generation) + Bytes{static_cast<std::int64_t>(sums.reread_bytes)};
  const double streamed = std::max(0.0, static_cast<double>(result.traffic.value) - exposed);
  result.matrix = picoseconds_from_seconds(sums.matrix);
  result.vector = picoseconds_from_seconds(sums.vector);
  result.hbm = picoseconds_from_seconds(streamed / memory);
  result.exposed = picoseconds_from_seconds(exposed / memory);
  result.blocks = picoseconds_from_seconds(sums.blocks);
  result.transfer = picoseconds_from_seconds(sums.transfer);
  result.latency = picoseconds_from_seconds(sums.latency);
  result.overhead = picoseconds_from_seconds(generation.kernel_seconds);
  result.useful = sums.useful;
  result.padded = sums.padded;
  result.time =
      result.overhead + result.exposed + result.latency +
      std::max({result.matrix, result.vector, result.hbm, result.blocks, result.transfer});
  result.bound = bound_of(result);
  return result;
}

}  // namespace tpulab

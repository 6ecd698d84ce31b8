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
  Flops useful;
  Flops padded;
};

void add(Sums& sums, const MatrixWork& work, const Machine& machine) {
  const Generation& generation = machine.generation();
  const Streaming streaming = cheapest_streaming(work, generation);
  const auto side = static_cast<std::int64_t>(generation.matrix_side);
  sums.matrix += streaming.clocks / generation.clock_hertz / generation.matrix_efficiency;
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

Bytes traffic_of(const KernelWork& kernel) {
  Bytes total;
  for (const Operand& read : kernel.reads) total += padded_bytes(read.shape, read.dtype);
  for (const Operand& write : kernel.writes) total += padded_bytes(write.shape, write.dtype);
  return total;
}

Bound bound_of(const Price& price) {
  Bound bound = Bound::overhead;
  Picoseconds most = price.overhead;
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

Price price(const KernelWork& kernel, const Machine& machine) {
  const Generation& generation = machine.generation();
  Sums sums;
  for (const Work& item : kernel.items) {
    std::visit([&](const auto& work) { add(sums, work, machine); }, item);
  }
  Price result;
  result.traffic = traffic_of(kernel);
  const double memory = generation.hbm_bytes_per_second * generation.hbm_efficiency;
  result.matrix = picoseconds_from_seconds(sums.matrix);
  result.vector = picoseconds_from_seconds(sums.vector);
  result.hbm = picoseconds_from_seconds(static_cast<double>(result.traffic.value) / memory);
  result.transfer = picoseconds_from_seconds(sums.transfer);
  result.latency = picoseconds_from_seconds(sums.latency);
  result.overhead = picoseconds_from_seconds(generation.kernel_seconds);
  result.useful = sums.useful;
  result.padded = sums.padded;
  result.time = result.overhead + result.latency +
                std::max({result.matrix, result.vector, result.hbm, result.transfer});
  result.bound = bound_of(result);
  return result;
}

}  // namespace tpulab

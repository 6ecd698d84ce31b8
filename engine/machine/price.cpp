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
  double products = 0;  // on either unit
  double transfer = 0;
  double latency = 0;
  double host_link = 0;
  double start = 0;  // of a first block that waits for its operands
  double blocks = 0;
  bool takes_turns = false;  // elements with a product
  double reread_bytes = 0;
  double end_bytes = 0;  // first blocks and last store
  Flops useful;
  Flops padded;
};

struct Setting {
  const Machine& machine;
  Neighbours neighbours;
  double grid;  // steps of a kernel that walks blocks of its own
  Bytes moved;  // over HBM, each operand once
};

// A product with a vector is a multiplication and a sum over the streamed matrix, which the vector
// unit does without loading the array [PTS: 1 x 4096 x 4096 runs at 90 % of HBM]; lanes are folded
// for each result, as of decoding (single_query() in forecast/kernels.cpp, measured).
double as_vector_seconds(const MatrixWork& work, const Generation& generation) {
  const std::int64_t results = work.batch * work.m * work.n;
  const auto elements = static_cast<double>(results * work.k);
  const double folds =
      work.sums_along_lanes
          ? vector_clocks({.shape = {results, work.k}, .reduced_axis = 1}, generation)
          : 0;
  return (2 * elements * work.passes / generation.vector_lanes + folds) / generation.clock_hertz;
}

// Both operands are measured, scaled and rounded to int8 on the way.
double quantisation_seconds(const MatrixWork& work, const Generation& generation) {
  constexpr double slots = 4;
  const auto elements = static_cast<double>(work.batch * work.k * (work.m + work.n));
  return slots * elements / generation.vector_lanes / generation.clock_hertz;
}

void add_blocks(Sums& sums, const MatrixWork& work, double array_seconds, const Setting& setting) {
  const Generation& generation = setting.machine.generation();
  const Blocking blocking =
      best_blocking(work, array_seconds, setting.moved, generation, setting.neighbours);
  sums.blocks += blocking.start_seconds;
  if (setting.neighbours == Neighbours::none) sums.start += generation.block_seconds;
  sums.reread_bytes += blocking.reread_bytes;
  sums.end_bytes += blocking.end_bytes;
}

void add(Sums& sums, const MatrixWork& work, const Setting& setting) {
  if (work.batch * work.m * work.k * work.n == 0) return;
  const Generation& generation = setting.machine.generation();
  const Streaming streaming = cheapest_streaming(work, generation);
  const auto side = static_cast<std::int64_t>(generation.matrix_side);
  const double array = streaming.clocks / generation.clock_hertz / generation.matrix_efficiency /
                       operand_speed(work, generation);
  const double vector = as_vector_seconds(work, generation);
  // XLA multiplies and adds up what decoding reads [TPU compiler: multiply_reduce fusions].
  const bool of_vector = work.m == 1 || work.n == 1;
  const bool by_vector = of_vector && (work.sums_along_lanes || vector < array);
  (by_vector ? sums.vector : sums.matrix) += by_vector ? vector : array;
  sums.products += by_vector ? vector : array;
  sums.takes_turns = sums.takes_turns || turns_taps(work);
  if (work.quantised) sums.vector += quantisation_seconds(work, generation);
  if (setting.grid <= 0) add_blocks(sums, work, by_vector ? vector : array, setting);
  sums.useful += work.flops();
  sums.padded += by_vector ? work.flops() : Flops{2 * streaming.stream * side * side};
}

void add(Sums& sums, const VectorWork& work, const Setting& setting) {
  const Generation& generation = setting.machine.generation();
  sums.vector += vector_clocks(work, generation) / generation.clock_hertz;
}

void add(Sums& sums, const CollectiveWork& work, const Setting& setting) {
  const CollectiveTime time = collective_time(work, setting.machine);
  sums.transfer += time.transfer;
  sums.latency += time.latency;
}

void add(Sums& sums, const HostLinkWork& work, const Setting& setting) {
  sums.host_link += in_seconds(host_transfer_time(work.bytes, setting.machine));
}

// Work for a host, or none, costs the device nothing.
void add(Sums&, const HostWork&, const Setting&) {}
void add(Sums&, std::monostate, const Setting&) {}

Bytes bytes_over_hbm(const Operand& operand) { return padded_bytes(operand.shape, operand.dtype); }

Bytes traffic_of(const KernelWork& kernel, const Generation& generation) {
  const Bytes holds = held_bytes(generation);
  Bytes total;
  for (const auto* operands : {&kernel.reads, &kernel.writes}) {
    for (const Operand& operand : *operands) {
      const Bytes bytes = bytes_over_hbm(operand);
      const bool held = operand.held.value > 0 && operand.held <= holds;
      if (!held) total += bytes;
    }
  }
  return total;
}

// Of a grid, what the chip cannot hold: its steps wait for it [PTS v6e: 256 heads of 1,024 tokens
// take 1,000 us, 128 take 415]. Else the ends of the products.
double exposed_bytes(const Generation& generation, const Sums& sums, const Setting& setting) {
  const auto bytes = static_cast<double>(setting.moved.value);
  if (setting.grid <= 0) return std::min(sums.end_bytes, bytes);
  return std::max(0.0, bytes - generation.vmem_mib * (1 << 20));
}

}  // namespace

Bytes held_bytes(const Generation& generation) {
  const bool shared = generation.cores_per_chip > generation.devices_per_chip;
  const double vmem_mib = shared ? 0 : (generation.vmem_mib - generation.block_mib) / 2;
  return {static_cast<std::int64_t>((generation.held_mib + vmem_mib) * (1 << 20))};
}

bool is_delayed_by_blocks(Bound unit, const Price& price) {
  if (price.blocks.count() <= 0) return false;
  const bool by_matrix = price.matrix.count() > 0;
  if (unit == Bound::matrix_unit) return by_matrix;
  return unit == Bound::vector_unit && (price.vector.count() > 0 || !by_matrix);
}

std::array<Claim, 6> claims_on(const Price& price) {
  const auto of_blocks = [&](Bound unit) {
    return is_delayed_by_blocks(unit, price) ? price.blocks : Picoseconds{};
  };
  return {{{Bound::overhead, price.overhead},
           {Bound::hbm, price.hbm + price.exposed},
           {Bound::vector_unit, price.vector + of_blocks(Bound::vector_unit)},
           {Bound::matrix_unit, price.matrix + of_blocks(Bound::matrix_unit)},
           {Bound::collective, price.transfer + price.latency},
           {Bound::host_link, price.host_link}}};
}

std::string_view name_of(Bound bound) {
  static constexpr std::array<std::string_view, 6> names{"matrix unit", "vector unit", "HBM",
                                                         "overhead",    "collective",  "host link"};
  return names[static_cast<std::size_t>(bound)];
}

Price price(const KernelWork& kernel, const Machine& machine, Neighbours neighbours) {
  const Generation& generation = machine.generation();
  const Bytes once = traffic_of(kernel, generation);
  const Setting setting{machine, neighbours, grid_steps(kernel, neighbours), once};
  Sums sums;
  for (const Work& item : kernel.items) {
    std::visit([&](const auto& work) { add(sums, work, setting); }, item);
  }
  sums.blocks += setting.grid * generation.block_seconds;
  const double memory = generation.hbm_bytes_per_second * generation.hbm_efficiency;
  const double exposed = exposed_bytes(generation, sums, setting);
  const double streamed = (static_cast<double>(once.value) - exposed) / memory;
  Price result;
  result.reread = {static_cast<std::int64_t>(sums.reread_bytes)};
  result.traffic = once + result.reread;
  result.matrix = picoseconds_from_seconds(sums.matrix);
  result.vector = picoseconds_from_seconds(sums.vector);
  result.hbm = picoseconds_from_seconds(streamed + sums.reread_bytes / memory);
  result.exposed = picoseconds_from_seconds(exposed / memory);
  result.blocks = picoseconds_from_seconds(sums.blocks);
  result.transfer = picoseconds_from_seconds(sums.transfer);
  result.latency = picoseconds_from_seconds(sums.latency);
  result.host_link = picoseconds_from_seconds(sums.host_link);
  result.overhead = picoseconds_from_seconds(generation.kernel_seconds + sums.start);
  result.useful = sums.useful;
  result.padded = sums.padded;
  const double turns = sums.takes_turns ? sums.vector : 0;
  const double array = beside(sums.products + turns + sums.blocks, streamed);
  const double units = std::max(array, sums.vector + sums.blocks);
  result.time =
      result.overhead + result.exposed + result.latency +
      std::max({picoseconds_from_seconds(units), result.hbm, result.transfer, result.host_link});
  const auto claims = claims_on(result);
  result.bound = std::ranges::max_element(claims, {}, &Claim::time)->bound;
  return result;
}

}  // namespace tpulab

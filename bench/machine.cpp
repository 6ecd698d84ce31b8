// How fast the machine prices a kernel.
#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>

#include "bench/row.h"
#include "engine/machine/price.h"

namespace tpulab {
namespace {

Machine machine_of(std::string_view slice) {
  Machine machine{slice_named(slice), &host_named("tpu-vm"), &stack_named("pytorch-xla"), {}};
  machine.devices.resize(static_cast<std::size_t>(machine.slice.devices()));
  std::iota(machine.devices.begin(), machine.devices.end(), 0);
  return machine;
}

// Median of 21 rounds, nanoseconds a call.
double nanoseconds_per_price(const KernelWork& kernel, const Machine& machine) {
  constexpr int calls = 10'000;
  std::array<double, 21> rounds{};
  std::int64_t sink = 0;
  for (double& round : rounds) {
    const auto start = std::chrono::steady_clock::now();
    for (int call = 0; call < calls; ++call) sink += price(kernel, machine).time.count();
    const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
    round = spent.count() / calls;
  }
  std::ranges::sort(rounds);
  return sink == 0 ? 0 : rounds[rounds.size() / 2];
}

void measure_prices() {
  const Shape shape{1024, 1024};
  const Operand operand{shape, DType::bf16};
  const KernelWork product{
      {MatrixWork{.m = 1024, .k = 1024, .n = 1024}}, {operand, operand}, {operand}};
  const KernelWork reduction{{CollectiveWork{CollectiveKind::all_reduce, {1 << 20}}}, {}, {}};
  bench::row("machine", "price of one product", nanoseconds_per_price(product, machine_of("v3-8")),
             "ns", 200, "lower");
  bench::row("machine", "price of an all-reduce on v3-2048",
             nanoseconds_per_price(reduction, machine_of("v3-2048")), "ns", 200, "lower");
}

}  // namespace
}  // namespace tpulab

int main(int argc, char** argv) {
  if (!tpulab::bench::parse_bench_arguments(argc, argv)) return 2;
  tpulab::measure_prices();
  return 0;
}

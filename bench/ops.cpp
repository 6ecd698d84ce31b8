// What one thread reaches in the products of the default step (batch 256, 64-1024-1024-10), as a
// share of the fused multiply-adds it can do at all, both measured in the same rounds.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "bench/fma_peak.h"
#include "bench/row.h"
#include "engine/ops/matrix_product.h"

namespace tpulab::bench {
namespace {

struct Product {
  const char* name;
  std::int64_t m, k, n;
  bool transpose_left, transpose_right;
};

constexpr std::array<Product, 8> products{{
    {"layer1 forward 256x64x1024", 256, 64, 1024, false, false},
    {"layer2 forward 256x1024x1024", 256, 1024, 1024, false, false},
    {"layer3 forward 256x1024x10", 256, 1024, 10, false, false},
    {"layer3 weights 1024x256x10", 1024, 256, 10, true, false},
    {"layer3 inputs 256x10x1024", 256, 10, 1024, false, true},
    {"layer2 weights 1024x256x1024", 1024, 256, 1024, true, false},
    {"layer2 inputs 256x1024x1024", 256, 1024, 1024, false, true},
    {"layer1 weights 64x256x1024", 64, 256, 1024, true, false},
}};

double operations_of(const Product& p) {
  return 2.0 * static_cast<double>(p.m) * static_cast<double>(p.k) * static_cast<double>(p.n);
}

Array filled(const Shape& shape) {
  Array array(shape);
  float value = 0.1f;
  for (float& element : array.values()) element = value = 1.9f * value * (1.4f - value);
  return array;
}

// A product with its operands, ready to be run again and again.
class Run {
 public:
  Run(const Product& p, MatmulPrecision precision)
      : product_(p),
        options_{p.transpose_left, p.transpose_right, precision},
        left_(filled(p.transpose_left ? Shape{p.k, p.m} : Shape{p.m, p.k})),
        right_(filled(p.transpose_right ? Shape{p.n, p.k} : Shape{p.k, p.n})),
        out_(Shape{p.m, p.n}) {
    once();
  }

  // Long enough that the clock's own time does not count.
  double gigaflops() {
    const int repeats = static_cast<int>(std::max(1.0, 2e8 / operations_of(product_)));
    const double start = thread_seconds();
    for (int i = 0; i < repeats; ++i) once();
    return operations_of(product_) * repeats / (thread_seconds() - start) * 1e-9;
  }

 private:
  void once() { matrix_product(left_.view(), right_.view(), options_, out_.span(), {}); }

  Product product_;
  MatmulOptions options_;
  Array left_, right_, out_;
};

struct Rounds {
  std::vector<double> peak;
  std::array<std::vector<double>, products.size()> plain, rounded;  // shares of the round's peak
  std::vector<double> step;  // all products of a step, rounding included
};

Rounds measure(int count) {
  std::vector<Run> plain;
  std::vector<Run> rounded;
  for (const Product& p : products) {
    plain.emplace_back(p, MatmulPrecision::highest);
    rounded.emplace_back(p, MatmulPrecision::default_);
  }
  Rounds rounds;
  for (int round = 0; round < count; ++round) {
    const double peak = fma_gigaflops();
    rounds.peak.push_back(peak);
    double operations = 0;
    double time = 0;
    for (std::size_t i = 0; i < products.size(); ++i) {
      rounds.plain[i].push_back(plain[i].gigaflops() / peak);
      const double reached = rounded[i].gigaflops();
      rounds.rounded[i].push_back(reached / peak);
      operations += operations_of(products[i]);
      time += operations_of(products[i]) / reached;
    }
    rounds.step.push_back(operations / time / peak);
  }
  return rounds;
}

void print(const Rounds& rounds) {
  row("ops", "FMA peak of one thread", median(rounds.peak), "GFLOP/s", std::nullopt, "higher");
  for (std::size_t i = 0; i < products.size(); ++i) {
    const bool large = products[i].m * products[i].k * products[i].n >= 256 * 1024 * 1024;
    const std::optional<double> goal = large ? std::optional(80.0) : std::nullopt;
    const std::string name = products[i].name;
    row("ops", name, 100 * median(rounds.plain[i]), "% of peak", goal, "higher");
    row("ops", name + " rounded", 100 * median(rounds.rounded[i]), "% of peak", std::nullopt,
        "higher");
  }
  row("ops", "step's products, rounded", 100 * median(rounds.step), "% of peak", std::nullopt,
      "higher");
}

}  // namespace
}  // namespace tpulab::bench

int main(int argc, char** argv) {
  if (!tpulab::bench::parse_bench_arguments(argc, argv)) return 2;
  if (!tpulab::bench::has_fma()) {
    fmt::print(stderr, "bench ops: this CPU has no FMA, so there is no peak to compare with\n");
    return 0;
  }
  tpulab::bench::print(tpulab::bench::measure(21));
}

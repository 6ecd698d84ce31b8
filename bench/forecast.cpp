// Speed of forecasts: large machines and models at once, small ones by the thousand.
#include "engine/forecast/forecast.h"

#include <chrono>

#include "bench/row.h"

namespace tpulab {
namespace {

// Median of 21 forecasts, milliseconds.
double milliseconds_of(const ForecastRequest& request) {
  forecast(request);  // the points are parsed once
  std::vector<double> rounds;
  for (int round = 0; round < 21; ++round) {
    const auto start = std::chrono::steady_clock::now();
    forecast(request);
    const std::chrono::duration<double, std::milli> spent =
        std::chrono::steady_clock::now() - start;
    rounds.push_back(spent.count());
  }
  return bench::median(rounds);
}

void measure_forecasts() {
  bench::row("forecast", "resnet50 on v3-2048",
             milliseconds_of({.model = "resnet50", .slice = "v3-2048", .batch = 65536}), "ms", 20,
             "lower");
  bench::row("forecast", "llama3-70b on v5e-256",
             milliseconds_of(
                 {.model = "llama3-70b", .slice = "v5e-256", .batch = 256, .remat = Remat::full}),
             "ms", 100, "lower");
  const double small =
      milliseconds_of({.model = "mlp-64-1024-1024-10", .slice = "v3-8", .batch = 256});
  bench::row("forecast", "small configurations", 1000 / small, "1/s", 2000, "higher");
}

}  // namespace
}  // namespace tpulab

int main(int argc, char** argv) {
  if (!tpulab::bench::parse_bench_arguments(argc, argv)) return 2;
  tpulab::measure_forecasts();
  return 0;
}

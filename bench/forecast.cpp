// Speed of forecasts: large machines and models at once, small ones by the thousand.
#include "engine/forecast/forecast.h"

#include <chrono>

#include "bench/row.h"
#include "engine/session/answers/estimate.h"

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

// Points a second of a sweep on one thread: the median of nine rounds.
template <class Change>
double points_a_second(int points, const Change& change) {
  Settings settings;
  settings.model = "resnet50";
  settings.slice = "v3-8";
  std::vector<double> rounds;
  for (int round = 0; round < 9; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int point = 0; point < points; ++point) {
      change(settings, round * points + point);
      estimate(settings);
    }
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    rounds.push_back(points / spent.count());
  }
  return bench::median(rounds);
}

void measure_sweeps() {
  const auto other_loader = [](Settings& settings, int point) {
    settings.loader_row_us = 100 + point;
  };
  const auto other_batch = [](Settings& settings, int point) { settings.batch = 1 + point; };
  bench::row("sweep", "points of one program", points_a_second(500, other_loader), "1/s", 10'000,
             "higher");
  bench::row("sweep", "points of a program each", points_a_second(25, other_batch), "1/s", 300,
             "higher");
}

}  // namespace
}  // namespace tpulab

int main(int argc, char** argv) {
  if (!tpulab::bench::parse_bench_arguments(argc, argv)) return 2;
  tpulab::measure_forecasts();
  tpulab::measure_sweeps();
  return 0;
}

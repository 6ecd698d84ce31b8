// Speed of forecasts: large machines and models at once, small ones by the thousand; and of saying
// why a program is compiled.
#include <fmt/format.h>

#include <chrono>

#include "bench/row.h"
#include "engine/compiler/compile_cause.h"
#include "engine/ops/ops.h"
#include "engine/session/answers/estimate.h"

namespace tpulab {
namespace {

// Median of 21 forecasts, each of a program that nobody has asked for, milliseconds.
double milliseconds_of(Settings settings) {
  std::vector<double> rounds;
  for (int round = 0; round <= 21; ++round) {
    settings.sequence += settings.sequence > 0 ? 64 : 0;
    settings.batch += settings.sequence > 0 ? 0 : 1;
    const auto start = std::chrono::steady_clock::now();
    estimate(settings);
    const std::chrono::duration<double, std::milli> spent =
        std::chrono::steady_clock::now() - start;
    if (round > 0) rounds.push_back(spent.count());  // the points are parsed once
  }
  return bench::median(rounds);
}

Settings settings_of(const char* model, const char* slice, std::int64_t batch) {
  Settings settings;
  settings.model = model;
  settings.slice = slice;
  settings.stack = "jax";
  settings.batch = batch;
  return settings;
}

void measure_forecasts() {
  bench::row("forecast", "resnet50 on v3-2048",
             milliseconds_of(settings_of("resnet50", "v3-2048", 32)), "ms", 50, "lower");
  Settings decoder = settings_of("llama3-70b", "v5e-256", 1);
  decoder.remat = "full";
  decoder.sequence = 1024;
  bench::row("forecast", "llama3-70b on v5e-256", milliseconds_of(decoder), "ms", 50, "lower");
  Settings small = settings_of("mlp", "v3-8", 32);
  small.hidden = {1024, 1024};
  bench::row("forecast", "small configurations", 1000 / milliseconds_of(small), "1/s", 2000,
             "higher");
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

// A chain of 7,000 ops over so many rows, with a weight every ten ops.
std::shared_ptr<const Program> chain_of(std::int64_t rows) {
  constexpr int ops = 7'000;
  Graph graph;
  Tensor x = graph.leaf(0, {{rows, 64}, DType::f32, Placement::per_core}, "images");
  for (int i = 0; i < ops; ++i) {
    x = i % 10 == 0 ? multiply(x, graph.leaf(i + 1, {{rows, 64}}, fmt::format("weight{}", i)))
                    : relu(x);
  }
  auto program = std::make_shared<Program>();
  program->fingerprint = fingerprint(make_cut(graph, {x.id}, {-1}, "v3-8", 8));
  return program;
}

// Against 64 programs, the nearest of which differs in all its inputs.
void measure_causes() {
  ProgramCache cache;
  constexpr int programs = 64;
  for (int i = 1; i <= programs; ++i) cache.insert(chain_of(i));
  const auto fresh = chain_of(programs + 1);
  std::vector<double> rounds;
  for (int round = 0; round < 21; ++round) {
    const auto start = std::chrono::steady_clock::now();
    compile_cause(cache, *fresh, "");
    const std::chrono::duration<double, std::milli> spent =
        std::chrono::steady_clock::now() - start;
    rounds.push_back(spent.count());
  }
  bench::row("compile", "cause at 7,000 ops, 64 programs", bench::median(rounds), "ms", 5, "lower");
}

}  // namespace
}  // namespace tpulab

int main(int argc, char** argv) {
  if (!tpulab::bench::parse_bench_arguments(argc, argv)) return 2;
  tpulab::measure_forecasts();
  tpulab::measure_sweeps();
  tpulab::measure_causes();
  return 0;
}

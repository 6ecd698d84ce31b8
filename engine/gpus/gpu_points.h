// Published training speeds of GPUs: bench/gpu_points/*.toml.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/machine/gpus.h"

namespace tpulab {

// A TPU board that a published GPU figure is set against.
struct TpuCounterpart {
  std::string slice;  // "v3-8"
  double value = 0;   // in the unit of the GPU's figure
  std::string point;  // of bench/points, may be empty
  std::string source;
};

struct GpuPoint {
  std::string id;
  std::string gpu;  // of machine/gpus.cpp
  int count = 0;
  std::string link;
  GpuPrecision precision{};
  std::string stack;
  int year = 0;
  std::string model;
  std::int64_t batch = 0;   // rows of one GPU in one pass, 0: not said
  std::int64_t passes = 1;  // of one update
  std::int64_t sequence = 0;
  std::int64_t image = 0;
  std::string unit;  // samples/s, s/run
  double value = 0;
  std::int64_t rows = 0;  // of a whole run, 0: not said
  double noise = 0;       // relative
  std::string source;
  std::vector<TpuCounterpart> boards;

  bool whole_run() const { return unit == "s/run"; }
  // Of all its GPUs; 0 where the source does not tell.
  double samples_per_second() const;
  double samples_per_second_each() const { return samples_per_second() / count; }
  // How many of its GPUs one such board is.
  double gpus_of(const TpuCounterpart& board) const;
  // "G-R1: 8 x V100, mixed, tensorflow 2018, NVLink, 9,832 samples/s [M05]".
  std::string words() const;
};

// As parse_points(): errors name file, line and what is wrong. Throws Error for bad TOML, a missing
// key, an unknown GPU, precision, unit or slice, a value that is not above zero, an id that comes
// twice.
std::vector<GpuPoint> parse_gpu_points(std::string_view text, const std::string& file);
// All that are shipped with the program.
const std::vector<GpuPoint>& shipped_gpu_points();

// A published comparison of a TPU board with GPUs.
struct PublishedRatio {
  double gpus = 0;  // how many of them one board is
  const GpuPoint* point = nullptr;
  const TpuCounterpart* board = nullptr;
};
// What is compared; sequence and image are 0 for the model's own.
struct RatioQuestion {
  std::string model{};
  std::string slice{};
  const Gpu* gpu = nullptr;
  GpuPrecision precision{};
  std::int64_t sequence = 0;
  std::int64_t image = 0;
};
// Training rates first, then whole runs; empty if nobody published any.
std::vector<PublishedRatio> published_ratios(const RatioQuestion& question);

}  // namespace tpulab

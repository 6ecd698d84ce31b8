// Measured points read from bench/points/*.toml, and what the machine says to them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/machine/generation.h"

namespace tpulab {

struct MeasuredPoint {
  std::string id;
  std::string kind;      // device, host_timed
  std::string hardware;  // slice name
  int cores = 1;         // devices that took part; 0 where all of the hardware did
  std::string stack;
  std::string workload;                       // kernel or model
  std::string precision;                      // storage: f32, bf16
  std::map<std::string, std::int64_t> sizes;  // m, k, n, rows, ...
  std::string unit;                           // clocks, us, ms
  double value = 0;
  double noise = 0;  // relative
};

// Throws Error with the file, the entry and the missing key.
std::vector<MeasuredPoint> read_points(const std::string& path);

// One row per generation; a calibration changes them.
using Generations = std::vector<Generation>;

// In the unit of the point.
double predicted(const MeasuredPoint& point, const Generations& rows);
// (predicted - measured) / measured; zero within the noise.
double error_of(const MeasuredPoint& point, const Generations& rows);

}  // namespace tpulab

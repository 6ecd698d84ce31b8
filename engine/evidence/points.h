// Measured points: bench/points/*.toml, as shipped or as a user brings them. The format is
// described in bench/points/README.md.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/evidence/point_unit.h"

namespace tpulab {

enum class PointKind : std::uint8_t {
  device,       // time on the device
  host_timed,   // host clock around one call
  step,         // steady training steps
  with_eval,    // evaluation included
  upper_bound,  // start or compile included: the step is at most this long
  input_bound,  // the host's input binds: the device is at least so fast
};
inline constexpr int point_kinds = 6;
std::string_view name_of(PointKind kind);  // "host_timed"

// Kernels and models; a model is asked of a run, a kernel of price().
struct MeasuredPoint {
  std::string id;
  PointKind kind{};
  std::string hardware;  // slice name
  int cores = 0;         // devices that took part
  std::string stack;     // the row of its framework and effort
  int year = 0;          // 0: not stated
  std::string workload;  // kernel or model
  bool model = false;
  std::string precision;                      // f32, bf16, bf16-true
  std::string remat;                          // one of remat_names
  std::string quant;                          // none, int8
  std::string optimizer;                      // auto, sgd, adam, lamb
  std::map<std::string, std::int64_t> sizes;  // batch, m, k, n, sequence, tensor ...
  std::string unit;                           // as typed
  PointUnit measure{};
  double value = 0;
  double noise = 0;  // relative
  std::string source;

  std::int64_t size(std::string_view name) const;  // 0 if it is not given
};

// `file` names the text in errors: "FILE:12: point 'x' has no 'hardware'; ...". Throws Error for
// bad TOML, a missing key, an unknown kind, stack or slice, a unit that does not fit the kind, an
// id that comes twice. Unknown kernels and models are for validate() to list.
std::vector<MeasuredPoint> parse_points(std::string_view text, const std::string& file);
// "-" is the standard input.
std::vector<MeasuredPoint> read_points(const std::string& path);
// All files shipped with the program, each point once.
const std::vector<MeasuredPoint>& shipped_points();

}  // namespace tpulab

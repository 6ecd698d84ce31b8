#include "engine/session/run/pace.h"

#include <algorithm>

namespace tpulab {

std::chrono::duration<double> pause_after_step(const std::string& pace, Picoseconds tpu_time,
                                               std::chrono::duration<double> wall) {
  std::chrono::duration<double> wanted{};
  if (pace == "watch") {
    wanted = std::chrono::milliseconds(100);
  } else if (pace == "real") {
    wanted = std::chrono::duration<double>(in_seconds(tpu_time));
  } else if (pace.starts_with("1/")) {
    wanted = std::chrono::duration<double>(in_seconds(tpu_time) * std::stod(pace.substr(2)));
  }
  return std::max(wanted - wall, std::chrono::duration<double>{});
}

}  // namespace tpulab

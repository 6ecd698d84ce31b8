#include "engine/formats/branch_time.h"

#include <algorithm>

namespace tpulab {

double about_seconds(const KernelWork& kernel) {
  constexpr double flops_a_second = 275e12;
  constexpr double lanes_a_second = 4096 * 1.05e9;
  constexpr double hbm_a_second = 1.2e12;
  constexpr double link_a_second = 45e9;
  constexpr double host_a_second = 16e9;
  constexpr double start = 1e-6;
  constexpr int medium_clocks = 4;
  constexpr int transcendental_clocks = 6;
  double products = 0;
  double vector = 0;
  double sent = 0;
  for (const Work& item : kernel.items) {
    if (const auto* product = std::get_if<MatrixWork>(&item)) {
      products += static_cast<double>(product->flops().value) * product->passes / flops_a_second;
    } else if (const auto* lanes = std::get_if<VectorWork>(&item)) {
      const int clocks = lanes->cheap + lanes->medium * medium_clocks +
                         lanes->transcendental * transcendental_clocks;
      vector += static_cast<double>(lanes->shape.elements()) * clocks / lanes_a_second;
    } else if (const auto* exchanged = std::get_if<CollectiveWork>(&item)) {
      sent += static_cast<double>(exchanged->bytes.value) / link_a_second;
    } else if (const auto* crosses = std::get_if<HostLinkWork>(&item)) {
      sent += static_cast<double>(crosses->bytes.value) / host_a_second;
    }
  }
  const double hbm = static_cast<double>(kernel.bytes().value) / hbm_a_second;
  return start + std::max({products, vector, hbm, sent});
}

}  // namespace tpulab

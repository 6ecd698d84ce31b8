#include "engine/training/model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "engine/training/random.h"

namespace tpulab {

std::int64_t Mlp::parameter_count() const {
  std::int64_t count = 0;
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) count += (widths[i] + 1) * widths[i + 1];
  return count;
}

std::string Mlp::name() const { return fmt::format("mlp {}", fmt::join(widths, "-")); }

std::vector<Parameter> Mlp::parameters() const {
  std::vector<Parameter> all;
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
    const std::string layer = fmt::format("layer{}", i + 1);
    all.push_back({layer + ".weight", {widths[i], widths[i + 1]}});
    all.push_back({layer + ".bias", {widths[i + 1]}});
  }
  return all;
}

std::vector<Array> Mlp::initialise(std::uint64_t seed) const {
  Random random(seed);
  std::vector<Array> values;
  std::int64_t inputs = 0;
  for (const Parameter& parameter : parameters()) {
    if (parameter.shape.rank() == 2) inputs = parameter.shape[0];
    const float bound = 1.0f / std::sqrt(static_cast<float>(inputs));
    Array& made = values.emplace_back(parameter.shape);
    for (float& value : made.values()) value = random.uniform(-bound, bound);
  }
  return values;
}

Tensor Mlp::forward(Tensor x, std::span<const Tensor> parameters, MatmulPrecision precision) const {
  for (std::size_t i = 0; i + 1 < parameters.size(); i += 2) {
    if (i > 0) x = relu(x);
    x = add(matmul(x, parameters[i], {.precision = precision}), parameters[i + 1]);
  }
  return x;
}

}  // namespace tpulab

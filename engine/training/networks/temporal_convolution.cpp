// Sequential convolution: a temporal convolutional network over rows of numbers.
#include <fmt/format.h>

#include "engine/training/networks/blocks.h"
#include "engine/training/networks/networks.h"

namespace tpulab {

namespace {

constexpr std::int64_t taps = 3;

// x [b,t,c]: position i sees i, i - gap and i - 2 gap. Positions that lie `gap` apart are put below
// each other as the rows of an image [b, t / gap, gap, c], so that a plain convolution does it.
Tensor causal_convolution(Scope& scope, const std::string& name, Tensor x, std::int64_t channels,
                          std::int64_t gap) {
  const std::int64_t rows = x.shape()[0];
  const std::int64_t steps = x.shape()[1];
  const std::int64_t padding = (gap - steps % gap) % gap;
  Tensor y = padding == 0 ? x : pad(x, 1, 0, padding);
  const std::int64_t padded = steps + padding;
  y = reshape(y, {rows, padded / gap, gap, x.shape()[2]});
  y = convolution(scope, name, pad(y, 1, taps - 1, 0),
                  {.outputs = channels, .height = taps, .width = 1, .padding = Padding::valid()});
  y = reshape(y, {rows, padded, channels});
  return padding == 0 ? y : slice(y, 1, 0, steps);
}

Tensor block(Scope& scope, const std::string& name, Tensor x, std::int64_t channels,
             std::int64_t gap) {
  Tensor y = relu(causal_convolution(scope, name + ".conv1", x, channels, gap));
  y = relu(causal_convolution(scope, name + ".conv2", y, channels, gap));
  if (x.shape() != y.shape()) x = dense(scope, name + ".shortcut", x, channels);
  return relu(add(y, x));
}

}  // namespace

Model temporal_convolution(std::int64_t channels, std::int64_t levels) {
  return {.input = Input::sequence,
          .name = [channels,
                   levels](const Example&) { return fmt::format("tcn {} x {}", levels, channels); },
          .forward =
              [channels, levels](Scope& scope, Tensor x, const Example& example) {
                for (std::int64_t level = 0; level < levels; ++level) {
                  x = block(scope, fmt::format("level{}", level + 1), x, channels,
                            std::int64_t{1} << level);
                }
                // The last position has seen all others.
                const std::int64_t last = x.shape()[1] - 1;
                return dense(scope, "dense", flattened(slice(x, 1, last, 1)), example.classes);
              }};
}

}  // namespace tpulab

// The multilayer perceptron with ReLU.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/training/networks/blocks.h"
#include "engine/training/networks/networks.h"

namespace tpulab {

Model perceptron(const std::vector<std::int64_t>& hidden) {
  return {.input = Input::numbers,
          .name =
              [hidden](const Example& example) {
                return fmt::format("mlp {}-{}-{}", example.row.elements(), fmt::join(hidden, "-"),
                                   example.classes);
              },
          .forward =
              [hidden](Scope& scope, Tensor x, const Example& example) {
                int layer = 0;
                DenseSplit split = DenseSplit::none;
                for (const std::int64_t width : hidden) {
                  split = split == DenseSplit::columns ? DenseSplit::rows : DenseSplit::columns;
                  x = relu(dense(scope, fmt::format("layer{}", ++layer), x, width, split));
                }
                split = split == DenseSplit::columns ? DenseSplit::rows : DenseSplit::none;
                return dense(scope, fmt::format("layer{}", ++layer), x, example.classes, split);
              }};
}

}  // namespace tpulab

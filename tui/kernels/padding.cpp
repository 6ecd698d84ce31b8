#include "tui/kernels/padding.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.h"

namespace tpulab {

namespace {

const PaddedExtent& most_padded(const ProductTiles& product) {
  const PaddedExtent* most = &product.streamed;
  for (const PaddedExtent* extent : {&product.down, &product.across}) {
    if (extent->zeros() > most->zeros()) most = extent;
  }
  return *most;
}

}  // namespace

std::string padding_words(const PaddedExtent& extent, std::string_view what) {
  if (extent.padded == extent.extent) {
    return fmt::format("{} {} {}", extent.name, text_with_commas(extent.extent), what);
  }
  return fmt::format("{} {} -> {} {}, {} zeros", extent.name, text_with_commas(extent.extent),
                     text_with_commas(extent.padded), what, text_of_share(extent.zeros()));
}

std::string worst_padding(const PricedProgram& program) {
  constexpr double least = 0.15;
  const KernelRow* worst = nullptr;
  double most = 0;
  double all = 0;
  for (const KernelRow& row : program.kernels) {
    if (row.products.empty()) continue;
    const double lost = in_seconds(row.matrix * row.runs) * (1 - row.products.front().filled());
    all += lost;
    if (lost <= most) continue;
    most = lost;
    worst = &row;
  }
  const double share = all / std::max(1e-12, in_seconds(program.time));
  if (worst == nullptr || share < least) return {};
  const PaddedExtent& extent = most_padded(worst->products.front());
  return fmt::format("zeros take {} of the kernels: {} {} -> {} of {}", text_of_share(share),
                     extent.name, text_with_commas(extent.extent), text_with_commas(extent.padded),
                     worst->name);
}

}  // namespace tpulab

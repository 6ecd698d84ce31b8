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
  const double step = std::max(1e-12, in_seconds(program.time));
  double most = least;
  std::string words;
  for (const KernelRow& row : program.kernels) {
    if (row.products.empty()) continue;
    const ProductTiles& product = row.products.front();
    const double lost = in_seconds(row.matrix * row.runs) / step * (1 - product.filled());
    if (lost < most) continue;
    most = lost;
    const PaddedExtent& extent = most_padded(product);
    words = fmt::format("! {} {} -> {}, {} zeros: {}", extent.name, text_with_commas(extent.extent),
                        text_with_commas(extent.padded), text_of_share(extent.zeros()), row.name);
  }
  return words;
}

}  // namespace tpulab

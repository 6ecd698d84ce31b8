#include "tui/kernels/padding.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.h"
#include "tui/draw/fit.h"

namespace tpulab {

namespace {

const PaddedExtent& most_padded(const ProductTiles& product) {
  const PaddedExtent* most = &product.streamed;
  for (const PaddedExtent* extent : {&product.down, &product.across}) {
    if (extent->zeros() > most->zeros()) most = extent;
  }
  return *most;
}

// "512 or 640": the multiples of the array's side around it.
std::string full_at(const PaddedExtent& extent, std::int64_t side) {
  const std::int64_t below = side > 0 ? extent.extent / side * side : 0;
  const std::string above = text_with_commas(extent.padded);
  return below > 0 && extent.padded - below == side
             ? fmt::format("{} or {}", text_with_commas(below), above)
             : above;
}

}  // namespace

std::string padding_words(const PaddedExtent& extent, std::string_view what) {
  const std::string of = what.empty() ? std::string() : fmt::format(" {}", what);
  if (extent.padded == extent.extent) {
    return fmt::format("{} {}{}", extent.name, text_with_commas(extent.extent), of);
  }
  return fmt::format("{} {} -> {}{}, {} zeros", extent.name, text_with_commas(extent.extent),
                     text_with_commas(extent.padded), of, text_of_share(extent.zeros()));
}

std::string worst_padding(const PricedProgram& program, int columns) {
  constexpr double least = 0.15;
  const KernelRow* worst = nullptr;
  double most = 0;
  double all = 0;
  for (const KernelRow& row : program.kernels) {
    if (row.products.empty()) continue;
    const double lost = in_seconds(row.matrix * row.runs) * row.products.front().slots().zeros;
    all += lost;
    if (lost <= most) continue;
    most = lost;
    worst = &row;
  }
  const double share = all / std::max(1e-12, in_seconds(program.time));
  if (worst == nullptr || share < least) return {};
  const ProductTiles& product = worst->products.front();
  const PaddedExtent& extent = most_padded(product);
  const std::string layer = worst->name.substr(0, worst->name.find(": "));
  const std::string grows =
      fmt::format("{} -> {}", text_with_commas(extent.extent), text_with_commas(extent.padded));
  const std::string full = full_at(extent, product.side);
  const std::string zeros = text_of_share(share);
  std::string words;
  for (const std::string& one :
       {fmt::format("zeros take {} of the kernels: {}, {} {}; full at {}", zeros, layer,
                    extent.name, grows, full),
        fmt::format("zeros {}: {}, {}; full at {}", zeros, layer, grows, full),
        fmt::format("zeros {}: {}, {}", zeros, layer, grows)}) {
    words = one;
    if (display_width(words) <= columns) break;
  }
  return words;
}

}  // namespace tpulab

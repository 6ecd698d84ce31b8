#include "commands/kernel_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "engine/base/text.h"

namespace tpulab {

namespace {

// What terms that work at the same time do not hide of each other.
Picoseconds waited(const KernelRow& row) {
  const Picoseconds longest = std::max({row.matrix, row.vector, row.hbm, row.transfer});
  return row.time - (row.overhead + row.exposed + row.blocks + row.latency + longest);
}

// "start 1.20 us + blocks 300 ns + max(matrix 12.0 us, HBM 8.00 us)".
std::string formula_of(const KernelRow& row) {
  std::string sum;
  const auto add = [](std::string& to, const char* name, Picoseconds time, const char* between) {
    if (time.count() <= 0) return;
    to += fmt::format("{}{} {}", to.empty() ? "" : between, name, text_of(time));
  };
  add(sum, "start", row.overhead, " + ");
  add(sum, "first and last blocks", row.exposed, " + ");
  add(sum, "blocks", row.blocks, " + ");
  add(sum, "latency", row.latency, " + ");
  add(sum, "not hidden", waited(row), " + ");
  std::string longest;
  add(longest, "matrix", row.matrix, ", ");
  add(longest, "vector", row.vector, ", ");
  add(longest, "HBM", row.hbm, ", ");
  add(longest, "links", row.transfer, ", ");
  if (longest.empty()) return sum;
  return fmt::format("{}{}max({})", sum, sum.empty() ? "" : " + ", longest);
}

// The resource that binds a kernel is the longest of its terms; how far the next is behind.
std::string next_of(const KernelRow& row) {
  std::vector<std::pair<Picoseconds, std::string>> terms{{row.matrix, "matrix unit"},
                                                         {row.vector, "vector unit"},
                                                         {row.hbm, "HBM"},
                                                         {row.transfer, "links"}};
  std::ranges::sort(terms, std::greater<>{});
  if (terms[1].first.count() <= 0) return "nothing behind it";
  const double behind = 1 - in_seconds(terms[1].first) / in_seconds(terms[0].first);
  return fmt::format("then {}, {} below {}", terms[1].second, text_of_share(behind),
                     terms[0].second);
}

// "n 10 -> 128"; empty without padding.
std::string padding_of(const PaddedExtent& extent) {
  if (extent.padded == extent.extent) return {};
  return fmt::format("{} {} -> {}, ", extent.name, text_with_commas(extent.extent),
                     text_with_commas(extent.padded));
}

}  // namespace

std::string kernel_line(const KernelRow& row) {
  const std::string times = row.runs > 1 ? fmt::format(" x {}", row.runs) : "";
  return fmt::format("{}{}: {} = {}; bound: {}, {}", row.name, times, text_of(row.time),
                     formula_of(row), row.bound, next_of(row));
}

std::string tiles_in_brief(const ProductTiles& product) {
  const std::string batch = product.batch > 1 ? fmt::format("{} x ", product.batch) : "";
  return fmt::format("{}[{}, {}] x [{}, {}]: {}{}{}{} of the slots hold data, {} clocks", batch,
                     product.m, product.k, product.k, product.n, padding_of(product.streamed),
                     padding_of(product.down), padding_of(product.across),
                     text_of_share(product.filled()), text_with_commas(product.clocks));
}

}  // namespace tpulab

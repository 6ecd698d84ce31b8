#include "commands/kernel_words.h"

#include <fmt/format.h>

#include "engine/base/text.h"

namespace tpulab {

namespace {

// "start 1.20 us + not hidden 300 ns + max(matrix with blocks 12.0 us, HBM 8.00 us)".
std::string formula_of(const KernelRow& row) {
  std::string sum;
  const auto add = [](std::string& to, const char* name, Picoseconds time, const char* between) {
    if (time.count() <= 0) return;
    to += fmt::format("{}{} {}", to.empty() ? "" : between, name, text_of(time));
  };
  add(sum, "start", row.overhead, " + ");
  add(sum, "first and last blocks", row.exposed, " + ");
  add(sum, "latency", row.latency, " + ");
  add(sum, "not hidden", row.not_hidden(), " + ");
  std::string longest;
  const bool blocks = row.blocks.count() > 0;
  const bool by_matrix = row.matrix.count() > 0;
  const bool by_vector = row.vector.count() > 0 || !by_matrix;
  if (by_matrix)
    add(longest, blocks ? "matrix with blocks" : "matrix", row.matrix + row.blocks, ", ");
  if (by_vector)
    add(longest, blocks ? "vector with blocks" : "vector", row.vector + row.blocks, ", ");
  add(longest, "HBM", row.hbm, ", ");
  add(longest, "links", row.transfer, ", ");
  add(longest, "host link", row.host_link, ", ");
  if (longest.empty()) return sum;
  return fmt::format("{}{}max({})", sum, sum.empty() ? "" : " + ", longest);
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
  std::string line =
      fmt::format("{}{}: {} = {}; bound: {}, then {}, {} below {}", row.name, times,
                  text_of(row.time), formula_of(row), name_of(row.bound), name_of(row.next_bound),
                  text_of_share(1 - row.next_share), name_of(row.bound));
  if (row.reread == Bytes{} || row.reread * 10 < row.traffic) return line;
  return line +
         fmt::format("; of {} over HBM {} are read again, as neither operand stays on the chip",
                     text_of(row.traffic), text_of(row.reread));
}

std::string tiles_in_brief(const ProductTiles& product) {
  const std::string batch = product.batch > 1 ? fmt::format("{} x ", product.batch) : "";
  std::string line =
      fmt::format("{}[{}, {}] x [{}, {}]: {}{}{}{} of the slots hold data, {} clocks", batch,
                  product.m, product.k, product.k, product.n, padding_of(product.streamed),
                  padding_of(product.down), padding_of(product.across),
                  text_of_share(product.filled()), text_with_commas(product.clocks));
  if (!product.packs_late()) return line;
  return line + fmt::format(", as a row of packed taps enters in {:.1f}", product.clocks_a_row);
}

}  // namespace tpulab

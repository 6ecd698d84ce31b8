#include "commands/kernel_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "engine/base/text.h"

namespace tpulab {

namespace {

void add(std::string& to, const char* name, Picoseconds time, const char* between) {
  if (time.count() <= 0) return;
  to += fmt::format("{}{} {}", to.empty() ? "" : between, name, text_of(time));
}

// "matrix 11.8 us + blocks 200 ns", as a unit starts the blocks itself.
std::string with_blocks(const char* unit, Picoseconds time, const KernelRow& row) {
  std::string text;
  add(text, unit, time, "");
  add(text, "blocks", row.blocks, " + ");
  return text;
}

// "start 1.20 us + not hidden 300 ns + max(matrix 11.8 us + blocks 200 ns, HBM 8.00 us)".
std::string formula_of(const KernelRow& row) {
  std::string sum;
  add(sum, "start", row.overhead, " + ");
  add(sum, "first and last blocks", row.exposed, " + ");
  add(sum, "latency", row.latency, " + ");
  add(sum, "not hidden", row.not_hidden(), " + ");
  std::string longest;
  const bool by_matrix = row.matrix.count() > 0;
  if (by_matrix) longest = with_blocks("matrix", row.matrix, row);
  if (row.vector.count() > 0 || !by_matrix) {
    longest += (by_matrix ? ", " : "") + with_blocks("vector", row.vector, row);
  }
  add(longest, "HBM", row.hbm, ", ");
  add(longest, "links", row.transfer, ", ");
  add(longest, "host link", row.host_link, ", ");
  if (longest.empty()) return sum;
  return fmt::format("{}{}max({})", sum, sum.empty() ? "" : " + ", longest);
}

// What else of these terms counts as the bound's.
std::string_view with_it(Bound bound, const KernelRow& row) {
  if (bound == Bound::hbm && row.exposed.count() > 0) return " with first and last blocks";
  if (is_delayed_by_blocks(bound, row)) return " with blocks";
  if (bound == Bound::collective && row.latency.count() > 0) return " with latency";
  return "";
}

std::string claim_words(const Claim& claim, const KernelRow& row) {
  return fmt::format("{}{} {}", name_of(claim.bound), with_it(claim.bound, row),
                     text_of(claim.time));
}

// "31 % below", of what is a share of it; "0.19 % of it" where that would read "100 % below".
std::string below(double share) {
  constexpr double next_to_nothing = 0.005;
  return share > next_to_nothing ? text_of_share(1 - share) + " below"
                                 : text_of_share(share) + " of it";
}

// "matrix unit 11.8 us, then HBM with first and last blocks 8.20 us, 31 % below".
std::string bound_of(const KernelRow& row) {
  auto claims = claims_on(row);
  std::ranges::stable_sort(claims, std::greater<>{}, &Claim::time);
  std::string text = claim_words(claims[0], row);
  if (claims[1].time.count() <= 0) return text;
  const double share = in_seconds(claims[1].time) / in_seconds(claims[0].time);
  return fmt::format("{}, then {}, {}", text, claim_words(claims[1], row), below(share));
}

// "n 10 -> 128"; empty without padding.
std::string padding_of(const PaddedExtent& extent) {
  if (extent.padded == extent.extent) return {};
  return fmt::format("{} {} -> {}, ", extent.name, text_with_commas(extent.extent),
                     text_with_commas(extent.padded));
}

}  // namespace

std::string kernel_line(const KernelRow& row) {
  // "all-reduce x 7" is the name of one that sums seven arrays.
  const std::string times = row.runs > 1 ? fmt::format(", {} times, each", row.runs) : "";
  std::string line = fmt::format("{}{}: {} = {}; bound: {}", row.name, times, text_of(row.time),
                                 formula_of(row), bound_of(row));
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
                  text_of_share(product.slots().data), text_with_commas(product.clocks));
  if (!product.packs_late()) return line;
  return line + fmt::format(", as a row of packed taps enters in {:.1f}", product.clocks_a_row);
}

}  // namespace tpulab

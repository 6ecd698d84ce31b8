#include "commands/tiles_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "commands/kernel_words.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/base/work.h"
#include "engine/session/answers/speed_ups.h"
#include "engine/session/settings/no_effect.h"

namespace tpulab {

namespace {

std::string extent_line(const PaddedExtent& extent, std::string_view what) {
  const std::string zeros = extent.padded > extent.extent
                                ? fmt::format(", {} of them zeros", text_of_share(extent.zeros()))
                                : std::string(", no padding");
  return fmt::format("    {} {:>9} -> {:<9} {}{}", extent.name, text_with_commas(extent.extent),
                     text_with_commas(extent.padded), what, zeros);
}

// "128 load + 1 tile x 256 + 256 rows + 128 drain", of int8 divided by how much faster it is.
std::string clocks_of(const ProductTiles& product) {
  const std::int64_t pace = std::max(product.rows, product.loading);
  const std::string_view load = product.loading < product.side ? "first load" : "load";
  const std::string others =
      product.folds > 1
          ? fmt::format("{} x {} + ", count_with(product.folds - 1, "tile"), text_with_commas(pace))
          : std::string();
  std::string sum = fmt::format("{} {} + {}{} rows + {} drain", product.side, load, others,
                                text_with_commas(product.rows), product.side);
  if (product.rows_a_clock == 1) return sum;
  return fmt::format("({}) / {:g}, as int8", sum, product.rows_a_clock);
}

// Where rows wait for tiles with zeros, whether these are loaded, too: all tiles of a product load
// as its first one does, which is full where there are several.
std::string loading_words(const ProductTiles& product) {
  const PaddedExtent& down = product.down;
  const PaddedExtent& across = product.across;
  const bool zeros = down.padded > down.extent || across.padded > across.extent;
  if (!zeros || product.folds <= 1 || product.loading <= product.rows) return {};
  const bool narrow = std::min(down.extent, across.extent) <= product.side - sublane_count;
  return fmt::format("a tile loads in {}, {}", count_with(product.loading, "clock"),
                     narrow ? "its zeros left out" : "also one that ends in zeros");
}

// What else is set is of a network.
Settings of_machine(const Settings& settings) {
  Settings product;
  for (const std::string_view name :
       {"slice", "host", "stack", "straggler", "precision", "matmul.precision"}) {
    setting_named(name).copy(product, settings);
  }
  if (no_effect(settings, "quant").empty()) product.quant = settings.quant;
  return product;
}

// Whoever asks for tiles has typed sizes, and no name of a kernel.
void set_product(Settings& settings, std::string_view sizes) {
  try {
    setting_named("model").parse(settings, fmt::format("gemm-{}", sizes));
  } catch (const Error&) {
    throw Error(
        fmt::format("{} are no sizes of a product: show tiles takes MxKxN, rows x "
                    "contracted x columns, three whole numbers from 1 to 16,777,216, such "
                    "as 8192x129x8192",
                    sizes));
  }
}

}  // namespace

void add_tiles(Answer& answer, const ProductTiles& product) {
  const std::string batch = product.batch > 1 ? fmt::format("{} x ", product.batch) : "";
  add_line(answer, fmt::format("  {}[{}, {}] x [{}, {}] in {} on {} of {} x {}:", batch, product.m,
                               product.k, product.k, product.n, product.operands,
                               count_with(product.units, "unit"), product.side, product.side));
  add_line(answer, extent_line(product.streamed, "rows stream"));
  add_line(answer, extent_line(product.down, "rows of weights"));
  add_line(answer, extent_line(product.across, "columns of weights"));
  const ArraySlots slots = product.slots();
  add_line(answer, fmt::format("    {} of the slots hold data, {} zeros, {} wait",
                               text_of_share(slots.data), text_of_share(slots.zeros),
                               text_of_share(slots.waiting)));
  add_line(answer, fmt::format("    {} clocks = {}; {} at {:.0f} MHz",
                               text_with_commas(product.clocks), clocks_of(product),
                               text_of(picoseconds_from_seconds(
                                   static_cast<double>(product.clocks) / product.clock_hertz)),
                               product.clock_hertz / 1e6));
  if (const std::string words = loading_words(product); !words.empty()) {
    add_line(answer, "    " + words);
  }
  add_row(answer, "tiles",
          {{"batch", product.batch},
           {"m", product.m},
           {"k", product.k},
           {"n", product.n},
           {"side", product.side},
           {"units", product.units},
           {"streamed", product.streamed.name},
           {"rows_padded", product.streamed.padded},
           {"down_padded", product.down.padded},
           {"across_padded", product.across.padded},
           {"filled", slots.data},
           {"zeros", slots.zeros},
           {"waiting", slots.waiting},
           {"tiles", product.tiles},
           {"folds", product.folds},
           {"clocks", product.clocks}});
}

Answer tiles_answer(std::string_view sizes, const Settings& settings, const std::stop_token& stop) {
  Settings product = of_machine(settings);
  set_product(product, sizes);
  const PricedProgram program = estimated_program(product, stop);
  Answer answer;
  add_line(answer, fmt::format("{}; TPU time (estimated)", program.title));
  for (const KernelRow& row : program.kernels) {
    if (row.products.empty()) {
      add_line(answer, "  the vector unit does it: a product with a vector loads no array");
    }
    for (const ProductTiles& one : row.products) add_tiles(answer, one);
    add_line(answer, "  " + kernel_line(row));
  }
  return answer;
}

}  // namespace tpulab

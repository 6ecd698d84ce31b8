// One matrix unit at work on one product: what the array holds, what streams, what is padding.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/text.h"
#include "engine/session/priced_program.h"
#include "tui/draw/fit.h"
#include "tui/draw/widgets.h"
#include "tui/panels/panel.h"

namespace tpulab {

namespace {

using Kernels = std::vector<const KernelRow*>;

int chosen(const Kernels& kernels, const ViewState& view) {
  return std::clamp(view.chosen, 0, static_cast<int>(kernels.size()) - 1);
}

struct Marks {
  char32_t busy, held, padding, bar;
};
Marks marks_of(Glyphs glyphs) {
  return glyphs == Glyphs::ascii ? Marks{U'#', U'+', U'.', U'='} : Marks{U'█', U'▒', U'·', U'█'};
}

// The array, a cell for as many of its slots as need be.
void draw_array(Canvas& canvas, Rect area, const ProductTiles& product, const UnitMoment& moment,
                Glyphs glyphs) {
  const Marks marks = marks_of(glyphs);
  for (int i = 0; i < area.rows; ++i) {
    const std::int64_t row = product.side * i / area.rows;
    const bool busy = row_is_busy(product, moment, row);
    const bool there = moment.phase != UnitPhase::loading || row < moment.loaded;
    for (int j = 0; j < area.columns; ++j) {
      const std::int64_t column = product.side * j / area.columns;
      const bool filled = row < moment.filled_down && column < moment.filled_across;
      char32_t mark = U' ';
      if (there) mark = !filled ? marks.padding : busy ? marks.busy : marks.held;
      canvas.put(area.row + i, area.column + j, mark,
                 !filled ? Role::dim
                 : busy  ? Role::compute
                         : Role::idle);
    }
  }
}

class Lines {
 public:
  Lines(Canvas& canvas, Rect area, Glyphs glyphs) : canvas_(canvas), area_(area), glyphs_(glyphs) {}
  void add(std::string_view text, Role role = Role::text) {
    if (row_ >= area_.rows) return;
    canvas_.write(area_.row + row_++, area_.column, clipped(text, area_.columns, glyphs_), role);
  }
  // "HBM      5.73 us ######", against the longest.
  void bar(std::string_view name, Picoseconds time, Picoseconds longest, Role role) {
    if (row_ >= area_.rows || time.count() <= 0) return;
    const std::string words = fmt::format("{:<7}{:>9} ", name, text_of(time));
    const int start = canvas_.write(area_.row + row_, area_.column, words, Role::text);
    const int room = area_.column + area_.columns - start;
    const double share = in_seconds(time) / std::max(1e-12, in_seconds(longest));
    if (room > 2) draw_bar(canvas_, area_.row + row_, start, room, share, role, glyphs_);
    ++row_;
  }

 private:
  Canvas& canvas_;
  Rect area_;
  Glyphs glyphs_;
  int row_ = 0;
};

std::string padding_words(const PaddedExtent& extent, std::string_view what) {
  if (extent.padded == extent.extent) {
    return fmt::format("{} {} {}", extent.name, text_with_commas(extent.extent), what);
  }
  return fmt::format("{} {} -> {} {}, {} zeros", extent.name, text_with_commas(extent.extent),
                     text_with_commas(extent.padded), what, text_of_share(extent.zeros()));
}

void add_words(Lines& lines, const KernelRow& row, const ProductTiles& product,
               const UnitMoment& moment) {
  lines.add(fmt::format("tile {} of {} of this unit; the device has {} units",
                        text_with_commas(moment.tile + 1), text_with_commas(product.folds),
                        product.units));
  lines.add(fmt::format("holds {} x {} weights of {} x {}", moment.filled_down,
                        moment.filled_across, product.side, product.side));
  lines.add(fmt::format("row {} of {} has entered", text_with_commas(moment.row),
                        text_with_commas(product.rows)));
  lines.add(fmt::format("next weights: {} of {} rows there", moment.loaded, product.side));
  lines.add("");
  lines.add(padding_words(product.streamed, "rows stream"));
  lines.add(padding_words(product.down, "rows of weights"));
  lines.add(padding_words(product.across, "columns"));
  lines.add(fmt::format("{} of the slots hold data", text_of_share(product.filled())), Role::title);
  lines.add("");
  lines.add("the kernel takes its longest part:", Role::dim);
  const Picoseconds longest = row.longest();
  lines.bar("matrix", row.matrix, longest, Role::compute);
  lines.bar("vector", row.vector, longest, Role::compute);
  lines.bar("HBM", row.hbm, longest, look_of(Share::hbm_bound).role);
  lines.bar("blocks", row.blocks, longest, Role::idle);
  lines.add(fmt::format("and {} before, after and between", text_of(row.time - longest)));
}

Kernels kernels_of(const ViewState& view) {
  Kernels kernels;
  if (view.program == nullptr) return kernels;
  for (const KernelRow& row : view.program->kernels) {
    if (!row.products.empty()) kernels.push_back(&row);
  }
  return kernels;
}

void draw(const Snapshot& /*now*/, const ViewState& view, Canvas& canvas) {
  const Kernels kernels = kernels_of(view);
  if (kernels.empty()) {
    draw_note(canvas, view.program == nullptr
                          ? "no step yet: run shows here what a matrix unit does in each product"
                          : "no product in this step: its matrix units have nothing to do");
    return;
  }
  const int index = chosen(kernels, view);
  const KernelRow& row = *kernels[static_cast<std::size_t>(index)];
  const ProductTiles& product = row.products.front();
  const UnitMoment moment = unit_moment(product, view.clock);
  Lines head(canvas, {0, 0, 3, canvas.columns()}, view.glyphs);
  head.add(fmt::format("kernel {} of {}: {}, {}; bound: {}", index + 1, kernels.size(), row.name,
                       text_of(row.time), row.bound));
  canvas.mark({0, 0, 1, canvas.columns()}, index);
  const std::string batch = product.batch > 1 ? fmt::format("{} x ", product.batch) : "";
  head.add(fmt::format("{}[{}, {}] x [{}, {}] in {}{}", batch, product.m, product.k, product.k,
                       product.n, product.operands,
                       row.products.size() > 1 ? ", the first of several products" : ""));
  const std::int64_t clock = std::clamp<std::int64_t>(view.clock, 0, product.clocks - 1);
  head.add(fmt::format("clock {} of {}: {}", text_with_commas(clock + 1),
                       text_with_commas(product.clocks), name_of(moment.phase)),
           Role::title);
  const int rows = std::clamp(canvas.rows() - 4, 0, 32);
  const int columns = std::min(2 * rows, canvas.columns() / 2);
  draw_array(canvas, {4, 0, rows, columns}, product, moment, view.glyphs);
  Lines words(canvas, {4, columns + 2, canvas.rows() - 4, canvas.columns() - columns - 2},
              view.glyphs);
  add_words(words, row, product, moment);
}

int items(const Snapshot& /*now*/, const ViewState& view) {
  return static_cast<int>(kernels_of(view).size());
}

Opened open(const Snapshot& /*now*/, const ViewState& view) {
  const Kernels kernels = kernels_of(view);
  if (kernels.empty()) return {"inside a core", {"No step yet: run trains one."}};
  const std::string& name = kernels[static_cast<std::size_t>(chosen(kernels, view))]->name;
  return {name, {}, "explain " + name.substr(0, name.find('+'))};
}

std::string keys(const Snapshot& /*now*/) {
  return "est., Left Right step the clocks, Space plays them";
}

}  // namespace

extern const Panel inside_panel;
const Panel inside_panel{"inside", "inside a core", draw, keys, items, open};

}  // namespace tpulab

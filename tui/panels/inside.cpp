// One matrix unit at work on one product: what the array holds, what streams, what is padding.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "engine/base/text.h"
#include "engine/session/answers/priced_program.h"
#include "tui/draw/fit.h"
#include "tui/draw/widgets.h"
#include "tui/kernels/kernel_fields.h"
#include "tui/kernels/padding.h"
#include "tui/panels/panel.h"

namespace tpulab::inside_panel {

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
      char32_t mark = filled ? U' ' : marks.padding;
      if (there && filled) mark = busy ? marks.busy : marks.held;
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
  // In full where that fits.
  void add_fitting(const std::string& full, const std::string& brief) {
    add(display_width(full) <= area_.columns ? full : brief);
  }
  // Only where there is room for everything.
  void gap() {
    constexpr int airy_rows = 17;
    if (area_.rows >= airy_rows) ++row_;
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

struct TimedPart {
  std::string_view name;
  Picoseconds time{};
  Role role = Role::text;
};

// The one that the kernel takes is the last to be cut off.
std::array<TimedPart, 4> longest_first(const KernelRow& row) {
  std::array parts{TimedPart{"matrix", row.matrix, Role::compute},
                   TimedPart{"vector", row.vector, Role::compute},
                   TimedPart{"HBM", row.hbm, look_of(Share::hbm_bound).role},
                   TimedPart{"blocks", row.blocks, Role::idle}};
  std::ranges::stable_sort(parts, std::ranges::greater(), &TimedPart::time);
  return parts;
}

void add_words(Lines& lines, const KernelRow& row, const ProductTiles& product,
               const UnitMoment& moment) {
  lines.add(fmt::format("tile {} of {} of one of {} units", text_with_commas(moment.tile + 1),
                        text_with_commas(product.folds), product.units));
  const std::string held = fmt::format("{} x {}", moment.filled_down, moment.filled_across);
  const std::string side = fmt::format("{} x {}", product.side, product.side);
  lines.add_fitting(fmt::format("holds {} weights of {}", held, side),
                    fmt::format("holds {} of {}", held, side));
  lines.add(fmt::format("row {} of {} has entered", text_with_commas(moment.row),
                        text_with_commas(product.rows)));
  lines.add(fmt::format("next weights: {} of {} rows there", moment.loaded, product.side));
  if (product.packs_late()) {
    lines.add(fmt::format("a row of packed taps enters in {:.1f} clocks", product.clocks_a_row));
  }
  lines.gap();
  lines.add_fitting(padding_words(product.streamed, "rows stream"),
                    padding_words(product.streamed, ""));
  lines.add_fitting(padding_words(product.down, "rows of weights"),
                    padding_words(product.down, ""));
  lines.add_fitting(padding_words(product.across, "columns"), padding_words(product.across, ""));
  lines.add(fmt::format("{} of the slots hold data", text_of_share(product.slots().data)),
            Role::title);
  lines.gap();
  lines.add("the kernel takes its longest part:", Role::dim);
  const Picoseconds longest = row.longest();
  for (const TimedPart& part : longest_first(row)) {
    lines.bar(part.name, part.time, longest, part.role);
  }
  lines.add(fmt::format("and {} before, after and between", text_of(row.time - longest)));
  lines.add(fmt::format("{} over HBM, through VMEM by blocks", text_of(row.traffic)));
}

Kernels kernels_of(const ViewState& view) {
  Kernels kernels;
  if (view.program == nullptr) return kernels;
  for (const KernelRow& row : view.program->kernels) {
    if (!row.products.empty()) kernels.push_back(&row);
  }
  return kernels;
}

bool same_sizes(const ProductTiles& a, const ProductTiles& b) {
  std::array first{a.m, a.k, a.n};
  std::array second{b.m, b.k, b.n};
  std::ranges::sort(first);
  std::ranges::sort(second);
  return a.batch == b.batch && first == second;
}

// A product and the one beside it: a layer's forward product and that of its weight gradient, in
// which the rows of the batch are what is summed over. `other` is null if there is no such layer.
struct LayerPart {
  std::string_view part{};
  const ProductTiles* other = nullptr;
  std::string_view other_part{};
};

// Of layers of the same sizes as many products go forward as there are weight gradients, and those
// of the last layer come first on the way back. Where rows are as many as a width the sizes tell
// nothing.
LayerPart layer_part(const Kernels& kernels, const ProductTiles& product) {
  std::vector<const ProductTiles*> others;
  std::vector<const ProductTiles*> gradients;
  std::optional<ProductTiles> first;
  for (const KernelRow* row : kernels) {
    const ProductTiles& one = row->products.front();
    if (!same_sizes(one, product)) continue;
    const bool sums_rows = first && one.k == first->m;
    if (!first) first = one;
    (sums_rows ? gradients : others).push_back(&one);
  }
  if (gradients.empty() || first->m == first->k || first->m == first->n) return {};
  const std::size_t layers = std::min(gradients.size(), others.size());
  for (std::size_t i = 0; i < layers; ++i) {
    const ProductTiles* gradient = gradients[gradients.size() - 1 - i];
    if (&product == others[i]) return {"forward", gradient, "weight gradient"};
    if (&product == gradient) return {"weight gradient", others[i], "forward"};
  }
  return {"input gradient", others.front(), "forward"};
}

std::string sizes_of(const ProductTiles& product) {
  const std::string batch = product.batch > 1 ? fmt::format("{} x ", product.batch) : "";
  return fmt::format("{}[{}, {}] x [{}, {}]", batch, product.m, product.k, product.k, product.n);
}

std::string filled_words(const ProductTiles& product, std::string_view what) {
  return fmt::format("{} {}, {} clocks", text_of_share(product.slots().data), what,
                     text_with_commas(product.clocks));
}

// Under a line of what it is and where its clock stands.
void draw_named_array(Canvas& canvas, Rect area, std::string_view part, const ProductTiles& product,
                      const ViewState& view) {
  const UnitMoment moment = unit_moment(product, view.clock);
  const bool over = view.clock >= product.clocks;
  const std::string phase = fmt::format(": {}", over ? "done" : name_of(moment.phase));
  const int end = canvas.write(area.row, area.column, part, Role::title, false, area.columns);
  const int room = area.column + area.columns - end;
  if (display_width(phase) <= room) canvas.write(area.row, end, phase, Role::title);
  draw_array(canvas, {area.row + 1, area.column, area.rows - 3, area.columns}, product, moment,
             view.glyphs);
  canvas.write(area.row + area.rows - 2, area.column,
               clipped(sizes_of(product), area.columns, view.glyphs), Role::text, false,
               area.columns);
  const std::string words = filled_words(product, "data");
  canvas.write(area.row + area.rows - 1, area.column, clipped(words, area.columns, view.glyphs),
               Role::dim, false, area.columns);
}

void draw_head(Canvas& canvas, const Kernels& kernels, int index, const ViewState& view) {
  const KernelRow& row = *kernels[static_cast<std::size_t>(index)];
  const ProductTiles& product = row.products.front();
  Lines head(canvas, {0, 0, 3, canvas.columns()}, view.glyphs);
  canvas.mark({0, 0, 1, canvas.columns()}, index);
  head.add(fmt::format("kernel {} of {}: {}, {}; bound: {}", index + 1, kernels.size(), row.name,
                       text_of(row.time), name_of(row.bound)));
  head.add(fmt::format("{} in {}{}", sizes_of(product), product.operands,
                       row.products.size() > 1 ? ", the first of several products" : ""));
  const std::int64_t clock = std::clamp<std::int64_t>(view.clock, 0, product.clocks - 1);
  head.add(fmt::format("clock {} of {}: {}", text_with_commas(clock + 1),
                       text_with_commas(product.clocks),
                       name_of(unit_moment(product, view.clock).phase)),
           Role::title);
}

// What its marks mean, under the words.
std::string legend_of(Glyphs glyphs) {
  const Marks marks = marks_of(glyphs);
  std::string words;
  for (const auto& [mark, meaning] : {std::pair{marks.busy, " multiplies  "},
                                      {marks.held, " holds a weight  "},
                                      {marks.padding, " zeros"}}) {
    append_utf8(words, mark);
    words += meaning;
  }
  return words;
}

// The products of the step around the chosen one.
void draw_list(Canvas& canvas, Rect area, const Kernels& kernels, int index, Glyphs glyphs) {
  const auto count = static_cast<int>(kernels.size());
  const int rows = std::min(area.rows - 1, count);
  canvas.write(area.row, area.column, "products of the step, in its order", Role::dim, false,
               area.columns);
  const int top = std::clamp(index - rows / 2, 0, count - rows);
  for (int i = top; i < top + rows; ++i) {
    const KernelRow& kernel = *kernels[static_cast<std::size_t>(i)];
    const std::string words = fmt::format(
        "{:>4} {:>9} {:>6} data  {:<12} {}", i + 1, text_of(kernel.time),
        text_of_share(kernel.products.front().slots().data), name_of(kernel.bound), kernel.name);
    const Rect row{area.row + 1 + i - top, area.column, 1, area.columns};
    canvas.write(row.row, row.column, clipped(words, row.columns, glyphs),
                 i == index ? Role::title : Role::text);
    canvas.mark(row, i);
  }
}

constexpr int first_row = 4;       // below the head
constexpr int words_columns = 46;  // beside two arrays
constexpr int most_array_rows = 48;

// What the arrays leave to the words.
struct Room {
  int column = 0;
  int rows = 0;
};

// A layer's two products beside each other, and the step's below them.
Room draw_both(Canvas& canvas, const Kernels& kernels, const LayerPart& layer, int columns,
               const ViewState& view) {
  constexpr int most_listed = 12;
  const int index = chosen(kernels, view);
  const ProductTiles& product = kernels[static_cast<std::size_t>(index)]->products.front();
  const int rows = std::min(canvas.rows() - first_row - 3, most_array_rows);
  columns = std::min(2 * rows, columns);
  const int height = std::min(rows, (columns + 1) / 2) + 3;
  draw_named_array(canvas, {first_row, 0, height, columns}, layer.part, product, view);
  draw_named_array(canvas, {first_row, columns + 2, height, columns}, layer.other_part,
                   *layer.other, view);
  const int below = first_row + height + 1;
  const int listed = std::min(canvas.rows() - below, most_listed);
  if (listed < 3) return {2 * columns + 4, canvas.rows() - first_row};
  draw_list(canvas, {below, 0, listed, canvas.columns()}, kernels, index, view.glyphs);
  return {2 * columns + 4, height};
}

// One alone, the other one in words below.
Room draw_one(Canvas& canvas, const ProductTiles& product, const LayerPart& layer,
              const ViewState& view) {
  const int room = canvas.rows() - first_row - (layer.other != nullptr ? 1 : 0);
  const int rows = std::clamp(room, 0, most_array_rows);
  const int columns = std::min(2 * rows, canvas.columns() / 2);
  draw_array(canvas, {first_row, 0, rows, columns}, product, unit_moment(product, view.clock),
             view.glyphs);
  if (layer.other != nullptr && room > 0) {
    const std::string words = fmt::format("{}: {}", layer.other_part,
                                          filled_words(*layer.other, "of the slots hold data"));
    canvas.write(first_row + room, 0, clipped(words, canvas.columns(), view.glyphs), Role::dim,
                 false, canvas.columns());
  }
  return {columns + 2, room};
}

// Beside other panes its clock stands in the middle, where there is most to see.
ViewState with_clock(ViewState view, const ProductTiles& product) {
  if (view.focused != "inside" && view.zoomed != "inside") view.clock = product.clocks / 2;
  return view;
}

void draw(const Snapshot& /*now*/, const ViewState& given, Canvas& canvas) {
  constexpr int least_array_columns = 24;
  const Kernels kernels = kernels_of(given);
  if (kernels.empty()) {
    draw_note(canvas, given.program == nullptr
                          ? "no step yet: run shows here what a matrix unit does in each product"
                          : "no product in this step: its matrix units have nothing to do");
    return;
  }
  const int index = chosen(kernels, given);
  const KernelRow& row = *kernels[static_cast<std::size_t>(index)];
  const ProductTiles& product = row.products.front();
  const ViewState view = with_clock(given, product);
  const LayerPart layer = layer_part(kernels, product);
  draw_head(canvas, kernels, index, view);
  const int beside = (canvas.columns() - words_columns) / 2 - 2;
  const bool both = layer.other != nullptr && beside >= least_array_columns && canvas.rows() >= 20;
  const Room room = both ? draw_both(canvas, kernels, layer, beside, view)
                         : draw_one(canvas, product, layer, view);
  Lines words(canvas, {first_row, room.column, room.rows, canvas.columns() - room.column},
              view.glyphs);
  add_words(words, row, product, unit_moment(product, view.clock));
  words.add(legend_of(view.glyphs), Role::dim);
}

int items(const Snapshot& /*now*/, const ViewState& view) {
  return static_cast<int>(kernels_of(view).size());
}

Opened open(const Snapshot& /*now*/, const ViewState& view) {
  const Kernels kernels = kernels_of(view);
  if (kernels.empty()) return {"inside a core", {"No step yet: run trains one."}};
  const KernelRow& kernel = *kernels[static_cast<std::size_t>(chosen(kernels, view))];
  return {kernel.name, {}, explanation_of(kernel.name)};
}

std::string keys(const Snapshot& /*now*/) {
  return "est., Left Right step the clocks, Space plays them";
}

}  // namespace

extern const Panel row;
const Panel row{"inside", "inside a core", draw, keys, items, open};

}  // namespace tpulab::inside_panel

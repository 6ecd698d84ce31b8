#include <algorithm>
#include <string>

#include "engine/base/text.h"
#include "tui/cores/alike_devices.h"
#include "tui/cores/core_views.h"
#include "tui/draw/fit.h"
#include "tui/draw/widgets.h"

namespace tpulab {

namespace {

constexpr int least_list_columns = 46;
constexpr int gap = 2;

// Where the fields of a row start; a width of 0 leaves the field out.
struct Fields {
  int bar = 0;
  int rest_name = 0;
  int memory = 0;
  int history = 0;
};

constexpr int index_columns = 4;    // "! 15"
constexpr int share_columns = 7;    // "<0.01 %"
constexpr int memory_columns = 10;  // "1023.9 MiB"
constexpr int name_columns = 12;

Fields fields_for(int columns) {
  int spare = columns - index_columns - 3 * (share_columns + 1) - 2;
  const auto take = [&spare](int width) {
    if (spare < width + 1) return 0;
    spare -= width + 1;
    return width;
  };
  Fields fields;
  fields.memory = take(memory_columns);
  fields.bar = take(5);
  fields.rest_name = take(name_columns);
  fields.history = take(8);
  if (fields.history > 0) {
    fields.history += std::min(spare, 24);
  } else if (fields.bar > 0) {
    fields.bar += spare;
  }
  return fields;
}

// Writes from left to right with one blank between.
class Pen {
 public:
  Pen(Canvas& canvas, Rect row) : canvas_(canvas), row_(row), at_(row.column) {}

  int row() const { return row_.row; }
  int take(int columns) {
    const int start = at_;
    at_ += columns + 1;
    return start;
  }
  void word(std::string_view text, int columns, bool right, Role role) {
    const int start = take(columns);
    const int room = std::min(columns, row_.column + row_.columns - start);
    canvas_.write(row_.row, start, right ? right_aligned(text, columns) : std::string(text), role,
                  false, std::max(0, room));
  }

 private:
  Canvas& canvas_;
  Rect row_;
  int at_;
};

void draw_header(Canvas& canvas, Rect row, std::string_view device, const Fields& fields) {
  Pen pen(canvas, row);
  pen.word(device, index_columns, true, Role::dim);
  if (fields.bar > 0) pen.take(fields.bar);
  pen.word("duty", share_columns, true, Role::dim);
  pen.word("useful", share_columns, true, Role::dim);
  pen.word("mostly",
           fields.rest_name > 0 ? fields.rest_name + share_columns + 3 : share_columns + 2,
           fields.rest_name == 0, Role::dim);
  if (fields.memory > 0) pen.word("HBM used", fields.memory, true, Role::dim);
  if (fields.history > 0) pen.word("history", fields.history, false, Role::dim);
}

struct ListLook {
  bool any_run;
  std::vector<int> slow;
  double scale;
  Glyphs glyphs;
};

void draw_core(Canvas& canvas, Rect row, const CoreView& core, const Fields& fields,
               const ListLook& look) {
  Pen pen(canvas, row);
  const std::string mark = std::ranges::binary_search(look.slow, core.index) ? "! " : "";
  pen.word(mark + std::to_string(core.index), index_columns, true,
           core.used ? Role::text : Role::dim);
  if (!core.used) {
    pen.word(look.any_run ? "off: not used by this run" : "off: no run yet", 26, false, Role::dim);
    return;
  }
  if (fields.bar > 0) {
    const int start = pen.take(fields.bar);
    draw_share_bar(canvas, row.row, start, fields.bar, core.shares, look.glyphs);
  }
  pen.word(text_of_share(core.duty_cycle), share_columns, true, Role::text);
  pen.word(text_of_share(core.utilisation), share_columns, true, Role::text);
  const Share rest = largest_other(core.shares);
  put_share(canvas, row.row, pen.take(1), rest, look.glyphs);
  if (fields.rest_name > 0) pen.word(look_of(rest).short_name, fields.rest_name, false, Role::text);
  pen.word(text_of_share(core.shares[static_cast<std::size_t>(rest)]), share_columns, true,
           Role::text);
  if (fields.memory > 0) pen.word(text_of(core.hbm_used), fields.memory, true, Role::text);
  if (fields.history > 0) {
    const int start = pen.take(fields.history);
    draw_sparkline(canvas, row.row, start, fields.history, core.history, look.scale, Role::compute,
                   look.glyphs);
  }
}

int lists_side_by_side(int columns) {
  return std::max(1, (columns + gap) / (least_list_columns + gap));
}

}  // namespace

int core_list_rows(int cores, int columns) {
  const int lists = lists_side_by_side(columns);
  return 1 + (cores + lists - 1) / lists;
}

void draw_core_list(const Snapshot& now, Canvas& canvas, Glyphs glyphs) {
  const auto count = static_cast<int>(now.cores.size());
  if (count == 0) return;
  const int per_list = core_list_rows(count, canvas.columns()) - 1;
  const int lists = (count + per_list - 1) / per_list;
  const int columns = (canvas.columns() - gap * (lists - 1)) / lists;
  const Fields fields = fields_for(columns);
  const ListLook look{now.run.state != RunState::none, slow_devices(now.cores),
                      duty_scale(now.cores), glyphs};
  for (int i = 0; i < count; ++i) {
    const int left = i / per_list * (columns + gap);
    if (i % per_list == 0) draw_header(canvas, {0, left, 1, columns}, now.run.device, fields);
    const Rect row{1 + i % per_list, left, 1, columns};
    draw_core(canvas, row, now.cores[static_cast<std::size_t>(i)], fields, look);
    canvas.mark(row, i);
  }
}

}  // namespace tpulab

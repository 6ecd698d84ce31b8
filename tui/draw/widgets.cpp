#include "tui/draw/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/text.h"
#include "tui/draw/fit.h"

namespace tpulab {

namespace {

constexpr std::array<ShareLook, share_count> looks{{
    {U'▓', 'K', Role::compile, "compile"},
    {U'H', 'H', Role::host, "host tracing"},
    {U'D', 'D', Role::host, "dispatch"},
    {U'░', 'i', Role::input, "input"},
    {U'>', '>', Role::input, "transfer"},
    {U'<', '<', Role::host, "read-back"},
    {U'!', '!', Role::fallback, "CPU fallback"},
    {U'·', '.', Role::idle, "idle"},
    {U'█', '#', Role::compute, "compute"},
    {U'▄', '=', Role::compute, "HBM-bound"},
    {U'▒', 'r', Role::collective, "collective"},
    {U'~', '~', Role::idle, "coll. wait"},
    {U'%', '%', Role::input, "offload"},
}};

constexpr char32_t left_eighths[] = U" ▏▎▍▌▋▊▉█";
constexpr char32_t lower_eighths[] = U" ▁▂▃▄▅▆▇█";
constexpr char32_t ascii_levels[] = U" .:-=+*#@";

// Of those that fill their cell; the others are a part of it or a shade.
bool is_full(Share share, Glyphs glyphs) {
  const char32_t glyph = glyph_of(share, glyphs);
  const bool letter = glyph == U'H' || glyph == U'D' || glyph == U'>' || glyph == U'<' ||
                      glyph == U'!' || glyph == U'%';
  return glyphs == Glyphs::unicode && (letter || glyph == U'█');
}

// NaN counts as nothing, so that no input leads outside a table.
double clamped(double share) { return share > 0 ? std::min(share, 1.0) : 0.0; }

struct Stretch {
  Share share{};
  int cells = 0;
};

// The order of a stacked bar: what the device did, what kept it from working, nothing.
std::vector<Share> stacking_order() {
  return {Share::compute, Share::hbm_bound, Share::collective_transfer, Share::collective_wait,
          Share::offload, Share::compile,   Share::host_tracing,        Share::dispatch,
          Share::input,   Share::transfer,  Share::read_back,           Share::cpu_fallback,
          Share::idle};
}

int width_of_name(Share share) { return display_width(look_of(share).short_name); }

// Cells per share by cumulative rounding: no cell is lost or counted twice.
std::vector<Stretch> runs_of(const Shares& shares, int columns) {
  std::vector<Stretch> runs;
  double sum = 0;
  int filled = 0;
  for (const Share share : stacking_order()) {
    sum += clamped(shares[static_cast<std::size_t>(share)]);
    const int end = std::min(columns, static_cast<int>(std::lround(sum * columns)));
    runs.push_back({share, std::max(0, end - filled)});
    filled = std::max(filled, end);
  }
  return runs;
}

void write_in_share(Canvas& canvas, int row, int column, std::string_view words, Share share,
                    Glyphs glyphs) {
  const bool full = is_full(share, glyphs);
  const int end = canvas.write(row, column, words, full ? look_of(share).role : Role::text);
  for (int at = column; full && at < end; ++at) {
    const Cell cell = canvas.at(row, at);
    canvas.put(row, at, cell.glyph, cell.role, true, true);
  }
}

}  // namespace

const ShareLook& look_of(Share share) { return looks.at(static_cast<std::size_t>(share)); }

char32_t glyph_of(Share share, Glyphs glyphs) {
  const ShareLook& look = look_of(share);
  return glyphs == Glyphs::ascii ? static_cast<char32_t>(look.ascii) : look.glyph;
}

void put_share(Canvas& canvas, int row, int column, Share share, Glyphs glyphs, bool bold) {
  const char32_t glyph = glyph_of(share, glyphs);
  const bool letter = glyph < 0x80 && is_full(share, glyphs);
  canvas.put(row, column, glyph, look_of(share).role, bold, letter);
}

std::vector<Share> largest_first(const Shares& shares) {
  std::vector<Share> order;
  for (int i = 0; i < share_count; ++i) {
    if (shares[static_cast<std::size_t>(i)] > 0) order.push_back(static_cast<Share>(i));
  }
  std::stable_sort(order.begin(), order.end(), [&shares](Share a, Share b) {
    return shares[static_cast<std::size_t>(a)] > shares[static_cast<std::size_t>(b)];
  });
  return order;
}

void draw_bar(Canvas& canvas, int row, int column, int columns, double share, Role role,
              Glyphs glyphs) {
  const int eighths = static_cast<int>(std::lround(clamped(share) * columns * 8));
  for (int i = 0; i < columns; ++i) {
    const int level = std::clamp(eighths - i * 8, 0, 8);
    if (glyphs == Glyphs::ascii) {
      const bool filled = level >= 4;
      canvas.put(row, column + i, filled ? U'#' : U'.', filled ? role : Role::idle);
    } else if (level > 0) {
      canvas.put(row, column + i, left_eighths[level], role);
    } else {
      canvas.put(row, column + i, U'·', Role::idle);
    }
  }
}

void draw_share_bar(Canvas& canvas, int row, int column, int columns, const Shares& shares,
                    Glyphs glyphs) {
  double inside = 0;
  for (int i = 0; i < share_count; ++i) {
    const auto share = static_cast<Share>(i);
    if (inside_program(share)) inside += clamped(shares[static_cast<std::size_t>(i)]);
  }
  for (int i = 0; i < columns; ++i) {
    canvas.put(row, column + i, glyph_of(Share::idle, glyphs), Role::idle);
  }
  int at = 0;
  for (const Stretch& run : runs_of(shares, columns)) {
    for (int i = 0; i < run.cells; ++i) {
      put_share(canvas, row, column + at++, run.share, glyphs);
    }
  }
  if (inside > 0 && std::lround(inside * columns) == 0 && columns > 0) {
    canvas.put(row, column, glyphs == Glyphs::ascii ? U'|' : U'▏', Role::compute);
  }
}

void draw_named_share_bar(Canvas& canvas, int row, int column, int columns, const Shares& shares,
                          Glyphs glyphs) {
  draw_share_bar(canvas, row, column, columns, shares, glyphs);
  constexpr int least_beside = 2;  // cells of the share's own glyph at each side
  int at = column;
  for (const Stretch& run : runs_of(shares, columns)) {
    const std::string number = text_of_share(shares[index_of(run.share)]);
    std::string words = fmt::format(" {} {} ", name_of(run.share), number);
    const int room = run.cells - 2 * least_beside;
    if (display_width(words) > room) words = fmt::format(" {} ", look_of(run.share).short_name);
    const int width = display_width(words);
    if (width <= room)
      write_in_share(canvas, row, at + (run.cells - width) / 2, words, run.share, glyphs);
    at += run.cells;
  }
}

int draw_legend(Canvas& canvas, Rect area, const Shares& shares, Glyphs glyphs) {
  if (area.rows <= 0) return 0;
  int row = 0;
  int column = 0;
  for (const Share share : largest_first(shares)) {
    const std::string number = text_of_share(shares[static_cast<std::size_t>(share)]);
    const std::string words = std::string(name_of(share)) + " " + right_aligned(number, 4);
    const int width = 2 + display_width(words);
    if (column > 0 && column + width > area.columns) {
      if (++row >= area.rows) return area.rows;
      column = 0;
    }
    put_share(canvas, area.row + row, area.column + column, share, glyphs);
    canvas.write(area.row + row, area.column + column + 2, words, Role::text, false,
                 area.columns - column - 2);
    column += width + 3;
  }
  return row + 1;
}

void draw_key(Canvas& canvas, Rect row, const Shares& shares, Glyphs glyphs) {
  int all = -2;
  for (const Share share : largest_first(shares)) all += 4 + width_of_name(share);
  const int gap = all <= row.columns ? 2 : 1;
  int at = row.column;
  for (const Share share : largest_first(shares)) {
    const std::string_view name = look_of(share).short_name;
    const int width = 2 + width_of_name(share);
    if (at + width > row.column + row.columns) continue;
    put_share(canvas, row.row, at, share, glyphs);
    canvas.write(row.row, at + 2, name, Role::dim);
    at += width + gap;
  }
}

void draw_sparkline(Canvas& canvas, int row, int column, int columns, std::span<const float> values,
                    double top, Role role, Glyphs glyphs) {
  if (columns <= 0) return;
  const auto room = static_cast<std::size_t>(columns);
  if (values.size() > room) values = values.last(room);
  int at = column + columns - static_cast<int>(values.size());
  for (const float value : values) {
    const double part = top > 0 ? clamped(static_cast<double>(value) / top) : 0.0;
    const int level = part > 0 ? std::max(1, static_cast<int>(std::lround(part * 8))) : 0;
    canvas.put(row, at++, glyphs == Glyphs::ascii ? ascii_levels[level] : lower_eighths[level],
               role);
  }
}

double round_top(double value) {
  if (!(value > 0) || !std::isfinite(value)) return 1;
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (value <= step * power * (1 + 1e-9)) return step * power;
  }
  return 10 * power;
}

}  // namespace tpulab

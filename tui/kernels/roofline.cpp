#include "tui/kernels/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/base/text.h"
#include "tui/draw/fit.h"
#include "tui/draw/widgets.h"
#include "tui/kernels/kernel_fields.h"

namespace tpulab {

namespace {

constexpr int margin = 6;  // of the figures at the left
constexpr int words_rows = 3;
constexpr double large_share = 0.05;  // of a step: drawn larger

// Whole decades.
struct Decades {
  double low = 0;
  double high = 1;
  int cell(double value, int cells) const {
    const double part = (std::log10(value) - low) / (high - low);
    return std::clamp(static_cast<int>(std::lround(part * (cells - 1))), 0, cells - 1);
  }
  double value(int cell, int cells) const {
    return std::pow(10, low + (high - low) * cell / std::max(1, cells - 1));
  }
};

Decades decades_of(double least, double most) {
  return {std::floor(std::log10(least)),
          std::max(std::ceil(std::log10(most)), std::floor(std::log10(least)) + 1)};
}

// Has a product, and so a place.
bool has_place(const KernelRow& kernel) { return operations_per_second(kernel) > 0; }

double level_of(const Roofs& roofs) { return roofs.operations / std::max(1, roofs.passes); }

struct Plot {
  Rect area;
  Decades x, y;
  int row(double operations) const {
    return area.row + area.rows - 1 - y.cell(operations, area.rows);
  }
  int column(double intensity) const { return area.column + x.cell(intensity, area.columns); }
};

// Around the point where the two roofs meet and all kernels.
Plot plot_of(Rect area, const PricedProgram& program, std::span<const KernelRow* const> kernels) {
  const Roofs& roofs = program.roofs;
  const double ridge = roofs.operations / roofs.bytes;
  double left = ridge / 10;
  double right = ridge * 10;
  double low = roofs.operations / 100;
  for (const KernelRow* kernel : kernels) {
    if (!has_place(*kernel)) continue;
    left = std::min(left, operations_per_byte(*kernel));
    right = std::max(right, operations_per_byte(*kernel));
    low = std::min(low, operations_per_second(*kernel));
  }
  return {area, decades_of(left, right), decades_of(low, roofs.operations)};
}

void draw_roofs(Canvas& canvas, const Plot& plot, const Roofs& roofs, Glyphs glyphs) {
  const bool ascii = glyphs == Glyphs::ascii;
  const Role memory = look_of(Share::hbm_bound).role;
  const double level = level_of(roofs);
  int before = -1;
  for (int i = 0; i < plot.area.columns; ++i) {
    const double slope = roofs.bytes * plot.x.value(i, plot.area.columns);
    const int column = plot.area.column + i;
    if (slope >= level) {
      canvas.put(plot.row(level), column, ascii ? U'=' : U'━', Role::compute);
      if (roofs.passes > 1) {
        canvas.put(plot.row(roofs.operations), column, ascii ? U'-' : U'┄', Role::dim);
      }
      continue;
    }
    if (std::log10(slope) < plot.y.low) continue;
    const int row = plot.row(slope);
    const int from = before < 0 ? row : std::max(row, before - 1);
    for (int at = row; at <= from; ++at) {
      canvas.put(at, column, ascii ? U'/' : U'╱', memory);
    }
    before = row;
  }
}

void draw_axes(Canvas& canvas, const Plot& plot, Glyphs glyphs) {
  const bool ascii = glyphs == Glyphs::ascii;
  const Rect& area = plot.area;
  for (int i = 0; i < area.rows; ++i) {
    canvas.put(area.row + i, area.column - 1, ascii ? U'|' : U'│', Role::border);
  }
  for (double power = plot.y.low; power <= plot.y.high; ++power) {
    const int row = plot.row(std::pow(10, power));
    canvas.write(row, area.column - margin,
                 right_aligned(text_of_count(std::pow(10, power)), margin - 1), Role::dim, false,
                 margin - 1);
    canvas.put(row, area.column - 1, ascii ? U'+' : U'┤', Role::border);
  }
  const int below = area.row + area.rows;
  int end = 0;
  for (double power = plot.x.low; power <= plot.x.high; ++power) {
    const std::string number =
        power < 0 ? fmt::format("{:.{}f}", std::pow(10, power), static_cast<int>(-power))
                  : text_with_commas(std::llround(std::pow(10, power)));
    const int at = std::min(plot.column(std::pow(10, power)),
                            area.column + area.columns - display_width(number));
    if (at < end) continue;
    end = canvas.write(below, at, number, Role::dim) + 1;
  }
  constexpr std::string_view title = "FLOP for each byte over HBM";
  canvas.write(below + 1, area.column, title, Role::dim, false, area.columns);
}

Role role_of(const KernelRow& kernel) {
  if (kernel.bound == Bound::hbm) return look_of(Share::hbm_bound).role;
  const bool computes = kernel.bound == Bound::matrix_unit || kernel.bound == Bound::vector_unit;
  return computes ? Role::compute : Role::dim;
}

// The longest is drawn last but for the chosen one, so that it lies above what it hides.
void draw_marks(Canvas& canvas, const Plot& plot, const PricedProgram& program,
                std::span<const KernelRow* const> kernels, const KernelRow* chosen, Glyphs glyphs) {
  const bool ascii = glyphs == Glyphs::ascii;
  std::vector<const KernelRow*> order;
  for (const KernelRow* kernel : kernels) {
    if (has_place(*kernel) && kernel != chosen) order.push_back(kernel);
  }
  std::ranges::stable_sort(order, {}, [](const KernelRow* one) { return time_of_all(*one); });
  if (chosen != nullptr && has_place(*chosen)) order.push_back(chosen);
  for (const KernelRow* kernel : order) {
    const int row = plot.row(operations_per_second(*kernel));
    const int column = plot.column(operations_per_byte(*kernel));
    const double share = in_seconds(time_of_all(*kernel)) / in_seconds(program.time);
    char32_t mark = share >= large_share ? (ascii ? U'O' : U'●') : (ascii ? U'o' : U'○');
    if (kernel == chosen) mark = ascii ? U'@' : U'◆';
    canvas.put(row, column, mark, kernel == chosen ? Role::title : role_of(*kernel), true,
               kernel == chosen);
  }
}

// What the two lines are, where they are.
void name_roofs(Canvas& canvas, const Plot& plot, const Roofs& roofs) {
  const double level = level_of(roofs);
  const std::string passes = roofs.passes > 1 ? fmt::format(" / {} passes", roofs.passes) : "";
  const std::string words = fmt::format("{} FLOP/s, bf16 peak{}", text_of_count(level), passes);
  const int start = plot.area.column + plot.area.columns - display_width(words);
  const int row = plot.row(level) + 1;
  if (start > plot.area.column && row < plot.area.row + plot.area.rows) {
    canvas.write(row, start, words, Role::dim);
  }
  const std::string memory = fmt::format("HBM {} B/s", text_of_count(roofs.bytes));
  const double at = std::pow(10, plot.x.low) * 1.3;
  const int height =
      std::clamp(plot.row(roofs.bytes * at) - 2, plot.area.row, plot.area.row + plot.area.rows - 1);
  canvas.write(height, plot.area.column + 1, memory, Role::dim, false, plot.area.columns - 1);
}

// "dot+add: 4.63T FLOP/s, 8.8 % of the peak; 15 FLOP/B, 308G B/s of HBM; bound: HBM"
std::string words_of(const KernelRow& kernel, const Roofs& roofs) {
  if (!has_place(kernel)) {
    return fmt::format("{}: no product, so it has no place here; {}, bound: {}", kernel.name,
                       text_of(time_of_all(kernel)), name_of(kernel.bound));
  }
  const double seconds = in_seconds(kernel.time);
  const double rate = static_cast<double>(kernel.traffic.value) / seconds;
  return fmt::format(
      "{}: {} FLOP/s, {} of the peak; {} FLOP/B, {} B/s over HBM, {} of its peak; bound: {}",
      kernel.name, text_of_count(operations_per_second(kernel)),
      text_of_share(utilisation_of(kernel, roofs)), text_of_number(operations_per_byte(kernel)),
      text_of_count(rate), text_of_share(rate / roofs.bytes), name_of(kernel.bound));
}

std::string words_of_the_others(const PricedProgram& program, int columns) {
  std::int64_t count = 0;
  Picoseconds time{};
  for (const KernelRow& kernel : program.kernels) {
    if (has_place(kernel)) continue;
    ++count;
    time += time_of_all(kernel);
  }
  if (count == 0) return {};
  const std::string share =
      text_of_share(in_seconds(time) / std::max(1e-12, in_seconds(program.time)));
  const std::string kernels = count_with(count, "kernel") + " without a product";
  const std::string full = fmt::format("{} {} not on it: {} of the step's kernels", kernels,
                                       count == 1 ? "is" : "are", share);
  return display_width(full) <= columns ? full : fmt::format("not on it: {}, {}", kernels, share);
}

}  // namespace

void draw_roofline(Canvas& canvas, Rect area, const PricedProgram& program,
                   std::span<const KernelRow* const> kernels, const KernelRow* chosen,
                   Glyphs glyphs) {
  const std::string others = words_of_the_others(program, area.columns);
  std::vector<std::string> words;
  if (chosen != nullptr) words = wrapped(words_of(*chosen, program.roofs), area.columns, 2);
  if (!others.empty()) words.push_back(others);
  const int below = std::min<int>(words_rows, static_cast<int>(words.size()));
  const Rect inner{area.row, area.column + margin, area.rows - 2 - below, area.columns - margin};
  if (inner.rows < 4 || inner.columns < 16 || program.roofs.bytes <= 0 ||
      program.roofs.operations <= 0) {
    for (int i = 0; i < std::min<int>(area.rows, static_cast<int>(words.size())); ++i) {
      canvas.write(area.row + i, area.column, words[static_cast<std::size_t>(i)], Role::text, false,
                   area.columns);
    }
    return;
  }
  const Plot plot = plot_of(inner, program, kernels);
  draw_axes(canvas, plot, glyphs);
  draw_roofs(canvas, plot, program.roofs, glyphs);
  name_roofs(canvas, plot, program.roofs);
  draw_marks(canvas, plot, program, kernels, chosen, glyphs);
  for (int i = 0; i < below; ++i) {
    const auto at = static_cast<std::size_t>(i);
    canvas.write(area.row + area.rows - below + i, area.column,
                 clipped(words[at], area.columns, glyphs),
                 words[at] == others ? Role::dim : Role::text);
  }
}

}  // namespace tpulab

#include "engine/training/dataset.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "engine/base/error.h"
#include "engine/base/random_bits.h"
#include "engine/base/text.h"
#include "engine/training/networks/networks.h"
#include "engine/training/random.h"

namespace tpulab {

namespace {

struct Named {
  std::string_view name;
  const Dataset& (*set)();
};
constexpr std::array<Named, 8> sets{{{"digits", digits},
                                     {"spirals", spirals},
                                     {"addition", addition},
                                     {"text", text},
                                     {"scenes", scenes},
                                     {"numerals", numerals},
                                     {"solids", solids},
                                     {"figures", figures}}};

Dataset picked(const Dataset& all, std::span<const std::int64_t> rows) {
  Dataset part{.name = all.name,
               .row_name = all.row_name,
               .views = all.views,
               .dtype = all.dtype,
               .classes = all.classes,
               .labels_per_row = all.labels_per_row,
               .training_rows = std::ssize(rows),
               .byte_scale = all.byte_scale,
               .values = {},
               .labels = {}};
  for (const std::int64_t row : rows) {
    const auto values = all.values_of(row);
    const auto labels = all.labels_of(row);
    part.values.insert(part.values.end(), values.begin(), values.end());
    part.labels.insert(part.labels.end(), labels.begin(), labels.end());
  }
  return part;
}

// The first two of those that are trained here.
std::vector<std::string> names_that_read(std::span<const Dataset::View> views) {
  std::vector<std::string> names;
  for (std::string& name : trained_names()) {
    const Input input = trained_model(name, {})->input;
    if (std::ranges::find(views, input, &Dataset::View::input) == views.end()) continue;
    names.push_back(std::move(name));
    if (names.size() == 2) break;
  }
  return names;
}

}  // namespace

std::span<const float> Dataset::values_of(std::int64_t row) const {
  const auto count = static_cast<std::size_t>(features());
  return std::span(values).subspan(static_cast<std::size_t>(row) * count, count);
}

std::span<const int> Dataset::labels_of(std::int64_t row) const {
  const auto count = static_cast<std::size_t>(labels_per_row);
  return std::span(labels).subspan(static_cast<std::size_t>(row) * count, count);
}

Example Dataset::example(Input input) const {
  std::vector<std::string_view> readings;
  for (const View& view : views) {
    if (view.input == input) {
      return {.row = view.row,
              .dtype = dtype,
              .classes = classes,
              .labels = labels_per_row,
              .byte_scale = byte_scale};
    }
    readings.push_back(name_of(view.input));
  }
  std::vector<std::string_view> fitting;
  for (const Named& one : sets) {
    for (const View& view : one.set().views) {
      if (view.input == input) fitting.push_back(one.name);
    }
  }
  throw Error(fmt::format(
      "the model reads {}, and a row of {} is {}; the model reads data {}, and {} is read by {}",
      name_of(input), name, fmt::join(readings, ", or "), fmt::join(fitting, " or "), name,
      fmt::join(names_that_read(views), " or ")));
}

Split split_named(std::string_view name) {
  if (name == "rows") return Split::rows;
  if (name == "shuffled") return Split::shuffled;
  if (name == "validation") return Split::validation;
  throw Error(fmt::format("unknown split '{}'; choose rows, shuffled or validation", name));
}

std::int64_t training_rows(const Dataset& all, Split how, std::int64_t most) {
  const std::int64_t rows =
      how == Split::validation ? all.training_rows * 85 / 100 : all.training_rows;
  return most > 0 ? std::min(most, rows) : rows;
}

SplitDataset split(const Dataset& all, Split how, std::uint64_t seed) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(all.rows()));
  std::iota(order.begin(), order.end(), 0);
  if (how == Split::shuffled) order = permutation(all.rows(), Random(seed));
  if (how == Split::validation) order.resize(static_cast<std::size_t>(all.training_rows));
  const std::span<const std::int64_t> rows(order);
  const auto cut = static_cast<std::size_t>(training_rows(all, how));
  return {picked(all, rows.first(cut)), picked(all, rows.subspan(cut))};
}

std::uint64_t digest_of(const Dataset& all, Split how, std::uint64_t seed) {
  constexpr std::size_t most = 1 << 16;
  Fnv hash;
  const auto add = [&hash](std::uint64_t word) { hash.add(word); };
  add(static_cast<std::uint64_t>(all.rows()));
  add(all.values.size());
  const auto stride_of = [](std::size_t count) { return count / most + 1; };
  for (std::size_t i = 0; i < all.values.size(); i += stride_of(all.values.size())) {
    add(std::bit_cast<std::uint32_t>(all.values[i]));
  }
  for (std::size_t i = 0; i < all.labels.size(); i += stride_of(all.labels.size())) {
    add(static_cast<std::uint64_t>(all.labels[i]));
  }
  if (how != Split::rows) add(static_cast<std::uint64_t>(how));
  if (how == Split::shuffled) add(seed);
  return std::max<std::uint64_t>(hash.value, 1);
}

const Dataset& dataset_named(std::string_view name) {
  for (const Named& one : sets) {
    if (one.name == name) return one.set();
  }
  const auto names = dataset_names();
  throw Error(fmt::format("unknown data '{}'; {}there are {}", name,
                          hint_of(name, std::vector<std::string>(names.begin(), names.end())),
                          fmt::join(names, ", ")));
}

std::span<const std::string_view> dataset_names() {
  static constexpr auto names = [] {
    std::array<std::string_view, sets.size()> all;
    for (std::size_t i = 0; i < sets.size(); ++i) all[i] = sets[i].name;
    return all;
  }();
  return names;
}

}  // namespace tpulab

#include "engine/training/dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "engine/base/embedded.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/training/random.h"

namespace tpulab {

std::span<const EmbeddedFile> embedded_data();

namespace {

constexpr std::int64_t writers_rows = 1437;  // of the writers whose digits train
constexpr std::int64_t pixels = 64;
constexpr int brightest = 16;

// A whole number from 0 to `most`.
int parse_number(std::string_view text, int most, std::int64_t line) {
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0 || number > most) {
    throw Error(
        fmt::format("digits, line {}: '{}' is not a whole number from 0 to {}; restore the file",
                    line, text, most));
  }
  return number;
}

Dataset picked(const Dataset& all, std::span<const std::int64_t> rows) {
  Dataset part{.features = all.features, .classes = all.classes, .values = {}, .labels = {}};
  for (const std::int64_t row : rows) {
    const auto first = all.values.begin() + row * all.features;
    part.values.insert(part.values.end(), first, first + all.features);
    part.labels.push_back(all.labels[static_cast<std::size_t>(row)]);
  }
  return part;
}

}  // namespace

Split split_named(std::string_view name) {
  if (name == "rows") return Split::rows;
  if (name == "shuffled") return Split::shuffled;
  if (name == "validation") return Split::validation;
  throw Error(fmt::format("unknown split '{}'; choose rows, shuffled or validation", name));
}

std::int64_t training_rows(Split how) {
  return how == Split::validation ? writers_rows * 85 / 100 : writers_rows;
}

Dataset parse_digits(std::string_view csv) {
  Dataset data{.features = pixels, .classes = 10, .values = {}, .labels = {}};
  std::int64_t number = 0;
  for (const std::string& line : split(csv, '\n')) {
    ++number;
    if (line.empty()) continue;
    const std::vector<std::string> fields = split(line, ',');
    if (fields.size() != pixels + 1) {
      throw Error(fmt::format("digits, line {}: {} fields, not 65; restore the file", number,
                              fields.size()));
    }
    for (std::size_t i = 0; i < pixels; ++i) {
      data.values.push_back(static_cast<float>(parse_number(fields[i], brightest, number)) /
                            brightest);
    }
    data.labels.push_back(parse_number(fields.back(), 9, number));
  }
  return data;
}

const Dataset& digits() {
  static const Dataset data = [] {
    for (const EmbeddedFile& file : embedded_data()) {
      if (file.name == "digits.csv") return parse_digits(file.text);
    }
    throw Error("the digits are missing from this build; build it again");
  }();
  return data;
}

SplitDataset split(const Dataset& all, Split how, std::uint64_t seed) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(all.rows()));
  std::iota(order.begin(), order.end(), 0);
  if (how == Split::shuffled) order = permutation(all.rows(), Random(seed));
  const std::int64_t first_test = std::min(training_rows(how), all.rows());
  if (how == Split::validation) {
    order.resize(static_cast<std::size_t>(std::min(writers_rows, all.rows())));
  }
  const std::span<const std::int64_t> rows(order);
  const auto cut = static_cast<std::size_t>(first_test);
  return {picked(all, rows.first(cut)), picked(all, rows.subspan(cut))};
}

}  // namespace tpulab

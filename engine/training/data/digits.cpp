// The handwritten digits: 1,797 grey images of 8 x 8, compiled into the program.
// E. Alpaydin and C. Kaynak, Optical Recognition of Handwritten Digits, UCI Machine Learning
// Repository, 1998, doi 10.24432/C50P49, CC BY 4.0; its test part, unchanged.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/training/data/embedded_data.h"
#include "engine/training/dataset.h"

namespace tpulab {

namespace {

constexpr std::int64_t writers_rows = 1437;  // of the writers whose digits train
constexpr std::int64_t digit_side = 8;
constexpr int brightest = 16;

// A whole number from 0 to `most`.
int parse_number(std::string_view text, int most, std::int64_t line) {
  const int number = number_in<int>(text).value_or(-1);
  if (number < 0 || number > most) {
    throw Error(
        fmt::format("digits, line {}: '{}' is not a whole number from 0 to {}; restore the file",
                    line, text, most));
  }
  return number;
}

}  // namespace

Dataset parse_digits(std::string_view csv) {
  constexpr std::size_t pixels = digit_side * digit_side;
  Dataset data{.name = "digits",
               .row_name = "images",
               .views = {{Input::numbers, {digit_side * digit_side}},
                         {Input::image, {digit_side, digit_side, 1}},
                         {Input::sequence, {digit_side, digit_side}}},
               .classes = 10,
               .training_rows = 0,
               .byte_scale = brightest,
               .values = {},
               .labels = {}};
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
  data.training_rows = std::min(writers_rows, data.rows());
  return data;
}

const Dataset& digits() {
  static const Dataset data = parse_digits(embedded_file("digits.csv"));
  return data;
}

}  // namespace tpulab

// Translation: whole numbers as digits and as Roman numerals. A row holds the digits of a number,
// and its numeral behind a sign of beginning; asked for is each next letter, and an end.
#include <fmt/format.h>

#include <array>
#include <string>

#include "engine/training/dataset.h"
#include "engine/training/random.h"

namespace tpulab {

namespace {

constexpr std::string_view symbols = " ^.0123456789IVXLCDM";  // nothing, begin, end, ...
constexpr std::int64_t places = 16;                           // MMMDCCCLXXXVIII has 15 letters
constexpr std::int64_t largest_number = 3'999;
constexpr std::int64_t training_numbers = 3'500;

std::string roman(std::int64_t number) {
  struct Letter {
    std::int64_t value;
    std::string_view letters;
  };
  static constexpr std::array<Letter, 13> letters{{{1000, "M"},
                                                   {900, "CM"},
                                                   {500, "D"},
                                                   {400, "CD"},
                                                   {100, "C"},
                                                   {90, "XC"},
                                                   {50, "L"},
                                                   {40, "XL"},
                                                   {10, "X"},
                                                   {9, "IX"},
                                                   {5, "V"},
                                                   {4, "IV"},
                                                   {1, "I"}}};
  std::string numeral;
  for (const Letter& letter : letters) {
    for (; number >= letter.value; number -= letter.value) numeral += letter.letters;
  }
  return numeral;
}

int symbol_token(char c) { return static_cast<int>(symbols.find(c)); }

// So many places, blanks behind.
std::string filled(std::string text) {
  text.resize(places, ' ');
  return text;
}

Dataset written_numerals() {
  Dataset data{.name = "numerals",
               .row_name = "tokens",
               .views = {{Input::pair, {2, places}}},
               .dtype = DType::s32,
               .classes = std::ssize(symbols),
               .labels_per_row = places,
               .training_rows = training_numbers,
               .values = {},
               .labels = {}};
  for (const std::int64_t at : permutation(largest_number, Random(17))) {
    const std::string numeral = roman(at + 1);
    for (const char c : filled(fmt::format("{}", at + 1)) + filled("^" + numeral)) {
      data.values.push_back(static_cast<float>(symbol_token(c)));
    }
    for (const char c : filled(numeral + ".")) data.labels.push_back(symbol_token(c));
  }
  return data;
}

}  // namespace

const Dataset& numerals() {
  static const Dataset data = written_numerals();
  return data;
}

}  // namespace tpulab

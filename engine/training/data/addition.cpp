// Sums of two numbers below a hundred as characters: "12+07=019". A model sees all but the last
// character and is asked for the three of the sum, each after those before it.
#include <fmt/format.h>

#include <string>

#include "engine/training/dataset.h"
#include "engine/training/random.h"

namespace tpulab {

namespace {

constexpr std::string_view characters = "0123456789+=";
constexpr std::int64_t shown = 8;
constexpr std::int64_t asked = 3;
constexpr std::int64_t sums = 4'500;
constexpr std::int64_t training_sums = 4'000;

int token_of(char c) { return static_cast<int>(characters.find(c)); }

Dataset written() {
  Dataset data{.name = "addition",
               .row_name = "tokens",
               .views = {{Input::tokens, {shown}}},
               .dtype = DType::s32,
               .classes = std::ssize(characters),
               .labels_per_row = asked,
               .training_rows = training_sums,
               .values = {},
               .labels = {}};
  // Each pair once, so that no tested sum was trained.
  const std::vector<std::int64_t> pairs = permutation(10'000, Random(11));
  for (std::size_t i = 0; i < sums; ++i) {
    const std::int64_t left = pairs[i] / 100;
    const std::int64_t right = pairs[i] % 100;
    const std::string line = fmt::format("{:02}+{:02}={:03}", left, right, left + right);
    for (std::size_t at = 0; at < shown; ++at) {
      data.values.push_back(static_cast<float>(token_of(line[at])));
    }
    for (const char c : line.substr(line.size() - asked)) data.labels.push_back(token_of(c));
  }
  return data;
}

}  // namespace

const Dataset& addition() {
  static const Dataset data = written();
  return data;
}

}  // namespace tpulab

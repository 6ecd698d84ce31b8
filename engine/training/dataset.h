// The handwritten digits: 1,797 grey images of 8 x 8, compiled into the program.
// E. Alpaydin and C. Kaynak, Optical Recognition of Handwritten Digits, UCI Machine Learning
// Repository, 1998, doi 10.24432/C50P49, CC BY 4.0; its test part, unchanged.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tpulab {

struct Dataset {
  std::int64_t features = 0;
  std::int64_t classes = 0;
  std::vector<float> values;  // [rows, features], 0 to 1
  std::vector<int> labels;    // [rows]

  std::int64_t rows() const { return static_cast<std::int64_t>(labels.size()); }
};

// rows: the first 1,437 train, the last 360 test: writers of the test part are unseen.
// shuffled: the same sizes after a shuffle by `seed`.
// validation: the 1,437 training rows alone, their last 15 % held out; for choosing
// hyper-parameters.
enum class Split : std::uint8_t { rows, shuffled, validation };
Split split_named(std::string_view name);  // throws Error
std::int64_t training_rows(Split how);     // of the digits

struct SplitDataset {
  Dataset train;
  Dataset test;
};

// Reads comma-separated rows of pixels 0..16 and a label. Throws Error with the line.
Dataset parse_digits(std::string_view csv);
const Dataset& digits();
SplitDataset split(const Dataset& all, Split how, std::uint64_t seed);

}  // namespace tpulab

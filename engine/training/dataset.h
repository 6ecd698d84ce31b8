// Rows of numbers with labels, how a model may read them, and how they are parted.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/training/model.h"

namespace tpulab {

struct Dataset {
  // One way of reading a row: all have the same numbers in the same order.
  struct View {
    Input input = Input::numbers;
    Shape row;
  };

  std::string_view name;      // "digits"
  std::string_view row_name;  // "images": the label of a step's input
  std::vector<View> views;    // the usual one first
  DType dtype = DType::f32;   // s32: tokens, whole numbers below `classes`
  std::int64_t classes = 0;
  std::int64_t labels_per_row = 1;
  std::int64_t training_rows = 0;  // the first so many
  // Each value is a whole number of 0 to 255 divided by this; 0: bytes cannot hold the values.
  double byte_scale = 0;
  std::vector<float> values;
  std::vector<int> labels;

  std::int64_t rows() const { return std::ssize(labels) / labels_per_row; }
  std::int64_t features() const { return views.front().row.elements(); }
  std::span<const float> values_of(std::int64_t row) const;
  std::span<const int> labels_of(std::int64_t row) const;
  // A row as a model of that kind reads it. Throws Error if it cannot, and says what could.
  Example example(Input input) const;
};

// rows: the first rows train, the last test (of the digits, writers that training did not see).
// shuffled: the same sizes after a shuffle by `seed`.
// validation: the training rows alone, their last 15 % held out; for choosing hyper-parameters.
enum class Split : std::uint8_t { rows, shuffled, validation };
Split split_named(std::string_view name);  // throws Error
// At most `most` of them; 0: all.
std::int64_t training_rows(const Dataset& all, Split how, std::int64_t most = 0);

struct SplitDataset {
  Dataset train;
  Dataset test;
};
SplitDataset split(const Dataset& all, Split how, std::uint64_t seed);
// Of its sizes, of values and labels spread over all rows, and of how they are parted: where other
// rows train it is another, never 0.
std::uint64_t digest_of(const Dataset& all, Split how, std::uint64_t seed);

// The sets that are built in, by name; each is a file of engine/training/data.
const Dataset& dataset_named(std::string_view name);  // throws Error with the nearest
std::span<const std::string_view> dataset_names();

const Dataset& digits();    // 1,797 grey images of 8 x 8
const Dataset& spirals();   // points of the plane on three arms
const Dataset& addition();  // "12+07=019", asked for the sum
const Dataset& text();      // the program's licence, asked for each next character
const Dataset& scenes();    // two digits in an image of 24 x 24, and where they are
const Dataset& numerals();  // numbers and their Roman numerals
const Dataset& solids();    // a ball and a box in a noisy volume of 16 x 16 x 16, voxel by voxel
const Dataset&
figures();  // discs, squares and triangles in an image of 32 x 32, and their outlines
// Reads comma-separated rows of pixels 0..16 and a label. Throws Error with the line.
Dataset parse_digits(std::string_view csv);

}  // namespace tpulab

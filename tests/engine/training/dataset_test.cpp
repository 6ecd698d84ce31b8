#include "engine/training/dataset.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "engine/base/error.h"

namespace tpulab::dataset_test {
namespace {

TEST(Digits, have_the_published_counts_of_each_label) {
  // scikit-learn's description of the same file.
  const std::array<int, 10> published{178, 182, 177, 183, 181, 182, 181, 179, 174, 180};
  std::array<int, 10> counts{};
  for (const int label : digits().labels) ++counts[static_cast<std::size_t>(label)];
  EXPECT_EQ(counts, published);
  EXPECT_EQ(digits().rows(), 1797);
}

TEST(Digits, have_pixels_between_zero_and_one_and_three_that_are_always_zero) {
  const Dataset& data = digits();
  for (std::int64_t row = 0; row < data.rows(); ++row) {
    for (const std::int64_t pixel : {0, 32, 39}) {
      ASSERT_EQ(data.values[static_cast<std::size_t>(row * 64 + pixel)], 0);
    }
  }
  EXPECT_EQ(*std::ranges::max_element(data.values), 1);
  EXPECT_EQ(*std::ranges::min_element(data.values), 0);
}

TEST(Split, by_rows_keeps_the_last_360_for_the_test) {
  const SplitDataset parts = split(digits(), Split::rows, 1);
  EXPECT_EQ(parts.train.rows(), 1437);
  EXPECT_EQ(parts.test.rows(), 360);
  EXPECT_EQ(parts.train.labels.front(), digits().labels.front());
  EXPECT_EQ(parts.test.labels.back(), digits().labels.back());
}

TEST(Split, shuffled_moves_rows_by_the_seed) {
  const SplitDataset one = split(digits(), Split::shuffled, 1);
  const SplitDataset same = split(digits(), Split::shuffled, 1);
  const SplitDataset other = split(digits(), Split::shuffled, 2);
  EXPECT_EQ(one.test.rows(), 360);
  EXPECT_EQ(one.test.labels, same.test.labels);
  EXPECT_NE(one.test.labels, other.test.labels);
}

TEST(Split, for_validation_never_shows_a_test_row) {
  const SplitDataset parts = split(digits(), Split::validation, 1);
  EXPECT_EQ(parts.train.rows(), 1437 * 85 / 100);
  EXPECT_EQ(parts.train.rows() + parts.test.rows(), 1437);
}

TEST(Datasets, are_whole_and_have_labels_below_their_classes) {
  for (const std::string_view name : dataset_names()) {
    const Dataset& data = dataset_named(name);
    EXPECT_EQ(data.name, name);
    EXPECT_GT(data.training_rows, 0) << name;
    EXPECT_LT(data.training_rows, data.rows()) << name;
    EXPECT_EQ(std::ssize(data.values), data.rows() * data.features()) << name;
    EXPECT_EQ(std::ssize(data.labels), data.rows() * data.labels_per_row) << name;
    for (const Dataset::View& view : data.views) {
      EXPECT_EQ(view.row.elements(), data.features()) << name;
    }
    const Input input = data.views.front().input;
    // Offsets stand beside classes.
    if (input == Input::scene || input == Input::outlines) continue;
    EXPECT_LT(*std::ranges::max_element(data.labels), data.classes) << name;
    EXPECT_GE(*std::ranges::min_element(data.labels), 0) << name;
  }
}

TEST(Datasets, ask_sums_that_are_right) {
  const Dataset& data = addition();
  for (std::int64_t row = 0; row < data.rows(); ++row) {
    const auto shown = data.values_of(row);
    const auto asked = data.labels_of(row);
    const int left = static_cast<int>(10 * shown[0] + shown[1]);
    const int right = static_cast<int>(10 * shown[3] + shown[4]);
    ASSERT_EQ(left + right, 100 * asked[0] + 10 * asked[1] + asked[2]) << "row " << row;
  }
}

TEST(Datasets, ask_each_next_character_of_a_text) {
  const Dataset& data = text();
  for (std::int64_t row = 0; row < data.rows(); ++row) {
    const auto shown = data.values_of(row);
    const auto asked = data.labels_of(row);
    for (std::size_t i = 0; i + 1 < shown.size(); ++i) {
      ASSERT_EQ(static_cast<int>(shown[i + 1]), asked[i]) << "row " << row;
    }
  }
}

TEST(ParseDigits, names_the_line_that_is_wrong) {
  std::string good;
  for (int i = 0; i < 64; ++i) good += "1,";
  try {
    parse_digits(good + "3\n1,2,3\n");
    FAIL() << "a short line went through";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("line 2"), std::string::npos) << error.what();
  }
  EXPECT_THROW(parse_digits(good + "x\n"), Error);
  EXPECT_THROW(parse_digits(good + "10\n"), Error);                  // no such digit
  EXPECT_THROW(parse_digits("17" + good.substr(1) + "3\n"), Error);  // brighter than white
  EXPECT_EQ(parse_digits(good + "3\n").labels, std::vector<int>{3});
}

}  // namespace
}  // namespace tpulab::dataset_test

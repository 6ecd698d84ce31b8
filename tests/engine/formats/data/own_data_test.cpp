#include "engine/formats/data/own_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/error.h"
#include "engine/formats/data/number_array.h"
#include "engine/formats/data/number_table.h"

namespace tpulab::own_data_test {
namespace {

using Words = std::vector<std::string>;

template <class Question>
std::string refusal(const Question& question) {
  try {
    question();
  } catch (const Error& error) {
    return error.what();
  }
  return "read";
}

std::string refused_table(const std::string& text) {
  return refusal([&] { parse_table(text, "t.csv"); });
}

TEST(NumberTable, reads_columns_by_name_and_classes_by_word) {
  const NumberTable table = parse_table(
      "length,width,Species\r\n5.1,3.5,setosa\r\n\r\n7.0,3.2,\"versi,color\"\r\n4.9,3,setosa",
      "iris.csv");
  EXPECT_EQ(table.columns, (Words{"length", "width"}));
  EXPECT_EQ(table.label_column, "Species");
  EXPECT_EQ(table.classes, (Words{"setosa", "versi,color"}));
  EXPECT_EQ(table.values, (std::vector<float>{5.1f, 3.5f, 7.0f, 3.2f, 4.9f, 3.0f}));
  EXPECT_EQ(table.labels, (std::vector<int>{0, 1, 0}));
}

TEST(NumberTable, takes_the_last_column_where_none_is_named) {
  const NumberTable table = parse_table("1;2;10\n3;4;9\n5;6;10\n", "t.csv");
  EXPECT_EQ(table.columns, (Words{"column 1", "column 2"}));
  EXPECT_EQ(table.classes, (Words{"9", "10"}));  // by size
  EXPECT_EQ(table.labels, (std::vector<int>{1, 0, 1}));
}

TEST(NumberTable, takes_the_label_wherever_it_stands) {
  const NumberTable table = parse_table("label,a,b\n7,1,2\n3,4,5\n", "t.csv");
  EXPECT_EQ(table.columns, (Words{"a", "b"}));
  EXPECT_EQ(table.values, (std::vector<float>{1, 2, 4, 5}));
  EXPECT_EQ(table.labels, (std::vector<int>{1, 0}));
}

TEST(NumberTable, takes_a_first_row_of_the_class_target_as_a_row) {
  const NumberTable rows = parse_table("5.1,3.5,target\n4.9,3,other\n4.7,3.2,target\n", "t.csv");
  EXPECT_EQ(rows.rows(), 3);
  EXPECT_EQ(rows.classes, (Words{"other", "target"}));
  EXPECT_EQ(parse_table("5.1,3.5,target\n4.9,3,other\n", "t.csv").rows(), 2);
  EXPECT_EQ(parse_table("0,1,label\n4,3,label\n5,6,b\n", "t.csv").rows(), 3);
  for (const char* counted : {"0,1,label\n4,3,a\n5,6,b\n", "1,2,label\n4,3,a\n5,6,b\n"}) {
    const NumberTable named = parse_table(counted, "t.csv");
    EXPECT_EQ(named.rows(), 2) << counted;
    EXPECT_EQ(named.label_column, "label");
  }
}

TEST(NumberTable, names_line_and_column_of_what_is_wrong) {
  EXPECT_EQ(refused_table("a,b,label\n1,2,0\n1,x,0\n"),
            "t.csv line 3: column 2 (b) is 'x'; expected a number");
  EXPECT_EQ(refused_table("1,2,0\n1,,0\n"), "t.csv line 2: column 2 is ''; expected a number");
  EXPECT_EQ(refused_table("1,2,0\n1,nan,0\n"),
            "t.csv line 2: column 2 is 'nan'; expected a number");
  EXPECT_EQ(refused_table("1,2,0\n1,2\n"), "t.csv line 2: it has 2 fields and the first line 3");
  const std::string quantity =
      "; expected a whole number or a word, as classes are trained and no quantities";
  const std::string elsewhere =
      "; a class in another column is found where the first line names it label or class or target "
      "or species or y";
  EXPECT_EQ(refused_table("0,0.283,-0.419\n"),
            "t.csv line 1: its class (column 3) is -0.419" + quantity + elsewhere);
  EXPECT_EQ(refused_table("a,b,c\n0,0.283,-0.419\n"),
            "t.csv line 2: its class (c) is -0.419" + quantity + elsewhere);
  EXPECT_EQ(refused_table("y,a\n0.5,1\n"), "t.csv line 2: its class (y) is 0.5" + quantity);
  EXPECT_EQ(refused_table("1,2,\n"), "t.csv line 1: its class (column 3) is empty");
  EXPECT_EQ(refused_table("only words\n"),
            "t.csv line 1: it has 1 column; expected numbers and a class between commas");
  EXPECT_EQ(refused_table("\n\n"), "t.csv: it has no rows; give some");
  EXPECT_EQ(refused_table("a,b,c\n"), "t.csv: it has no rows; give some");
  for (const char* const old : {"a,b,label\r1,2,0\r", "1,2,0\r3,4,1"}) {
    EXPECT_EQ(
        refused_table(old),
        "t.csv: its lines end with carriage returns alone; write line feeds: tr '\\r' '\\n' < "
        "OLD > NEW");
  }
  EXPECT_EQ(parse_table("1,2,0\r\n3,4,1\r\n", "t.csv").rows(), 2);
}

TEST(NumberTable, asks_for_decimal_points_where_numbers_have_commas) {
  const std::string asked = "; write decimal points, as 0.5; `;` may separate columns";
  const std::string first = "t.csv line 1: column 1 is '0,283'" + asked;
  EXPECT_EQ(refused_table("\"0,283\";\"-0,419\";0\n"), first);
  EXPECT_EQ(refused_table("0,283;-1,397;0\n1,5;2,5;1\n"), first);
  EXPECT_EQ(refused_table("0,283\t-1,397\t0\n"), first);
  EXPECT_EQ(refused_table("\"0,283\",\"-0,419\",0\n"), first);
  EXPECT_EQ(refused_table("a;b;label\n1;-2,5;0\n"), "t.csv line 2: column 2 (b) is '-2,5'" + asked);
  EXPECT_EQ(parse_table("1,2,0;5\n3,4,a\n", "t.csv").rows(), 2);
}

TEST(NumberTable, takes_numbers_below_the_smallest_float_as_zero) {
  const NumberTable table = parse_table("1e-50,2,0\n-1e-320,1e-39,1\n", "t.csv");
  EXPECT_EQ(table.values, (std::vector<float>{0, 2, 0, 1e-39f}));
  EXPECT_EQ(table.columns, (Words{"column 1", "column 2"}));
  EXPECT_EQ(parse_table("3.4028235e38,0\n", "t.csv").values[0], 3.4028235e38f);
  EXPECT_EQ(refused_table("1,0\n1e39,0\n"),
            "t.csv line 2: column 1 is '1e39'; give what f32 holds, to 3.4e38");
  EXPECT_EQ(refused_table("1e39,0\n1,0\n"),
            "t.csv line 1: column 1 is '1e39'; give what f32 holds, to 3.4e38");
}

TEST(NumberTable, stops_at_more_columns_than_it_takes) {
  const auto line_of = [](int fields, const std::string& field) {
    std::string line = field;
    for (int i = 1; i < fields; ++i) line += "," + field;
    return line + "\n";
  };
  for (const std::string field : {"1", "\"1\""}) {
    EXPECT_EQ(refused_table(line_of(100'000, field)),
              "t.csv line 1: it has more than 65,536 columns; expected numbers and a class between "
              "commas");
    EXPECT_EQ(refused_table("1,2,0\n" + line_of(100'000, field)),
              "t.csv line 2: it has more than 65,536 fields and the first line 3");
    EXPECT_EQ(parse_table(line_of(65'536, field), "t.csv").columns.size(), 65'535);
  }
}

TEST(NumberTable, takes_the_first_of_its_names_for_labels_wherever_it_stands) {
  const NumberTable table = parse_table("y,label,a,Target\n1,7,2,3\n4,8,5,6\n", "t.csv");
  EXPECT_EQ(table.label_column, "label");
  EXPECT_EQ(table.columns, (Words{"y", "a", "Target"}));
  EXPECT_EQ(table.classes, (Words{"7", "8"}));
}

TEST(NumberTable, knows_a_header_of_numbers_by_the_name_of_its_label) {
  for (const std::string name : {"target", "Label", "y", "\"y\""}) {
    const NumberTable table = parse_table("0,1,2," + name + "\n5,6,7,1\n8,9,5,0\n", "t.csv");
    EXPECT_EQ(table.columns, (Words{"0", "1", "2"}));
    EXPECT_EQ(table.classes, (Words{"0", "1"})) << name;
    EXPECT_EQ(table.rows(), 2);
  }
}

TEST(NumberTable, takes_y_for_a_class_where_a_later_row_has_it_too) {
  for (const std::string word : {"y", "Y", "\"y\""}) {
    const std::string row = "," + word + "\n";
    const NumberTable table = parse_table("1,2" + row + "\n3,4,n\n5,6" + row, "t.csv");
    EXPECT_EQ(table.columns, (Words{"column 1", "column 2"}));
    EXPECT_EQ(table.values, (std::vector<float>{1, 2, 3, 4, 5, 6})) << word;
    EXPECT_EQ(table.labels[0], table.labels[2]);
  }
  EXPECT_EQ(refused_table("1,2,y\n3,x,n\n5,6,y\n"),
            "t.csv line 2: column 2 is 'x'; expected a number");
  const NumberTable named = parse_table("a,b,y\n1,2,y\n3,4,n\n", "t.csv");
  EXPECT_EQ(named.columns, (Words{"a", "b"}));
  EXPECT_EQ(named.classes, (Words{"n", "y"}));
}

// As numpy.save writes it.
std::string npy(const std::string& descr, const std::string& shape, const std::string& body) {
  std::string header =
      "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }";
  header.resize(118 - 1, ' ');
  header += '\n';
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header +
         body;
}

template <class Number>
std::string bytes_of(std::initializer_list<Number> numbers) {
  std::string bytes;
  for (const Number& number : numbers) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  return bytes;
}

TEST(NumberArray, reads_what_numpy_saves) {
  const NumberArray floats =
      parse_numbers(npy("<f4", "(2, 3)", bytes_of<float>({1, 2, 3, 4, 5, 6})), "x.npy");
  EXPECT_EQ(floats.extents, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(floats.values, (std::vector<float>{1, 2, 3, 4, 5, 6}));
  const NumberArray whole =
      parse_numbers(npy("<i8", "(3,)", bytes_of<std::int64_t>({7, -1, 300})), "y.npy");
  EXPECT_EQ(whole.type, "s64");
  EXPECT_EQ(whole.values, (std::vector<float>{7, -1, 300}));
  const NumberArray turned = parse_numbers(npy(">u2", "(2,)", std::string("\1\0\0\2", 4)), "z.npy");
  EXPECT_EQ(turned.values, (std::vector<float>{256, 2}));
}

std::string refused_array(const std::string& bytes) {
  return refusal([&] { parse_numbers(bytes, "x.npy"); });
}

TEST(NumberArray, says_what_is_cut_or_of_another_type) {
  EXPECT_EQ(refused_array(npy("<f4", "(2, 3)", bytes_of<float>({1, 2, 3}))),
            "x.npy: it has 12 of the 24 bytes that [2,3] of f32 take; it is cut or no such file");
  EXPECT_EQ(refused_array(npy("|O", "(2,)", "")),
            "x.npy: its type is '|O'; save whole numbers, float32 or float64");
  EXPECT_EQ(refused_array(npy("<f4", "(9999999999, 9999999999)", "")),
            "x.npy: an array of [9999999999,9999999999] is empty or larger than the 67,108,864 "
            "numbers that are taken; give a part of it");
  EXPECT_EQ(refused_array(npy("<f4", "(1,)", bytes_of<float>({NAN}))),
            "x.npy: number 0 is nan as f32; give finite ones, to 3.4e38");
  const std::string whole = npy("<f4", "(1,)", bytes_of<float>({1}));
  for (std::size_t length = 6; length < whole.size(); ++length) {
    EXPECT_NE(refused_array(whole.substr(0, length)), "read") << length;
  }
}

// As in train-images-idx3-ubyte: two images of 2 x 3.
std::string idx_images() {
  return std::string("\0\0\x08\x03\0\0\0\x02\0\0\0\x02\0\0\0\x03", 16) +
         std::string("\0\x33\x66\x99\xcc\xff\xff\xcc\x99\x66\x33\0", 12);
}

TEST(NumberArray, reads_idx_and_knows_where_it_ends) {
  const NumberArray images = parse_numbers(idx_images(), "i");
  EXPECT_EQ(images.extents, (std::vector<std::int64_t>{2, 2, 3}));
  EXPECT_EQ(images.type, "u8");
  EXPECT_EQ(images.values[1], 51);
  EXPECT_EQ(images.values[5], 255);
  EXPECT_EQ(refusal([] { parse_numbers(idx_images().substr(0, 20), "i"); }),
            "i: it has 4 of the 12 bytes that [2,2,3] of u8 take; it is cut or no such file");
  EXPECT_EQ(refusal([] { parse_numbers(idx_images() + "x", "i"); }),
            "i: it has 13 of the 12 bytes that [2,2,3] of u8 take; it is cut or no such file");
  EXPECT_EQ(refusal([] { parse_numbers(idx_images().substr(0, 6), "i"); }), "i: its header is cut");
}

std::string rows_of_table(int rows) {
  std::string text = "a,b,label\n";
  for (int i = 0; i < rows; ++i) text += std::to_string(i) + ",5," + std::to_string(i % 3) + "\n";
  return text;
}

TEST(OwnData, of_a_table_is_scaled_shuffled_and_parted) {
  const OwnData own = read_own_data({"t.csv", rows_of_table(30)}, std::nullopt);
  EXPECT_EQ(own.found,
            "30 rows of 2 columns (a, b), 3 classes (0, 1, 2) in label; columns scaled to mean 0 "
            "and deviation 1 of those that train (split rows)");
  EXPECT_EQ(own.set.name, "t.csv");
  EXPECT_EQ(own.set.rows(), 30);
  EXPECT_EQ(own.set.training_rows, 24);
  // The label stays with its row: 0..29, scaled alike.
  std::vector<float> scaled;
  for (std::int64_t row = 0; row < 30; ++row) scaled.push_back(own.set.values_of(row)[0]);
  const auto [least, most] = std::ranges::minmax(scaled);
  for (std::int64_t row = 0; row < 30; ++row) {
    const float value = own.set.values_of(row)[0];
    const auto typed = static_cast<int>(std::lround((value - least) / (most - least) * 29));
    EXPECT_EQ(own.set.labels_of(row)[0], typed % 3);
    EXPECT_EQ(own.set.values_of(row)[1], 0);  // all alike
  }
  // By the rows that train alone: what tests is not known before.
  double sum = 0;
  double squares = 0;
  for (std::size_t row = 0; row < 24; ++row) {
    sum += scaled[row];
    squares += scaled[row] * scaled[row];
  }
  EXPECT_NEAR(sum, 0, 1e-4);
  EXPECT_NEAR(squares / 24, 1, 1e-4);
}

TEST(OwnData, of_images_may_be_read_as_numbers_images_and_sequences) {
  std::string pixels;
  std::string classes;
  for (int i = 0; i < 12; ++i) {
    pixels += std::string(6, static_cast<char>(i * 20));
    classes += static_cast<char>(i % 4);
  }
  const DataFile images{"i",
                        std::string("\0\0\x08\x03\0\0\0\x0c\0\0\0\x02\0\0\0\x03", 16) + pixels};
  const DataFile labels{"l", std::string("\0\0\x08\x01\0\0\0\x0c", 8) + classes};
  const OwnData own = read_own_data(images, labels);
  EXPECT_EQ(own.found, "12 rows of u8 2 x 3, 4 classes; divided by 255");
  EXPECT_EQ(own.set.example(Input::numbers).row, (Shape{6}));
  EXPECT_EQ(own.set.example(Input::image).row, (Shape{2, 3, 1}));
  EXPECT_EQ(own.set.example(Input::sequence).row, (Shape{2, 3}));
  for (std::int64_t row = 0; row < 12; ++row) {
    const auto image = std::lround(own.set.values_of(row)[0] * 255 / 20);
    EXPECT_EQ(own.set.labels_of(row)[0], image % 4);
  }
}

TEST(OwnData, of_idx_names_its_labels_in_the_name_of_the_file) {
  const auto labels_of = [](const std::string& name) {
    return idx_labels_of({name, idx_images()});
  };
  EXPECT_EQ(labels_of("train-images-idx3-ubyte"), "train-labels-idx1-ubyte");
  EXPECT_EQ(labels_of("images/idx3/images"), "images/idx3/labels");
  EXPECT_EQ(labels_of("images/rows-idx3"), "");
  EXPECT_EQ(idx_labels_of({"images.npy", npy("<f4", "(1,)", bytes_of<float>({1}))}), "");
  EXPECT_EQ(idx_labels_of({"images.csv", "1,2,0\n"}), "");
}

TEST(OwnData, says_what_labels_cannot_be) {
  const auto with_labels = [](const std::string& labels) {
    const DataFile rows{"x.npy", npy("|u1", "(2, 2)", std::string("\1\2\3\4", 4))};
    return refusal([&] { read_own_data(rows, DataFile{"y.npy", labels}); });
  };
  EXPECT_EQ(with_labels(npy("<i4", "(2,)", bytes_of<std::int32_t>({0, -1}))),
            "y.npy row 2: its label is -1; expected a whole number from 0 to 65,535");
  EXPECT_EQ(with_labels(npy("<f4", "(2,)", bytes_of<float>({0, 0.5f}))),
            "y.npy row 2: its label is 0.5; expected a whole number from 0 to 65,535");
  EXPECT_EQ(with_labels(npy("<i4", "(3,)", bytes_of<std::int32_t>({0, 1, 2}))),
            "x.npy has 2 rows and y.npy has 3 labels; they must be as many");
  EXPECT_EQ(with_labels(npy("<i4", "(2,)", bytes_of<std::int32_t>({0, 1}))),
            "x.npy: 2 rows, too few to train and to test; give 10 at least");
}

TEST(OwnData, says_how_images_of_pytorch_are_turned) {
  const std::string images = npy("|u1", "(10, 3, 8, 8)", std::string(10 * 192, '\1'));
  const std::string labels = npy("|u1", "(10,)", std::string("\1\2\1\2\1\2\1\2\1\2", 10));
  EXPECT_EQ(
      refusal([&] {
        read_own_data({"x.npy", images}, DataFile{"y.npy", labels});
      }),
      "x.npy: rows of 3 x 8 x 8 would be 3 high, with 8 channels, which stand last here; save "
      "numpy.transpose(x, (0, 2, 3, 1))");
}

TEST(OwnData, says_what_a_file_is_not) {
  const auto told = [](const std::string& bytes) {
    return refusal([&] { read_own_data({"f", bytes}, std::nullopt); });
  };
  EXPECT_EQ(told("PK\x03\x04"), "f is an archive, as .npz; save one array with numpy.save");
  EXPECT_EQ(told(std::string("\x7f\x45\x4c\x46\0\0", 6)),
            "f is neither CSV nor text, .npy, IDX or CIFAR (3,073 or 3,074 bytes an image)");
  EXPECT_EQ(told(""), "f: it has no rows; give some");
  EXPECT_EQ(told(rows_of_table(4)), "f: 4 rows, too few to train and to test; give 10 at least");
  EXPECT_EQ(told("1,2,0\n1,2,0\n1,2,0\n1,2,0\n1,2,0\n1,2,0\n1,2,0\n1,2,0\n1,2,0\n1,2,0\n"),
            "f: all rows are of one class; there is nothing to learn");
  EXPECT_EQ(told(npy("<f4", "(2, 2, 2)", std::string(32, '\0'))),
            "f: [2,2,2] of f32 has no column of classes; name a file of labels too: data f,LABELS");
}

TEST(OwnData, of_text_asks_each_character_for_the_next_one) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "ab\r\nc";
  const OwnData own = read_own_data({"t.txt", text}, std::nullopt);
  // "ab\ncab\nc...": 800 characters without the returns are 12 windows of 64 and a rest.
  EXPECT_EQ(own.found, "12 rows of 64 characters, 4 kinds; each is asked for the next one");
  EXPECT_EQ(own.set.example(Input::tokens).row, (Shape{64}));
  for (std::int64_t row = 0; row < own.set.rows(); ++row) {
    for (std::size_t at = 0; at < 64; ++at) {
      constexpr std::array<int, 4> kinds{1, 2, 0, 3};  // a, b, line end, c
      EXPECT_EQ(own.set.values_of(row)[at], static_cast<float>(kinds[at % 4]));
      EXPECT_EQ(own.set.labels_of(row)[at], kinds[(at + 1) % 4]);
    }
  }
  EXPECT_EQ(read_own_data({"t.txt", rows_of_table(30)}, std::nullopt).set.dtype, DType::f32);
  EXPECT_EQ(refusal([] {
              read_own_data({"t.txt", "too short"}, std::nullopt);
            }),
            "t.txt: 0 rows, too few to train and to test; give 10 at least");
}

}  // namespace
}  // namespace tpulab::own_data_test

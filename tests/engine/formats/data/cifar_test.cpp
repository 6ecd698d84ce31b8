#include "engine/formats/data/cifar.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/formats/data/own_data.h"

namespace tpulab::cifar_test {
namespace {

// An image whose red, green and blue are these, but for its last pixel.
std::string image(const std::string& labels, int red, int green, int blue) {
  std::string bytes = labels;
  for (const int colour : {red, green, blue}) {
    bytes += std::string(1023, static_cast<char>(colour)) + static_cast<char>(colour + 1);
  }
  return bytes;
}

TEST(Cifar, puts_the_colours_of_a_pixel_together) {
  const auto images =
      read_cifar(image("\7", 1, 2, 250) + image(std::string(1, '\0'), 3, 4, 5), "f");
  ASSERT_TRUE(images);
  EXPECT_EQ(images->kind, "CIFAR-10");
  EXPECT_EQ(images->classes, 10);
  EXPECT_EQ(images->labels, (std::vector<int>{7, 0}));
  ASSERT_EQ(images->values.size(), 2 * cifar_values);
  EXPECT_EQ(images->values[0], 1);
  EXPECT_EQ(images->values[1], 2);
  EXPECT_EQ(images->values[2], 250);
  EXPECT_EQ(images->values[3071], 251);
  EXPECT_EQ(images->values[3072], 3);
}

TEST(Cifar, trains_the_fine_classes_of_cifar_100) {
  const auto images = read_cifar(image("\x13\x63", 1, 2, 3), "f");
  ASSERT_TRUE(images);
  EXPECT_EQ(images->kind, "CIFAR-100");
  EXPECT_EQ(images->classes, 100);
  EXPECT_EQ(images->labels, (std::vector<int>{0x63}));
}

TEST(Cifar, is_known_by_its_length_and_its_labels) {
  EXPECT_FALSE(read_cifar(image("\7", 1, 2, 3) + "xy", "f"));
  EXPECT_FALSE(read_cifar("", "f"));
  try {
    read_cifar(image("\7", 1, 2, 3) + image("\x0a", 1, 2, 3), "b.bin");
    FAIL() << "read";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "b.bin image 2: its label is 10, which CIFAR-10 does not have; is it another kind "
                 "of file?");
  }
}

TEST(Cifar, is_a_data_set_of_colour_images) {
  std::string bytes;
  for (int i = 0; i < 20; ++i) bytes += image(std::string(1, static_cast<char>(i % 10)), i, 0, 0);
  const OwnData own = read_own_data({"b.bin", bytes}, std::nullopt);
  EXPECT_EQ(own.found, "20 images of CIFAR-10: 32 x 32 x 3, 10 classes; divided by 255");
  EXPECT_EQ(own.set.example(Input::image).row, (Shape{32, 32, 3}));
}

// As IDX does, whose third byte is a type.
TEST(Cifar, may_begin_with_the_zeros_of_class_0_and_a_black_pixel) {
  std::string bytes;
  for (int i = 0; i < 20; ++i) bytes += image(std::string(1, static_cast<char>(i % 10)), 28, 0, 0);
  bytes[1] = '\0';
  EXPECT_EQ(read_own_data({"b.bin", bytes}, std::nullopt).found,
            "20 images of CIFAR-10: 32 x 32 x 3, 10 classes; divided by 255");
}

}  // namespace
}  // namespace tpulab::cifar_test

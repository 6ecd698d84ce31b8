#include "engine/session/settings/own_data_files.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/session/settings/plan.h"
#include "engine/session/settings/settings.h"
#include "tests/temporary_folder.h"

namespace tpulab::own_data_files_test {
namespace {

// Two clouds of points that a line parts.
std::string clouds(int rows) {
  std::string text = "x,y,label\n";
  for (int i = 0; i < rows; ++i) {
    const int side = i % 2;
    text += std::to_string(side * 4 + i % 5 * 0.1) + "," + std::to_string(i % 7) + "," +
            (side != 0 ? "right" : "left") + "\n";
  }
  return text;
}

TEST(OwnDataFiles, are_what_a_network_trains_on) {
  const test::TemporaryFolder temporary;
  const std::string file = temporary.write("clouds.csv", clouds(100));
  Settings settings;
  const std::string told = change(settings, "data", file);
  EXPECT_NE(
      told.find("100 rows of 2 columns (x, y), 2 classes (left, right) in label; columns "
                "scaled to mean 0 and deviation 1 of those that train (split rows); rows shuffled "
                "once, 80 to train with"),
      std::string::npos)
      << told;
  EXPECT_EQ(model_title(settings), "mlp 2-1024-1024-2");
  EXPECT_FALSE(is_named(settings));
  EXPECT_THROW(change(settings, "model", "cnn"), Error);
}

TEST(OwnDataFiles, that_cannot_be_read_leave_the_data_before) {
  const test::TemporaryFolder temporary;
  const std::string broken = temporary.write("broken.csv", "1,2,0\n1,x,0\n");
  Settings settings;
  change(settings, "data", "spirals");
  EXPECT_THROW(change(settings, "data", broken), Error);
  EXPECT_THROW(change(settings, "data", (temporary / "nowhere.csv").string()), Error);
  EXPECT_EQ(settings.data, "spirals");
}

TEST(OwnDataFiles, are_read_again_when_they_are_named_again) {
  const test::TemporaryFolder temporary;
  const std::string file = temporary.write("clouds.csv", clouds(40));
  read_data_file(file);
  const Dataset& before = data_file(file);
  temporary.write("clouds.csv", clouds(60));
  EXPECT_EQ(data_file(file).rows(), 40);
  read_data_file(file);
  EXPECT_EQ(data_file(file).rows(), 60);
  EXPECT_EQ(before.rows(), 40);  // a run may still read it
  EXPECT_TRUE(names_data_file("train-images-idx3-ubyte"));
  EXPECT_FALSE(names_data_file("digits"));
}

// Twelve rows of bytes, of two axes or of one, as in MNIST's files.
std::string idx_rows() {
  return std::string("\0\0\x08\x02\0\0\0\x0c\0\0\0\x02", 12) +
         std::string("\5\0\6\1\7\0\5\1\6\0\7\1\5\0\6\1\7\0\5\1\6\0\7\1", 24);
}
std::string idx_classes() {
  return std::string("\0\0\x08\x01\0\0\0\x0c", 8) + std::string("\0\1\2\0\1\2\0\1\2\0\1\2", 12);
}

TEST(OwnDataFiles, have_labels_beside_them_only_if_they_are_idx_and_so_named) {
  const test::TemporaryFolder temporary;
  const auto found = [&](const std::string& inside, const std::string& bytes) {
    const std::string file = temporary.write(inside, bytes);
    read_data_file(file);
    return found_in_data_file(file).substr(0, 40);
  };
  EXPECT_EQ(found("images/t.csv", clouds(20)), "20 rows of 2 columns (x, y), 2 classes (");
  EXPECT_EQ(found("images.csv", clouds(20)), "20 rows of 2 columns (x, y), 2 classes (");
  EXPECT_EQ(found("images/rows-idx3", idx_rows()), "12 rows of u8 1 and a class, 2 classes; ");
  temporary.write("idx3-images/labels-idx1", idx_classes());
  EXPECT_EQ(found("idx3-images/images-idx3", idx_rows()),
            "12 rows of u8 2, 3 classes; columns scal");
}

}  // namespace
}  // namespace tpulab::own_data_files_test

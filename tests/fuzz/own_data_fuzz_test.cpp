// Files of data as they may come: cut, spliced, with numbers at their limits.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/formats/data/gzip.h"
#include "engine/formats/data/own_data.h"
#include "tests/fuzz/mutation.h"

namespace tpulab::fuzz::own_data_fuzz_test {
namespace {

std::string saved_array() {
  std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (12, 3), }";
  header.resize(118, ' ');
  return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header +
         std::string("\1\2\0\3\4\1\1\2\0\3\4\1\1\2\0\3\4\1\1\2\0\3\4\1\1\2\0\3\4\1\1\2\0\3\4\1",
                     36);
}

// Ten lines 1,2,0 and ten lines 1,2,1, packed.
std::string packed_table() {
  return std::string(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff\x33\xd4\x31\xd2\x31\xe0\x32\x24\x9b\x34"
      "\x24\x93\x04\x00\xde\x13\x52\x4e\x78\x00\x00\x00",
      32);
}

Corpus files() {
  std::string table = "a,b,label\n";
  for (int row = 0; row < 12; ++row) table += "1.5,-2e3," + std::to_string(row % 3) + "\n";
  const std::string images = std::string("\0\0\x08\x02\0\0\0\x0c\0\0\0\x02", 12) +
                             std::string("\5\0\6\1\7\0\5\0\6\1\7\0\5\0\6\1\7\0\5\0\6\1\7\0", 24);
  std::string colours;
  for (int i = 0; i < 10; ++i) colours += static_cast<char>(i) + std::string(3072, '\0');
  return {.seeds = {table, saved_array(), images, packed_table(), colours},
          .words = {",", ";", "\t", "\"", "\n", "nan", "1e39", "label", "'<f8'", "'shape': (",
                    "9223372036854775807", "-1", std::string("\xff\xff\xff\xff", 4)}};
}

// Read, with labels below the classes and finite numbers, or refused by its name.
void fuzz(Effort effort) {
  expect_holds(files(), effort, [](const std::string& bytes, Random& random) {
    try {
      const std::string name = random.below(2) == 0 ? "own.data" : "own.data.txt";
      const DataFile file{name, unpacked(bytes, name, 1 << 20)};
      const OwnData own = read_own_data(file, std::nullopt);
      EXPECT_EQ(std::ssize(own.set.values), own.set.rows() * own.set.features());
      EXPECT_LT(*std::ranges::max_element(own.set.labels), own.set.classes);
      EXPECT_GE(*std::ranges::min_element(own.set.labels), 0);
    } catch (const Error& error) {
      EXPECT_EQ(std::string_view(error.what()).substr(0, 8), "own.data");
    }
  });
}

TEST(OwnDataFuzz, a_damaged_file_is_read_or_refused_by_its_name) { fuzz({.inputs = 20'000}); }
TEST(SlowOwnDataFuzz, a_damaged_file_is_read_or_refused_by_its_name) { fuzz({.slow = true}); }

}  // namespace
}  // namespace tpulab::fuzz::own_data_fuzz_test

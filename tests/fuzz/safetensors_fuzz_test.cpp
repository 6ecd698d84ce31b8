// Files of arrays as they may come: cut, spliced, with lengths and offsets at their limits.
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/formats/safetensors.h"
#include "tests/fuzz/mutation.h"

namespace tpulab::fuzz::safetensors_fuzz_test {
namespace {

Corpus files() {
  const Safetensors two{
      {{"step", "7"}},
      {{"w", Array({2, 3}, {1, 2, 3, 4, 5, 6})}, {"b", Array({2}, {1.5f, -3}, DType::bf16)}}};
  return {.seeds = {text_of(two), text_of(Safetensors{})},
          .words = {"\"dtype\"", "\"F32\"", "\"BF16\"", "\"shape\"", "\"data_offsets\"", "[0,24]",
                    "1099511627776", "18446744073709551616", "-1", "1e3", "{", "}", "[", "]", ",",
                    "__metadata__", std::string("\xff\xff\xff\xff\xff\xff\xff\xff", 8),
                    std::string(8, '\0')}};
}

// Read into arrays of their shapes, no larger than the file, or refused by its name.
void fuzz(Effort effort) {
  expect_holds(files(), effort, [](const std::string& bytes, Random&) {
    try {
      std::size_t numbers = 0;
      for (const NamedArray& array : parse_safetensors(bytes, "own.data").arrays) {
        EXPECT_EQ(std::ssize(array.values.values()), array.values.shape().elements());
        numbers += array.values.values().size();
      }
      EXPECT_LE(2 * numbers, bytes.size());
    } catch (const Error& error) {
      EXPECT_EQ(std::string_view(error.what()).substr(0, 8), "own.data");
    }
  });
}

TEST(SafetensorsFuzz, a_damaged_file_is_read_or_refused_by_its_name) { fuzz({.inputs = 20'000}); }
TEST(SlowSafetensorsFuzz, a_damaged_file_is_read_or_refused_by_its_name) { fuzz({.slow = true}); }

}  // namespace
}  // namespace tpulab::fuzz::safetensors_fuzz_test

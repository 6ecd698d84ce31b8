// The loops' numbers have the same bits with every instruction set.
#include <gtest/gtest.h>

#include <bit>

#include "engine/base/instruction_set.h"
#include "engine/ops/matrix_product.h"
#include "engine/ops/tile_product.h"
#include "tests/engine/ops/check_op.h"

namespace tpulab::test::instruction_sets_test {
namespace {

// Puts back what was in use.
class Using {
 public:
  explicit Using(InstructionSet set) : before_(instruction_set()) { use_instruction_set(set); }
  ~Using() { use_instruction_set(before_); }
  Using(const Using&) = delete;
  Using& operator=(const Using&) = delete;

 private:
  InstructionSet before_;
};

std::vector<std::uint32_t> bits_of(const std::vector<float>& values) {
  std::vector<std::uint32_t> bits;
  for (const float value : values) bits.push_back(std::bit_cast<std::uint32_t>(value));
  return bits;
}

// An odd number of columns, so that loops have a rest.
std::vector<std::uint32_t> bits_with(InstructionSet set, const Build& build) {
  const Using use(set);
  Array x = numbers({37, 61}, 1);
  Array y = numbers({37, 61}, 2);
  return bits_of(values_of({x, y}, build));
}

void expect_equal_bits(const Build& build) {
  if (!has_instruction_set(InstructionSet::avx2)) GTEST_SKIP() << "this CPU or build has no AVX2";
  EXPECT_EQ(bits_with(InstructionSet::common, build), bits_with(InstructionSet::avx2, build));
}

TEST(InstructionSets, sums_of_products_have_equal_bits) {
  expect_equal_bits([](auto in) { return add(multiply(in[0], in[1]), in[0]); });
}

TEST(InstructionSets, softmax_has_equal_bits) {
  expect_equal_bits([](auto in) { return softmax(in[0]); });
}

TEST(InstructionSets, sums_over_rows_and_columns_have_equal_bits) {
  expect_equal_bits([](auto in) { return reduce_sum(in[0], 0); });
  expect_equal_bits([](auto in) { return reduce_sum(in[0], 1); });
}

TEST(InstructionSets, rounding_to_bf16_has_equal_bits) {
  expect_equal_bits([](auto in) { return convert(in[0], DType::bf16); });
}

TEST(InstructionSets, the_reference_product_has_equal_bits) {
  if (!has_instruction_set(InstructionSet::avx2)) GTEST_SKIP() << "this CPU or build has no AVX2";
  const Array left = numbers({33, 61}, 3);
  const Array right = numbers({61, 47}, 4);
  const auto product_with = [&](InstructionSet set) {
    const Using use(set);
    Array out(Shape{33, 47});
    EvaluateContext context;
    context.reference = true;
    matrix_product(left.view(), right.view(), {}, out.span(), context);
    return bits_of({out.values().begin(), out.values().end()});
  };
  EXPECT_EQ(product_with(InstructionSet::common), product_with(InstructionSet::avx2));
}

TEST(InstructionSets, products_name_their_library) {
  const std::string library = product_library();
  EXPECT_TRUE(library.starts_with("oneDNN") || library.starts_with("Eigen")) << library;
}

}  // namespace
}  // namespace tpulab::test::instruction_sets_test

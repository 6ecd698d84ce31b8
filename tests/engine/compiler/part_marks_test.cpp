#include "engine/compiler/part_marks.h"

#include <gtest/gtest.h>

namespace tpulab::part_marks_test {
namespace {

Program program_of(std::vector<std::string> inputs, std::vector<std::string> ops) {
  static std::uint64_t keys = 0;
  Program program;
  program.fingerprint.key.words = {++keys, 0};
  program.fingerprint.inputs = std::move(inputs);
  program.fingerprint.ops = std::move(ops);
  return program;
}

int difference(const Program& a, const Program& b) { return difference(marks_of(a), marks_of(b)); }

Kernel kernel(std::string name, std::int64_t runs, std::string part) {
  Kernel made;
  made.name = std::move(name);
  made.runs = runs;
  made.part = std::move(part);
  return made;
}

TEST(PartMarks, count_the_parts_that_differ) {
  const Program one = program_of({"f32[32,64] images", "f32[64,10] weight"}, {"dot", "add", "add"});
  const Program same = program_of(one.fingerprint.inputs, one.fingerprint.ops);
  EXPECT_EQ(difference(one, one), 0);
  EXPECT_EQ(difference(one, same), 1);  // something else told their keys apart
  EXPECT_EQ(difference(
                one, program_of({"f32[20,64] images", "f32[64,10] weight"}, {"dot", "add", "add"})),
            1);
  EXPECT_EQ(difference(one, program_of({"f32[20,64] images"}, {"dot", "add"})), 3);
}

TEST(PartMarks, see_the_kernels_of_a_program_without_a_graph) {
  Program one = program_of({}, {});
  one.kernels = {kernel("dot", 1, ""), kernel("add", 2, "layer")};
  Program other = program_of({}, {});
  other.kernels = {kernel("dot", 1, ""), kernel("add", 3, "layer")};
  EXPECT_EQ(difference(one, other), 1);
  EXPECT_EQ(parts_of(one).ops, (std::vector<std::string>{"dot x 1", "layer: add x 2"}));
}

}  // namespace
}  // namespace tpulab::part_marks_test

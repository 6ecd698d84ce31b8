#include "engine/compiler/cache.h"

#include <gtest/gtest.h>

namespace tpulab::cache_test {
namespace {

std::shared_ptr<const Program> program(std::uint64_t key, std::string input = "f32[1] x") {
  auto made = std::make_shared<Program>();
  made->fingerprint.key.words = {key, key};
  made->fingerprint.inputs = {std::move(input)};
  return made;
}

TEST(ProgramCache, finds_what_was_put_in) {
  ProgramCache cache;
  const auto one = program(1);
  cache.insert(one);
  EXPECT_EQ(cache.find(one->fingerprint.key), one);
  EXPECT_EQ(cache.find({{2, 2}}), nullptr);
}

TEST(ProgramCache, drops_the_program_used_longest_ago) {
  ProgramCache cache(2);
  cache.insert(program(1));
  cache.insert(program(2));
  cache.find({{1, 1}});
  cache.insert(program(3));
  EXPECT_EQ(cache.size(), 2u);
  EXPECT_NE(cache.find({{1, 1}}), nullptr);
  EXPECT_EQ(cache.find({{2, 2}}), nullptr);
}

TEST(ProgramCache, answers_the_program_with_the_fewest_differing_parts) {
  ProgramCache cache;
  EXPECT_EQ(cache.nearest(*program(9)).program, nullptr);
  const auto near = program(1, "f32[32,64] images");
  auto far = std::make_shared<Program>(*program(2, "f32[32,64] images"));
  far->fingerprint.ops = {"dot", "add", "maximum"};
  cache.insert(near);
  cache.insert(far);
  EXPECT_EQ(cache.nearest(*program(9, "f32[20,64] images")).program, near);
}

// A type that a program of the cache has is not new: what it is read with is.
TEST(ProgramCache, answers_a_program_that_lacks_inputs_before_one_with_another_type) {
  const std::vector<std::string> ops(8, "dot");
  const auto of_inputs = [&](std::uint64_t key, std::vector<std::string> inputs) {
    auto made = std::make_shared<Program>(*program(key));
    made->fingerprint.inputs = std::move(inputs);
    made->fingerprint.ops = ops;
    return made;
  };
  ProgramCache cache;
  const auto without_moments = of_inputs(1, {"f32[128,64] images", "f32[64,10] weight"});
  const auto shorter = of_inputs(
      2, {"f32[52,64] images", "f32[64,10] weight", "f32[64,10] moment1", "f32[64,10] moment2"});
  cache.insert(without_moments);
  cache.insert(shorter);
  const auto fresh = of_inputs(
      3, {"f32[128,64] images", "f32[64,10] weight", "f32[64,10] moment1", "f32[64,10] moment2"});
  EXPECT_EQ(cache.nearest(*fresh).program, without_moments);
  EXPECT_EQ(cache
                .nearest(*of_inputs(4, {"f32[20,64] images", "f32[64,10] weight",
                                        "f32[64,10] moment1", "f32[64,10] moment2"}))
                .program,
            shorter);
}

TEST(ProgramCache, answers_the_nearest_of_those_for_the_same_devices_where_it_is_asked) {
  ProgramCache cache;
  auto elsewhere = std::make_shared<Program>(*program(1, "f32[32,64] images"));
  elsewhere->fingerprint.topology = "v3-8, 8 of 8 devices";
  auto fresh = std::make_shared<Program>(*program(9, "f32[32,64] images"));
  fresh->fingerprint.topology = "v3-8, 1 of 8 devices";
  cache.insert(elsewhere);
  EXPECT_EQ(cache.nearest(*fresh).program, elsewhere);
  EXPECT_EQ(cache.nearest(*fresh, true).program, nullptr);
  auto here = std::make_shared<Program>(*program(2, "f32[20,64] images"));
  here->fingerprint.topology = fresh->fingerprint.topology;
  cache.insert(here);
  EXPECT_EQ(cache.nearest(*fresh, true).program, here);
}

TEST(ProgramCache, is_empty_after_clear) {
  ProgramCache cache;
  cache.insert(program(1));
  cache.clear();
  EXPECT_EQ(cache.size(), 0u);
  EXPECT_EQ(cache.find({{1, 1}}), nullptr);
}

}  // namespace
}  // namespace tpulab::cache_test

// Values that look like values and are none.
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/session/settings/settings.h"

namespace tpulab::refused_values_test {
namespace {

std::string refusal_of(std::string_view name, std::string_view value) {
  Settings settings;
  try {
    change(settings, name, value);
  } catch (const Error& error) {
    EXPECT_EQ(settings, Settings());
    return error.what();
  }
  return "";
}

TEST(RefusedValues, no_setting_takes_an_empty_one) {
  for (const SettingRow& row : setting_rows()) {
    for (const char* empty : {"", " "}) EXPECT_NE(refusal_of(row.name, empty), "") << row.name;
    EXPECT_NE(refusal_of(row.name, "''"), "") << row.name;
  }
  EXPECT_NE(refusal_of("straggler", "''").find("straggler cannot be empty"), std::string::npos);
}

TEST(RefusedValues, brackets_of_hidden_sizes_must_match) {
  for (const char* wrong : {"[1", "(1,2", "(512,2)6)", "512)", "(1]", "[1,2)", "((1)", "[[1]]",
                            "1,,2", "[1 2]", "()", "[]", "(1,x)", "(True)"}) {
    EXPECT_NE(refusal_of("hidden", wrong).find("hidden cannot be "), std::string::npos) << wrong;
  }
}

TEST(RefusedValues, a_number_has_one_sign) {
  for (const char* wrong : {"+-1", "-+1", "++1", "--1", "+"}) {
    EXPECT_NE(refusal_of("max_epochs", wrong), "") << wrong;
    EXPECT_NE(refusal_of("learning_rate", wrong), "") << wrong;
    EXPECT_NE(refusal_of("devices", wrong), "") << wrong;
  }
  EXPECT_EQ(refusal_of("max_epochs", "+1"), "");
  EXPECT_EQ(refusal_of("max_epochs", "-1"), "");
}

TEST(RefusedValues, devices_name_the_slice_of_the_generation_that_has_as_many) {
  const auto names_one = [](std::string_view devices) {
    return refusal_of("devices", devices).find("has as many") != std::string::npos;
  };
  EXPECT_NE(refusal_of("devices", "2048").find("Got 2048; `slice v3-2048` has as many; type "),
            std::string::npos);
  EXPECT_FALSE(names_one("4"));    // of v3 there is none
  EXPECT_FALSE(names_one("[8]"));  // no count
}

// 2 is no more meant by 0 than 3 is.
TEST(RefusedValues, a_number_out_of_range_is_told_the_range_and_no_other_number) {
  EXPECT_EQ(refusal_of("host_cpus", "0"),
            "host_cpus cannot be 0; it takes auto or a whole number from 1 to 4,096");
  EXPECT_NE(refusal_of("host_cpus", "aut").find("(did you mean auto?)"), std::string::npos);
}

// Eight cores would pick eight numbers of rows.
TEST(RefusedValues, rows_that_are_picked_are_refused_of_several_devices_as_they_are_typed) {
  EXPECT_NE(refusal_of("hard_examples", "on").find("use devices 1 or hard_examples off"),
            std::string::npos);
  Settings settings;
  change(settings, "devices", "1");
  change(settings, "hard_examples", "on");
  EXPECT_THROW(change(settings, "devices", "8"), Error);
  change(settings, "hard_examples", "off");
  change(settings, "devices", "8");
  change(settings, "stack", "jax");
  change(settings, "hard_examples", "on");  // has no effect there
  EXPECT_THROW(change(settings, "stack", "pytorch-xla"), Error);
}

TEST(RefusedValues, a_value_of_any_length_is_answered_in_a_few_lines) {
  const std::string ones(1'000'000, '1');
  for (const SettingRow& row : setting_rows()) {
    for (const std::string& value : {ones, "'" + ones + "'", "host:0:1." + ones}) {
      const std::string refusal = refusal_of(row.name, value);
      EXPECT_NE(refusal, "") << row.name;
      EXPECT_LT(refusal.size(), 2000U) << row.name;
    }
  }
}

}  // namespace
}  // namespace tpulab::refused_values_test

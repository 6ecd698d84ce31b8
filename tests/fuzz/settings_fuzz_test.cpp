// Values of settings, names of slices and Python's literals.
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/machine/machine.h"
#include "engine/session/settings/python_literal.h"
#include "engine/session/settings/settings.h"
#include "tests/fuzz/mutation.h"

namespace tpulab::fuzz::settings_fuzz_test {
namespace {

Corpus values() {
  Corpus corpus{
      .seeds = {"64",          "1",         "-1",          "auto",
                "[1]",         "\"1\"",     "'8'",         "(1,)",
                "[0, 1]",      "0.5",       "1e-3",        "on",
                "off",         "True",      "(1024,1024)", "256 256",
                "32-true",     "bf16-true", "16-mixed",    "xla",
                "single_xla",  "v3-8",      "v5e-256",     "2xv5e-256",
                "v5litepod-4", "tpu7x-8",   "1/100",       "watch",
                "sgd",         "rows",      "separate",    "reference",
                "high",        "gpu",       "None",        "deepspeed_stage_2"},
      .words = {"v2", "v3", "v4", "v5e", "v5p", "v6e", "v7", "-",   "x", "/", "None", "True",
                "[",  "]",  "(",  ")",   ",",   "'",   "\"", "\\'", ".", "e", "+"}};
  for (const std::string& name : slice_names()) corpus.words.push_back(name);
  return corpus;
}

// A value that is taken can be shown, and what is shown can be typed again.
void expect_same_when_typed_again(const SettingRow& row, const Settings& settings) {
  Settings again = settings;
  change(again, row.name, row.show(settings));
  EXPECT_EQ(again, settings) << row.name << ' ' << row.show(settings);
}

void try_value(Settings& settings, const SettingRow& row, const std::string& value) {
  const Settings before = settings;
  try {
    EXPECT_FALSE(change(settings, row.name, value).empty());
    check_settings(settings);
    expect_same_when_typed_again(row, settings);
  } catch (const Error& refusal) {
    EXPECT_EQ(settings, before) << "a refused value of " << row.name << " changed something";
    EXPECT_NE(std::string_view(refusal.what()), "");
  }
}

void fuzz_values(Effort effort) {
  Settings settings;
  expect_holds(values(), effort, [&](const std::string& value, Random& random) {
    if (random.below(32) == 0) settings = Settings();
    try_value(settings, setting_rows()[random.below(setting_rows().size())], value);
  });
}

void fuzz_slices(Effort effort) {
  expect_holds(values(), effort, [](const std::string& name, Random&) {
    try {
      const Slice slice = slice_named(name);
      EXPECT_EQ(slice_named(slice.name).name, slice.name);
      const auto [x, y, z] = slice.torus;
      EXPECT_EQ(std::int64_t{x} * y * z * slice.joined, slice.chips) << slice.name;
      EXPECT_GE(slice.hosts, 1);
      EXPECT_EQ(slice.devices_per_host() * slice.hosts, slice.devices()) << slice.name;
      EXPECT_GT(slice.hbm().value, 0);
    } catch (const Error& refusal) {
      EXPECT_NE(std::string_view(refusal.what()), "");
    }
  });
}

// What was read is printed as Python prints it, and that reads as the same.
void fuzz_literals(Effort effort) {
  expect_holds(values(), effort, [](const std::string& source, Random&) {
    const auto literal = parse_python(source);
    if (!literal) return;
    EXPECT_FALSE(type_name(*literal).empty());
    const std::string printed = repr(*literal);
    const auto again = parse_python(printed);
    ASSERT_TRUE(again) << printed;
    EXPECT_EQ(repr(*again), printed);
    EXPECT_EQ(again->kind, literal->kind) << printed;
  });
}

TEST(SettingsFuzz, any_value_is_taken_whole_or_refused) { fuzz_values({.inputs = 20000}); }
TEST(SettingsFuzz, any_name_of_a_slice_is_known_or_refused) { fuzz_slices({.inputs = 15000}); }
TEST(SettingsFuzz, a_literal_reads_as_it_prints) { fuzz_literals({.inputs = 60000}); }

TEST(SlowSettingsFuzz, any_value_is_taken_whole_or_refused) { fuzz_values({.slow = true}); }
TEST(SlowSettingsFuzz, any_name_of_a_slice_is_known_or_refused) { fuzz_slices({.slow = true}); }
TEST(SlowSettingsFuzz, a_literal_reads_as_it_prints) { fuzz_literals({.slow = true}); }

}  // namespace
}  // namespace tpulab::fuzz::settings_fuzz_test

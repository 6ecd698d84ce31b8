#include "engine/session/settings/settings_file.h"

#include <gtest/gtest.h>

namespace tpulab::settings_file_test {
namespace {

std::string refusal_of(const std::string& text) {
  try {
    settings_of_text(text, "a.toml");
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(SettingsFile, what_is_written_is_read_again_whatever_stands_in_it) {
  Settings settings;
  const std::vector<Assignment> changes{
      {"slice", "v3-32"},           {"devices", "[1]"},
      {"hidden", "(64, 32)"},       {"model", "conv 16 3x3 relu | dense 10"},
      {"progress_bar", "on"},       {"learning_rate", "0.02"},
      {"matmul.precision", "high"}, {"val_check_interval", "0.5"},
      {"limit_train_batches", "7"}, {"straggler", "host:1:2"}};
  for (const auto& [name, value] : changes) change(settings, name, value);
  EXPECT_TRUE(settings_of_text(text_of_settings(settings), "a.toml") == settings)
      << text_of_settings(settings);
}

TEST(SettingsFile, of_settings_as_built_in_it_is_a_comment) {
  EXPECT_EQ(text_of_settings({}),
            "# Settings of tpulab; what does not stand here is as built in.\n");
}

TEST(SettingsFile, what_is_wrong_is_named_with_its_line) {
  EXPECT_EQ(refusal_of("batch = 64\nbatsch = 2\n"),
            "a.toml:2: there is no setting 'batsch'; did you mean batch?");
  EXPECT_EQ(refusal_of("lr = 0.1"),
            "a.toml:1: there is no setting 'lr'; did you mean learning_rate?");
  EXPECT_TRUE(refusal_of("\nbatch = 0").starts_with("a.toml:2: batch cannot be 0"));
  EXPECT_TRUE(refusal_of("batch = 2024-01-01").starts_with("a.toml:1: batch takes"));
  EXPECT_TRUE(refusal_of("batch = [").starts_with("a.toml:1: "));
  EXPECT_TRUE(refusal_of("slice = \"v3-9\"").starts_with("a.toml:1: "));
}

TEST(SettingsFile, of_values_that_do_not_go_together_the_one_that_does_not_fit_is_named) {
  const std::string refusal = refusal_of("slice = \"v3-8\"\ndevices = [9]\n");
  EXPECT_TRUE(refusal.starts_with("a.toml:2: `devices` can only be")) << refusal;
}

}  // namespace
}  // namespace tpulab::settings_file_test

// TOML that people write or damage: the configuration, and what nests deeply.
#include <gtest/gtest.h>

#include <array>

#include "engine/base/toml.h"
#include "tests/fuzz/mutation.h"
#include "tests/temporary_folder.h"
#include "tui/config.h"

namespace tpulab::fuzz::toml_fuzz_test {
namespace {

Corpus configurations() {
  Corpus corpus{
      .seeds = {config_text({}), "batch = 8\nslice = 'v2-8'\n[matmul]\nprecision = 'high'\n",
                "theme = 'light'\nhidden = [16, 8]\n\"batch.global\" = 64\n", ""},
      .words = {"=", "true", "\n", ".", "[", "]", "{", "}", "'''", "\"", "theme", "inf",
                "\xEF\xBB\xBF", "1979-05-27"}};
  for (const SettingRow& row : setting_rows()) corpus.words.emplace_back(row.name);
  return corpus;
}

void fuzz_configurations(Effort effort) {
  const test::TemporaryFolder folder;
  expect_holds(configurations(), effort, [&](const std::string& text, Random&) {
    const Config config = read_config({}, {folder.write("config.toml", text)});
    EXPECT_NO_THROW(check_settings(config.settings));
    for (const std::string& complaint : config.complaints) {
      EXPECT_NE(complaint.find("config.toml:"), std::string::npos) << complaint;
    }
  });
}

// One part many times over in the middle of a text.
void fuzz_nesting(Effort effort) {
  const Corpus corpus{
      .seeds = {"a.b.c = [[1.5], {d.e = 'x'}]\n", "[[p]]\nq = \"\"\"a.b\"\"\"\n", "[a.b]\nc = 1\n"},
      .words = {"a.", "[", "{a=", "\"", "'", "'''", "\"\"\"", "\\", "\n", "#", "]", "}", "="}};
  static constexpr std::array<const char*, 6> parts{"a.", "[", "{a=", "[{", "'a'.", "a.[{b."};
  expect_holds(corpus, effort, [](std::string text, Random& random) {
    const std::string part = parts[random.below(parts.size())];
    const std::size_t place = random.below(text.size() + 1);
    std::string many;
    for (int i = 0; i < 20'000; ++i) many += part;
    text.insert(place, many);
    try {
      parse_toml(text, "mine.toml");
    } catch (const Error& refusal) {
      EXPECT_TRUE(std::string_view(refusal.what()).starts_with("mine.toml:")) << refusal.what();
    }
  });
}

TEST(TomlFuzz, a_damaged_configuration_leaves_settings_that_fit) {
  fuzz_configurations({.inputs = 300});
}
TEST(TomlFuzz, toml_that_nests_deeply_is_refused_before_it_overflows_the_stack) {
  fuzz_nesting({.inputs = 2000});
}

TEST(SlowTomlFuzz, a_damaged_configuration_leaves_settings_that_fit) {
  fuzz_configurations({.slow = true});
}
TEST(SlowTomlFuzz, toml_that_nests_deeply_is_refused_before_it_overflows_the_stack) {
  fuzz_nesting({.slow = true});
}

}  // namespace
}  // namespace tpulab::fuzz::toml_fuzz_test

// Plays every script in tests/sessions.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/commands/desk.h"
#include "tests/commands/session_script.h"

namespace tpulab::sessions_test {
namespace {

std::vector<std::filesystem::path> scripts() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(TPULAB_SOURCE_DIR "/tests/sessions")) {
    if (entry.path().extension() == ".session") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  return paths;
}

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class Sessions : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Sessions, answers_as_written) {
  Desk desk{Settings()};
  for (const std::string& complaint : play(text_of(GetParam()), desk.context)) {
    ADD_FAILURE() << GetParam().filename().string() << ", " << complaint;
  }
}

INSTANTIATE_TEST_SUITE_P(Scripts, Sessions, testing::ValuesIn(scripts()), [](const auto& script) {
  std::string name = script.param.stem().string();
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(SessionScript, a_missing_answer_is_found_with_both_line_numbers) {
  Desk desk;
  const auto complaints = play("# first\n> batch 64\n? 513 global\n", desk.context);
  ASSERT_EQ(complaints.size(), 1U);
  EXPECT_TRUE(complaints[0].starts_with("line 3: '513 global' is not in what line 2 answers"));
}

TEST(SessionScript, answers_must_come_in_order) {
  Desk desk;
  EXPECT_TRUE(play("> help\n? Commands\n? Settings\n", desk.context).empty());
  EXPECT_EQ(play("> help\n? Settings\n? Commands\n", desk.context).size(), 1U);
}

TEST(SessionScript, a_failure_must_be_expected_and_an_expected_one_must_come) {
  Desk desk;
  EXPECT_EQ(play("> batch 0\n", desk.context).size(), 1U);
  EXPECT_EQ(play("> batch 8\n! batch 8\n", desk.context).size(), 1U);
  EXPECT_TRUE(play("> batch 0\n! from 1 to\n", desk.context).empty());
}

TEST(SessionScript, words_between_slashes_are_a_regular_expression) {
  Desk desk;
  EXPECT_TRUE(play("> batch 8\n? /batch 8: .* is cached$/\n", desk.context).empty());
  EXPECT_EQ(play("> batch 16\n? /^global/\n", desk.context).size(), 1U);
}

TEST(SessionScript, a_line_that_is_none_of_these_is_found) {
  Desk desk;
  EXPECT_EQ(play("batch 8\n", desk.context).size(), 1U);
}

}  // namespace
}  // namespace tpulab::sessions_test

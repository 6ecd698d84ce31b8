// Rule: nothing is left open or tied to one computer, and headers begin as all headers do.
#include <gtest/gtest.h>

#include <regex>

#include "tests/tidy/source_tree.h"

namespace tpulab::tidy::words_test {
namespace {

struct Ban {
  std::regex pattern;
  const char* what;
};

// The words are put together here, so that this file does not break its own rule.
const std::vector<Ban>& banned_everywhere() {
  static const std::vector<Ban> bans{
      {std::regex("\\b(TO"
                  "DO|FIX"
                  "ME|XX"
                  "X|HA"
                  "CK)\\b"),
       "something is left open"},
      {std::regex("(^|[^A-Za-z0-9_.~}>])/(ho"
                  "me|wo"
                  "rk|ro"
                  "ot|Us"
                  "ers)/"),
       "path of one computer"},
  };
  return bans;
}

const std::vector<Ban>& banned_in_code() {
  static const std::vector<Ban> bans{
      {std::regex("\\busing\\s+namespace\\b"), "whole namespace used"}};
  return bans;
}

void search(const SourceFile& file, std::string_view text, const std::vector<Ban>& bans,
            Complaints& complaints) {
  std::size_t number = 0;
  for (const auto line : lines_of(text)) {
    ++number;
    for (const auto& ban : bans) {
      if (std::regex_search(line.begin(), line.end(), ban.pattern)) {
        complaints.push_back(complaint(file, number, ban.what));
      }
    }
  }
}

bool is_prose_or_code(const SourceFile& file) {
  return is_cpp(file) || file.path == "dev" || file.path.ends_with(".md") ||
         file.path.ends_with(".txt") || file.path.ends_with(".toml");
}

Complaints banned_words(const SourceFile& file) {
  Complaints complaints;
  if (is_prose_or_code(file)) search(file, file.text, banned_everywhere(), complaints);
  if (is_cpp(file)) search(file, code_only(file.text), banned_in_code(), complaints);
  return complaints;
}

Complaints header_start(const SourceFile& file) {
  if (!is_header(file)) return {};
  std::size_t number = 0;
  for (const auto line : lines_of(file.text)) {
    ++number;
    if (line.starts_with("//")) continue;
    if (number > 1 && line == "#pragma once") return {};
    break;
  }
  return {
      complaint(file, number, "a header begins with a sentence on what it is, then #pragma once")};
}

TEST(TidyWords, the_tree_leaves_nothing_open) { EXPECT_EQ(listed(check_tree(banned_words)), ""); }

TEST(TidyWords, every_header_says_what_it_is_and_is_included_once) {
  EXPECT_EQ(listed(check_tree(header_start)), "");
}

TEST(TidyWords, a_planted_reminder_is_found) {
  EXPECT_EQ(listed(banned_words({"tui/a.cpp",
                                 "int a;\n// TO"
                                 "DO: b\n"})),
            "tui/a.cpp:2: something is left open");
  EXPECT_TRUE(banned_words({"tui/a.cpp",
                            "mkstemp(\"aXX"
                            "XXXX\");\n"})
                  .empty());
}

TEST(TidyWords, a_planted_path_of_one_computer_is_found) {
  EXPECT_EQ(listed(banned_words({"README.md",
                                 "see /ho"
                                 "me/ann/notes"})),
            "README.md:1: path of one computer");
  EXPECT_TRUE(banned_words({"README.md",
                            "https://a.example/ho"
                            "me/ and ~/wo"
                            "rk/"})
                  .empty());
}

TEST(TidyWords, a_planted_using_directive_is_found_outside_comments_only) {
  EXPECT_EQ(banned_words({"tui/a.cpp", "using namespace std;\n"}).size(), 1U);
  EXPECT_TRUE(banned_words({"tui/a.cpp", "// no using namespace std\n"}).empty());
}

TEST(TidyWords, a_header_without_its_sentence_or_its_guard_is_found) {
  EXPECT_EQ(header_start({"tui/a.h", "#pragma once\n"}).size(), 1U);
  EXPECT_EQ(header_start({"tui/a.h", "// A thing.\n#include <map>\n"}).size(), 1U);
  EXPECT_TRUE(header_start({"tui/a.h", "// A thing.\n// More.\n#pragma once\n"}).empty());
}

}  // namespace
}  // namespace tpulab::tidy::words_test

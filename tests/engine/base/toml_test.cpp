#include "engine/base/toml.h"

#include <gtest/gtest.h>

namespace tpulab::test::toml_test {
namespace {

std::string refusal_of(const std::string& text) {
  try {
    parse_toml(text, "mine.toml");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string repeated(std::string_view part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

TEST(Toml, values_are_read) {
  const toml::table table = parse_toml("a = 1\nb.c = 'x'\n[d]\ne = [1.5, 2.5]\n", "mine.toml");
  EXPECT_EQ(table["a"].value<int>(), 1);
  EXPECT_EQ(table["b"]["c"].value<std::string>(), "x");
  EXPECT_EQ(table["d"]["e"][1].value<double>(), 2.5);
}

TEST(Toml, an_error_says_file_line_and_what_to_do) {
  const std::string refusal = refusal_of("a = 1\nb = \n");
  EXPECT_TRUE(refusal.starts_with("mine.toml:2: ")) << refusal;
  EXPECT_TRUE(refusal.ends_with("; correct the TOML")) << refusal;
}

TEST(Toml, keys_of_very_many_parts_are_refused_before_they_overflow_the_stack) {
  for (const char* part : {"a.", "a . ", "\"a\".", "'a.b'.", "1."}) {
    const std::string key = repeated(part, 40'000) + "a";
    EXPECT_TRUE(refusal_of("x = 1\n" + key + " = 1\n").starts_with("mine.toml:2: ")) << part;
    EXPECT_TRUE(refusal_of("[" + key + "]\n").starts_with("mine.toml:1: ")) << part;
    EXPECT_TRUE(refusal_of("x = {" + key + " = 1}\n").starts_with("mine.toml:1: ")) << part;
  }
}

TEST(Toml, many_brackets_inside_each_other_are_refused) {
  EXPECT_NE(refusal_of("a = " + repeated("[\n", 200)).find("deeper than 24 levels"),
            std::string::npos);
  EXPECT_NE(refusal_of("a = " + repeated("{b = ", 200)).find("deeper than 24 levels"),
            std::string::npos);
}

TEST(Toml, keys_hidden_behind_a_string_of_any_kind_are_counted) {
  const std::string deep = "{" + repeated("a.", 40'000) + "a = 1}";
  for (const char* text : {R"("x\"")", "'x\\'", "'''x'''", R"("""x"""")", R"("""x""""")",
                           "''''x'''", R"("""\"""")", R"("")", "''"}) {
    EXPECT_NE(refusal_of("b = [" + std::string(text) + ", " + deep + "]\n").find("deeper"),
              std::string::npos)
        << text;
  }
}

TEST(Toml, dots_in_texts_comments_and_numbers_are_no_levels) {
  const std::string dots = repeated("a.", 100);
  EXPECT_EQ(refusal_of("a = '" + dots + "' # " + dots + "\nb = \"\"\"\n" + dots + "\n\"\"\"\n"),
            "");
  EXPECT_EQ(refusal_of("a = [" + repeated("1.5, ", 100) + "2.5]\n"), "");
}

}  // namespace
}  // namespace tpulab::test::toml_test

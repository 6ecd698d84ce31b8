#include "commands/handouts/handout.h"

#include <gtest/gtest.h>

#include "commands/handouts/bars.h"
#include "engine/base/file.h"
#include "tests/commands/desk.h"
#include "tests/temporary_folder.h"

namespace tpulab::handout_test {
namespace {

class HandoutVerb : public testing::Test {
 protected:
  HandoutVerb() {
    folder_.write(
        "a.lesson",
        "title A <b>\nabout b\npage c\nhides the rest\nsay hello | you\n> explain\n"
        "predict how many?\nanswer batch\n> batch 8\nsay it is {batch}\nchoose which?\nwrong "
        "one\nright two\ndo set it to 16\nsolve batch 16\ncheck batch == 16\n");
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string text(const std::string& name) const { return read_file(folder_ / name); }

  test::TemporaryFolder folder_;
  Desk desk_;
};

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_F(HandoutVerb, writes_a_lesson_with_its_figures_beside_it_and_its_answers_apart) {
  const Reply reply = desk_.type("handout " + path("x.md") + " " + path("a.lesson"));
  ASSERT_FALSE(reply.failed) << reply.lines[0];
  const std::string page = text("x.md");
  EXPECT_TRUE(has(page, "# A &lt;b>"));
  EXPECT_TRUE(has(page, "hello \\| you"));
  EXPECT_TRUE(has(page, "> batch 8\n"));
  EXPECT_FALSE(has(page, "batch 8:"));
  EXPECT_FALSE(has(page, "it is 8"));
  EXPECT_TRUE(has(page, "![figure](x-1.svg)"));
  EXPECT_TRUE(has(page, "- a: one\n- b: two"));
  EXPECT_TRUE(has(page, "| side of a matrix unit | 128 | documented | GC-v3 |"));
  EXPECT_TRUE(has(page, "the rest"));
  EXPECT_FALSE(has(page, "It is 8."));
  EXPECT_TRUE(has(text("x-1.svg"), "host tracing"));
  const std::string key = text("x-key.md");
  EXPECT_TRUE(has(key, "## Question 1\n\nhow many?\n\nIt is 8."));
  EXPECT_TRUE(has(key, "> batch 8\nbatch 8:"));
  EXPECT_TRUE(has(key, "it is 8"));
  EXPECT_TRUE(has(key, "b: two"));
  EXPECT_TRUE(has(key, "`batch 16`"));
  EXPECT_EQ(desk_.settings.batch, small_settings().batch);
}

TEST_F(HandoutVerb, writes_html_in_one_file_with_everything_escaped) {
  ASSERT_FALSE(desk_.type("handout " + path("x.html") + " " + path("a.lesson")).failed);
  const std::string page = text("x.html");
  EXPECT_TRUE(has(page, "<h1>A &lt;b&gt;</h1>"));
  EXPECT_TRUE(has(page, "<svg"));
  EXPECT_TRUE(has(page, "&gt; batch 8"));
  for (const std::string tag : {"p", "pre", "h2", "table", "tr", "td", "ul", "li", "svg"}) {
    const auto count = [&page](const std::string& part) {
      std::size_t found = 0;
      for (auto at = page.find(part); at != std::string::npos; at = page.find(part, at + 1)) {
        ++found;
      }
      return found;
    };
    EXPECT_EQ(count("<" + tag + ">") + count("<" + tag + " "), count("</" + tag + ">")) << tag;
  }
}

TEST_F(HandoutVerb, writes_the_newest_run) {
  EXPECT_TRUE(has(desk_.answer("handout " + path("x.md")), "no run has ended yet"));
  desk_.type("run max_steps=5");
  desk_.type("run batch=8 max_steps=10");
  ASSERT_FALSE(desk_.type("handout " + path("x.md")).failed);
  const std::string page = text("x.md");
  EXPECT_TRUE(has(page, "# Run 2: "));
  EXPECT_TRUE(has(page, "> run batch=8"));
  EXPECT_TRUE(has(page, "run 2 finished: 10 steps"));
  EXPECT_FALSE(has(page, "run 1 "));
  EXPECT_TRUE(has(text("x-key.md"), "How many rows does a step train? 8 x 8 = 64 global"));
}

TEST_F(HandoutVerb, takes_the_place_of_a_handout_and_of_no_other_file) {
  desk_.type("run max_steps=5");
  ASSERT_FALSE(desk_.type("handout " + path("x.md")).failed);
  ASSERT_FALSE(desk_.type("handout " + path("x.md")).failed);
  folder_.write("mine.md", "my notes");
  EXPECT_TRUE(has(desk_.answer("handout " + path("mine.md")), "is no handout"));
  EXPECT_EQ(text("mine.md"), "my notes");
}

TEST_F(HandoutVerb, refuses_other_endings_and_folders_that_are_not_there) {
  desk_.type("run max_steps=5");
  EXPECT_TRUE(has(desk_.answer("handout " + path("x.txt")), "FILE.md or FILE.html"));
  EXPECT_TRUE(has(desk_.answer("handout " + path("none/x.md")), "cannot write"));
  EXPECT_TRUE(desk_.type("handout").failed);
}

TEST(Bars, are_as_long_as_their_values_and_escape_their_texts) {
  const std::string svg = svg_of("a & b", {{"x<y", 2, "2 ms"}, {"z", 1, "1 ms"}, {"no", -1, "-"}});
  EXPECT_TRUE(has(svg, "a &amp; b"));
  EXPECT_TRUE(has(svg, "x&lt;y"));
  EXPECT_TRUE(has(svg, "width=\"300.0\""));
  EXPECT_TRUE(has(svg, "width=\"150.0\""));
  EXPECT_TRUE(has(svg, "width=\"0.0\""));
}

}  // namespace
}  // namespace tpulab::handout_test

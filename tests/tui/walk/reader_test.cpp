#include "tui/walk/reader.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tests/temporary_folder.h"

namespace tpulab::reader_test {
namespace {

using Kind = OutputLine::Kind;

class ReaderTest : public testing::Test {
 protected:
  ReaderTest() {
    ::setenv("XDG_STATE_HOME", folder_.path().c_str(), 1);
    dialogue_ = std::make_unique<Dialogue>(engine_, settings_, [](const Reply&) {});
    reader_ = std::make_unique<Reader>(*dialogue_, Glyphs::unicode);
    DrawnScreen drawn;
    drawn.output = {0, 0, 4, 40};
    drawn.overlay_scroll_limit = 100;
    reader_->measure(drawn);
  }

  // As if `command` had been typed and answered with that many lines.
  std::int64_t answer(const std::string& command, int lines) {
    const auto before = output().count();
    output().add(Kind::command, "> " + command);
    for (int i = 0; i < lines; ++i) output().add(Kind::text, "line " + std::to_string(i));
    return before;
  }
  OutputLines& output() { return dialogue_->output(); }

  test::TemporaryFolder folder_;
  Engine engine_;
  Settings settings_;
  std::unique_ptr<Dialogue> dialogue_;
  std::unique_ptr<Reader> reader_;
};

TEST_F(ReaderTest, a_reply_that_fits_its_pane_opens_nothing) {
  reader_->show_reply(answer("show", 4));
  EXPECT_FALSE(reader_->open());
}

TEST_F(ReaderTest, a_search_goes_back_from_the_newest_and_forth_again) {
  answer("show", 12);
  EXPECT_TRUE(reader_->find("LINE 1", true));  // 11, 10, 1
  EXPECT_EQ(reader_->output_scroll(), 0);
  EXPECT_TRUE(reader_->find("LINE 1", true));
  EXPECT_TRUE(reader_->find("LINE 1", true));
  EXPECT_GT(reader_->output_scroll(), 4);
  EXPECT_FALSE(reader_->find("LINE 1", true));
  EXPECT_TRUE(reader_->find("LINE 1", false));
  EXPECT_EQ(reader_->output_scroll(), 1);
  EXPECT_FALSE(reader_->find("nothing such", true));
}

TEST_F(ReaderTest, an_opened_text_takes_the_answer_that_belongs_to_it) {
  const auto before = output().count();
  output().add(Kind::command, "> explain core");
  output().add(Kind::text, "worked out ...");
  reader_->open_chosen({"core 5", {"duty 5 %"}, "explain core"}, before, true);
  ASSERT_TRUE(reader_->open());
  EXPECT_EQ(reader_->view().lines(), (std::vector<std::string>{"duty 5 %", "worked out ..."}));
  const auto since = output().count();
  output().add(Kind::text, "HBM in use");
  EXPECT_TRUE(reader_->offer({}, std::string(answer_title), true));
  EXPECT_TRUE(reader_->offer(output().since(since), std::string(answer_title), true));
  EXPECT_EQ(reader_->view().lines(), (std::vector<std::string>{"duty 5 %", "HBM in use"}));
  EXPECT_EQ(reader_->view().title(), "core 5");
}

TEST_F(ReaderTest, a_longer_reply_lies_over_the_panes_under_its_command) {
  reader_->show_reply(answer("show", 5));
  ASSERT_TRUE(reader_->open());
  EXPECT_EQ(reader_->view().title(), "show");
  EXPECT_EQ(reader_->view().lines().size(), 5U);
}

TEST_F(ReaderTest, rows_count_and_not_lines) {
  const auto before = output().count();
  output().add(Kind::text, std::string(200, 'x'));  // 40 columns: more than four rows
  reader_->show_reply(before);
  EXPECT_TRUE(reader_->open());
}

TEST_F(ReaderTest, replies_of_one_line_are_shown_together) {
  const auto before = answer("show batch", 2);
  answer("show seed", 2);
  reader_->show_reply(before);
  ASSERT_TRUE(reader_->open());
  EXPECT_EQ(reader_->view().lines().size(), 6U);
}

TEST_F(ReaderTest, replies_of_several_commands_cover_no_pane_of_a_run) {
  settings_.max_steps = 1;
  engine_.post(StartRun{settings_});
  engine_.wait();
  const auto before = answer("show batch", 2);
  answer("show seed", 2);
  EXPECT_FALSE(reader_->show_reply(before));
  EXPECT_FALSE(reader_->open());
  EXPECT_TRUE(reader_->show_reply(answer("show", 9)));
  EXPECT_TRUE(reader_->open());
}

TEST_F(ReaderTest, what_a_lesson_says_to_an_empty_line_is_seen_as_a_whole_over_a_run) {
  settings_.max_steps = 1;
  engine_.post(StartRun{settings_});
  engine_.wait();
  const auto before = output().count();
  for (int i = 0; i < 5; ++i) output().add(Kind::text, "it says " + std::to_string(i));
  EXPECT_TRUE(reader_->show_reply(before, true));
  ASSERT_TRUE(reader_->open());
  EXPECT_EQ(reader_->view().title(), reply_title);
  EXPECT_EQ(reader_->view().lines().front(), "it says 0");
  DrawnScreen drawn;
  drawn.overlay_scroll_limit = 3;
  drawn.overlay_rows = 2;
  reader_->measure(drawn);
  reader_->press({Key::text, "\r"});
  EXPECT_EQ(reader_->view().scroll(), 2) << "Enter reads on";
  EXPECT_EQ(reader_->view().lines().size(), 5U);
}

TEST_F(ReaderTest, what_a_lesson_says_of_an_answer_that_is_being_read_follows_it) {
  answer("advise", 20);
  EXPECT_TRUE(reader_->offer(output().lines(), std::string(answer_title), false));
  reader_->press({Key::page_down, ""});
  const int scroll = reader_->view().scroll();
  EXPECT_GT(scroll, 0);
  const auto before = output().count();
  output().add(Kind::text, "and that is why");
  EXPECT_TRUE(reader_->offer_of_lesson(output().since(before), false));
  EXPECT_EQ(reader_->view().title(), answer_title);
  EXPECT_EQ(reader_->view().lines().size(), 22U);
  EXPECT_EQ(reader_->view().lines().back(), "and that is why");
  EXPECT_EQ(reader_->view().scroll(), scroll);
}

TEST_F(ReaderTest, what_a_lesson_says_does_not_change_a_page_of_help) {
  reader_->toggle_help();
  const auto page = reader_->view().lines();
  answer("lesson next", 20);
  EXPECT_FALSE(reader_->offer_of_lesson(output().lines(), false));
  EXPECT_EQ(reader_->view().lines(), page);
  reader_->close();
  EXPECT_TRUE(reader_->offer_of_lesson(output().lines(), false));
  EXPECT_EQ(reader_->view().title(), reply_title);
}

TEST_F(ReaderTest, what_comes_unasked_does_not_cover_what_is_typed_or_read) {
  answer("x", 20);
  const auto lines = output().lines();
  EXPECT_FALSE(reader_->offer(lines, "answer", true));
  EXPECT_FALSE(reader_->open());
  reader_->scroll(1);
  EXPECT_FALSE(reader_->offer(lines, "answer", false));
  reader_->scroll_to_newest();
  EXPECT_TRUE(reader_->offer(lines, "answer", false));
  EXPECT_TRUE(reader_->open());
}

TEST_F(ReaderTest, pages_go_back_until_the_first_line_is_seen_and_no_further) {
  answer("x", 20);  // 21 lines in 4 rows, one of them says how many are hidden
  reader_->scroll_pages(1);
  EXPECT_EQ(reader_->output_scroll(), 2);
  reader_->scroll_pages(100);
  EXPECT_EQ(reader_->output_scroll(), 18);
  reader_->scroll_pages(-100);
  EXPECT_EQ(reader_->output_scroll(), 0);
}

TEST_F(ReaderTest, all_of_the_output_can_be_read_from_its_end) {
  answer("x", 20);
  reader_->toggle_output();
  ASSERT_TRUE(reader_->open());
  EXPECT_EQ(reader_->view().lines().size(), 21U);
  EXPECT_GT(reader_->view().scroll(), 20);
  reader_->toggle_output();
  EXPECT_FALSE(reader_->open());
}

}  // namespace
}  // namespace tpulab::reader_test

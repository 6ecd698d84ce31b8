#include "tui/screen/candidate_list.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/tui/example_snapshot.h"

namespace tpulab::candidate_list_test {
namespace {

std::string row_of(const DrawnScreen& drawn, int row) {
  std::string text;
  for (int column = 0; column < drawn.canvas.columns(); ++column) {
    const char32_t glyph = drawn.canvas.at(row, column).glyph;
    if (glyph != 0) append_utf8(text, glyph);
  }
  return text;
}

// "page 1 of 24", the list's rows, and which of the candidates are on it.
struct ListedPage {
  std::string hint;
  std::vector<int> shown;
};
ListedPage page_of(ScreenState& state, int page, int rows, int columns) {
  state.completion_page = page;
  const DrawnScreen drawn = draw_screen(state, rows, columns);
  ListedPage listed{row_of(drawn, rows - 2), {}};
  const std::string text = drawn.canvas.text();
  for (std::size_t i = 0; i < state.completions.size(); ++i) {
    if (text.find(state.completions[i].shown + " ") != std::string::npos) {
      listed.shown.push_back(static_cast<int>(i));
    }
  }
  return listed;
}

TEST(Candidates, every_one_is_on_some_page_once_and_the_first_page_comes_after_the_last) {
  ScreenState state = example_screen(example_empty_snapshot());
  for (int i = 100; i < 350; ++i) {
    const std::string name = "name" + std::to_string(i);
    state.completions.push_back({name, i < 200 ? "commands" : "settings", name, "a meaning"});
  }
  for (const auto& [rows, columns] : {std::pair{16, 60}, {24, 80}, {40, 120}, {70, 250}}) {
    const int pages = draw_screen(state, rows, columns).completion_pages;
    std::vector<int> seen;
    for (int page = 0; page < pages; ++page) {
      const ListedPage listed = page_of(state, page, rows, columns);
      seen.insert(seen.end(), listed.shown.begin(), listed.shown.end());
      if (pages > 1) {
        EXPECT_NE(listed.hint.find("page " + std::to_string(page + 1) + " of "), std::string::npos);
      }
    }
    EXPECT_EQ(seen.size(), state.completions.size()) << rows << "x" << columns;
    EXPECT_TRUE(std::ranges::is_sorted(seen));
    EXPECT_EQ(page_of(state, pages, rows, columns).shown, page_of(state, 0, rows, columns).shown);
  }
}

TEST(Candidates, a_group_is_named_above_its_own_and_meanings_stand_beside) {
  ScreenState state = example_screen(example_empty_snapshot());
  state.completions = {{"run", "commands", "run", "Train."},
                       {"batch", "settings", "batch", "Rows."}};
  const DrawnScreen drawn = draw_screen(state, 24, 80);
  EXPECT_EQ(row_of(drawn, 18).substr(0, 12), " commands   ");
  EXPECT_NE(row_of(drawn, 19).find("run    Train."), std::string::npos) << row_of(drawn, 19);
  EXPECT_NE(row_of(drawn, 20).find("settings"), std::string::npos);
  EXPECT_NE(row_of(drawn, 21).find("batch  Rows."), std::string::npos) << row_of(drawn, 21);
  EXPECT_EQ(drawn.completion_pages, 1);
}

}  // namespace
}  // namespace tpulab::candidate_list_test

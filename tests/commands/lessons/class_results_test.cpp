#include "commands/lessons/class_results.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "tests/commands/desk.h"
#include "tests/environment_variable.h"
#include "tests/temporary_folder.h"

namespace tpulab::class_results_test {
namespace {

std::string refused(std::string_view text) {
  try {
    parse_results(text, "ada.results");
  } catch (const Error& error) {
    return error.what();
  }
  return "read";
}

const std::vector<LearnerResult> ada{{"Ada", "item", "finished", 3, 2, 1},
                                     {"Ada", "padding", "step 2 of 9", 0, 0, 0}};

TEST(ClassResults, are_read_as_they_were_written) {
  const std::vector<LearnerResult> read = parse_results(results_text(ada), "ada.results");
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].learner, "Ada");
  EXPECT_EQ(read[0].lesson, "item");
  EXPECT_EQ(read[0].played, "finished");
  EXPECT_EQ(read[0].asked, 3);
  EXPECT_EQ(read[0].right, 2);
  EXPECT_EQ(read[0].hints, 1);
  EXPECT_EQ(read[1].played, "step 2 of 9");
}

TEST(ClassResults, that_are_none_are_refused_with_their_line) {
  const std::string good = results_text(ada);
  for (const char* const bad :
       {"not json", "[]", "{}", R"({"learner":1})",
        R"({"learner":"A","lesson":"b","played":"c","asked":1,"right":2,"hints":0})",
        R"({"learner":"A","lesson":"b","played":"c","asked":1e9,"right":0,"hints":0})",
        R"({"learner":"A","lesson":"b","played":"c","asked":99999,"right":0,"hints":0})"}) {
    EXPECT_TRUE(refused(good + bad).starts_with("ada.results:3: ")) << bad;
  }
  EXPECT_EQ(refused("\n" + good + "\n"), "read");
}

// A lesson of two questions: one is answered right, one only after the answer was told.
TEST(ClassResults, count_the_first_answer_to_each_question) {
  const test::TemporaryFolder folder;
  const test::EnvironmentVariable state("XDG_STATE_HOME", folder.path().string());
  Desk desk;
  desk.context.interactive = true;
  const std::string lesson =
      folder
          .write("two.lesson",
                 "title A\nabout b\nhides c\nchoose which?\nwrong one\nright two\nhint look\n"
                 "choose again?\nright one\nwrong two\nstop\n")
          .string();
  desk.type("lesson " + lesson);
  desk.engine.wait();
  for (const char* const typed :
       {"lesson next", "lesson hint", "a", "lesson back", "b", "a", "lesson next"}) {
    desk.type(typed);
  }
  const std::string file = (folder.path() / "ada.results").string();
  EXPECT_EQ(desk.answer("marks write " + file + " as Ada"), file + ": 1 lesson of Ada");
  EXPECT_EQ(desk.answer("marks write '" + file + "2' as \"Ada Lovelace\""),
            file + "2: 1 lesson of Ada Lovelace");
  EXPECT_FALSE(desk.type("marks '" + file + "2'").failed);
  const auto results = parse_results(read_file(file), file);
  ASSERT_EQ(results.size(), 1U);
  EXPECT_EQ(results[0].played, "finished");
  EXPECT_EQ(results[0].asked, 2);
  EXPECT_EQ(results[0].right, 1);
  EXPECT_EQ(results[0].hints, 1);
}

TEST(ClassResults, of_many_files_are_a_row_a_learner_and_a_row_a_lesson) {
  const test::TemporaryFolder folder;
  const std::vector<LearnerResult> bob{{"Bob", "item", "finished", 3, 3, 0}};
  const std::string first = folder.write("ada.results", results_text(ada)).string();
  const std::string second = folder.write("bob.results", results_text(bob)).string();
  Desk desk;
  EXPECT_EQ(desk.answer("marks " + first + " " + second),
            "learner  lessons  finished  questions  right         hints\n"
            "Ada            2         1          3      2   67 %      1\n"
            "Bob            1         1          3      3  100 %      0\n"
            "\n"
            "lesson   learners  finished  questions  right        hints\n"
            "item            2         2          6      5  83 %      1\n"
            "padding         1         0          0      0     -      0");
  EXPECT_TRUE(desk.type("marks").failed);
  EXPECT_TRUE(desk.type("marks write " + first + " as Ada").failed);
}

}  // namespace
}  // namespace tpulab::class_results_test

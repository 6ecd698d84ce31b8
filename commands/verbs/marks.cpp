// marks: what learners have played, written by each and read by their teacher.
#include <fmt/format.h>

#include <map>

#include "commands/answer.h"
#include "commands/lessons/class_results.h"
#include "commands/lessons/personal.h"
#include "commands/table.h"
#include "commands/words.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/text.h"
#include "engine/base/write_file.h"

namespace tpulab::marks_command {

namespace {

constexpr std::string_view usage = "marks FILE ... | marks write FILE as LEARNER";
constexpr std::size_t largest_results = std::size_t{1} << 20;

struct Sum {
  std::int64_t lessons = 0;
  std::int64_t finished = 0;
  std::int64_t asked = 0;
  std::int64_t right = 0;
  std::int64_t hints = 0;

  void add(const LearnerResult& result) {
    ++lessons;
    finished += result.played == "finished" ? 1 : 0;
    asked += result.asked;
    right += result.right;
    hints += result.hints;
  }
  std::string share() const {
    return asked == 0 ? "-"
                      : text_of_share(static_cast<double>(right) / static_cast<double>(asked));
  }
};

using Sums = std::map<std::string, Sum>;

void add_sums(Answer& answer, const Sums& sums, const std::string& what,
              const std::string& counted) {
  Table table({what, counted, "finished", "questions", "right", "", "hints"});
  for (const auto& [name, sum] : sums) {
    table.add({name, std::to_string(sum.lessons), std::to_string(sum.finished),
               std::to_string(sum.asked), std::to_string(sum.right), sum.share(),
               std::to_string(sum.hints)});
    add_row(answer, "marks." + what,
            {{what, name},
             {counted, sum.lessons},
             {"finished", sum.finished},
             {"asked", sum.asked},
             {"right", sum.right},
             {"hints", sum.hints}});
  }
  add_lines(answer, table.lines());
}

Reply summary(Arguments files) {
  Sums learners;
  Sums lessons;
  for (const std::string& word : files) {
    const std::string file = file_named(word);
    for (const LearnerResult& result : parse_results(read_file(file, largest_results), file)) {
      learners[result.learner].add(result);
      const bool personal = result.lesson.starts_with(personal_lesson_name);
      lessons[personal ? "faults" : result.lesson].add(result);
    }
  }
  if (learners.empty()) throw Error("no lesson was played by anybody in these files");
  Answer answer;
  add_sums(answer, learners, "learner", "lessons");
  add_line(answer, "");
  add_sums(answer, lessons, "lesson", "learners");
  return reply_of(answer);
}

Reply write(const std::string& file, const std::string& learner) {
  const std::vector<LearnerResult> results = own_results(learner);
  if (results.empty()) throw Error("no lesson was played yet; `lesson list` lists them");
  create_file(file, results_text(results));
  Reply reply;
  reply.lines = {
      fmt::format("{}: {} of {}", file, count_with(std::ssize(results), "lesson"), learner)};
  reply.fields = {{"file", file}, {"lessons", static_cast<std::int64_t>(std::ssize(results))}};
  return reply;
}

Reply marks(Arguments words, CommandContext&) {
  if (words.empty()) throw Error(fmt::format("marks reads files of results; usage: {}", usage));
  if (words.front() != "write") return summary(words);
  if (words.size() < 4 || words[2] != "as") throw Error(fmt::format("usage: {}", usage));
  return write(file_named(words[1]), learner_named(words.subspan(3)));
}

}  // namespace

extern const Command row;
const Command row{
    "marks",
    usage,
    "What learners have played of the lessons, and how they answered.",
    "marks write ada.results as Ada writes how far each lesson was played here, how many of its "
    "questions were answered right at once, and how many hints were taken. marks ada.results "
    "bob.results reads the files of a whole class: a row a learner and a row a lesson. `lesson "
    "faults Ada` gives each learner faults that follow from the name; `reproduce` prints a state "
    "in one line.",
    marks,
};

}  // namespace tpulab::marks_command

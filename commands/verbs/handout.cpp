// handout: a lesson or the newest run as a page to print, with its answers apart.
#include "commands/handouts/handout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "commands/answer.h"
#include "commands/ask.h"
#include "commands/lessons/shelf.h"
#include "commands/words.h"
#include "engine/base/error.h"

namespace tpulab::handout_command {

namespace {

Answer written(const Handout& handout, const std::string& file) {
  std::vector<std::string> files = write_document(handout.page, file);
  for (std::string& one : write_document(handout.key, key_file_of(file))) {
    files.push_back(std::move(one));
  }
  Answer answer;
  add_line(answer, fmt::format("written: {}", fmt::join(files, ", ")));
  add_fields(answer, {{"files", static_cast<std::int64_t>(files.size())}});
  return answer;
}

Reply handout(Arguments words, CommandContext& context) {
  if (words.empty() || words.size() > 2) throw Error("usage: handout FILE.md|FILE.html [LESSON]");
  const std::string file = file_named(words[0]);
  key_file_of(file);  // refuses another ending before anything is played
  if (words.size() == 1) {
    check_tells_nothing_hidden(context);
    return reply_of(written(handout_of_run(context.engine, context.defaults), file));
  }
  const Lesson lesson = lesson_named(words[1]);
  return answer(context, "handout " + file, [lesson, file](const std::stop_token& stop) {
    return written(handout_of(lesson, play_alone(lesson, stop)), file);
  });
}

std::vector<std::string> complete(Arguments before, const CommandContext&) {
  std::vector<std::string> names;
  if (before.size() != 1) return names;
  for (const Lesson& lesson : all_lessons()) names.push_back(lesson.name);
  return names;
}

}  // namespace

extern const Command row;
const Command row{
    "handout",
    "handout FILE.md|FILE.html [LESSON]",
    "Write a lesson, or the newest run, as a page to print, and its answers on another.",
    "The page has the texts, the commands with what they answered, figures (beside a Markdown file "
    "as SVG), questions, and the constants with their marks. From its first question on it has the "
    "commands alone: FILE-key has the answers and what they follow from. That of a run draws its "
    "loss and lists the session's other runs. A file that is no handout is never "
    "overwritten.",
    handout,
    complete,
};

}  // namespace tpulab::handout_command

// lesson: lessons that are played at the prompt.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "commands/ask.h"
#include "commands/lessons/alone.h"
#include "commands/lessons/personal.h"
#include "commands/lessons/player.h"
#include "commands/lessons/progress.h"
#include "commands/lessons/shelf.h"
#include "commands/table.h"
#include "commands/words.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/text.h"
#include "engine/base/write_file.h"
#include "engine/session/settings/same_steps.h"

namespace tpulab::lesson_command {

namespace {

constexpr std::string_view usage =
    "lesson [list|NAME [STEP]|next|back|hint|skip|stop|new|check|run|...]";

Reply list(const CommandContext& context) {
  const auto progress = lesson_progress();
  Table table({"", "lesson", "played", "about"});
  Reply reply;
  for (const Lesson& lesson : all_lessons()) {
    const auto far = progress.find(lesson.name);
    const std::string played = far == progress.end() ? "" : words_of(far->second);
    table.add({std::to_string(lesson.number), lesson.name, played, lesson.about});
    OutputLine& row = reply.rows.emplace_back();
    row.event = "lesson";
    row.fields = {{"number", std::int64_t{lesson.number}},
                  {"name", lesson.name},
                  {"title", lesson.title},
                  {"about", lesson.about},
                  {"played", played}};
  }
  reply.lines = table.lines(context.columns);
  reply.lines.emplace_back(
      "`lesson 1` plays the first; Enter goes on; `lesson 1 7` goes on with it at step 7");
  reply.fields = {{"lessons", static_cast<std::int64_t>(reply.rows.size())}};
  return reply;
}

std::string place_in(const Lesson& lesson, std::size_t step) {
  return fmt::format("step {} of {}", step + 1, lesson.steps.size());
}

std::string place_of(const LessonPlayer& player) {
  return place_in(player.lesson(), player.step());
}

// "`lesson 3 7` goes on there"; of a file none, as its name does not say where it is.
std::string way_to(const Lesson& lesson, std::size_t step) {
  if (lesson.number == 0) return "";
  return fmt::format("`lesson {} {}` goes on there", lesson.number, step + 1);
}

// Where a learner has left it; none of one that was finished, that has another text since then, or
// is at its beginning.
std::optional<LessonPlace> place_left(const Lesson& lesson) {
  const auto progress = lesson_progress();
  const auto far = progress.find(lesson.name);
  if (far == progress.end()) return std::nullopt;
  for (std::size_t step = 1; step < lesson.steps.size(); ++step) {
    if (far->second.how_far == place_in(lesson, step)) return LessonPlace{step, far->second.marks};
  }
  return std::nullopt;
}

// Of a learner at the prompt only: scripts and tests leave nothing behind.
void note_progress(const CommandContext& context, Reply& reply) {
  if (!context.interactive) return;
  const LessonPlayer& player = *context.lesson;
  const auto complaint = note_lesson_progress(
      player.lesson().name, {player.over() ? "finished" : place_of(player), player.marks()});
  if (complaint) reply.lines.push_back(*complaint);
}

std::string next_lesson(const Lesson& ended) {
  for (const Lesson& lesson : all_lessons()) {
    if (ended.number > 0 && lesson.number == ended.number + 1) {
      return fmt::format("; the next is `lesson {}`, \"{}\"", lesson.number, lesson.title);
    }
  }
  return "";
}

// After everything that may have moved the lesson on.
Reply settled(CommandContext& context, Reply reply) {
  note_progress(context, reply);
  LessonPlayer& player = *context.lesson;
  reply.fields = {{"lesson", player.lesson().name},
                  {"step", static_cast<std::int64_t>(player.step() + 1)},
                  {"steps", static_cast<std::int64_t>(player.lesson().steps.size())},
                  {"asks", std::string(player.asks() ? "yes" : "no")}};
  if (!player.over()) return reply;
  player.leave(context);
  reply.lines.push_back(fmt::format("The end of lesson {}; your settings are back{}.",
                                    player.lesson().name, next_lesson(player.lesson())));
  context.lesson.reset();
  return reply;
}

Reply stop(CommandContext& context) {
  Reply reply;
  note_progress(context, reply);
  context.lesson->leave(context);
  const LessonPlayer& left = *context.lesson;
  const std::string way = left.step() > 0 ? way_to(left.lesson(), left.step()) : "";
  reply.lines.push_back(fmt::format("lesson {} is left at {}; your settings are back{}{}",
                                    left.lesson().name, place_of(left), way.empty() ? "" : "; ",
                                    way));
  context.lesson.reset();
  return reply;
}

// Whether nothing that runs, or may just begin to, is other than what begins by itself.
bool runs_by_default(const CommandContext& context) {
  const auto is_default = [&](const Settings& settings) {
    return same_run(settings, context.defaults);
  };
  const auto run = context.engine.newest_evidence();
  const auto& aside = context.run_aside;
  return is_default(context.settings) && (!run || is_default(run->settings)) &&
         (!aside || is_default(aside->run));
}

// What a lesson says of the default experiment, which it ends; a run of somebody it does not end.
std::vector<std::string> told_of_run(const CommandContext& context, const std::string& typed) {
  if (!context.interactive || !run_is_active(context)) return {};
  if (runs_by_default(context)) return {"The default experiment ends for the lesson."};
  throw Error(fmt::format(
      "a run is under way, and the lesson would end it; wait for its end, or `stop; {}`", typed));
}

// What the lesson that was typed finds at work ends for it.
Reply cleared_for(const std::string& typed, CommandContext& context) {
  Reply reply;
  reply.lines = told_of_run(context, typed);
  if (context.lesson) std::ranges::move(stop(context).lines, std::back_inserter(reply.lines));
  return reply;
}

// What is wrong with the new one is said before the old one ends.
Reply begin(Lesson lesson, const std::string& typed, CommandContext& context) {
  Reply reply = cleared_for(typed, context);
  const auto left = context.interactive ? place_left(lesson) : std::nullopt;
  if (left && lesson.number > 0) {
    reply.lines.push_back(fmt::format("You left this lesson at step {}: {}; here it begins again.",
                                      left->step + 1, way_to(lesson, left->step)));
  }
  context.lesson = std::make_shared<LessonPlayer>(std::move(lesson), context);
  context.lesson->begin(context, reply);
  return settled(context, std::move(reply));
}

Reply go_on(Lesson lesson, std::size_t step, const std::string& typed, CommandContext& context) {
  pause_in(lesson, step);
  Reply reply = cleared_for(typed, context);
  const auto left = context.interactive ? place_left(lesson) : std::nullopt;
  const LessonPlace place = left && left->step == step ? *left : LessonPlace{step, {}};
  context.lesson = std::make_shared<LessonPlayer>(std::move(lesson), context);
  context.lesson->go_on_at(place, context, reply);
  return settled(context, std::move(reply));
}

Reply where(const CommandContext& context) {
  Reply reply;
  reply.lines = {fmt::format("lesson {} is at {}; Enter goes on, lesson stop leaves it",
                             context.lesson->lesson().name, place_of(*context.lesson))};
  return reply;
}

Answer answer_of(const Lesson& lesson, const PlayedLesson& played) {
  Answer answer;
  const auto count = [](std::int64_t number, const char* word) { return count_with(number, word); };
  const std::string figures =
      fmt::format("{}, {}", count(played.commands, "command"), count(played.checks, "check"));
  add_row(answer, "lesson.played",
          {{"name", lesson.name},
           {"commands", played.commands},
           {"checks", played.checks},
           {"complaints", static_cast<std::int64_t>(played.complaints.size())}});
  if (played.complaints.empty()) {
    add_line(answer, fmt::format("lesson {}: {}, all as it says", lesson.name, figures));
  } else {
    add_failure(answer, fmt::format("lesson {}: {}, not as it says:\n  {}", lesson.name, figures,
                                    fmt::join(played.complaints, "\n  ")));
  }
  return answer;
}

Reply run_alone(const std::string& word, CommandContext& context) {
  const std::vector<Lesson> lessons =
      word == "all" ? all_lessons() : std::vector<Lesson>{lesson_named(word)};
  return answer(context, "lesson run " + word, [lessons](const std::stop_token& stop) {
    Answer all;
    for (const Lesson& lesson : lessons) {
      for (OutputLine& line : answer_of(lesson, play_alone(lesson, stop))) {
        all.push_back(std::move(line));
      }
    }
    return all;
  });
}

Reply check(const std::string& file) {
  const Lesson lesson = lesson_named(file);
  const auto steps = static_cast<std::int64_t>(lesson.steps.size());
  Reply reply;
  reply.lines = {
      fmt::format("{}: reads as a lesson of {}. Nothing was played, so its figures, "
                  "answers and checks may still be wrong: `lesson run {}` plays it",
                  file, count_with(steps, "step"), file)};
  reply.fields = {{"lesson", lesson.name}, {"steps", steps}};
  return reply;
}

Reply write_new(const std::string& file) {
  create_file(file, lesson_template());
  Reply reply;
  reply.lines = {
      fmt::format("{} is written: a small lesson with every kind of line; `lesson {}{}` plays it",
                  file, means_a_file(file) ? "" : "./", file)};
  return reply;
}

Reply in_lesson(const std::string& word, Arguments rest, CommandContext& context) {
  if (!context.lesson) throw Error("no lesson is played; `lesson list` lists them");
  // It may end itself.
  const std::shared_ptr<LessonPlayer> player = context.lesson;
  player->fit(context.columns);
  Reply reply;
  if (word == "stop") return stop(context);
  if (word == "hint") player->hint(reply);
  if (word == "skip") player->skip(context, reply);
  if (word == "next") player->next(context, reply);
  if (word == "back") player->back(context, reply);
  if (word == "answer") {
    if (!player->asks()) throw Error(player->why_no_answer());
    player->take_answer(fmt::format("{}", fmt::join(rest, " ")), context, reply);
  }
  return settled(context, std::move(reply));
}

Reply lesson(Arguments words, CommandContext& context) {
  if (words.empty()) return context.lesson ? where(context) : list(context);
  const std::string& first = words.front();
  const std::string typed = fmt::format("lesson {}", fmt::join(words, " "));
  const auto is_one_of = [&](std::initializer_list<std::string_view> all) {
    return std::ranges::find(all, first) != all.end();
  };
  if (first == "answer" && words.size() > 1) return in_lesson(first, words.subspan(1), context);
  if (words.size() > 1 && first == "faults") {
    return begin(personal_lesson(learner_named(words.subspan(1))), typed, context);
  }
  if (words.size() == 2 && first == "new") return write_new(file_named(words[1]));
  if (words.size() == 2 && first == "check") return check(file_named(words[1]));
  if (words.size() == 2 && first == "run") return run_alone(file_named(words[1]), context);
  const auto step = words.size() == 2 ? number_in<std::int64_t>(words[1]) : std::nullopt;
  const bool plays = !is_one_of({"list", "next", "back", "hint", "skip", "stop", "answer"});
  if (step && *step > 0 && plays) {
    const auto from_zero = static_cast<std::size_t>(*step - 1);
    return go_on(lesson_named(file_named(first)), from_zero, typed, context);
  }
  if (words.size() > 1 || is_one_of({"new", "check", "run", "answer", "faults"})) {
    throw Error(fmt::format("usage: {}", usage));
  }
  if (first == "list") return list(context);
  if (is_one_of({"next", "back", "hint", "skip", "stop"})) return in_lesson(first, {}, context);
  return begin(lesson_named(file_named(first)), typed, context);
}

std::vector<std::string> complete(Arguments before, const CommandContext&) {
  std::vector<std::string> names;
  for (const Lesson& one : all_lessons()) names.push_back(one.name);
  if (!before.empty() && before.front() == "run") names.emplace_back("all");
  if (!before.empty()) return before.front() == "run" ? names : std::vector<std::string>();
  for (const char* word : {"answer", "back", "check", "faults", "hint", "list", "new", "next",
                           "run", "skip", "stop"}) {
    names.emplace_back(word);
  }
  return names;
}

}  // namespace

extern const Command row;
const Command row{
    "lesson",
    usage,
    "Play a lesson: it explains, asks for guesses, types commands and looks at what they say.",
    "lesson alone lists them. While one is played Enter (an empty line) goes on, a number or a "
    "letter answers a question, and everything else is done as ever; lesson back plays a part "
    "again, lesson skip types what solves a task. Before the lesson types a command it sets back "
    "what you have changed outside of a task. NAME is a number, a name or a file. A lesson begins "
    "from the first settings and an "
    "empty program cache and gives your "
    "settings back. How far each was played and how it was answered is kept: lesson 3 7 goes on "
    "with "
    "the third at step 7, and types what comes before again, without its words. lesson faults Ada "
    "plays "
    "two hidden faults that follow from the name. lesson new FILE writes one of your own to "
    "begin with, lesson check FILE reads it without playing, lesson run FILE (or all) plays it "
    "without a person: "
    "each of its checks must hold. lesson answer X answers a question, as X alone does.",
    lesson,
    complete,
};

}  // namespace tpulab::lesson_command

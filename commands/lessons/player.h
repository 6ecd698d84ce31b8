// Plays a lesson for a learner at the prompt: goes on until there is something to read, to guess or
// to do, and then waits for Enter or an answer.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "commands/lessons/faults.h"
#include "commands/lessons/figures.h"
#include "commands/lessons/lesson.h"

namespace tpulab {

// Of the questions of a lesson, each by its first answer.
struct LessonMarks {
  int asked = 0;
  int right = 0;
  int hints = 0;
};

// Where a lesson goes on that was left, and how its questions were answered up to there.
struct LessonPlace {
  std::size_t step = 0;  // from 0
  LessonMarks marks{};
};

// That step, or the next one at which the lesson waits for somebody. Throws Error if there is none.
std::size_t pause_in(const Lesson& lesson, std::size_t step);

class LessonPlayer {
 public:
  // The lesson begins with the session's first settings and an empty program cache, as a new
  // process would; leave() brings the settings back.
  LessonPlayer(Lesson lesson, CommandContext& context);

  // What the learner types next is an answer, unless it is a command.
  bool asks() const { return pause_ == Pause::answer; }
  // A command of the lesson is at work, or what was there before it comes to its end: next() goes
  // on then.
  bool works() const { return pause_ == Pause::work || pause_ == Pause::begin; }
  bool over() const { return at_ >= lesson_.steps.size(); }
  // For the line below the prompt: "Enter types the command | lesson hint ...".
  std::string next_key() const;
  const Lesson& lesson() const { return lesson_; }
  std::size_t step() const { return std::max(at_, goal_); }
  LessonMarks marks() const;

  // From now on its texts have lines of so many columns; 0: of a page.
  void fit(std::size_t columns);
  void begin(CommandContext& context, Reply& reply);
  // As begin(), but the commands up to that place are typed without a word, as what comes behind
  // them needs their runs and figures. Throws Error as pause_in() does.
  void go_on_at(const LessonPlace& place, CommandContext& context, Reply& reply);
  void next(CommandContext& context, Reply& reply);
  void take_answer(const std::string& typed, CommandContext& context, Reply& reply);
  void back(CommandContext& context, Reply& reply);
  void hint(Reply& reply);
  // A task is done by the lesson, which types what solves it; a question stays without an answer.
  void skip(CommandContext& context, Reply& reply);
  // Why no answer is taken now, and what to do.
  std::string why_no_answer() const;
  void leave(CommandContext& context);
  // What the learner's own command replied.
  void note(const Reply& reply);

 private:
  enum class Pause : std::uint8_t { none, begin, enter, command, answer, task, work };
  struct Place {
    std::size_t step = 0;
    Settings settings;
    LessonFigures figures;
    std::int64_t run = 0;  // the newest; 0: none yet
    bool solves = false;
  };
  struct Guess {
    std::size_t step = 0;
    Condition wanted;
    std::string typed;  // empty: none was made
  };

  static void reset(CommandContext& context);
  void open(CommandContext& context, Reply& reply);
  bool catches_up() const { return at_ < goal_; }
  void pass(const LessonStep& step, CommandContext& context, Reply& reply);
  void arrive(CommandContext& context);
  void play(CommandContext& context, Reply& reply);
  void play_step(const LessonStep& step, CommandContext& context, Reply& reply);
  void pause_at(const LessonStep& step, CommandContext& context, Reply& reply);
  void type(const LessonStep& step, CommandContext& context, Reply& reply);
  void set_back(CommandContext& context, Reply& reply);
  void try_again(Reply& reply);
  void end_command(CommandContext& context, Reply& reply);
  void look_at_task(CommandContext& context, Reply& reply);
  void judge_guesses(Reply& reply);
  void judge_choice(const LessonStep& step, const std::string& typed, Reply& reply);
  void judge(std::size_t step, bool right) { judged_.try_emplace(step, right); }
  void bring_back(const Place& place, CommandContext& context, Reply& reply) const;
  void set_fault(const LessonStep& step, CommandContext& context);
  void mend(CommandContext& context, Reply& reply);
  void say(Reply& reply, const std::string& text, std::string start = {}) const;
  std::string why_not(const LessonStep& check) const;  // empty if it holds

  Lesson lesson_;
  Settings before_;
  Settings settings_;  // as the lesson and its tasks made them
  std::shared_ptr<NewestAdvice> advice_before_;
  LessonFigures figures_;
  std::vector<Guess> guesses_;
  std::vector<Place> trail_;  // where it paused, the newest last
  LessonFaults faults_;
  std::size_t columns_ = 0;
  std::size_t at_ = 0;
  std::size_t goal_ = 0;                // the step that it goes on at; what comes before is passed
  LessonMarks marks_before_;            // of the part that is passed
  std::string pace_;                    // to be brought back there; empty: it has arrived
  std::map<std::size_t, bool> judged_;  // by step: the first answer was right
  std::size_t hints_ = 0;               // given at this step
  int all_hints_ = 0;
  Pause pause_ = Pause::none;
  bool reminded_ = false;
  bool typing_ = false;
  bool solves_ = false;  // it types what solves a task
  bool asked_ = false;   // its command's answer follows, beside the run
};

}  // namespace tpulab

#include "commands/lessons/player.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "commands/ask.h"
#include "commands/newest_answer.h"
#include "commands/wrapped.h"
#include "engine/base/error.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

bool is_busy(const CommandContext& context) {
  return context.engine.answering() || !context.engine.wait_for(std::chrono::milliseconds(0));
}

// A run or an answer that was asked for beside the lesson.
bool learner_is_busy(const CommandContext& context) {
  return is_busy(context) && (context.engine.answering() || run_is_active(context));
}

void take_over(Reply& whole, Reply part) {
  std::ranges::move(part.lines, std::back_inserter(whole.lines));
  whole.change.wait |= part.change.wait;
}

char letter_of(std::size_t number) { return static_cast<char>('a' + static_cast<int>(number)); }

}  // namespace

LessonPlayer::LessonPlayer(Lesson lesson, CommandContext& context)
    : lesson_(std::move(lesson)),
      before_(context.settings),
      advice_before_(std::move(context.advice)) {
  reset(context);
  context.answer = std::make_shared<NewestAnswer>();
  context.settings = context.defaults;
  context.settings.pace = before_.pace;
  settings_ = context.settings;
  figures_.begin_command(context);
  fit(context.columns);
}

void LessonPlayer::reset(CommandContext& context) {
  if (run_is_active(context)) post(context, StopRun{});
  post(context, Reset{});
  if (!context.interactive) wait_until_idle(context);
}

void LessonPlayer::leave(CommandContext& context) {
  arrive(context);
  std::string pace = std::move(context.settings.pace);
  context.settings = before_;
  context.settings.pace = std::move(pace);
  context.hidden.clear();
  context.answer.reset();
  context.advice = advice_before_;
  context.run_of_lesson = context.engine.latest()->run.number;
}

void LessonPlayer::fit(std::size_t columns) { columns_ = page_columns_in(columns); }

void LessonPlayer::say(Reply& reply, const std::string& text, std::string start) const {
  const std::size_t indent = start.size();
  append_wrapped(reply.lines, std::move(start), filled_in(text, figures_.scope(), false), indent,
                 columns_);
}

void LessonPlayer::begin(CommandContext& context, Reply& reply) {
  if (!context.interactive) return open(context, reply);
  pause_ = Pause::begin;  // what the run before it and the reset say comes first
}

void LessonPlayer::open(CommandContext& context, Reply& reply) {
  const std::string number = lesson_.number > 0 ? fmt::format(" {}", lesson_.number) : "";
  reply.lines.push_back(fmt::format("lesson{}: {}", number, lesson_.title));
  append_wrapped(reply.lines, "",
                 "Enter (an empty line) goes on; lesson hint, lesson back and lesson stop help. "
                 "Your settings are put aside until the end, and the program cache is emptied.",
                 0, columns_);
  if (catches_up()) {
    append_wrapped(reply.lines, "",
                   fmt::format("It goes on at step {} of {}. What it types before that is typed "
                               "now, without its words.",
                               pause_in(lesson_, goal_) + 1, lesson_.steps.size()),
                   0, columns_);
    return play(context, reply);
  }
  reply.lines.emplace_back();
  std::string_view source = "PyTorch Lightning's page \"TPU training (Basic)\": ";
  for (const std::string& sentence : lesson_.page) {
    append_wrapped(reply.lines, std::string(std::exchange(source, "and: ")),
                   fmt::format("\"{}\"", sentence), 2, columns_);
  }
  play(context, reply);
}

void LessonPlayer::play(CommandContext& context, Reply& reply) {
  pause_ = Pause::none;
  while (!over() && pause_ == Pause::none) {
    if (!catches_up()) arrive(context);
    play_step(lesson_.steps[at_], context, reply);
  }
  if (over()) say(reply, lesson_.hides, "What this hides: ");
}

void LessonPlayer::play_step(const LessonStep& step, CommandContext& context, Reply& reply) {
  switch (step.word) {
    case StepWord::say:
      if (!catches_up()) say(reply, step.text);
      break;
    case StepWord::keep:
      try {
        figures_.keep(step.name, step.value);
      } catch (const Error& error) {
        reply.lines.push_back(fmt::format("{} is not known: {}", step.name, error.what()));
      }
      break;
    case StepWord::check:
      if (const std::string why = catches_up() ? "" : why_not(step); !why.empty()) {
        say(reply, fmt::format("Here it is not so: {}. Something was changed or stopped; `lesson "
                               "back` plays the part again.",
                               why));
      }
      break;
    case StepWord::fault:
      set_fault(step, context);
      break;
    case StepWord::mend:
      mend(context, reply);
      break;
    case StepWord::solve:
      if (solves_) return pause_at(step, context, reply);
      break;
    default:
      return pause_at(step, context, reply);
  }
  ++at_;
}

void LessonPlayer::pause_at(const LessonStep& step, CommandContext& context, Reply& reply) {
  trail_.push_back({at_, settings_, figures_, context.engine.latest()->run.number, solves_});
  hints_ = 0;
  reminded_ = false;
  if (catches_up()) return pass(step, context, reply);
  switch (step.word) {
    case StepWord::command:
    case StepWord::solve:
      pause_ = Pause::command;
      reply.lines.push_back(fmt::format("Enter types:  {}", step.text));
      break;
    case StepWord::predict:
      pause_ = Pause::answer;
      say(reply, step.text, "? ");
      break;
    case StepWord::choose:
      pause_ = Pause::answer;
      say(reply, step.text, "? ");
      for (std::size_t i = 0; i < step.choices.size(); ++i) {
        say(reply, step.choices[i], fmt::format("  {}  ", letter_of(i)));
      }
      break;
    case StepWord::task:
      pause_ = Pause::task;
      solves_ = false;
      figures_.begin_command(context);
      say(reply, step.text, "! ");
      reply.lines.emplace_back("Type what does it; Enter looks whether it is done.");
      break;
    default:
      pause_ = Pause::enter;
      reply.lines.emplace_back("Enter goes on");
  }
}

void LessonPlayer::next(CommandContext& context, Reply& reply) {
  const bool busy = is_busy(context);
  switch (pause_) {
    case Pause::begin:
      if (!busy) return open(context, reply);
      reply.lines.emplace_back("the lesson begins when the run before it has ended");
      return;
    case Pause::work:
      if (!busy) return end_command(context, reply);
      reply.lines.emplace_back("the lesson's command is at work; `stop` ends it");
      return;
    case Pause::command:
      return type(lesson_.steps[at_], context, reply);
    case Pause::task:
      if (!busy) return look_at_task(context, reply);
      reply.lines.emplace_back("a command is at work; Enter again when it has ended");
      return;
    case Pause::answer:
      if (!std::exchange(reminded_, true)) {
        reply.lines.emplace_back("A guess first, for it teaches more; Enter again goes on without");
        return;
      }
      return take_answer("", context, reply);
    case Pause::enter:
      ++at_;
      break;
    case Pause::none:
      break;
  }
  play(context, reply);
}

void LessonPlayer::type(const LessonStep& step, CommandContext& context, Reply& reply) {
  if (context.interactive && learner_is_busy(context)) {
    reply.lines.emplace_back(
        "a command of yours is at work, and the lesson's would be mixed with it; wait for its end, "
        "or `stop` ends it: then Enter types the lesson's");
    return;
  }
  set_back(context, reply);
  figures_.begin_command(context);
  reply.lines.push_back("> " + step.text);
  typing_ = true;
  Reply typed = run_line(step.text, context);
  typing_ = false;
  settings_ = context.settings;
  const bool failed = typed.failed;
  asked_ = typed.asks;
  figures_.add(typed);
  take_over(reply, std::move(typed));
  if (!asked_ && failed != step.refused) return try_again(reply);
  pause_ = Pause::work;
  if (!context.interactive || !is_busy(context)) end_command(context, reply);
}

void LessonPlayer::try_again(Reply& reply) {
  pause_ = Pause::command;
  reply.lines.emplace_back(
      "The lesson cannot go on like this; Enter tries again, `lesson back` goes back.");
}

void LessonPlayer::end_command(CommandContext& context, Reply& reply) {
  if (asked_ && context.engine.answer_failed() != lesson_.steps[at_].refused) {
    return try_again(reply);
  }
  figures_.add_news(context);
  ++at_;
  judge_guesses(reply);
  play(context, reply);
}

void LessonPlayer::look_at_task(CommandContext& context, Reply& reply) {
  figures_.add_news(context);
  auto next = at_ + 1;
  const auto is = [&](StepWord word) {
    return next < lesson_.steps.size() && lesson_.steps[next].word == word;
  };
  while (is(StepWord::solve)) ++next;
  for (; is(StepWord::check); ++next) {
    const std::string why = why_not(lesson_.steps[next]);
    if (why.empty()) continue;
    say(reply, fmt::format("Not yet: {}. `run` tries it, `lesson hint` helps, `lesson skip` "
                           "shows how it is done.",
                           why));
    return;
  }
  reply.lines.emplace_back("Done.");
  settings_ = context.settings;
  at_ = next;
  play(context, reply);
}

namespace {

// "where more than 42.8k is asked".
std::string wanted_of(const Condition& condition, const std::string& right) {
  static const std::map<std::string_view, std::string_view> words{{"<", "less than {}"},
                                                                  {"<=", "at most {}"},
                                                                  {">", "more than {}"},
                                                                  {">=", "at least {}"},
                                                                  {"!=", "another than {}"},
                                                                  {"has", "one with '{}'"},
                                                                  {"~", "about {}"},
                                                                  {"is", "{}"},
                                                                  {"==", "{}"}};
  const std::string wanted = fmt::format(fmt::runtime(words.at(condition.compared)), right);
  const std::string within =
      condition.tolerance > 0 ? fmt::format(" within {}", text_of_share(condition.tolerance)) : "";
  return fmt::format("where {}{} is asked", wanted, within);
}

}  // namespace

std::string LessonPlayer::why_not(const LessonStep& check) const {
  const FigureScope scope = figures_.scope();
  const Condition& condition = check.condition;
  std::string is = "not known yet";
  std::string wanted;
  try {
    wanted = text_of(value_of(condition.right, scope));
    is = text_of(value_of(condition.left, scope));
    if (holds(condition, scope)) return {};
    if (!check.otherwise.empty()) return filled_in(check.otherwise, scope, false);
  } catch (const Error& error) {
    if (wanted.empty()) return fmt::format("{} since", error.what());
    const bool in_task = lesson_.steps[at_].word == StepWord::task;
    if (!scope("steps", {})) {
      return fmt::format("nothing was run since this {} began", in_task ? "task" : "part");
    }
  }
  return fmt::format("{} is {}, {}", condition.left.text, is, wanted_of(condition, wanted));
}

void LessonPlayer::note(const Reply& reply) {
  // Where the lesson is at is no figure, though its steps are called as a run's are.
  const bool is_its_own = !reply.fields.empty() && reply.fields.front().name == "lesson";
  if (pause_ == Pause::task && !typing_ && !is_its_own) figures_.add(reply);
}

}  // namespace tpulab

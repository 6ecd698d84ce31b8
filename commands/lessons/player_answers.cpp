// Guesses, hints, faults and the way back.
#include <fmt/format.h>

#include <algorithm>

#include "commands/lessons/player.h"
#include "engine/base/error.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

// "6x", "about 6 times", "~6" and "6th" are 6, "6 per cent" is 6 %.
std::string plain_guess(std::string_view typed) {
  typed = trimmed(typed);
  for (const std::string_view word : {"~", "about"}) {
    if (typed.starts_with(word)) typed = trimmed(typed.substr(word.size()));
  }
  std::string_view unit;
  for (const std::string_view word :
       {"times", "x", "st", "nd", "rd", "th", "per cent", "percent"}) {
    if (!typed.ends_with(word)) continue;
    typed.remove_suffix(word.size());
    if (word.ends_with("cent")) unit = " %";
  }
  return fmt::format("{}{}", trimmed(typed), unit);
}

std::string guess_of(const LessonStep& step, const std::string& typed) {
  std::string guess = plain_guess(typed);
  if (guess.empty()) return guess;
  if (std::holds_alternative<std::string>(typed_value(guess))) {
    throw Error(fmt::format(
        "'{}' is no number; type one as 6, 0.5 or 40 %, a command, or Enter to go on without",
        typed));
  }
  const std::string why = why_impossible(step.condition, guess);
  if (why.empty()) return guess;
  throw Error(fmt::format("{}; type another, or Enter to go on without", why));
}

char last_letter(const LessonStep& step) {
  return static_cast<char>('a' + static_cast<int>(step.choices.size()) - 1);
}

bool is_offered(const std::string& letter, const LessonStep& step) {
  if (letter.empty()) return true;
  return letter.size() == 1 && letter[0] >= 'a' && letter[0] <= last_letter(step);
}

}  // namespace

void LessonPlayer::take_answer(const std::string& typed, CommandContext& context, Reply& reply) {
  const LessonStep& step = lesson_.steps[at_];
  if (step.word == StepWord::predict) {
    guesses_.push_back({at_, step.condition, guess_of(step, typed)});
    if (!typed.empty()) reply.lines.push_back(fmt::format("noted: {}", typed));
  } else if (const std::string letter = lowered(typed); !is_offered(letter, step)) {
    throw Error(fmt::format("'{}' is no answer; type a letter from a to {}, or a command", typed,
                            last_letter(step)));
  } else {
    judge_choice(step, letter, reply);
    context.hidden.clear();  // it is told what is wrong
  }
  ++at_;
  play(context, reply);
}

void LessonPlayer::judge_choice(const LessonStep& step, const std::string& typed, Reply& reply) {
  const std::size_t right = step.right.value_or(0);
  const char letter = static_cast<char>('a' + static_cast<int>(right));
  const bool is_right = !typed.empty() && typed.front() == letter;
  judge(at_, is_right);
  say(reply, step.choices[right],
      fmt::format("{}{}: ",
                  is_right        ? "Right, "
                  : typed.empty() ? "It is "
                                  : "No, it is ",
                  letter));
}

// Of the command that has just ended; what cannot be told yet waits for the next.
void LessonPlayer::judge_guesses(Reply& reply) {
  const FigureScope scope = figures_.scope();
  std::erase_if(guesses_, [&](const Guess& guess) {
    try {
      const std::string is = text_of(value_of(guess.wanted.left, scope));
      if (guess.typed.empty()) {
        judge(guess.step, false);
        reply.lines.push_back(fmt::format("It is {}.", is));
        return true;
      }
      const bool right = is_met_by(guess.wanted, typed_value(guess.typed), scope);
      judge(guess.step, right);
      const std::string within = text_of_share(guess.wanted.tolerance);
      const std::string verdict =
          guess.wanted.tolerance > 0 ? fmt::format("{}within {}", right ? "right " : "not ", within)
          : right                    ? "right"
                                     : "wrong";
      reply.lines.push_back(
          fmt::format("Your guess was {}, it is {}: {}.", guess.typed, is, verdict));
      return true;
    } catch (const Error&) {
      return false;
    }
  });
}

LessonMarks LessonPlayer::marks() const {
  const auto right = std::ranges::count_if(judged_, [](const auto& one) { return one.second; });
  return {marks_before_.asked + static_cast<int>(judged_.size()),
          marks_before_.right + static_cast<int>(right), marks_before_.hints + all_hints_};
}

std::string LessonPlayer::next_key() const {
  const std::string_view first = pause_ == Pause::answer ? "a number or a letter answers"
                                 : pause_ == Pause::task ? "type what does it, then Enter"
                                 : works()               ? "the lesson's command is at work"
                                                         : "Enter goes on";
  // The name last: a narrow screen has no room for it.
  const std::string_view skips = pause_ == Pause::task ? "skip, " : "";
  return fmt::format("{} | lesson hint, {}back, stop | {}", first, skips, lesson_.name);
}

void LessonPlayer::hint(Reply& reply) {
  if (over()) return;
  const std::vector<std::string>& hints = lesson_.steps[at_].hints;
  if (hints_ < hints.size()) {
    say(reply, hints[hints_++], "Hint: ");
    ++all_hints_;
    return;
  }
  const std::string_view way_on = pause_ == Pause::task ? "`lesson skip` shows how it is done"
                                  : hints.empty()       ? "Enter goes on"
                                                        : "`lesson back` goes back";
  reply.lines.push_back(
      fmt::format("no {} for this step; {}", hints.empty() ? "hint" : "more hints", way_on));
}

void LessonPlayer::skip(CommandContext& context, Reply& reply) {
  if (works()) throw Error("the lesson's command is at work; `stop` ends it");
  if (pause_ == Pause::answer) return take_answer("", context, reply);
  if (pause_ != Pause::task) throw Error("only tasks and questions are skipped; Enter goes on");
  solves_ = true;
  ++at_;
  const auto is = [this](StepWord word) { return !over() && lesson_.steps[at_].word == word; };
  // What nobody can show cannot be looked at, either.
  while (is(StepWord::check)) ++at_;
  if (is(StepWord::solve)) reply.lines.emplace_back("It is done so:");
  play(context, reply);
}

std::string LessonPlayer::why_no_answer() const {
  return pause_ == Pause::task ? "the lesson asks nothing now but waits for its task; type what "
                                 "does it, then Enter, or `lesson skip`"
                               : "the lesson asks nothing now; Enter goes on";
}

// What was changed by hand would be another machine, or another run, than the lesson speaks of.
void LessonPlayer::set_back(CommandContext& context, Reply& reply) {
  Settings wanted = settings_;
  wanted.pace = context.settings.pace;  // these are the screen's, not the run's
  wanted.format = context.settings.format;
  std::string changes;
  for (const Assignment& change : changes_between(context.settings, wanted)) {
    const bool hidden = std::ranges::find(context.hidden, change.name) != context.hidden.end();
    changes += fmt::format("{}{}", changes.empty() ? "" : ", ",
                           hidden ? "what it hides" : change.name + " " + change.value);
  }
  context.settings = std::move(wanted);
  if (!changes.empty()) say(reply, fmt::format("Set back, as the lesson needs it: {}", changes));
}

void LessonPlayer::back(CommandContext& context, Reply& reply) {
  if (works()) throw Error("the lesson's command is at work; `stop` ends it");
  if (trail_.size() > 1 && pause_ != Pause::none) trail_.pop_back();
  const Place place = trail_.back();
  trail_.pop_back();
  at_ = place.step;
  goal_ = 0;  // it has been there
  settings_ = place.settings;
  context.settings = settings_;
  solves_ = place.solves;
  figures_ = place.figures;
  guesses_.clear();
  bring_back(place, context, reply);
  // What is said before that pause comes again.
  const auto is_said = [this](std::size_t step) {
    return lesson_.steps[step].word == StepWord::say;
  };
  while (at_ > 0 && is_said(at_ - 1)) --at_;
  play(context, reply);
  trail_.back().run = place.run;  // the engine may not have taken the reset up yet
}

// A first run begins as it did, and others with the programs that were compiled since.
void LessonPlayer::bring_back(const Place& place, CommandContext& context, Reply& reply) const {
  const std::int64_t newest = context.engine.latest()->run.number;
  if (newest <= place.run) return;  // the same run, or a reset since
  if (place.run == 0) return reset(context);
  say(reply, "What was compiled since is in the cache: runs that come again compile less.");
}

void LessonPlayer::set_fault(const LessonStep& step, CommandContext& context) {
  faults_.set(context.settings, step.text);
  context.hidden = faults_.names();
  context.run_before_hidden = context.engine.latest()->run.number;
  for (const std::string& name : context.hidden) {
    setting_named(name).copy(settings_, context.settings);
  }
}

void LessonPlayer::mend(CommandContext& context, Reply& reply) {
  const std::vector<std::string> names = faults_.names();
  for (std::string& line : faults_.mend(context.settings)) {
    if (!catches_up()) reply.lines.push_back(std::move(line));
  }
  for (const std::string& name : names) setting_named(name).copy(settings_, context.settings);
  context.hidden.clear();
}

}  // namespace tpulab

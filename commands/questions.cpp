#include "commands/questions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "commands/help_search.h"
#include "commands/what_fits.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

struct Asked {
  std::string_view words;   // that the line has, all of them
  std::string_view answer;  // what to type
  bool alone = false;       // the line is these words and no more
};

constexpr std::string_view tells_faster =
    "`advise` tries what makes this run faster and says what each change gains; `help slow` lists "
    "six causes";
constexpr std::string_view tells_slow =
    "`help slow` lists six causes, `explain` says where the time of a step goes, and `advise` "
    "tries what helps";
constexpr std::string_view tells_learn =
    "`lesson` lists lessons that are played at the prompt, `lesson 1` begins the first";
constexpr std::string_view tells_gpu =
    "nothing runs on a GPU here; `compare v3-8 v100x8 model=resnet50` sets one beside a TPU, and "
    "`help gpus` says how";
constexpr std::string_view tells_in_lessons =
    "that is a word of lessons: `lesson 1` begins the first";
constexpr std::string_view tells_more =
    "PgUp and PgDn scroll what was said, F3 shows all of it; without the dashboard the terminal "
    "scrolls";

// The first that fits answers.
constexpr auto questions = std::to_array<Asked>({
    {"slow", tells_slow},
    {"slower", tells_slow},
    {"faster", tells_faster},
    {"speed up", tells_faster},
    {"speedup", tells_faster, true},
    {"optimize", tells_faster, true},
    {"optimise", tells_faster, true},
    {"use gpu", tells_gpu},
    {"use gpus", tells_gpu},
    {"cuda", tells_gpu, true},
    {"tutorial", tells_learn, true},
    {"learn", tells_learn, true},
    {"lessons", tells_learn, true},
    {"teach me", tells_learn},
    {"how begin", tells_learn},
    {"how start", tells_learn},
    {"where start", tells_learn},
    {"demo", tells_learn, true},
    {"back", tells_in_lessons, true},
    {"next", tells_in_lessons, true},
    {"more", tells_more, true},
});

std::vector<std::string> words_of_line(std::string_view line) {
  std::string text = lowered(trimmed(line));
  std::erase_if(text, [](char c) { return c == '?' || c == '!' || c == '.' || c == ','; });
  std::vector<std::string> words;
  for (const std::string_view word : words_in(text)) {
    if (!word.empty()) words.emplace_back(word);
  }
  return words;
}

bool is_asked(const Asked& question, const std::vector<std::string>& line) {
  const std::vector<std::string_view> wanted = words_in(question.words);
  if (question.alone && line.size() != wanted.size()) return false;
  return std::ranges::all_of(
      wanted, [&](std::string_view word) { return std::ranges::find(line, word) != line.end(); });
}

// What the newest change made another, as it was.
std::string way_back(const CommandContext& context) {
  std::vector<Assignment> changes;
  if (context.before_change) changes = changes_between(context.settings, *context.before_change);
  if (changes.empty()) {
    return "no setting was changed; `reset settings` brings all of them back, a run is not undone";
  }
  return fmt::format("`{}` brings back what was changed last; `reset settings` all settings",
                     typed_line("set", changes));
}

}  // namespace

std::optional<std::string> topic_asked_for(const std::string& line) {
  std::string topic = topic_of_question(line);
  const std::string_view bare = trimmed(line);
  const bool asks = topic.size() + 1 < bare.size() && lowered(bare).starts_with("what");
  if (!asks || topic.empty()) return std::nullopt;
  return topic;
}

std::string answer_in_commands(const std::string& line, const CommandContext& context) {
  const std::vector<std::string> words = words_of_line(line);
  if (words.empty()) return {};
  if (words.front() == "undo" && words.size() == 1) return way_back(context);
  const auto found = std::ranges::find_if(
      questions, [&](const Asked& question) { return is_asked(question, words); });
  return found == questions.end() ? std::string() : std::string(found->answer);
}

}  // namespace tpulab

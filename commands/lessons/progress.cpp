#include "commands/lessons/progress.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <filesystem>
#include <span>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/text.h"
#include "engine/base/write_file.h"
#include "engine/base/xdg.h"

namespace tpulab {

namespace {

constexpr std::string_view finished = "finished";
constexpr std::size_t most_bytes = 65536;

std::optional<std::filesystem::path> progress_file() {
  const auto folder = user_state_folder();
  if (!folder) return std::nullopt;
  return *folder / "lessons";
}

// "one-core 6 5 1 finished"; older files have no marks.
std::optional<std::pair<std::string, LessonProgress>> progress_of(const std::string& line) {
  const std::vector<std::string> words = split(line, ' ');
  if (words.size() < 2) return std::nullopt;
  LessonProgress progress;
  const std::array<int*, 3> marks{&progress.marks.asked, &progress.marks.right,
                                  &progress.marks.hints};
  std::size_t at = 1;
  for (; at <= marks.size() && at < words.size(); ++at) {
    const auto number = number_in<int>(words[at]);
    if (!number) break;
    *marks[at - 1] = *number;
  }
  progress.how_far = fmt::format("{}", fmt::join(std::span(words).subspan(at), " "));
  return std::pair(words.front(), progress);
}

}  // namespace

std::string words_of(const LessonProgress& progress) {
  const LessonMarks& marks = progress.marks;
  std::string text = progress.how_far;
  if (marks.asked > 0) text += fmt::format(", {} of {} right", marks.right, marks.asked);
  if (marks.hints > 0) text += ", " + count_with(marks.hints, "hint");
  return text;
}

std::map<std::string, LessonProgress> lesson_progress() {
  std::map<std::string, LessonProgress> progress;
  const auto file = progress_file();
  if (!file) return progress;
  try {
    for (const std::string& line :
         split(read_file_if_there(*file, most_bytes).value_or(""), '\n')) {
      if (auto known = progress_of(line)) progress.insert(std::move(*known));
    }
  } catch (const Error&) {
    progress.clear();  // a damaged one is written anew
  }
  return progress;
}

std::optional<std::string> note_lesson_progress(const std::string& name,
                                                const LessonProgress& now) {
  const auto file = progress_file();
  if (!file || name.find_first_of(" \n") != std::string::npos) return std::nullopt;
  std::map<std::string, LessonProgress> progress = lesson_progress();
  LessonProgress& known = progress[name];
  if (known.how_far == finished || words_of(known) == words_of(now)) return std::nullopt;
  known = now;
  std::string text;
  for (const auto& [lesson, far] : progress) {
    text += fmt::format("{} {} {} {} {}\n", lesson, far.marks.asked, far.marks.right,
                        far.marks.hints, far.how_far);
  }
  try {
    make_private_folders(file->parent_path());
    write_file(*file, text);
  } catch (const Error& error) {
    return fmt::format("progress is not kept: {}", error.what());
  }
  return std::nullopt;
}

}  // namespace tpulab

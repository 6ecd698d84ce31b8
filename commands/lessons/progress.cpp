#include "commands/lessons/progress.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

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

}  // namespace

std::map<std::string, std::string> lesson_progress() {
  std::map<std::string, std::string> progress;
  const auto file = progress_file();
  if (!file) return progress;
  try {
    for (const std::string& line :
         split(read_file_if_there(*file, most_bytes).value_or(""), '\n')) {
      const auto space = line.find(' ');
      if (space != std::string::npos) progress[line.substr(0, space)] = line.substr(space + 1);
    }
  } catch (const Error&) {
    progress.clear();  // a damaged one is written anew
  }
  return progress;
}

std::optional<std::string> note_lesson_progress(const std::string& name,
                                                const std::string& how_far) {
  const auto file = progress_file();
  if (!file || name.find_first_of(" \n") != std::string::npos) return std::nullopt;
  std::map<std::string, std::string> progress = lesson_progress();
  if (progress[name] == finished || progress[name] == how_far) return std::nullopt;
  progress[name] = how_far;
  std::string text;
  for (const auto& [lesson, far] : progress) text += fmt::format("{} {}\n", lesson, far);
  try {
    std::error_code error;
    std::filesystem::create_directories(file->parent_path(), error);
    write_file(*file, text);
  } catch (const Error& error) {
    return fmt::format("progress is not kept: {}", error.what());
  }
  return std::nullopt;
}

}  // namespace tpulab

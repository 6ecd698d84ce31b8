#include "commands/lessons/shelf.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "engine/base/embedded.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/text.h"
#include "engine/session/settings/setting_values.h"

namespace tpulab {

std::span<const EmbeddedFile> embedded_lessons();

namespace {

constexpr std::string_view template_name = "template.lesson";

std::vector<Lesson> parsed_lessons() {
  std::vector<Lesson> lessons;
  for (const EmbeddedFile& file : embedded_lessons()) {
    if (file.name == template_name) continue;
    lessons.push_back(parse_lesson(file.text, std::string(file.name)));
  }
  std::ranges::sort(lessons, {}, &Lesson::number);
  return lessons;
}

}  // namespace

const std::vector<Lesson>& all_lessons() {
  static const std::vector<Lesson> lessons = parsed_lessons();
  return lessons;
}

Lesson lesson_named(const std::string& word) {
  if (means_a_file(word)) {
    return parse_lesson(read_file(word, largest_lesson_bytes), word);
  }
  const auto number = whole_number(word);
  std::vector<std::string> names;
  for (const Lesson& lesson : all_lessons()) {
    if (lesson.name == word || lesson.number == number) return lesson;
    names.push_back(lesson.name);
  }
  const std::string near = nearest_name(word, names);
  throw Error(fmt::format("there is no lesson '{}'; {}", word,
                          near.empty() ? "`lesson list` lists them, and a file's name has a dot"
                                       : fmt::format("did you mean `lesson {}`?", near)));
}

std::string lesson_template() {
  for (const EmbeddedFile& file : embedded_lessons()) {
    if (file.name == template_name) return std::string(file.text);
  }
  throw Error("the template of a lesson is missing from this build; build it again");
}

}  // namespace tpulab

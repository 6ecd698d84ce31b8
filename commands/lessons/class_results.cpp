#include "commands/lessons/class_results.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands/lessons/progress.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/base/utf8.h"

namespace tpulab {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t longest_text = 200;  // bytes of a name
constexpr int most_questions = 10'000;

std::string text_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) throw Error(fmt::format("no text '{}'", key));
  return shortened(printable(found->get<std::string>()), longest_text);
}

int whole_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  const bool whole = found != object.end() && found->is_number_integer();
  const auto number = whole ? found->get<std::int64_t>() : -1;
  if (number < 0 || number > most_questions) {
    throw Error(fmt::format("no number '{}' from 0 to {}", key, most_questions));
  }
  return static_cast<int>(number);
}

LearnerResult result_of(const std::string& line) {
  const Json object = Json::parse(line, nullptr, false);
  if (!object.is_object()) throw Error("no JSON object");
  LearnerResult result{text_in(object, "learner"), text_in(object, "lesson"),
                       text_in(object, "played"),  whole_in(object, "asked"),
                       whole_in(object, "right"),  whole_in(object, "hints")};
  if (result.right > result.asked) throw Error("more right than asked");
  return result;
}

}  // namespace

std::vector<LearnerResult> own_results(const std::string& learner) {
  std::vector<LearnerResult> results;
  for (const auto& [lesson, progress] : lesson_progress()) {
    const LessonMarks& marks = progress.marks;
    results.push_back({learner, lesson, progress.how_far, marks.asked, marks.right, marks.hints});
  }
  return results;
}

std::string results_text(const std::vector<LearnerResult>& results) {
  std::string text;
  for (const LearnerResult& one : results) {
    const Json line{{"learner", one.learner}, {"lesson", one.lesson}, {"played", one.played},
                    {"asked", one.asked},     {"right", one.right},   {"hints", one.hints}};
    text += line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  }
  return text;
}

std::vector<LearnerResult> parse_results(std::string_view text, const std::string& file) {
  std::vector<LearnerResult> results;
  int number = 0;
  for (const std::string& line : split(std::string(text), '\n')) {
    ++number;
    if (trimmed(line).empty()) continue;
    try {
      results.push_back(result_of(line));
    } catch (const Error& error) {
      throw Error(fmt::format("{}:{}: {}; `marks write FILE as NAME` writes such a file", file,
                              number, error.what()));
    }
  }
  return results;
}

}  // namespace tpulab

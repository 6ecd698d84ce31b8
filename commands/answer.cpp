#include "commands/answer.h"

#include <fmt/format.h>

#include "engine/base/error.h"

namespace tpulab {

void add_line(Answer& answer, std::string text) {
  OutputLine line;
  line.text = std::move(text);
  answer.push_back(std::move(line));
}

void add_lines(Answer& answer, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) add_line(answer, text);
}

void add_fact(Answer& answer, std::string event, std::vector<EventField> fields) {
  OutputLine line;
  line.event = std::move(event);
  line.fields = std::move(fields);
  answer.push_back(std::move(line));
}

Reply reply_of(const Answer& answer) {
  Reply reply;
  for (const OutputLine& line : answer) {
    if (!line.event.empty()) reply.facts.push_back(line);
    if (!line.text.empty() || line.event.empty()) reply.lines.push_back(line.text);
  }
  return reply;
}

Reply answer(CommandContext& context, const std::string& what, Question question) {
  if (!context.interactive) return reply_of(question({}));
  // On the screen a fact without words would be an empty line.
  const auto words_only = [question = std::move(question)](const std::stop_token& stop) {
    Answer lines = question(stop);
    std::erase_if(lines,
                  [](const OutputLine& line) { return line.text.empty() && !line.event.empty(); });
    for (OutputLine& line : lines) line.event = answer_event;
    return lines;
  };
  if (!context.engine.ask_aside(words_only)) {
    throw Error("another answer is being worked out; wait for it, or `stop` cancels it");
  }
  Reply reply;
  reply.lines.push_back(fmt::format("{} is being worked out; `stop` cancels it", what));
  return reply;
}

}  // namespace tpulab

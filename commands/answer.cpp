#include "commands/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "commands/ask.h"
#include "commands/computed.h"
#include "commands/newest_answer.h"
#include "engine/base/error.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

// Of an answer at the prompt, so that the output pane keeps it whole.
constexpr std::ptrdiff_t most_lines = 4000;
constexpr std::ptrdiff_t last_lines = 500;

void leave_middle_out(Answer& answer) {
  const auto more = static_cast<std::ptrdiff_t>(answer.size()) - most_lines;
  if (more <= 0) return;
  const auto first = answer.begin() + (most_lines - last_lines);
  OutputLine line;
  line.kind = OutputLine::Kind::warning;
  line.text = fmt::format("{} lines are left out here; `tpulab -c` and scripts print all of them",
                          more + 1);
  *first = std::move(line);
  answer.erase(first + 1, first + 1 + more);
}

bool has_words(const OutputLine& line) {
  return !line.text.empty() || (line.event.empty() && line.fields.empty());
}

}  // namespace

void add_line(Answer& answer, std::string text) {
  OutputLine line;
  line.text = std::move(text);
  answer.push_back(std::move(line));
}

void add_lines(Answer& answer, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) add_line(answer, text);
}

void add_failure(Answer& answer, std::string text) {
  add_line(answer, std::move(text));
  answer.back().kind = OutputLine::Kind::error;
}

void add_fields(Answer& answer, std::vector<EventField> fields) {
  add_row(answer, "", std::move(fields));
}

void add_row(Answer& answer, std::string event, std::vector<EventField> fields) {
  OutputLine line;
  line.event = std::move(event);
  line.fields = std::move(fields);
  answer.push_back(std::move(line));
}

std::string value_text(const EventField& field) {
  if (const auto* count = std::get_if<std::int64_t>(&field.value)) return std::to_string(*count);
  if (const auto* text = std::get_if<std::string>(&field.value)) return *text;
  const auto* number = std::get_if<double>(&field.value);
  return number == nullptr || std::isnan(*number) ? "" : fmt::format("{}", *number);
}

Reply reply_of(const Answer& answer) {
  Reply reply;
  for (const OutputLine& line : answer) {
    if (has_words(line)) std::ranges::move(split(line.text, '\n'), std::back_inserter(reply.lines));
    reply.failed |= line.kind == OutputLine::Kind::error;
    if (line.event.empty()) {
      reply.fields.insert(reply.fields.end(), line.fields.begin(), line.fields.end());
    } else {
      reply.rows.push_back(line);
    }
  }
  reply.impossible = reply.failed;
  return reply;
}

Reply answer(CommandContext& context, const std::string& what, Question question) {
  check_hidden_was_run(context);
  if (!context.interactive) return reply_of(computed(context, question));
  // On the screen a row without words would be an empty line.
  const auto words_only = [question = std::move(question),
                           whole = context.answer](const std::stop_token& stop) {
    Answer lines = question(stop);
    if (whole) whole->keep(lines);
    std::erase_if(lines, [](const OutputLine& line) { return !has_words(line); });
    leave_middle_out(lines);
    for (OutputLine& line : lines) line.event = answer_event;
    return lines;
  };
  if (!context.engine.ask_aside(words_only)) {
    throw Error("another answer is being worked out; wait for it, or `stop` cancels it");
  }
  Reply reply;
  reply.asks = true;
  reply.lines.push_back(fmt::format("{} is being worked out; `stop` cancels it", what));
  return reply;
}

}  // namespace tpulab

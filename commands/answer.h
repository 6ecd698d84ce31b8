// Answers that may take long: lines and fields, at once in a script, beside the run at the
// prompt.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "commands/command.h"

namespace tpulab {

using Answer = std::vector<OutputLine>;

// The event of every line that answers at the prompt, so that the screen knows them together.
inline constexpr std::string_view answer_event = "answer";

void add_line(Answer& answer, std::string text);
void add_lines(Answer& answer, const std::vector<std::string>& texts);
// A line with which the whole answer fails: it cannot be.
void add_failure(Answer& answer, std::string text);
// Without words of their own, shown in JSON only: the reply's fields, and one of its rows.
void add_fields(Answer& answer, std::vector<EventField> fields);
void add_row(Answer& answer, std::string event, std::vector<EventField> fields);
// In a file: as many digits as a number has; empty if it is not known.
std::string value_text(const EventField& field);

Reply reply_of(const Answer& answer);

// In a script: blocks and answers. At the prompt: answers that `what` is being worked out, and the
// answer follows as output. Throws Error if another question is open.
Reply answer(CommandContext& context, const std::string& what, Question question);

}  // namespace tpulab

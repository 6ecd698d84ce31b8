// Lines that ask in a learner's own words, which are no command.
#pragma once

#include <optional>
#include <string>

#include "commands/command.h"

namespace tpulab {

// The page that "what is padding?" asks for; none of a line that asks in another way.
std::optional<std::string> topic_asked_for(const std::string& line);

// Which commands help: of "why is it slow?" and "undo". Empty where the line is no such question.
std::string answer_in_commands(const std::string& line, const CommandContext& context);

}  // namespace tpulab

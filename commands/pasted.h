// Lines of notebooks and scripts that are no commands here, and what there is in their place.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "commands/command.h"

namespace tpulab {

// "!pip install ...", "import torch", "loss.item()", "met.metrics_report()"; none for another line.
std::optional<Reply> answer_pasted(const std::string& line, CommandContext& context);

// "optimizer = torch.optim.Adam(...)": a name and what Python would call of a module for it.
bool assigns_a_call(std::string_view line);

}  // namespace tpulab

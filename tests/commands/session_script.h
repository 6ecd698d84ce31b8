// A session script: typed lines and what they must answer, played against a real engine.
//
//   # a comment
//   > batch 64            typed; its reply, and what the engine says until it is done, are the text
//   ? 512 global          the next line of that text that has these words; regular if /between
//   slashes/ ! from 1 to           as ?, and the line must have failed
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "commands/command.h"

namespace tpulab {

// What did not happen as the script says, each with its line number; empty if all did.
std::vector<std::string> play(std::string_view script, CommandContext& context);

}  // namespace tpulab

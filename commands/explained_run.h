// Which run an explanation is of.
#pragma once

#include <string>

#include "commands/command.h"

namespace tpulab {

// `whose` settings they are, where they are not those of the next run or where that run would not
// be told as it went; else empty. `is_run`: of the newest run.
struct Explained {
  Settings settings;
  std::string whose{};
  bool is_run = false;
};

// The newest run until a setting changes, and else the one that comes next.
Explained explained_run(const CommandContext& context);

}  // namespace tpulab

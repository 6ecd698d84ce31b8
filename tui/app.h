// The dashboard: one thread that owns the terminal, the keys and the prompt, and never waits for
// the engine.
#pragma once

#include <string>

#include "engine/session/engine.h"
#include "tui/terminal/terminal.h"

namespace tpulab {

struct AppOptions {
  std::string theme = "auto";
  TerminalOptions terminal;
  bool start_run = true;  // open with the default experiment running
  bool history = true;    // typed lines are kept
};

// Runs until the person leaves. Answers the exit code: 0, or 128 + the signal that ended it.
// Events::block_signals() must have been called before the engine was made. Throws Error if the
// terminal cannot be opened.
int run_app(Engine& engine, Settings& settings, const AppOptions& options);

}  // namespace tpulab

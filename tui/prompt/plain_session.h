// The prompt without a screen, for terminals that cannot show the dashboard: lines in, lines out,
// typed also while a run goes on.
#pragma once

#include "engine/session/engine.h"

namespace tpulab {

// Reads standard input, a terminal, until the person leaves; Ctrl-C stops the run, a second one
// leaves. Without `history` no line is kept. Answers the exit code: 0, or 128 + the signal that
// ended it. Events::block_signals() must have been called before the engine was made.
int run_plain_session(Engine& engine, Settings& settings, bool start_run, bool history);

}  // namespace tpulab

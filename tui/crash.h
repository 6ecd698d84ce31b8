// A terminal that is usable again after a crash: restores it with async-signal-safe calls only,
// then says the reason.
#pragma once

#include <termios.h>

namespace tpulab {

// What the crash handlers need; plain numbers, because they may allocate nothing.
struct CrashScene {
  int terminal = -1;       // where the screen is
  int message = -1;        // where the reason goes: the stderr of before the dashboard
  int stray_output = -1;   // read end of captured output (non-blocking), or -1: shown after all
  termios modes_before{};  // of the terminal, before the dashboard
};

// From now on a crash of any thread (SEGV, ABRT, BUS, FPE, ILL, std::terminate) first gives the
// terminal back. Call it once the screen is open; the last call wins.
void guard_terminal(const CrashScene& scene);
// The terminal is restored already; a crash only says its reason.
void release_terminal();

}  // namespace tpulab

// A terminal that is usable again after a crash: restores it with async-signal-safe calls only,
// then says the reason.
#pragma once

#include <termios.h>

namespace tpulab {

// From now on whatever ends the program (a crash of any thread, std::terminate, a signal that
// nobody handles) first gives this terminal back. Call it before the terminal is changed. One
// exception: the handlers have a stack of their own on the calling thread alone, so when another
// thread overflows its stack the terminal stays as it is.
void guard_terminal(int terminal, const termios& modes_before);
// The terminal is restored already; a crash only says its reason.
void release_terminal();

// Where the reason goes while standard error is captured, and the read end of what is captured
// (non-blocking), which is shown after all. -1 and -1: standard error is back.
void send_crash_words(int message, int captured);

// Gives the terminal back, also one that nobody reads, and ends the program by this signal.
// Async-signal-safe.
[[noreturn]] void end_by_signal(int signal);

}  // namespace tpulab

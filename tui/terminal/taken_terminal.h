// The terminal itself, where a launcher such as mpirun stands between it and this process.
#pragma once

#include <sys/types.h>

namespace tpulab {

// Another job of the shell has the terminal.
bool in_the_background(int terminal);
// A shell stops and continues nobody so often: nothing stops this process.
inline constexpr int most_stops = 100;
// As editors do: who is started in the background stops before it touches the screen.
void await_foreground();

class TakenTerminal {
 public:
  // Standard input, output and error lead to the terminal, whose keys come here. Throws Error where
  // there is none.
  TakenTerminal();
  ~TakenTerminal();  // its keys go where they went before
  TakenTerminal(const TakenTerminal&) = delete;
  TakenTerminal& operator=(const TakenTerminal&) = delete;

 private:
  int file_ = -1;
  pid_t keys_went_to_ = -1;
};

}  // namespace tpulab

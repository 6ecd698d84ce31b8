// Everything the screen waits for, in one place: keys, signals, the engine, stray output, time.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tpulab {

struct Happened {
  std::string input;         // bytes of the terminal
  bool input_ended = false;  // it is gone
  bool engine = false;       // it published
  bool stray = false;        // something was printed
  std::vector<int> signals;  // each once
};

class Events {
 public:
  using Clock = std::chrono::steady_clock;

  // Keeps signals away from all threads but the one that makes the Events. Call before any thread
  // starts, so that every thread inherits it.
  static void block_signals();

  // From now on signals are noted and read by wait(). One that asks the program to end (a second
  // one at once, Ctrl-C after a second, any after the end of this object) does not wait for a
  // thread that is held up: the terminal is restored and the program ends.
  // Also asks the scheduler to let this thread answer at once: it works in short bursts.
  explicit Events(int stray_file);
  ~Events();
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;

  // Rings from any thread, even after this object's end; never blocks.
  std::function<void()> bell() const;
  // Sleeps until something happens or `until` is reached.
  Happened wait(std::optional<Clock::time_point> until);
  // The terminal is gone, whether or not its signal has come yet.
  bool hung_up() const;

 private:
  int stray_file_;
  bool terminal_;                         // the input is one
  int wake_file_ = -1;                    // a signal came
  std::shared_ptr<const int> bell_file_;  // closed when nobody can ring any more
};

// What Ctrl-Z asks for, though the signal is held back: stops here until somebody continues the
// program. Where no shell could, the kernel does not stop it either.
void stop_until_continued();
// That came and ends the program; 0: none.
int ending_signal();

}  // namespace tpulab

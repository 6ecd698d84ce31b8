// The dashboard as a person feels it: the real program on a pseudo-terminal of 200x50, its screen
// read by libvterm. A key is timed from before its write until its letter stands in the prompt.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "bench/row.h"
#include "tests/e2e/terminal_emulator.h"

namespace tpulab::bench {
namespace {

using Clock = std::chrono::steady_clock;
using e2e::Child;
using e2e::FreshHome;
using e2e::TerminalEmulator;
using std::chrono::milliseconds;

constexpr int rows = 50;
constexpr int columns = 200;
constexpr int prompt_columns = 13;  // "tpulab:v3-8> "
constexpr int key_trials = 60;
constexpr std::string_view frame_mark = "\x1b[?2026h";  // the program begins each frame with it

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double quantile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  const auto last = static_cast<double>(values.size() - 1);
  return values[static_cast<std::size_t>(last * share + 0.5)];
}

Child program(std::vector<std::string> flags, std::map<std::string, std::string> environment = {}) {
  std::vector<std::string> command{TPULAB_BINARY};
  command.insert(command.end(), flags.begin(), flags.end());
  return {.command = command, .rows = rows, .columns = columns, .environment = environment};
}

bool prompt_is_there(const TerminalEmulator& terminal) {
  return terminal.cell(rows - 1, 0).text == "t" && terminal.cell(rows - 1, 11).text == ">";
}

void pause(TerminalEmulator& terminal, milliseconds time) {
  terminal.until([] { return false; }, time);
}

std::vector<double> key_times(TerminalEmulator& terminal) {
  std::minstd_rand random(7);
  std::vector<double> times;
  for (int trial = 0; trial < key_trials; ++trial) {
    pause(terminal, milliseconds(120 + random() % 150));
    const bool typing = trial % 2 == 0;  // one letter, then its removal
    const std::string wanted = typing ? "a" : " ";
    const auto start = Clock::now();
    terminal.type(typing ? "a" : "\x7f");
    terminal.until([&] { return terminal.cell(rows - 1, prompt_columns).text == wanted; });
    times.push_back(milliseconds_since(start));
  }
  return times;
}

// From the change of size until the prompt stands on the new last row.
std::vector<double> resize_times(TerminalEmulator& terminal) {
  std::vector<double> times;
  for (int trial = 0; trial < 20; ++trial) {
    const int height = trial % 2 == 0 ? 40 : rows;
    const auto start = Clock::now();
    terminal.resize(height, trial % 2 == 0 ? 120 : columns);
    terminal.until([&] {
      return terminal.cell(height - 1, 0).text == "t" && terminal.cursor_row() == height - 1;
    });
    times.push_back(milliseconds_since(start));
    pause(terminal, milliseconds(150));
  }
  return times;
}

void measure_first_paint(const FreshHome& home) {
  std::vector<double> paints;
  std::vector<double> quits;
  for (int trial = 0; trial < 9; ++trial) {
    const auto start = Clock::now();
    TerminalEmulator terminal(home, program({}));
    terminal.until([&] { return prompt_is_there(terminal); });
    paints.push_back(milliseconds_since(start));
    pause(terminal, milliseconds(300));
    const auto leaving = Clock::now();
    terminal.type("\x04");
    terminal.until([&] { return !terminal.alternate_screen(); });
    quits.push_back(milliseconds_since(leaving));
    terminal.wait_for_exit();
  }
  row("session", "first_paint_p50", quantile(paints, 0.5), "ms", 20, "lower");
  row("session", "quit_while_running_p50", quantile(quits, 0.5), "ms", 50, "lower");
}

void measure_idle(const FreshHome& home) {
  TerminalEmulator terminal(home, program({"--no-run"}));
  terminal.until([&] { return prompt_is_there(terminal); });
  const auto times = key_times(terminal);
  row("session", "key_to_echo_idle_p50", quantile(times, 0.5), "ms", 0.3, "lower");
  row("session", "key_to_echo_idle_p95", quantile(times, 0.95), "ms", 0.5, "lower");
  const auto before = terminal.received().size();
  pause(terminal, milliseconds(2000));
  const auto bytes = static_cast<double>(terminal.received().size() - before);
  row("session", "output_idle", bytes / 2, "B/s", 0, "lower");
  row("session", "resize_p50", quantile(resize_times(terminal), 0.5), "ms", 5, "lower");
}

// Seconds of processor time of the program's first thread, which draws.
double screen_thread_seconds(pid_t child) {
  const auto id = std::to_string(child);
  std::ifstream file("/proc/" + id + "/task/" + id + "/stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  std::istringstream fields(text.substr(text.rfind(')') + 1));
  std::string skipped;
  for (int field = 3; field < 14; ++field) fields >> skipped;  // proc(5): utime is field 14
  double user_ticks = 0;
  double system_ticks = 0;
  fields >> user_ticks >> system_ticks;
  return (user_ticks + system_ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

std::size_t frames_in(std::string_view bytes) {
  std::size_t count = 0;
  for (auto at = bytes.find(frame_mark); at != std::string_view::npos;
       at = bytes.find(frame_mark, at + 1)) {
    ++count;
  }
  return count;
}

void start_full_load(TerminalEmulator& terminal) {
  terminal.until([&] { return prompt_is_there(terminal); });
  terminal.type("pace max\rmax_epochs 100000\rrun\r");
  terminal.until_shows("epoch 1/");
}

void measure_frames(TerminalEmulator& terminal, const std::string& colours) {
  constexpr double seconds = 5;
  const auto bytes_before = terminal.received().size();
  const auto processor_before = screen_thread_seconds(terminal.child());
  pause(terminal, milliseconds(5000));
  const auto new_bytes = std::string_view(terminal.received()).substr(bytes_before);
  const auto bytes = static_cast<double>(new_bytes.size());
  const auto frames = static_cast<double>(std::max<std::size_t>(1, frames_in(new_bytes)));
  const double processor = screen_thread_seconds(terminal.child()) - processor_before;
  const double byte_goal = colours == "rgb" ? 90'000 : 60'000;
  row("session", "output_per_frame_" + colours, bytes / frames, "B", std::nullopt, "lower");
  row("session", "output_live_" + colours, bytes / seconds, "B/s", byte_goal, "lower");
  row("session", "frames_" + colours, frames / seconds, "1/s", std::nullopt, "higher");
  row("session", "screen_thread_" + colours, 100 * processor / seconds, "% of a core", 2, "lower");
}

void measure_load(const FreshHome& home) {
  TerminalEmulator terminal(home, program({"--no-run"}));
  start_full_load(terminal);
  const auto times = key_times(terminal);
  row("session", "key_to_echo_loaded_p50", quantile(times, 0.5), "ms", 0.5, "lower");
  row("session", "key_to_echo_loaded_p95", quantile(times, 0.95), "ms", 5, "lower");
  measure_frames(terminal, "256");
  row("session", "resize_loaded_p50", quantile(resize_times(terminal), 0.5), "ms", std::nullopt,
      "lower");
  TerminalEmulator other(home, program({"--no-run"}, {{"COLORTERM", "truecolor"}}));
  terminal.type("stop\r");
  start_full_load(other);
  measure_frames(other, "rgb");
}

}  // namespace
}  // namespace tpulab::bench

int main(int argc, char** argv) {
  namespace bench = tpulab::bench;
  if (!bench::parse_bench_arguments(argc, argv)) return 2;
  const tpulab::e2e::FreshHome home;
  bench::measure_first_paint(home);
  bench::measure_idle(home);
  bench::measure_load(home);
  return 0;
}

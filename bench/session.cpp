// The dashboard as a person feels it: the real program on a pseudo-terminal of 200x50, its screen
// read by libvterm. A key is timed from before its write until its letter stands in the prompt.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
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

// Typed where the cursor stands once what was drawn last is there.
std::vector<double> key_times(TerminalEmulator& terminal) {
  pause(terminal, milliseconds(500));
  std::minstd_rand random(7);
  std::vector<double> times;
  const int row = terminal.cursor_row();
  const int column = terminal.cursor_column();
  for (int trial = 0; trial < key_trials; ++trial) {
    pause(terminal, milliseconds(120 + random() % 150));
    const bool typing = trial % 2 == 0;  // one letter, then its removal
    const auto start = Clock::now();
    terminal.type(typing ? "a" : "\x7f");
    terminal.until([&] { return (terminal.cell(row, column).text == "a") == typing; });
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
  row("session", "first_paint_p50", quantile(paints, 0.5), "ms", 15, "lower");
  row("session", "quit_while_running_p50", quantile(quits, 0.5), "ms", 30, "lower");
}

// What a line editor alone takes here, beside which ours is seen.
void measure_shell(const FreshHome& home) {
  TerminalEmulator terminal(
      home, {.command = {"/bin/bash", "--norc", "-i"}, .rows = rows, .columns = columns});
  if (!terminal.until([&] { return terminal.cursor_column() > 0; })) return;
  const auto times = key_times(terminal);
  row("session", "key_to_echo_of_bash_p50", quantile(times, 0.5), "ms", std::nullopt, "lower");
  row("session", "key_to_echo_of_bash_p95", quantile(times, 0.95), "ms", std::nullopt, "lower");
}

void measure_idle(const FreshHome& home) {
  TerminalEmulator terminal(home, program({"--no-run"}));
  terminal.until([&] { return prompt_is_there(terminal); });
  const auto times = key_times(terminal);
  row("session", "key_to_echo_idle_p50", quantile(times, 0.5), "ms", 0.2, "lower");
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
  row("session", "output_per_frame_" + colours, bytes / frames, "B", 4'000, "lower");
  row("session", "output_live_" + colours, bytes / seconds, "B/s", 40'000, "lower");
  row("session", "frames_" + colours, frames / seconds, "1/s", std::nullopt, "higher");
  row("session", "screen_thread_" + colours, 100 * processor / seconds, "% of a core", 1.5,
      "lower");
}

void measure_load(const FreshHome& home) {
  TerminalEmulator terminal(home, program({"--no-run"}));
  start_full_load(terminal);
  const auto times = key_times(terminal);
  row("session", "key_to_echo_loaded_p50", quantile(times, 0.5), "ms", 0.3, "lower");
  row("session", "key_to_echo_loaded_p95", quantile(times, 0.95), "ms", 2, "lower");
  measure_frames(terminal, "256");
  row("session", "resize_loaded_p50", quantile(resize_times(terminal), 0.5), "ms", std::nullopt,
      "lower");
  TerminalEmulator other(home, program({"--no-run"}, {{"COLORTERM", "truecolor"}}));
  terminal.type("stop\r");
  start_full_load(other);
  measure_frames(other, "rgb");
}

// What came between two marks of a frame, in bytes.
struct FrameSizes {
  double mean = 0;
  double worst = 0;
};
FrameSizes frame_sizes(std::string_view bytes) {
  FrameSizes sizes;
  double frames = 0;
  for (auto at = bytes.find(frame_mark); at != std::string_view::npos;) {
    const auto next = bytes.find(frame_mark, at + 1);
    const auto size = static_cast<double>(std::min(next, bytes.size()) - at);
    sizes.mean += size;
    sizes.worst = std::max(sizes.worst, size);
    ++frames;
    at = next;
  }
  sizes.mean /= std::max(1.0, frames);
  return sizes;
}

// `keys` one by one, then five seconds in which figures come.
void measure_pane(TerminalEmulator& terminal, const std::string& name, std::string_view keys,
                  double byte_goal) {
  for (const char key : keys) {
    terminal.type({&key, 1});
    pause(terminal, milliseconds(400));
  }
  const auto before = terminal.received().size();
  const double processor_before = screen_thread_seconds(terminal.child());
  pause(terminal, milliseconds(5000));
  const auto bytes = std::string_view(terminal.received()).substr(before);
  const double processor = screen_thread_seconds(terminal.child()) - processor_before;
  const FrameSizes sizes = frame_sizes(bytes);
  const auto frames = static_cast<double>(std::max<std::size_t>(1, frames_in(bytes)));
  row("session", name + "_frame_mean", sizes.mean, "B", std::nullopt, "lower");
  row("session", name + "_frame_worst", sizes.worst, "B", byte_goal, "lower");
  row("session", name + "_frame_time", 1e3 * processor / frames, "ms", 2, "lower");
}

// From the key to the first frame that is there as a whole.
double painted_after(TerminalEmulator& terminal, std::string_view key) {
  const auto before = terminal.received().size();
  const auto start = Clock::now();
  terminal.type(key);
  terminal.until(
      [&] { return terminal.received().find("\x1b[?2026l", before) != std::string::npos; });
  const double time = milliseconds_since(start);
  pause(terminal, milliseconds(60));
  return time;
}

double resident_megabytes(pid_t child) {
  std::ifstream file("/proc/" + std::to_string(child) + "/statm");
  double pages = 0;
  file >> pages >> pages;
  return pages * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1e6;
}

// Its largest, of the same commands without a screen.
double headless_megabytes(const FreshHome& home, const std::string& commands) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::setenv("HOME", home.path().c_str(), 1);
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDOUT_FILENO);
    ::execl(TPULAB_BINARY, TPULAB_BINARY, "-c", commands.c_str(), nullptr);
    ::_exit(1);
  }
  rusage usage{};
  int status = 0;
  ::wait4(child, &status, 0, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

void open_after(TerminalEmulator& terminal, const std::string& commands) {
  terminal.until([&] { return prompt_is_there(terminal); });
  terminal.type(commands + "\r");
  terminal.until_shows("kept as");
  pause(terminal, milliseconds(500));
}

void measure_inside(const FreshHome& home) {
  TerminalEmulator terminal(home, program({"--no-run"}));
  open_after(terminal, "run max_steps=30");
  measure_pane(terminal, "inside_a_core_played",
               "\x1b"
               "c ",
               8'000);
}

void measure_pod(const FreshHome& home) {
  TerminalEmulator terminal(home, program({"--no-run"}));
  terminal.until([&] { return prompt_is_there(terminal); });
  terminal.type(
      "set slice=v3-2048 numbers=off straggler=core:77:1.4 max_epochs=-1 pace=watch; run\r");
  terminal.until_shows("#77 slow");
  terminal.type("\x1b");
  pause(terminal, milliseconds(400));
  const auto before = terminal.received().size();
  measure_pane(terminal, "pod_of_2048_zoomed", "z", 25'000);
  for (int metric = 0; metric < 6; ++metric) painted_after(terminal, "m");
  row("session", "pod_of_2048_metrics_frame_worst",
      frame_sizes(std::string_view(terminal.received()).substr(before)).worst, "B", 25'000,
      "lower");
}

void measure_timeline(const FreshHome& home) {
  TerminalEmulator terminal(home, program({"--no-run"}));
  open_after(terminal, "set numbers=off item_every_n_steps=7 max_steps=100000 pace=max; run");
  row("session", "timeline_of_100000_steps_resident", resident_megabytes(terminal.child()), "MB",
      std::nullopt, "lower");
  terminal.type("\x1b");
  pause(terminal, milliseconds(400));
  terminal.type("t");
  pause(terminal, milliseconds(600));
  std::vector<double> times;
  for (const char* keys : {"++++++++++++", "<<<<<<>>>>>>", "------------"}) {
    for (const char* key = keys; *key != '\0'; ++key) {
      times.push_back(painted_after(terminal, {key, 1}));
    }
  }
  row("session", "timeline_of_100000_steps_p50", quantile(times, 0.5), "ms", 16, "lower");
  row("session", "timeline_of_100000_steps_worst", quantile(times, 1), "ms", 16, "lower");
}

void measure_memory(const FreshHome& home) {
  std::vector<double> more;  // worker threads make either differ by some from run to run
  for (int trial = 0; trial < 5; ++trial) {
    const double headless = headless_megabytes(home, "run");
    TerminalEmulator terminal(home, program({"--no-run"}));
    open_after(terminal, "run");
    more.push_back(resident_megabytes(terminal.child()) - headless);
  }
  row("session", "resident_over_headless_p50", quantile(more, 0.5), "MB", 8, "lower");
}

// Others that draw the state of a machine, ten times a second, beside it.
void measure_peer(const FreshHome& home, const std::string& name,
                  std::vector<std::string> command) {
  if (::access(command.front().c_str(), X_OK) != 0) return;
  std::filesystem::create_directories(home.path() / "config/btop");
  std::ofstream(home.path() / "config/btop/btop.conf") << "update_ms = 100\n";
  TerminalEmulator terminal(
      home, {.command = std::move(command), .rows = rows, .columns = columns, .environment = {}});
  pause(terminal, milliseconds(2000));
  const auto before = terminal.received().size();
  const double processor_before = screen_thread_seconds(terminal.child());
  pause(terminal, milliseconds(5000));
  row("session", name + "_output", static_cast<double>(terminal.received().size() - before) / 5,
      "B/s", std::nullopt, "lower");
  row("session", name + "_first_thread",
      100 * (screen_thread_seconds(terminal.child()) - processor_before) / 5, "% of a core",
      std::nullopt, "lower");
  row("session", name + "_resident", resident_megabytes(terminal.child()), "MB", std::nullopt,
      "lower");
}

}  // namespace
}  // namespace tpulab::bench

int main(int argc, char** argv) {
  namespace bench = tpulab::bench;
  if (!bench::parse_bench_arguments(argc, argv)) return 2;
  const tpulab::e2e::FreshHome home;
  bench::measure_first_paint(home);
  bench::measure_shell(home);
  bench::measure_idle(home);
  bench::measure_load(home);
  bench::measure_inside(home);
  bench::measure_pod(home);
  bench::measure_timeline(home);
  bench::measure_memory(home);
  bench::measure_peer(home, "htop_10_hz", {"/usr/bin/htop", "-d", "1"});
  bench::measure_peer(home, "btop_10_hz", {"/usr/bin/btop", "--utf-force"});
  return 0;
}

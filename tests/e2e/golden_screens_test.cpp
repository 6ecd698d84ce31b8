// Screens of the real program after scripts that were typed, held against files in golden/;
// UPDATE_GOLDEN=1 rewrites them. TPU time is the same everywhere: lines with wall time are left
// out.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/e2e/terminal_emulator.h"

namespace tpulab::e2e::golden_screens_test {
namespace {

struct Script {
  const char* name;
  const char* typed;  // at the prompt
  const char* shows;  // before the keys are pressed
  const char* keys = "";
  int rows = 40;
  int columns = 120;
};

constexpr const char* large_batches =
    "set model=resnet50 batch=128 precision=bf16-true numbers=off max_steps=60 pace=max; run\r";
constexpr const char* slow_core =
    "set slice=v3-2048 numbers=off straggler=core:77:1.4 max_steps=60 pace=max; run\r";

const Script scripts[] = {
    {"no_run", "slice v3-8\r", "is already v3-8"},
    {"large_batches", large_batches, "kept as 1", "", 16, 60},
    {"large_batches", large_batches, "kept as 1", "", 24, 80},
    {"large_batches", large_batches, "kept as 1"},
    {"large_batches", large_batches, "kept as 1", "", 50, 200},
    {"large_batches", large_batches, "kept as 1", "", 70, 250},
    {"slow_core_of_a_pod", slow_core, "kept as 1", "", 24, 80},
    {"slow_core_of_a_pod", slow_core, "-> stack jax"},
    {"slow_core_of_a_pod", slow_core, "-> stack jax", "", 70, 250},
    {"slow_link", "set model=bert-base slice=v5e-8 numbers=off straggler=link:5:30 pace=max; run\r",
     "-> `straggler none`"},
    {"fallback", "set numbers=off fallback_op=median pace=max max_epochs=9; run\r",
     "-> fallback_op none"},
    {"changing_shapes",
     "set model=resnet50 batch=128 numbers=off shapes=random max_steps=60 pace=max; run\r",
     "-> shapes bucketed"},
    {"kernels", large_batches, "kept as 1", "\x1bo"},
    {"roofline", large_batches, "kept as 1", "\x1bog"},
    {"timeline", large_batches, "kept as 1", "\x1bt"},
    {"inside_a_core", large_batches, "kept as 1",
     "\x1b"
     "c"},
    {"two_runs",
     "set model=resnet50 batch=128 numbers=off max_steps=60 pace=max; run; wait; run batch=64; "
     "wait\r",
     "kept as 2",
     "\x1b"
     "b"},
};

std::string without_wall_time(const std::string& screen) {
  std::istringstream lines(screen);
  std::string kept;
  for (std::string line; std::getline(lines, line);) {
    kept += line.find("wall") == std::string::npos ? line : "(wall time)";
    kept += '\n';
  }
  return kept;
}

std::string file_of(const Script& script) {
  return fmt::format("{}/tests/e2e/golden/{}_{}x{}.screen", TPULAB_SOURCE_DIR, script.name,
                     script.columns, script.rows);
}

class GoldenScreens : public testing::TestWithParam<Script> {};

TEST_P(GoldenScreens, are_what_a_script_leaves) {
  const Script& script = GetParam();
  const FreshHome home;
  TerminalEmulator terminal(
      home,
      {.command = {TPULAB_BINARY, "--no-run"}, .rows = script.rows, .columns = script.columns});
  ASSERT_TRUE(terminal.until_shows("tpulab:v3-8>")) << terminal.text();
  terminal.type(script.typed);
  ASSERT_TRUE(terminal.until_shows(script.shows)) << terminal.text();
  terminal.settle(std::chrono::milliseconds(400));
  for (const char* key = script.keys; *key != '\0'; ++key) {
    terminal.type({key, 1});
    terminal.settle(std::chrono::milliseconds(400));
  }
  if (std::getenv("UPDATE_GOLDEN")) {
    std::ofstream(file_of(script)) << without_wall_time(terminal.text());
    return;
  }
  std::ifstream stream(file_of(script));
  std::ostringstream kept;
  kept << stream.rdbuf();
  const std::string expected = kept.str();
  // A busy computer draws later.
  terminal.until([&] { return without_wall_time(terminal.text()) == expected; },
                 std::chrono::seconds(10));
  EXPECT_EQ(expected, without_wall_time(terminal.text()))
      << file_of(script) << " differs; UPDATE_GOLDEN=1 rewrites it";
}

INSTANTIATE_TEST_SUITE_P(Scripts, GoldenScreens, testing::ValuesIn(scripts),
                         [](const testing::TestParamInfo<Script>& info) {
                           return fmt::format("{}_{}x{}", info.param.name, info.param.columns,
                                              info.param.rows);
                         });

}  // namespace
}  // namespace tpulab::e2e::golden_screens_test

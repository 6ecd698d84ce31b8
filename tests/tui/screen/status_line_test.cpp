// Beside screen_test: which forms the words of the status line take where room is short.
#include "tui/screen/status_line.h"

#include <gtest/gtest.h>

#include "tests/tui/example_snapshot.h"

namespace tpulab::status_line_test {
namespace {

RunView finished() {
  RunView run;
  run.number = 1;
  run.model = "mlp 64-1024-1024-10";
  run.state = RunState::finished;
  run.step = run.steps_total = 60;
  run.numbers = false;
  run.bound = {.name = "host tracing", .saves = 0.85};
  run.tpu_rate_steady = 82'600;
  run.machine = "v3-8";
  return run;
}

std::string shown(int columns) {
  Canvas canvas(1, columns);
  draw_status_line(finished(), canvas, Glyphs::unicode);
  return canvas.text();
}

TEST(StatusLine, says_if_free_only_where_the_rate_has_room_too) {
  EXPECT_EQ(shown(80),
            " #1 │ ✓ finished │ 60/60 │ bound: host tracing, saves 85 % │ 82.6k/s TPU (est.)");
  EXPECT_EQ(shown(100),
            " #1 │ ✓ finished │ step 60/60 │ bound: host tracing, saves 85 % if free │ "
            "82.6k/s TPU (est.) │ v3-8");
  EXPECT_EQ(shown(70), " #1 │ ✓ finished │ 60/60 │ bound: host tracing, saves 85 % if free");
}

TEST(StatusLine, of_a_run_that_mostly_compiled_it_tells_what_binds_all_and_what_binds_its_steps) {
  RunView run = finished();
  run.bound.between_compiles = true;
  const auto row = [&run](int columns, double compiling) {
    Canvas canvas(1, columns);
    draw_status_line(run, canvas, Glyphs::unicode, compiling);
    return canvas.text();
  };
  EXPECT_EQ(row(80, 0.99), " #1 │ ✓ finished │ step 60/60 │ compile 99 %; steady: host tracing");
  EXPECT_EQ(row(120, 0.99),
            " #1 │ ✓ finished │ step 60/60 │ of the run: compile 99 %; steady: host tracing, saves "
            "85 % if free │ 82.6k/s TPU (est.)");
  run.state = RunState::stopped;
  EXPECT_NE(row(80, 0.99).find("compile 99 %; steady: host tracing"), std::string::npos);
  run.state = RunState::training;
  EXPECT_NE(row(80, 0.99).find("between compiles: host tracing"), std::string::npos);
  run.state = RunState::finished;
  run.bound.between_compiles = false;
  EXPECT_NE(row(80, 0.99).find("bound: host tracing"), std::string::npos);
}

}  // namespace
}  // namespace tpulab::status_line_test

#include "commands/ask.h"

#include <gtest/gtest.h>

#include <future>

#include "tests/commands/desk.h"

namespace tpulab {
namespace {

TEST(Ask, a_script_waits_for_room_when_the_engine_is_busy) {
  Engine engine;
  std::promise<void> released;
  std::shared_future<void> release = released.get_future().share();
  engine.on_publish([release] { release.wait(); });
  Settings settings = small_settings();
  int waited = 0;
  CommandContext context{.engine = engine, .settings = settings, .while_waiting = [&] {
                           if (waited++ == 0) released.set_value();
                         }};
  for (int batch = 1; batch <= 100; ++batch) {
    const Reply reply = run_line("batch " + std::to_string(batch), context);
    EXPECT_FALSE(reply.failed) << reply.lines.front();
  }
  EXPECT_GE(waited, 1);
  if (waited == 0) released.set_value();
  engine.on_publish({});
}

}  // namespace
}  // namespace tpulab

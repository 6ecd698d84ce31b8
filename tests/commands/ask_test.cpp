#include "commands/ask.h"

#include <gtest/gtest.h>

#include <future>

#include "tests/commands/desk.h"

namespace tpulab::ask_test {
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

TEST(Ask, says_alone_why_a_run_was_stopped_that_the_tpu_clock_cannot_hold) {
  Desk desk{Settings{}};
  desk.type("model resnet18; numbers off; batch 256; loader_row_us 100000000");
  const Reply reply = desk.type("run max_steps=100000");
  EXPECT_TRUE(reply.failed);
  EXPECT_TRUE(reply.lines.front().starts_with("run 1 stops behind step ")) << reply.lines.front();
}

TEST(Ask, names_a_setting_once_in_a_line) {
  Desk desk;
  const Settings before = desk.settings;
  for (const char* line :
       {"data_rows=20 batch=8 data.rows=30", "run data_rows=20 data.rows=30",
        "whatif data_rows=20 data_rows=30", "forecast data.rows=20 data_rows=30"}) {
    EXPECT_TRUE(desk.answer(line).ends_with(
        "data_rows is given twice, as 20 and as 30; leave one of them out"))
        << line;
  }
  EXPECT_EQ(desk.settings, before);
}

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(Ask, says_of_a_setting_without_effect_that_it_has_none_whatever_takes_it) {
  for (const char* line :
       {"set mesh fsdp=8", "whatif mesh=fsdp=8", "forecast mesh=fsdp=8", "compare mesh=fsdp=8,auto",
        "sweep mesh=fsdp=8", "run mesh=fsdp=8 max_steps=1 numbers=off"}) {
    EXPECT_TRUE(holds(Desk().answer(line), ": no effect on mlp, which is trained as it is"))
        << line;
  }
}

TEST(Ask, tells_our_word_for_one_of_another_trainer) {
  Desk desk;
  EXPECT_TRUE(holds(desk.answer("batch_size 64"), "did you mean batch? usage: batch VALUE"));
  EXPECT_TRUE(holds(desk.answer("lr 0.1"), "did you mean learning_rate?"));
  EXPECT_EQ(desk.answer("run epochs=3"), "unknown setting 'epochs'; did you mean max_epochs?");
  EXPECT_TRUE(holds(desk.answer("fast_dev_run"), "did you mean max_steps?"));
  EXPECT_EQ(desk.answer("source own.lesson"), "a lesson is played: `lesson own.lesson`");
}

}  // namespace
}  // namespace tpulab::ask_test

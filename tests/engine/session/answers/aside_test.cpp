#include "engine/session/answers/aside.h"

#include <gtest/gtest.h>

#include <thread>

#include "engine/base/error.h"
#include "engine/session/engine.h"

namespace tpulab::aside_test {
namespace {

std::vector<OutputLine> lines_of(const std::string& text) {
  OutputLine line;
  line.text = text;
  return {line};
}

// Waits for the aside; what the engine has said by then.
std::vector<OutputLine> said(Engine& engine) {
  while (engine.answering()) std::this_thread::yield();
  engine.wait();
  return engine.output_since(0);
}

TEST(Aside, an_answer_becomes_an_output_line) {
  Engine engine;
  ASSERT_TRUE(engine.ask_aside([](const std::stop_token&) { return lines_of("42"); }));
  const auto lines = said(engine);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].text, "42");
}

TEST(Aside, an_error_becomes_an_error_line) {
  Engine engine;
  engine.ask_aside(
      [](const std::stop_token&) -> std::vector<OutputLine> { throw Error("no; try yes"); });
  const auto lines = said(engine);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].kind, OutputLine::Kind::error);
  EXPECT_EQ(lines[0].text, "no; try yes");
}

TEST(Aside, a_second_question_is_refused_and_a_cancelled_one_says_so) {
  Engine engine;
  const Question endless = [](const std::stop_token& stop) {
    while (!stop.stop_requested()) std::this_thread::yield();
    return lines_of("never");
  };
  ASSERT_TRUE(engine.ask_aside(endless));
  EXPECT_TRUE(engine.answering());
  EXPECT_FALSE(engine.ask_aside(endless));
  EXPECT_TRUE(engine.cancel_aside());
  const auto lines = said(engine);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].text, "the answer was cancelled");
  EXPECT_FALSE(engine.cancel_aside());
  EXPECT_TRUE(engine.ask_aside([](const std::stop_token&) { return lines_of("again"); }));
}

TEST(Aside, an_open_question_does_not_keep_the_engine_from_ending) {
  Engine engine;
  engine.ask_aside([](const std::stop_token& stop) {
    while (!stop.stop_requested()) std::this_thread::yield();
    return lines_of("never");
  });
  EXPECT_TRUE(engine.answering());
}

}  // namespace
}  // namespace tpulab::aside_test

// Whatever is typed: commands, settings, Trainer(...) calls, and what is shown while typing.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <chrono>

#include "commands/candidate_words.h"
#include "commands/console.h"
#include "commands/words.h"
#include "engine/base/error.h"
#include "tests/commands/desk.h"
#include "tests/fuzz/mutation.h"

namespace tpulab::fuzz::lines_fuzz_test {
namespace {

Corpus typed_lines() {
  Corpus corpus{.seeds = {"run",
                          "run max_steps=5 batch=4",
                          "stop",
                          "pause; resume",
                          "step 3",
                          "wait",
                          "metrics",
                          "reset",
                          "reset settings",
                          "quit",
                          "clear",
                          "theme light",
                          "help",
                          "help batch",
                          "show",
                          "show all",
                          "show slice",
                          "set batch 64",
                          "set batch=64 devices=1",
                          "batch = 64",
                          "batch=6; run",
                          "devices [1]  # the 2nd",
                          "precision bf16-true",
                          "hidden (16,16)",
                          "slice v4-8",
                          "matmul.precision highest",
                          "pace 1/99",
                          "learning_rate 1e-3; optimizer sgd; momentum 0.5",
                          "batch.global 80",
                          "trainer = Trainer(accelerator=\"auto\", devices=\"auto\")",
                          "trainer = Trainer()",
                          "Trainer(accelerator=\"tpu\", devices=[1],)",
                          "t = L.Trainer(max_epochs=2, precision='bf16-true', logger=None)",
                          "trainer.fit(model)",
                          "step 2; class_weights on; step 2; metrics",
                          "hard_examples on; run max_steps=3; show",
                          "it's; \"a;b\" [c;d] # e"},
                .words = {}};
  for (const Command* command : all_commands()) corpus.words.emplace_back(command->name);
  for (const SettingRow& row : setting_rows()) {
    corpus.words.emplace_back(row.name);
    if (!row.choices) continue;
    for (const std::string& value : row.choices(Settings())) corpus.words.push_back(value);
  }
  corpus.words.insert(corpus.words.end(), {"Trainer(", ".fit(", "None", "True", " all ", "run "});
  return corpus;
}

// A valid but large run would take the time of a thousand others.
bool is_costly(const std::string& line) {
  int digits = 0;
  for (const char c : line) {
    digits = std::isdigit(static_cast<unsigned char>(c)) != 0 ? digits + 1 : 0;
    if (digits > 2) return true;
  }
  return false;
}

bool refuses(const Settings& settings) {
  try {
    check_settings(settings);
  } catch (const Error&) {
    return true;
  }
  return false;
}

void expect_good_reply(const std::string& line, const Reply& reply) {
  for (const std::string& text : reply.lines) EXPECT_TRUE(is_printable_line(text)) << text;
  const bool says_something =
      std::ranges::any_of(reply.lines, [](const std::string& text) { return !text.empty(); });
  EXPECT_TRUE(says_something || !reply.failed) << "a refusal without a word";
  const std::string json = json_of_reply(line, reply, {"line 1", 1}, exit_code_of(reply));
  EXPECT_TRUE(nlohmann::json::accept(json)) << json;
  EXPECT_EQ(json.find('\n'), std::string::npos) << json;
}

// One engine for all lines, as in a long session.
class TypedLines {
 public:
  void type(const std::string& line, bool interactive) {
    Settings before = small_settings();
    before.max_steps = 3;
    desk_.settings = before;
    desk_.context.interactive = interactive;
    desk_.context.theme_names = {"dark", "light"};
    desk_.context.while_waiting = [this] { desk_.engine.post(StopRun{}); };
    const Reply reply = desk_.type(line);
    expect_good_reply(line, reply);
    EXPECT_FALSE(refuses(desk_.settings)) << "settings that do not go together were taken";
    const bool single = split_commands(line).size() == 1;
    EXPECT_TRUE(!single || !reply.failed || desk_.settings == before)
        << "a refused line changed a setting";
    desk_.engine.post(StopRun{});
    EXPECT_TRUE(desk_.engine.wait_for(std::chrono::minutes(1))) << "the engine does not answer";
    const RunView run = desk_.engine.latest()->run;
    EXPECT_EQ(run.failure.find("bug"), std::string::npos) << run.failure;
  }

 private:
  Desk desk_;
};

void fuzz_lines(Effort effort) {
  TypedLines session;
  expect_holds(typed_lines(), effort, [&](const std::string& line, Random& random) {
    if (!is_costly(line)) session.type(line, random.below(8) > 0);
  });
}

// Cutting loses nothing but separators, spaces and comments, and cutting again changes nothing.
void fuzz_cutting(Effort effort) {
  expect_holds(typed_lines(), effort, [](const std::string& line, Random&) {
    for (const std::string& command : split_commands(line)) {
      EXPECT_FALSE(command.empty());
      EXPECT_EQ(split_commands(command), Texts{command});
      const std::vector<std::string> words = typed_words(command);
      EXPECT_FALSE(words.empty());
      for (const std::string& word : words) EXPECT_FALSE(word.empty());
    }
  });
}

void fuzz_completion(Effort effort) {
  Desk desk;
  expect_holds(typed_lines(), effort, [&](const std::string& line, Random&) {
    const std::vector<std::string> words = completions(line, desk.context);
    EXPECT_TRUE(std::ranges::is_sorted(words));
    for (const std::string& word : words) {
      EXPECT_FALSE(word.empty());
      EXPECT_TRUE(is_printable_line(word)) << word;
    }
    EXPECT_TRUE(is_printable_line(hint(line, desk.context)));
    const std::vector<Candidate> listed = described(line, words, desk.context);
    EXPECT_EQ(listed.size(), words.size());
    for (const Candidate& one : listed) {
      EXPECT_TRUE(is_printable_line(one.shown) && is_printable_line(one.meaning)) << one.text;
    }
  });
}

TEST(LinesFuzz, any_line_is_run_or_refused_without_harm) { fuzz_lines({.inputs = 2500}); }
TEST(LinesFuzz, any_text_is_cut_into_commands) { fuzz_cutting({.inputs = 30000}); }
TEST(LinesFuzz, any_line_can_be_completed) { fuzz_completion({.inputs = 8000}); }

TEST(SlowLinesFuzz, any_line_is_run_or_refused_without_harm) { fuzz_lines({.slow = true}); }
TEST(SlowLinesFuzz, any_text_is_cut_into_commands) { fuzz_cutting({.slow = true}); }
TEST(SlowLinesFuzz, any_line_can_be_completed) { fuzz_completion({.slow = true}); }

}  // namespace
}  // namespace tpulab::fuzz::lines_fuzz_test

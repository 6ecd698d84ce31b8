// Every word that is printed as a name of something has a page.
#include "commands/glossary.h"

#include <gtest/gtest.h>

#include <set>

#include "commands/help.h"
#include "commands/lessons/shelf.h"
#include "engine/base/error.h"
#include "engine/base/share.h"
#include "engine/base/text.h"
#include "engine/session/answers/speed_ups.h"
#include "tests/commands/desk.h"

namespace tpulab::glossary_test {
namespace {

using Words = std::set<std::string>;

bool has_page(const std::string& word) {
  try {
    return !help_page(word).empty();
  } catch (const Error&) {
    return false;
  }
}

// What stands between the reply and its event: no words of people.
const Words& of_json() {
  static const Words words{"event", "reply", "ok",     "text", "line",  "exit_code",
                           "title", "about", "where",  "name", "usage", "kind",
                           "topic", "help",  "played", "pages"};
  return words;
}

void collect(const std::vector<OutputLine>& lines, Words& words) {
  const Words named{"step_part", "hidden_part", "memory_part", "metric", "counter"};
  for (const OutputLine& line : lines) {
    for (const EventField& field : line.fields) {
      if (!of_json().contains(field.name)) words.insert(field.name);
      const auto* text = std::get_if<std::string>(&field.value);
      if (field.name == "name" && named.contains(line.event) && text != nullptr) {
        words.insert(*text);
      }
      if (field.name == "resource" && text != nullptr) words.insert(*text);
    }
  }
}

// Names of fields, parts, metrics and resources that these commands print.
Words printed_by(Desk& desk, const std::vector<std::string>& commands) {
  Words words;
  for (const std::string& command : commands) {
    const Reply reply = desk.type(command);
    EXPECT_FALSE(reply.failed) << command << ": " << (reply.failed ? reply.lines[0] : "");
    collect(reply.rows, words);
    OutputLine line;
    line.fields = reply.fields;
    collect({line}, words);
  }
  collect(desk.engine.output_since(0), words);
  return words;
}

void expect_pages(const Words& words) {
  for (const std::string& word : words) EXPECT_TRUE(has_page(word)) << word << " has no page";
}

TEST(Glossary, has_a_page_for_every_name_that_a_run_and_its_report_print) {
  Desk desk;
  const Words words =
      printed_by(desk, {"run class_weights=on", "run progress_bar=on", "metrics",
                        "metrics version=1.13", "metrics version=2.9", "advise", "show slice"});
  EXPECT_GT(words.size(), 60U);
  expect_pages(words);
}

TEST(Glossary, has_a_page_for_every_name_that_estimates_print) {
  Desk desk;
  const Words words =
      printed_by(desk, {"forecast", "explain", "explain core", "explain dot", "sweep batch=8,16",
                        "whatif batch=8", "compare v3-8 v100x8 model=resnet50",
                        "forecast model=bert-large batch=2", "show slice v3-2048"});
  EXPECT_GT(words.size(), 60U);
  expect_pages(words);
}

TEST(Glossary, has_a_page_for_every_share_setting_and_verb) {
  Words words;
  for (int share = 0; share < share_count; ++share) {
    words.insert(std::string(name_of(static_cast<Share>(share))));
  }
  for (const SettingRow& row : setting_rows()) words.insert(std::string(row.name));
  for (const Command* command : all_commands()) words.insert(std::string(command->name));
  expect_pages(words);
}

TEST(Glossary, has_a_page_for_the_titles_and_heads_of_the_dashboard) {
  expect_pages({"steps",      "loss",   "compiles",  "CPU fallbacks", "cores",
                "op",         "count",  "down",      "CPU",           "up",
                "duty",       "useful", "bound",     "HBM",           "test accuracy",
                "TPU time",   "est.",   "samples/s", "against it",    "$",
                "nearest",    "step",   "epoch",     "wall",          "read-backs",
                "stragglers", "host",   "steady",    "duty a step"});
}

TEST(Glossary, knows_the_words_that_students_asked_for) {
  expect_pages({"duty",       "utilisation", "mxu",         "systolic",   "tile",
                "padding",    "bound",       "memory",      "pod",        "bf16",
                "bf16-mixed", "colab",       "bincount",    "kaggle",     "gcp",
                "access",     "tpu",         "all-reduce",  "item()",     "mark_step",
                "v100",       "jax",         "efficiency",  "evaluation", "validate",
                "noise",      "DataLoader",  "num_workers", "structure",  "with compile"});
  expect_pages({"identical", "first 1", "1 after the first", "topology", "s64", "f32[32,64]", "dot",
                "softmax-cross-entropy", "no band", "drain", "sanity", "fingerprint", "ICI",
                "rows split"});
  EXPECT_EQ(find_word("cold start")->name, "cold start");
}

TEST(Glossary, words_of_self_taught_learners_open_their_own_page) {
  for (const char* const word : {"graph",
                                 "program",
                                 "kernel",
                                 "cut",
                                 "tile",
                                 "systolic array",
                                 "least",
                                 "waiting",
                                 "other",
                                 "start",
                                 "scalar unit",
                                 "trace",
                                 "lowering",
                                 "train step",
                                 "last batch",
                                 "depth",
                                 "matrix efficiency",
                                 "clock",
                                 "bandwidth",
                                 "HLO",
                                 "donation",
                                 "scan",
                                 "Pallas",
                                 "custom call",
                                 "KV cache",
                                 "legend",
                                 "keys of sources",
                                 "screen reader"}) {
    ASSERT_NE(find_word(word), nullptr) << word;
    EXPECT_EQ(find_word(word)->name, word);
  }
  struct Case {
    const char* typed;
    const char* page;
  };
  for (const Case& one :
       {Case{"programs", "program"}, Case{"systolic", "systolic array"}, Case{"most", "least"},
        Case{"wait", "waiting"}, Case{"lowered", "lowering"}, Case{"steady steps", "steady"},
        Case{"coll. wait", "collective wait"}, Case{"moment1", "optimizer state"},
        Case{"symbols", "legend"}, Case{">", "legend"}, Case{"H", "legend"}, Case{"|", "legend"},
        Case{"///", "legend"}, Case{"PTS", "keys of sources"}, Case{"GC-v3", "keys of sources"},
        Case{"NO_COLOR", "screen reader"}}) {
    ASSERT_NE(find_word(one.typed), nullptr) << one.typed;
    EXPECT_EQ(find_word(one.typed)->name, one.page) << one.typed;
  }
}

TEST(Glossary, is_found_as_it_is_typed) {
  ASSERT_NE(find_word("Duty_Cycle"), nullptr);
  EXPECT_EQ(find_word("Duty_Cycle"), find_word("busy"));
  EXPECT_EQ(find_word("`duty`")->name, "duty cycle");
  EXPECT_EQ(find_word("nonsense"), nullptr);
}

TEST(Glossary, names_lessons_and_live_figures_that_there_are) {
  Desk desk;
  desk.type("run");
  for (const GlossaryWord& word : glossary()) {
    EXPECT_FALSE(word.text.empty()) << word.name;
    if (!word.lesson.empty()) {
      EXPECT_NO_THROW(lesson_named(word.lesson)) << word.name;
    }
    if (word.now.empty()) continue;
    EXPECT_TRUE(live_figure(word, *desk.engine.latest(), desk.settings).starts_with("now "))
        << word.name;
  }
}

TEST(Glossary, says_what_a_word_is_now) {
  Desk desk;
  EXPECT_TRUE(live_figure(*find_word("duty"), *desk.engine.latest(), desk.settings).empty());
  desk.type("run");
  EXPECT_NE(desk.answer("help duty").find("now "), std::string::npos);
  EXPECT_EQ(live_figure(*find_word("slice"), *desk.engine.latest(), desk.settings), "now v3-8");
}

TEST(Glossary, pages_fit_80_columns) {
  for (const GlossaryWord& word : glossary()) {
    for (const std::string& line : page_of(word)) EXPECT_LE(line.size(), 78U) << word.name;
  }
}

}  // namespace
}  // namespace tpulab::glossary_test

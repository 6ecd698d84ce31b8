#include "commands/help.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "commands/glossary.h"
#include "engine/base/error.h"
#include "engine/machine/generation.h"
#include "engine/machine/own_machine_file.h"
#include "tests/commands/desk.h"

namespace tpulab::help_test {
namespace {

constexpr std::size_t page_columns = 78;

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// However a page is wrapped.
std::string on_one_line(const std::vector<std::string>& lines) {
  std::istringstream words(joined(lines));
  std::string text;
  for (std::string word; words >> word;) text += word + " ";
  return text;
}

TEST(Help, the_list_names_every_command_setting_and_idea) {
  const std::string page = joined(help_page(""));
  for (const std::string& topic : help_topics()) {
    EXPECT_NE(page.find("\n  " + topic), std::string::npos) << topic;
  }
}

TEST(Help, says_of_mixed_precision_what_the_stacks_do) {
  const std::string page = on_one_line(help_page("precision"));
  EXPECT_NE(page.find("16-mixed, 64-true and, on pytorch-xla, bf16-mixed are refused"),
            std::string::npos)
      << page;
  Desk desk;
  EXPECT_TRUE(desk.type("precision bf16-mixed").failed);
  EXPECT_TRUE(desk.type("stack jax; precision 16-mixed").failed);
  EXPECT_FALSE(desk.type("model resnet50; stack jax; precision bf16-mixed").failed);
}

TEST(Help, a_long_usage_stands_apart_from_its_summary) {
  for (const std::string& line : help_page("")) {
    for (const Command* command : all_commands()) {
      const auto at = line.find(command->usage);
      const auto end = at + command->usage.size();
      if (at != 2 || end >= line.size()) continue;
      EXPECT_EQ(line[end], ' ') << line;
    }
  }
}

TEST(Help, every_page_fits_80_columns) {
  std::vector<std::string> topics = help_topics();
  topics.emplace_back("");
  for (const std::string& topic : topics) {
    for (const std::string& line : help_page(topic)) {
      EXPECT_LE(line.size(), page_columns) << topic << ": " << line;
    }
  }
}

TEST(Help, a_name_with_several_meanings_shows_all_of_them) {
  const std::string page = joined(help_page("devices"));
  EXPECT_NE(page.find("setting: devices"), std::string::npos);
  EXPECT_NE(page.find("Which cores train"), std::string::npos);
  const std::string metrics = joined(help_page("metrics"));
  EXPECT_NE(metrics.find("command: metrics"), std::string::npos);
  EXPECT_NE(metrics.find("How to read the metrics report"), std::string::npos);
}

TEST(Help, one_device_of_a_slice_of_several_hosts_is_one_of_one_host) {
  const std::string page = joined(help_page("devices"));
  EXPECT_NE(page.find("devices 1 is one of one host, no other works."), std::string::npos) << page;
}

TEST(Help, counters_of_a_preempted_run_are_said_to_be_a_sum) {
  EXPECT_NE(on_one_line(help_page("preempt")).find("metrics adds up all processes"),
            std::string::npos);
}

TEST(Help, a_value_that_one_setting_alone_takes_tells_of_which) {
  const std::string page = joined(help_page("v3-8"));
  EXPECT_NE(page.find("v3-8 is a value of slice: `slice v3-8` takes it"), std::string::npos);
  EXPECT_NE(joined(help_page("resnet50")).find("is a value of model"), std::string::npos);
  // Where models stand with the data that they read.
  EXPECT_NE(joined(help_page("digits")).find("`help models` says more"), std::string::npos);
  EXPECT_THROW(help_page("on"), Error);
  EXPECT_THROW(help_page("32"), Error);
}

TEST(Help, every_key_of_a_machine_leads_to_the_page_that_has_all_of_them) {
  const std::string page = joined(help_page("slices"));
  Desk desk;
  for (const std::string& key : machine_keys()) {
    EXPECT_NE(page.find(key), std::string::npos) << key;
    const std::string told = "'" + key +
                             "' is a constant of a machine, and no setting: write it in a file of "
                             "your own, as `help slices` shows";
    EXPECT_EQ(desk.answer(key + " 180"), told);
    EXPECT_EQ(desk.answer(key + "=180"), told);
    EXPECT_EQ(desk.answer("whatif " + key + "=2"), told);
    EXPECT_EQ(desk.answer("sweep slice=v6e-8 " + key + "=1,2"), told);
    if (find_word(key) != nullptr) continue;  // it has a page
    EXPECT_TRUE(desk.answer("help " + key).starts_with(told)) << desk.answer("help " + key);
  }
}

TEST(Help, the_page_of_slices_says_what_shares_a_clock_and_when_files_are_read) {
  const std::string page = on_one_line(help_page("slices"));
  EXPECT_NE(page.find("peak sets the clock that it needs, and the vector unit runs by that clock"),
            std::string::npos);
  EXPECT_NE(page.find("Files are read when the program starts, at most 64 of a folder"),
            std::string::npos);
}

TEST(Help, every_name_of_a_generation_leads_to_what_there_is_of_it) {
  std::vector<std::string> names{"ironwood", "tpu7x", "v5litepod", "trillium"};
  for (const Generation& row : generations()) {
    names.emplace_back(row.name);
    names.emplace_back(row.public_name);
  }
  for (const std::string& name : names) {
    const std::string page = on_one_line(help_page(name));
    EXPECT_NE(page.find("`show generation v3`, its slices in `help slices`"), std::string::npos)
        << name;
  }
  EXPECT_FALSE(Desk().type("help TPU v6e").failed);
}

TEST(Help, quant_says_where_int8_is_refused) {
  std::string refused;
  for (const Generation& row : generations()) {
    if (row.int8_speed > 1) continue;
    refused += fmt::format("{}{}", refused.empty() ? "" : ", ", row.name);
  }
  const auto last = refused.rfind(", ");
  refused.replace(last, 2, " and ");
  const std::string page = on_one_line(help_page("quant"));
  EXPECT_NE(page.find("Refused on " + refused + ", which"), std::string::npos) << page;
  EXPECT_NE(page.find("It changes what is learned"), std::string::npos) << page;
}

TEST(Help, an_unknown_topic_is_told_the_nearest) {
  try {
    help_page("presicion");
    FAIL() << "there is no such page";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "there is no help on 'presicion'; did you mean `help precision`?");
  }
}

TEST(Help, a_setting_has_the_default_of_the_session_as_show_has_it) {
  Desk desk;
  EXPECT_NE(desk.answer("help pace").find("Default max."), std::string::npos);
  desk.context.defaults.pace = desk.settings.pace = "watch";  // as the dashboard begins
  EXPECT_NE(desk.answer("help pace").find("Default watch."), std::string::npos);
  EXPECT_EQ(desk.answer("show").find("  pace "), std::string::npos);  // no other than by default
}

TEST(Help, an_unknown_topic_of_one_character_is_likened_to_none) {
  Desk desk;
  EXPECT_NE(desk.answer("help 1").find("`help` lists the pages"), std::string::npos);
}

TEST(Help, a_phrase_without_a_page_is_told_those_with_its_words) {
  Desk desk;
  EXPECT_EQ(desk.answer("help the matrix units of a chip"),
            "there is no help on 'the matrix units of a chip'; near it are `help matrix unit`, "
            "`help vector unit`, `help scalar unit`; `help words` lists them all");
  EXPECT_NE(desk.answer("help zzzz qqqq").find("`help words` the words"), std::string::npos);
  EXPECT_NE(joined(help_page("words")).find("scalar unit"), std::string::npos);
}

TEST(Help, tells_how_to_do_without_a_screen) {
  EXPECT_NE(joined(help_page("plain")).find("tpulab --plain"), std::string::npos);
  EXPECT_NE(on_one_line(help_page("screen reader")).find("`help plain`"), std::string::npos);
  EXPECT_NE(joined(help_page("")).find("help plain"), std::string::npos);
}

TEST(Help, texts_on_ideas_name_only_settings_and_pages_there_are) {
  // Every "NAME on", "NAME off" and "help NAME" of the page on slowness is real.
  const std::string page = joined(help_page("slow"));
  for (const std::string_view name : {"batch", "progress_bar", "log_every_n_steps", "drop_last",
                                      "class_weights", "hard_examples"}) {
    EXPECT_NE(page.find(name), std::string::npos) << name;
    EXPECT_NE(find_setting(name), nullptr) << name;
  }
  for (std::size_t at = page.find("help "); at != std::string::npos; at = page.find("help ", at)) {
    at += 5;
    const std::string name = page.substr(at, page.find_first_of(" \n", at) - at);
    EXPECT_NO_THROW(help_page(name)) << name;
  }
}

TEST(Help, what_the_pages_call_a_setting_can_be_typed) {
  Desk desk;
  for (const std::string_view line :
       {"devices auto",         "devices 8",         "devices 1",        "devices [1]",
        "hard_examples on",     "hard_examples off", "devices auto",     "class_weights on",
        "host colab-node-2021", "host tpu-vm",       "progress_bar off", "drop_last on",
        "drop_last off",        "batch 128",         "batch.global 256", "matmul.precision highest",
        "slice v2-8",           "slice v2-512",      "slice v3-2048",    "slice v4-8192",
        "slice v5e-1",          "slice v5e-256"}) {
    const Reply reply = desk.type(line);
    EXPECT_FALSE(reply.failed) << line << ": " << (reply.failed ? reply.lines[0] : "");
  }
}

}  // namespace
}  // namespace tpulab::help_test

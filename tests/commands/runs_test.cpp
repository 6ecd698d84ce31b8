// runs, typed as a user would, with a store of its own.
#include <gtest/gtest.h>

#include <limits>
#include <regex>

#include "commands/help.h"
#include "engine/base/write_file.h"
#include "engine/machine/own_generations.h"
#include "tests/commands/desk.h"
#include "tests/temporary_folder.h"

namespace tpulab::runs_test {
namespace {

class Runs : public testing::Test {
 protected:
  std::string told(Desk& desk) {
    std::string all;
    for (const std::string& line : desk.news()) all += line + "\n";
    return all;
  }

  test::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "runs.sqlite";
};

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST_F(Runs, outlive_the_program_with_their_settings_and_figures) {
  {
    Desk first(small_settings(), file_);
    EXPECT_EQ(first.answer("runs"), "no run is kept yet");
    first.type("batch 64; run");
    EXPECT_SAYS(told(first), "kept as 1; `runs` lists the kept ones");
  }
  Desk second(small_settings(), file_);
  const Reply list = second.type("runs");
  ASSERT_EQ(list.lines.size(), 3U);
  EXPECT_TRUE(std::regex_search(
      list.lines[1],
      std::regex(R"(^ *1  20\d\d-\d\d-\d\d \d\d:\d\d  mlp 64-16-10  v3-8   64 x 8  f32 +12 )")))
      << list.lines[1];
  EXPECT_EQ(list.lines[2], "1 run; TPU time is estimated");
  second.type("run");
  EXPECT_SAYS(told(second), "kept as 2");
  EXPECT_EQ(second.type("runs 1").rows.size(), 1U);
}

TEST_F(Runs, that_asked_for_a_precision_in_vain_name_in_brief_what_they_had) {
  Desk desk(small_settings(), file_);
  desk.type("precision 16-true; run");
  const std::string row = desk.type("runs").lines.at(1);
  EXPECT_SAYS(row, "32 x 8  f32           12 ");
  EXPECT_EQ(row.find("16-true"), std::string::npos) << row;
}

TEST_F(Runs, done_again_has_the_same_losses_in_every_bit_and_the_settings_stay) {
  {
    Desk first(small_settings(), file_);
    first.type("backend reference; batch 16; run");
  }
  Desk second(small_settings(), file_);
  second.type("batch 64; pace watch; format csv");
  const std::string said = second.answer("runs rerun 1");
  EXPECT_SAYS(said, "batch: 64 -> 16\n");
  EXPECT_SAYS(said, "backend: library -> reference");
  EXPECT_EQ(second.settings.batch, 16);
  EXPECT_EQ(second.settings.pace, "watch");
  EXPECT_EQ(second.settings.format, "csv");
  const std::string told_so = told(second);
  EXPECT_SAYS(told_so, "run 1 does the kept run 1 again: TPU time (estimated) from a cold start");
  EXPECT_SAYS(told_so, "losses: the same in every bit, 12 steps");
}

TEST_F(Runs, done_again_in_a_warm_cache_has_the_same_step_from_a_cold_start) {
  Desk desk(small_settings(), file_);
  desk.type("numbers off; run; runs rerun 1");
  const std::string said = told(desk);
  std::smatch steps;
  ASSERT_TRUE(std::regex_search(said, steps, std::regex("a step (.+?) then, (.+?) now"))) << said;
  EXPECT_EQ(steps[1], steps[2]);
}

TEST_F(Runs, that_was_stopped_is_done_again_up_to_that_step) {
  Desk desk(small_settings(), file_);
  desk.type("step 5; stop");
  desk.type("runs rerun 1");
  const std::string said = told(desk);
  EXPECT_SAYS(said, "losses: the same in every bit, 5 steps");
  EXPECT_EQ(desk.settings.max_steps, 12);
}

TEST_F(Runs, that_changed_on_its_way_says_so_where_losses_differ) {
  Desk desk(small_settings(), file_);
  desk.type("step 5; seed 1; learning_rate 0.1; resume; wait");
  desk.type("runs rerun 1");
  EXPECT_SAYS(told(desk), "losses differ; settings changed while the kept one ran: learning_rate");
}

TEST_F(Runs, side_by_side_say_which_settings_and_figures_differ_and_which_began_cold) {
  Desk desk(small_settings(), file_);
  desk.type("run; batch 64; run; run");
  const std::string said = desk.answer("runs diff 1 2");
  EXPECT_TRUE(said.starts_with("batch: 32 -> 64\nbefore: kept run 1: mlp 64-16-10")) << said;
  EXPECT_SAYS(said, "\nkept run 1 began cold; kept run 2 ");
  EXPECT_SAYS(said, "whole run ");
  EXPECT_TRUE(desk.answer("runs diff 2 3").starts_with("the same settings\n"));
  EXPECT_SAYS(desk.answer("runs diff 2 3"), "compiled by an earlier run");
}

TEST_F(Runs, side_by_side_name_the_checkpoint_that_one_went_on_from) {
  Desk desk(small_settings(), file_);
  const std::string file = (folder_ / "a.safetensors").string();
  desk.type("run; checkpoint " + file + "; resume " + file + " max_steps=22");
  const std::string sentence =
      "run 2 went on from a checkpoint behind step 12: its times are those of the 10 steps since";
  EXPECT_SAYS(desk.answer("runs diff 1 2"), "\nkept " + sentence);
  EXPECT_SAYS(desk.answer("compare last"), "\n" + sentence);
  EXPECT_EQ(desk.answer("runs diff 1 2").find("run 1 went on"), std::string::npos);
}

TEST_F(Runs, that_went_on_from_a_checkpoint_do_so_again_while_it_is_there) {
  Desk desk(small_settings(), file_);
  const std::string file = (folder_ / "a.safetensors").string();
  desk.type("run; checkpoint " + file + "; resume " + file + " max_steps=22");
  desk.type("runs rerun 2");
  EXPECT_SAYS(told(desk), "losses: the same in every bit, 10 steps");
  std::filesystem::remove(file);
  desk.type("runs rerun 3");
  EXPECT_SAYS(told(desk),
              "losses are of other steps; the kept one went on from a checkpoint behind step 12, "
              "this one began anew");
}

TEST_F(Runs,
       that_went_on_from_a_file_of_which_another_run_has_made_its_own_begin_anew_and_say_why) {
  Desk desk(small_settings(), file_);
  const std::string file = (folder_ / "a.safetensors").string();
  desk.type("run; checkpoint " + file + "; resume " + file + " max_steps=22");
  desk.type("run seed=7; checkpoint " + file);
  EXPECT_SAYS(desk.answer("runs rerun 2"),
              "kept run 2 went on from a checkpoint behind step 12, this one begins anew: " + file +
                  " was written anew and holds other weights behind step 12; where the file of "
                  "then is kept, put it there again");
  EXPECT_SAYS(desk.answer("reproduce"), "-c 'set");
}

TEST_F(Runs, that_went_on_from_rows_that_are_others_by_now_begin_anew_and_say_why) {
  Desk desk(small_settings(), file_);
  const auto rows = [&](const std::string& last) {
    std::string text = "a,b,label\n";
    for (int i = 0; i < 40; ++i) text += "1,2,0\n3,4,1\n";
    return folder_.write("rows.csv", text + last);
  };
  const std::string data = rows("5,6,0\n").string();
  const std::string file = (folder_ / "a.safetensors").string();
  desk.type("data " + data + "; batch 1; run max_steps=3; checkpoint " + file);
  desk.type("resume " + file + " max_steps=5");
  rows("5,7,0\n");
  const std::string said = desk.answer("runs rerun 2");
  EXPECT_SAYS(said,
              "this one begins anew: the checkpoint does not fit these settings: the rows of ");
  EXPECT_SAYS(told(desk), "this one began anew");
}

TEST_F(Runs, are_forgotten_one_by_one_or_all) {
  Desk desk(small_settings(), file_);
  desk.type("run; run; run");
  EXPECT_EQ(desk.answer("runs forget 2"), "1 run forgotten");
  EXPECT_EQ(desk.answer("runs forget 2"), "no run is kept as 2; `runs` lists them");
  EXPECT_EQ(desk.answer("runs forget all"), "2 runs forgotten");
  EXPECT_EQ(desk.answer("runs"), "no run is kept yet");
}

TEST_F(Runs, are_not_kept_while_that_is_off) {
  Desk desk(small_settings(), file_);
  desk.type("runs off; run");
  EXPECT_EQ(told(desk).find("kept"), std::string::npos);
  EXPECT_EQ(desk.answer("runs"), "no run is kept yet\nruns are not kept now; `runs on` keeps them");
  desk.type("runs on; run");
  EXPECT_SAYS(told(desk), "kept as 1");
}

TEST_F(Runs, that_the_end_of_the_program_stops_are_kept_as_stopped) {
  Desk(small_settings(), file_).type("step 3");
  Desk second(small_settings(), file_);
  EXPECT_SAYS(second.answer("runs"), "3 stopped");
}

TEST_F(Runs, that_cannot_be_kept_say_so_once_and_are_kept_when_that_works_again) {
  std::filesystem::create_directories(file_);  // no file can be there
  Desk desk(small_settings(), file_);
  desk.type("run; run");
  const std::string said = told(desk);
  EXPECT_SAYS(said, "run 1 finished");
  EXPECT_SAYS(said, "run 2 finished");
  const auto first = said.find("the run waits to be kept");
  EXPECT_NE(first, std::string::npos) << said;
  EXPECT_EQ(said.find("waits to be kept", first + 10), std::string::npos) << "said once";
  std::filesystem::remove(file_);
  desk.type("run");
  EXPECT_SAYS(told(desk), "kept as 3");
}

TEST_F(Runs, of_a_damaged_file_are_moved_aside_and_said) {
  write_file(file_, std::string(4000, 'x'));
  Desk desk(small_settings(), file_);
  EXPECT_SAYS(desk.answer("runs"), "runs.sqlite was damaged; it is runs.sqlite.damaged-1 now");
  write_file(file_, std::string(4000, 'z'));
  desk.type("format csv");
  EXPECT_TRUE(desk.answer("runs").starts_with("number,began,"));
  write_file(file_, std::string(4000, 'y'));
  desk.type("run");
  EXPECT_SAYS(told(desk), "runs.sqlite.damaged-3 now, and a new one is begun");
}

TEST_F(Runs, that_cannot_be_read_are_not_offered_for_completion) {
  std::filesystem::create_directories(file_);  // no file can be there
  Desk desk(small_settings(), file_);
  EXPECT_NO_THROW(EXPECT_TRUE(completions("runs diff ", desk.context).empty()));
}

TEST_F(Runs, of_a_damaged_file_stay_where_they_are_while_somebody_types) {
  Desk desk(small_settings(), file_);
  desk.type("run");
  EXPECT_EQ(completions("runs diff ", desk.context), (std::vector<std::string>{"1"}));
  write_file(file_, std::string(4000, 'x'));
  EXPECT_TRUE(completions("runs diff ", desk.context).empty());
  EXPECT_EQ(completions("runs forget ", desk.context), (std::vector<std::string>{"all"}));
  EXPECT_TRUE(std::filesystem::exists(file_));
  EXPECT_SAYS(desk.answer("runs"), "damaged");
}

TEST_F(Runs, with_a_record_or_settings_that_nobody_can_read_refuse_and_name_it) {
  RunStore(file_).add({0, 0, "batch = 0\n", "{}"});
  RunStore(file_).add({0, 0, "", "no JSON"});
  RunStore(file_).add({0, 0, "", R"({"steps": "many", "phases": 7})"});
  Desk desk(small_settings(), file_);
  const Reply list = desk.type("runs");
  ASSERT_EQ(list.lines.size(), 7U);
  EXPECT_SAYS(list.lines[2], "unreadable");
  EXPECT_SAYS(list.lines[4], "kept run 3: its steps is no whole number");
  for (const EventField& field : list.rows[1].fields) {
    const bool known = field.name == "number" || field.name == "began" || field.name == "message";
    EXPECT_EQ(std::holds_alternative<std::monostate>(field.value), !known) << field.name;
  }
  EXPECT_SAYS(desk.answer("runs rerun 1"), "settings of kept run 1:1: batch cannot be 0");
  EXPECT_SAYS(desk.answer("runs rerun 2"), "run 2: what is kept of the run cannot be read");
  EXPECT_SAYS(desk.answer("runs diff 1 3"), "kept run 3: its steps is no whole number");
  EXPECT_EQ(desk.settings, small_settings());
}

TEST_F(Runs, that_began_at_a_time_without_a_date_are_listed) {
  RunStore(file_).add({0, std::numeric_limits<std::int64_t>::max(), "", "{}"});
  RunStore(file_).add({0, std::numeric_limits<std::int64_t>::min(), "", "{}"});
  Desk desk(small_settings(), file_);
  EXPECT_SAYS(desk.answer("runs"), "2 runs; TPU time is estimated");
  EXPECT_FALSE(desk.type("format csv; runs").failed);
}

TEST_F(Runs, without_a_home_say_so) {
  Desk desk;
  EXPECT_SAYS(desk.answer("runs"), "neither HOME nor XDG_DATA_HOME names a folder");
  EXPECT_SAYS(desk.answer("runs forget all"), "neither HOME nor XDG_DATA_HOME");
}

TEST_F(Runs, print_no_word_without_a_page) {
  Desk desk(small_settings(), file_);
  desk.type("run; run batch=8");
  for (const std::string line : {"runs", "runs diff 1 2", "runs rerun 1", "runs forget 3"}) {
    Reply reply = desk.type(line);
    ASSERT_FALSE(reply.failed) << line << reply.lines[0];
    for (const OutputLine& told : desk.engine.output_since(0)) reply.rows.push_back(told);
    for (const OutputLine& row : reply.rows) {
      reply.fields.insert(reply.fields.end(), row.fields.begin(), row.fields.end());
    }
    for (const EventField& field : reply.fields) {
      if (field.name == "kind" || field.name == "message") continue;
      EXPECT_NO_THROW(help_page(field.name)) << field.name;
    }
  }
}

TEST_F(Runs, of_a_model_file_that_has_changed_are_not_of_the_same_settings) {
  const std::string config = (folder_ / "c.json").string();
  const auto write = [&](int layers) {
    folder_.write("c.json",
                  R"({"model_type": "gpt2", "n_embd": 64, "n_head": 2, "n_positions": 64,)"
                  R"( "vocab_size": 256, "n_layer": )" +
                      std::to_string(layers) + "}");
  };
  Desk desk(small_settings(), file_);
  write(2);
  desk.type("model " + config + "; numbers off; batch 8; max_steps 2; run");
  EXPECT_SAYS(desk.answer("model " + config), "model is already ");
  write(3);
  EXPECT_SAYS(desk.answer("model " + config), "the next run uses ");
  desk.type("run");
  const std::string diff = desk.answer("runs diff 1 2");
  EXPECT_SAYS(diff, "model: " + config + " has other contents");
  EXPECT_EQ(diff.find("the same settings"), std::string::npos) << diff;
  EXPECT_SAYS(desk.answer("runs rerun 1"), "has other contents than in that run");
  EXPECT_SAYS(desk.answer("runs diff 2 3"), "the same settings");
}

class RunsOnAMachine : public Runs {
 protected:
  void TearDown() override { read_own_generations({}); }

  // As a program does that starts.
  void start(const std::string& machine) {
    machine_ = folder_.write("slices.d/mine.toml", machine);
    ASSERT_TRUE(read_own_generations(std::vector{folder_.path()}).empty());
  }

  std::filesystem::path machine_;
};

TEST_F(RunsOnAMachine, of_the_users_own_know_what_its_file_said) {
  start("base = 'v6e'\nhbm = '64 GiB'\n");
  Desk desk(small_settings(), file_);
  desk.type("slice mine-8; numbers off; run");
  EXPECT_SAYS(desk.answer("runs rerun 1"), "the settings are those of that run already");
  EXPECT_SAYS(desk.answer("runs diff 1 2"), "the same settings");
  start("base = 'v6e'\nhbm_speed = '3.2 TB/s'\nhbm = '65536 MiB'\n");
  const std::string then = "base v6e, hbm 64 GiB";
  const std::string now = then + ", hbm_speed 3200 GB/s";
  EXPECT_SAYS(desk.answer("runs rerun 1"), "slice: " + machine_.string() +
                                               " says something else than in that run: " + then +
                                               " then, " + now + " now");
  const std::string diff = desk.answer("runs diff 1 3");
  EXPECT_TRUE(diff.starts_with("machine's file: " + then + " -> " + now + "\n")) << diff;
  EXPECT_EQ(diff.find("the same settings"), std::string::npos) << diff;
  EXPECT_EQ(desk.type("runs diff 1 3").rows.front().event, "setting");
  read_own_generations({});
  EXPECT_SAYS(desk.answer("runs rerun 1"), "; the file of its machine said: " + then);
}

TEST_F(RunsOnAMachine, of_the_users_own_are_reproduced_where_its_file_is) {
  start("base = 'v6e'\nhbm = '64 GiB'\n");
  Desk desk(small_settings(), file_);
  const std::string needs = "\nelsewhere it needs the file of yours:mine, " + machine_.string() +
                            " (base v6e, hbm 64 GiB), in slices.d there";
  EXPECT_EQ(desk.answer("reproduce").find("elsewhere"), std::string::npos);
  desk.type("slice mine-8");
  EXPECT_SAYS(desk.answer("reproduce"), needs);
  desk.type("numbers off; run; slice v6e-8");
  EXPECT_SAYS(desk.answer("reproduce"), needs);
}

}  // namespace
}  // namespace tpulab::runs_test

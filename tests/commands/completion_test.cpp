#include <gtest/gtest.h>

#include <algorithm>

#include "commands/candidate_words.h"
#include "engine/machine/own_generations.h"
#include "tests/commands/desk.h"
#include "tests/temporary_folder.h"

namespace tpulab::completion_test {
namespace {

using Words = std::vector<std::string>;

bool contains(const Words& words, std::string_view wanted) {
  return std::ranges::find(words, wanted) != words.end();
}

class Completion : public testing::Test {
 protected:
  Words of(std::string_view line) { return completions(line, desk_.context); }
  std::string hint_of(std::string_view line) { return hint(line, desk_.context); }

  Desk desk_;
};

TEST_F(Completion, the_first_word_is_a_verb_a_setting_or_trainer) {
  EXPECT_EQ(of("met"), (Words{"metrics"}));
  EXPECT_EQ(of("bat"), (Words{"batch", "batch.global"}));
  EXPECT_EQ(of("Tr"), (Words{"Trainer("}));
  EXPECT_EQ(of("tra"), (Words{"trainer.fit(model)"}));
  EXPECT_EQ(of("step; re"), (Words{"remat", "replicas", "reproduce", "reset", "resume"}));
  EXPECT_TRUE(contains(of(""), "run"));
  EXPECT_TRUE(of("zz").empty());
}

TEST_F(Completion, a_setting_is_followed_by_its_values) {
  EXPECT_EQ(of("precision "), (Words{"16-true", "32-true", "bf16-true"}));
  EXPECT_EQ(of("precision b"), (Words{"bf16-true"}));
  EXPECT_EQ(of("set precision b"), (Words{"bf16-true"}));
  EXPECT_EQ(of("set opt"), (Words{"optimizer"}));
  EXPECT_EQ(of("devices [7"), (Words{"[7]"}));
  EXPECT_TRUE(of("batch ").empty());
  EXPECT_TRUE(of("precision 32-true ").empty());
}

TEST_F(Completion, files_are_offered_where_a_command_takes_one) {
  const test::TemporaryFolder folder;
  folder.write("a.toml", "");
  folder.write("a.mlir", "");
  folder.write("below/b.csv", "");
  folder.write(".hidden", "");
  folder.write("two words", "");
  const std::string in = folder.path().string() + "/";
  const Words all{in + "a.mlir", in + "a.toml", in + "below/"};
  for (const char* start : {"load ", "save ", "source ", "analyse ", "export trace ", "model ",
                            "data ", "set model ", "lesson ", "lesson check ", "metrics compare ",
                            "metrics compare a.txt ", "batch 4; handout ", "checkpoint ", "resume ",
                            "marks ", "marks a.results ", "marks write "}) {
    EXPECT_EQ(of(start + in), all) << start;
  }
  EXPECT_EQ(of("load " + in + "a.t"), (Words{in + "a.toml"}));
  EXPECT_EQ(of("load " + in + "below/"), (Words{in + "below/b.csv"}));
  EXPECT_EQ(of("load " + in + "."), (Words{in + ".hidden"}));
  EXPECT_TRUE(of("load " + in + "none/").empty());
  EXPECT_TRUE(of("batch " + in).empty());
  EXPECT_TRUE(of("load x " + in).empty());
  EXPECT_TRUE(of("marks write a " + in).empty());
  const char* const home = std::getenv("HOME");
  const std::string before = home == nullptr ? "" : home;
  ::setenv("HOME", folder.path().c_str(), 1);
  EXPECT_EQ(of("load ~/a.t"), (Words{"~/a.toml"}));
  ::setenv("HOME", before.c_str(), 1);
}

// readline inserts what all candidates begin with.
TEST_F(Completion, files_that_are_too_many_have_no_more_in_common_than_what_is_typed) {
  const test::TemporaryFolder folder;
  for (int i = 0; i < 1001; ++i) folder.write("run-" + std::to_string(i), "");
  const std::string typed = folder.path().string() + "/r";
  EXPECT_TRUE(contains(of("load " + typed), typed));
  EXPECT_EQ(of("load " + typed + "un-100").size(), 2U);
}

TEST_F(Completion, values_follow_the_slice) {
  EXPECT_TRUE(contains(of("devices "), "8"));
  desk_.type("slice v4-8");
  EXPECT_TRUE(contains(of("devices "), "4"));
  EXPECT_FALSE(contains(of("devices "), "8"));
  EXPECT_TRUE(contains(of("slice v5"), "v5e-8"));
}

TEST_F(Completion, machines_have_short_and_joined_names) {
  const test::TemporaryFolder folder;
  folder.write("slices.d/bighbm.toml", "base = 'v5e'\n");
  ASSERT_TRUE(read_own_generations(std::vector{folder.path()}).empty());
  const Words sizes{"bighbm-1",  "bighbm-128", "bighbm-16", "bighbm-256",
                    "bighbm-32", "bighbm-4",   "bighbm-64", "bighbm-8"};
  EXPECT_EQ(of("slice big"), sizes);
  EXPECT_EQ(of("show slice bighbm-2"), Words{"bighbm-256"});
  EXPECT_EQ(of("show generation b"), Words{"bighbm"});
  EXPECT_EQ(of("forecast slice=big").size(), sizes.size());
  EXPECT_EQ(of("slice yours:bighbm-2"), Words{"yours:bighbm-256"});
  EXPECT_EQ(of("slice 2xbighbm-2"), Words{"2xbighbm-256"});
  EXPECT_EQ(of("whatif slice=2xyours:bighbm-2"), Words{"slice=2xyours:bighbm-256"});
  EXPECT_EQ(of("slice 4xv5p-179"), Words{"4xv5p-17920"});
  EXPECT_FALSE(contains(of("slice "), "bighbm-8"));
  EXPECT_FALSE(contains(of("slice 2x"), "2xbighbm-8"));
  EXPECT_TRUE(of("model 2x").empty());
  read_own_generations({});
}

TEST_F(Completion, assignments_are_completed_as_one_word) {
  EXPECT_EQ(of("run max_s"), (Words{"max_steps="}));
  EXPECT_EQ(of("run max_steps=5 precision=b"), (Words{"precision=bf16-true"}));
  EXPECT_EQ(of("precision=b"), (Words{"precision=bf16-true"}));
  EXPECT_EQ(of("batch=4 optimizer=s"), (Words{"optimizer=sgd"}));
}

TEST_F(Completion, trainer_takes_its_arguments_and_python_values) {
  EXPECT_EQ(of("trainer = Trainer(acce"), (Words{"accelerator="}));
  EXPECT_EQ(of("trainer = Trainer(accelerator="),
            (Words{"accelerator=\"auto\"", "accelerator=\"tpu\""}));
  EXPECT_EQ(of("Trainer(accelerator=\"tpu\", devices=[1"), Words{});
  EXPECT_TRUE(contains(of("Trainer(accelerator=\"tpu\", devices="), "devices=[1]"));
  EXPECT_TRUE(contains(of("Trainer(devices="), "devices=8"));
}

TEST_F(Completion, words_of_verbs_come_from_the_verbs) {
  EXPECT_TRUE(contains(of("show a"), "all"));
  EXPECT_TRUE(contains(of("help cl"), "clocks"));
  EXPECT_TRUE(of("stop ").empty());
  EXPECT_TRUE(of("theme ").empty());
  desk_.context.theme_names = {"dark", "light"};
  EXPECT_EQ(of("theme d"), (Words{"dark"}));
}

TEST_F(Completion, a_name_is_offered_once_and_its_values_behind_it) {
  const Words names = of("forecast ");
  EXPECT_TRUE(contains(names, "model="));
  EXPECT_LE(names.size(), setting_rows().size());
  EXPECT_TRUE(contains(of("forecast model="), "model=resnet50"));
  EXPECT_FALSE(contains(of("forecast model="), "model="));
  EXPECT_TRUE(contains(of("mesh "), "data=8"));
}

TEST_F(Completion, candidates_are_said_with_their_meaning_group_by_group) {
  const std::vector<Candidate> first = described("", of(""), desk_.context);
  std::vector<std::string> groups;
  for (const Candidate& one : first) {
    if (groups.empty() || groups.back() != one.group) groups.push_back(one.group);
    EXPECT_NE(one.meaning, "") << one.text;
  }
  EXPECT_EQ(groups, (Words{"commands", "settings"}));
  const auto of_line = [&](std::string_view line, std::string_view text) {
    const auto all = described(line, of(line), desk_.context);
    const auto found = std::ranges::find(all, text, &Candidate::text);
    return found == all.end() ? Candidate{} : *found;
  };
  const Candidate slice = of_line("forecast slice=v3-", "slice=v3-32");
  EXPECT_EQ(slice.group + slice.shown, "slice=v3-32");
  EXPECT_EQ(slice.meaning, "32 cores on 4 hosts, 16.0 GiB of HBM each");
  EXPECT_NE(of_line("stack ", "jax").meaning.find("one compiled function"), std::string::npos);
  EXPECT_TRUE(of_line("model ", "resnet50").meaning.starts_with("time only, rows of f32[224,"));
  EXPECT_TRUE(of_line("model ", "bert-base").meaning.starts_with("time only, rows of s32[128]:"));
  EXPECT_TRUE(of_line("model ", "gemm-8192x8192x8192")
                  .meaning.starts_with("time only, one kernel or layer"));
  EXPECT_EQ(of_line("forecast ", "batch=").meaning, find_setting("batch")->help);
  EXPECT_EQ(of_line("help ", "slow").group, "ideas");
}

TEST_F(Completion, nothing_is_offered_inside_a_comment) { EXPECT_TRUE(of("run # ba").empty()); }

TEST_F(Completion, the_hint_is_the_usage_of_what_is_typed) {
  EXPECT_EQ(hint_of("batch 6"),
            "batch (now 32): a whole number from 1 to 16,777,216, or 1/N of a row; "
            "the next step recompiles unless it is cached");
  EXPECT_EQ(hint_of("batch=6"), hint_of("set batch 6"));
  EXPECT_EQ(hint_of("run max_steps=3 batch=6"), hint_of("batch"));
  EXPECT_EQ(hint_of("step 3"), "step [N]: Train N steps (1 if none is given), then pause.");
  EXPECT_EQ(hint_of("ba"), "backend  batch  batch.global");
  EXPECT_TRUE(hint_of("Trainer(").starts_with("Trainer(accelerator="));
  EXPECT_EQ(hint_of(""), "");
  EXPECT_EQ(hint_of("zz 3"), "");
}

}  // namespace
}  // namespace tpulab::completion_test

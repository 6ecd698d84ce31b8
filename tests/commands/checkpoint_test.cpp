// checkpoint and resume, as they are typed.
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "engine/base/file.h"
#include "tests/commands/desk.h"
#include "tests/temporary_folder.h"

namespace tpulab::checkpoint_test {
namespace {

std::string typed(Desk& desk, const std::string& line) {
  const Reply reply = desk.type(line);
  std::string text = reply.failed ? "failed:" : "";
  for (const std::string& part : reply.lines) text += part;
  return text;
}

// The losses that the newest run has reached by now, all of them.
std::vector<float> losses(const Desk& desk) {
  std::vector<float> values;
  for (const LossPoint& point : *desk.engine.latest()->losses) values.push_back(point.loss);
  return values;
}

TEST(Checkpoint, twenty_steps_are_ten_a_file_and_ten) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "a.safetensors").string();
  Desk straight;
  EXPECT_EQ(typed(straight, "run max_steps=20"), "for this run only: max_steps=20");
  const std::vector<float> all = losses(straight);
  ASSERT_EQ(all.size(), 20U);
  Desk first;
  typed(first, "run max_steps=10; checkpoint " + file);
  Desk second;
  EXPECT_EQ(typed(second, "resume " + file + " max_steps=20 mesh=fsdp=8"),
            "mesh: no effect on mlp, which is trained as it is");
  EXPECT_EQ(losses(second), std::vector<float>(all.begin() + 10, all.end()));
  EXPECT_EQ(second.engine.latest()->run.step, 20);
}

std::string between(const std::string& text, const std::string& before, char after) {
  const std::size_t at = text.find(before) + before.size();
  return text.substr(at, text.find(after, at) - at);
}

// Of a run that has ended, by either limit, a bare `resume` would be refused.
TEST(Checkpoint, says_how_it_is_resumed_as_it_can_be_typed) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "my runs; a.safetensors").string();
  for (const auto& [limits, more] :
       {std::pair("max_steps=3", " max_steps=6"),
        std::pair("max_steps=10 max_epochs=1", " max_epochs=2"),
        std::pair("max_steps=6 max_epochs=1", " max_steps=12 max_epochs=2")}) {
    Desk desk;
    typed(desk, fmt::format("run {}; checkpoint \"{}\"", limits, file));
    const std::string line = between(fmt::format("{}", fmt::join(desk.news(), "\n")), "`res", '`');
    EXPECT_EQ(line, fmt::format("ume \"{}\"{}", file, more));
    EXPECT_FALSE(desk.type("res" + line).failed);
    EXPECT_EQ(desk.engine.latest()->run.number, 2) << line;
  }
}

// As somebody left it who trained at the prompt until it was enough.
TEST(Checkpoint, of_a_run_without_a_limit_tells_a_script_how_it_is_resumed) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "a.safetensors").string();
  Desk first;
  typed(first, "max_steps -1; max_epochs -1; step 5; stop; checkpoint " + file);
  const std::string said = fmt::format("{}", fmt::join(first.news(), "\n"));
  EXPECT_NE(said.find("` goes on from there, in a script with max_steps=10"), std::string::npos);
  Desk second;
  const std::string refusal = typed(second, "resume " + file);
  EXPECT_NE(refusal.find("failed:this run would never end, and a script waits for its end"),
            std::string::npos)
      << refusal;
  EXPECT_EQ(typed(second, between(refusal, "give one, as `", '`')), "");
  EXPECT_EQ(second.engine.latest()->run.step, 10);
}

TEST(Checkpoint, tells_what_was_set_before_and_is_not_so_in_its_file) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "a.safetensors").string();
  Desk desk;
  typed(desk, "run max_steps=10; checkpoint " + file);
  typed(desk, "preempt host@14; pace 1/2");
  EXPECT_EQ(typed(desk, "resume " + file + " max_steps=20"),
            "the run keeps its own preempt none (here host@14); `resume FILE NAME=VALUE` gives it "
            "others");
  EXPECT_EQ(typed(desk, "resume " + file + " max_steps=20 preempt=host@14"), "");
}

TEST(Checkpoint, is_what_a_resumed_run_is_reproduced_from) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "a.safetensors").string();
  Desk desk;
  typed(desk, "run max_steps=10; checkpoint " + file);
  typed(desk, "resume " + file + " max_steps=20 learning_rate=0.002");
  const std::vector<float> once = losses(desk);
  const std::string line = between(typed(desk, "reproduce"), "tpulab -c '", '\'');
  EXPECT_EQ(line, "resume " + file + " learning_rate=0.002 max_steps=20");
  Desk elsewhere{Settings()};
  EXPECT_EQ(typed(elsewhere, line), "");
  EXPECT_EQ(losses(elsewhere), once);
  typed(desk, "checkpoint " + file);
  EXPECT_NE(typed(desk, "reproduce")
                .find("; run'the run went on from a checkpoint behind step 10, "
                      "the line begins anew: " +
                      file + " stands behind step 20 now"),
            std::string::npos);
}

TEST(Checkpoint, at_the_prompt_promises_a_step_only_while_one_is_under_way) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "a.safetensors").string();
  Desk desk;
  desk.context.interactive = true;
  EXPECT_EQ(typed(desk, "checkpoint " + file), "");
  ASSERT_TRUE(desk.engine.wait_for(std::chrono::seconds(20)));
  EXPECT_EQ(desk.news(), (std::vector<std::string>{"there is no run to keep; `run` first"}));
  typed(desk, "run max_steps=-1 max_epochs=-1");
  EXPECT_EQ(typed(desk, "checkpoint " + file),
            file + " is written when the step under way has ended");
  typed(desk, "stop");
}

TEST(Checkpoint, that_cannot_be_resumed_leaves_the_run_before) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "a.safetensors").string();
  Desk desk;
  EXPECT_EQ(typed(desk, "checkpoint " + file), "failed:there is no run to keep; `run` first");
  typed(desk, "run max_steps=3; checkpoint " + file);
  EXPECT_NE(typed(desk, "resume " + file + " hidden=32").find("does not fit these settings"),
            std::string::npos);
  EXPECT_NE(typed(desk, "resume " + file)
                .find("stands behind step 3 and 0 whole epochs, where its run ends"),
            std::string::npos);
  EXPECT_NE(typed(desk, "checkpoint a.txt").find("writes a .safetensors file"), std::string::npos);
  folder.write("a.safetensors", "a,b,label\n1,2,0\n");
  EXPECT_NE(typed(desk, "resume " + file)
                .find("is no safetensors file that can be read: its first 8 bytes are no length of "
                      "a header; a checkpoint is what `checkpoint FILE.safetensors` writes"),
            std::string::npos);
  EXPECT_EQ(desk.engine.latest()->run.number, 1);
  EXPECT_EQ(desk.engine.latest()->run.step, 3);
  EXPECT_NE(typed(desk, "checkpoint /nowhere/a.safetensors").find("failed:"), std::string::npos);
}

TEST(Checkpoint, every_run_is_kept_while_it_goes_on_until_off) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "a.safetensors").string();
  Desk desk;
  EXPECT_EQ(typed(desk, "checkpoint " + file + " every 4"),
            "every run is written to " + file +
                " behind every 4 steps"
                "save_every_n_steps 4: acts from the next step");
  typed(desk, "run max_steps=10");
  const std::string said = fmt::format("{}", fmt::join(desk.news(), "\n"));
  EXPECT_NE(said.find("behind step 4;"), std::string::npos);
  EXPECT_NE(said.find("behind step 8;"), std::string::npos);
  EXPECT_EQ(typed(desk, "checkpoint off"),
            "runs are not written to a file any more"
            "save_every_n_steps is still 4, which costs its time");
  typed(desk, "run max_steps=4");
  Desk second;
  typed(second, "resume " + file + " max_steps=20");
  Desk straight;
  typed(straight, "run max_steps=20");
  const std::vector<float> all = losses(straight);
  EXPECT_EQ(losses(second), std::vector<float>(all.begin() + 8, all.end()));
}

// What lies on disk is what its processes go on from, and what it costs them is told.
TEST(Checkpoint, of_every_few_steps_is_where_a_preempted_run_goes_back_to) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "a.safetensors").string();
  Desk desk;
  typed(desk, "checkpoint " + file + " every 4; preempt host@11; run max_steps=12");
  const std::string said = fmt::format("{}", fmt::join(desk.news(), "\n"));
  EXPECT_NE(said.find("go on from the checkpoint behind step 8, 3 steps again"), std::string::npos)
      << said;
}

TEST(Checkpoint, behind_the_step_of_a_preemption_says_that_it_has_no_effect) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "a.safetensors").string();
  Desk desk;
  typed(desk, "run max_steps=8; checkpoint " + file);
  const std::string resume = "resume " + file + " max_steps=12 preempt=host@";
  EXPECT_EQ(typed(desk, resume + "8"),
            "preempt host@8: no effect on a run that goes on behind step 8");
  desk.news();
  EXPECT_EQ(typed(desk, resume + "9"), "");
  const std::string said = fmt::format("{}", fmt::join(desk.news(), "\n"));
  EXPECT_NE(said.find("host 0 is preempted"), std::string::npos) << said;
}

TEST(Checkpoint, is_written_as_often_as_the_setting_says_that_its_rhythm_has_set) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "a.safetensors").string();
  Desk desk;
  typed(desk, "checkpoint " + file + " every 4; save_every_n_steps 6; run max_steps=9");
  const std::string said = fmt::format("{}", fmt::join(desk.news(), "\n"));
  EXPECT_EQ(said.find("behind step 4;"), std::string::npos) << said;
  EXPECT_NE(said.find("behind step 6;"), std::string::npos) << said;
}

TEST(Checkpoint, of_a_run_that_is_resumed_is_written_in_the_rhythm_that_was_typed_before) {
  const test::TemporaryFolder folder;
  const std::string old = (folder / "old.safetensors").string();
  const std::string file = (folder / "new.safetensors").string();
  Desk first;
  typed(first, "run max_steps=6; checkpoint " + old);
  Desk second;
  typed(second, "checkpoint " + file + " every 4");
  second.news();
  EXPECT_FALSE(second.type("resume " + old + " max_steps=13").failed);
  const std::string said = fmt::format("{}", fmt::join(second.news(), "\n"));
  for (int step = 7; step <= 13; ++step) {
    const std::string line = fmt::format("{}: run 1 behind step {};", file, step);
    EXPECT_EQ(said.find(line) != std::string::npos, step % 4 == 0) << said;
  }
  Desk third;
  EXPECT_EQ(typed(third, "resume " + file + " max_steps=13"), "");
  EXPECT_EQ(losses(third).size(), 1U);
  EXPECT_EQ(losses(third).back(), losses(second).back());
}

TEST(Checkpoint, of_a_run_in_time_only_is_said_once_to_be_none) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "a.safetensors").string();
  Desk desk;
  typed(desk, "numbers off; checkpoint " + file + " every 2; run max_steps=6");
  const std::string said = fmt::format("{}", fmt::join(desk.news(), "\n"));
  const std::string none = file + " is not written: run 1 in time only has no weights to keep";
  EXPECT_NE(said.find(none), std::string::npos) << said;
  EXPECT_EQ(said.find(none), said.rfind(none)) << said;
}

// Every 40 steps there would be none when the slice is taken back.
TEST(Checkpoint, is_not_advised_to_be_rarer_than_what_a_preempted_run_goes_back_to) {
  Desk desk;
  typed(desk, "numbers off; hidden 1024 1024; save_every_n_steps 10; run max_steps=40");
  const std::string advice = typed(desk, "advise");
  EXPECT_NE(advice.find("save_every_n_steps 40"), std::string::npos) << advice;
  typed(desk, "preempt host@25; run max_steps=40");
  EXPECT_EQ(typed(desk, "advise").find("save_every_n_steps 40"), std::string::npos);
}

// 12 steps an epoch: the file of its last one has the validation behind it.
TEST(Checkpoint, at_the_end_of_an_epoch_lies_behind_its_validation) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "a.safetensors").string();
  Desk desk;
  typed(desk, "batch 16; hidden 16; checkpoint " + file + " every 12; run max_steps=12");
  Desk second;
  EXPECT_EQ(typed(second, "resume " + file + " max_steps=14"), "");
  const std::string said = fmt::format("{}", fmt::join(second.news(), "\n"));
  EXPECT_NE(said.find("it goes on behind step 12, in epoch 2"), std::string::npos) << said;
  EXPECT_EQ(said.find("test accuracy 0"), std::string::npos) << said;
  EXPECT_EQ(second.engine.latest()->run.step, 14);
}

TEST(Checkpoint, is_written_where_a_run_pauses_in_front_of_its_validation) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "a.safetensors").string();
  Desk desk;
  typed(desk, "batch 16; hidden 16; checkpoint " + file + " every 12; max_steps 20; step 12; stop");
  Desk second;
  EXPECT_EQ(typed(second, "resume " + file + " max_steps=14"), "");
  EXPECT_EQ(second.engine.latest()->run.step, 14);
}

TEST(Checkpoint, in_front_of_a_validation_has_no_loss_to_tell_with_it) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "a.safetensors").string();
  Desk desk;
  typed(desk, "batch 16; hidden 16; max_steps 20; step 12; checkpoint " + file);
  Desk second;
  typed(second, "resume " + file + " max_steps=14");
  const std::string said = fmt::format("{}", fmt::join(second.news(), "\n"));
  EXPECT_NE(said.find("step 12  test accuracy"), std::string::npos) << said;
}

TEST(Checkpoint, in_a_folder_that_is_not_there_is_refused_when_it_is_typed) {
  Desk desk;
  for (const char* line :
       {"checkpoint /nowhere/a.safetensors every 2", "checkpoint /nowhere/a.safetensors"}) {
    EXPECT_EQ(typed(desk, line),
              "failed:cannot write /nowhere/a.safetensors: there is no folder /nowhere; make it or "
              "name another");
  }
  EXPECT_EQ(desk.settings.save_every_n_steps, 0);
}

TEST(Checkpoint, in_the_place_of_a_folder_is_refused_when_it_is_typed) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "a.safetensors").string();
  std::filesystem::create_directory(file);
  Desk desk;
  EXPECT_EQ(typed(desk, "checkpoint " + file + " every 2"),
            "failed:cannot write " + file + ": it is no file; give another name");
  EXPECT_EQ(desk.settings.save_every_n_steps, 0);
}

TEST(Checkpoint, where_one_may_not_write_is_refused_when_it_is_typed) {
  const test::TemporaryFolder folder;
  const std::filesystem::path locked = folder / "locked";
  std::filesystem::create_directory(locked);
  std::filesystem::permissions(locked, std::filesystem::perms::owner_read);
  if (::access(locked.c_str(), W_OK) == 0) GTEST_SKIP() << "root may write anywhere";
  Desk desk;
  EXPECT_NE(typed(desk, "checkpoint " + (locked / "a.safetensors").string() + " every 2")
                .find("Permission denied; name a file in a folder of your own"),
            std::string::npos);
}

// Six steps an epoch, and one behind the second.
TEST(Checkpoint, is_written_behind_epochs_where_the_setting_says_so) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "a.safetensors").string();
  Desk desk;
  typed(desk, "checkpoint " + file + " every 4; save_every_n_steps 0; run max_steps=13");
  const std::string said = fmt::format("{}", fmt::join(desk.news(), "\n"));
  for (int step = 1; step <= 13; ++step) {
    const std::string line = fmt::format("{}: run 1 behind step {};", file, step);
    EXPECT_EQ(said.find(line) != std::string::npos, step % 6 == 0) << said;
  }
}

TEST(Checkpoint, without_its_checksum_is_told_to_be_unverified) {
  const test::TemporaryFolder folder;
  const std::filesystem::path path = folder / "a.safetensors";
  Desk desk;
  typed(desk, "run max_steps=3; checkpoint " + path.string());
  std::string bytes = read_file(path, 1 << 20);
  bytes[bytes.find("\"checksum\"") + 1] ^= 1;
  folder.write("a.safetensors", bytes);
  EXPECT_EQ(typed(desk, "resume " + path.string() + " max_steps=6"),
            path.string() + " has no checksum: whether it is as it was written cannot be told");
}

TEST(Checkpoint, that_cannot_be_written_leaves_the_run) {
  const test::TemporaryFolder folder;
  const std::filesystem::path gone = folder / "gone";
  std::filesystem::create_directory(gone);
  const std::string file = (gone / "a.safetensors").string();
  Desk desk;
  typed(desk, "checkpoint " + file + " every 2");
  std::filesystem::remove(gone);
  EXPECT_TRUE(
      typed(desk, "run max_steps=4").find("run 1 has gone as far as it should, but cannot write") !=
      std::string::npos);
  EXPECT_EQ(desk.engine.latest()->run.state, RunState::finished);
  const std::string said = fmt::format("{}", fmt::join(desk.news(), "\n"));
  EXPECT_NE(said.find(file), std::string::npos);
  for (const char* wrong :
       {"checkpoint", "checkpoint a every 2", "checkpoint a.safetensors every 0",
        "checkpoint a.safetensors each 2", "checkpoint a.safetensors every"}) {
    EXPECT_EQ(typed(desk, wrong).substr(0, 7), "failed:") << wrong;
  }
}

}  // namespace
}  // namespace tpulab::checkpoint_test

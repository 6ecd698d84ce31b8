#include "engine/session/run/lead.h"

#include <gtest/gtest.h>

#include <optional>

#include "engine/base/workers.h"
#include "engine/session/run/checkpoint_file.h"
#include "engine/session/run/follow.h"
#include "engine/session/run/stepper.h"
#include "tests/engine/base/thread_peers.h"
#include "tests/engine/session/run_to_end.h"

namespace tpulab::lead_test {
namespace {

using test::run_to_end;

// What the process with the prompt does, while the others follow it.
void lead(int processes, const std::function<void(Engine&)>& work) {
  test::together(processes, [&](Peers& peers) {
    if (peers.rank() > 0) return follow(peers);
    {
      Engine engine({}, &peers);
      work(engine);
    }
    leave(&peers);
  });
}

std::uint64_t losses_of(int processes, const Settings& settings) {
  std::uint64_t losses = 0;
  lead(processes, [&](Engine& engine) {
    run_to_end(engine, settings);
    const auto runs = engine.ended_runs();
    ASSERT_EQ(runs.size(), 1u);
    EXPECT_EQ(runs[0].view.state, RunState::finished);
    losses = runs[0].losses;
  });
  return losses;
}

std::uint64_t losses_of_one_process(Settings settings) {
  settings.replicas = "separate";
  Engine engine;
  run_to_end(engine, settings);
  return engine.ended_runs().at(0).losses;
}

std::string last_error(const Engine& engine) {
  std::string text;
  for (const OutputLine& line : engine.output_since(0)) {
    if (line.kind == OutputLine::Kind::error) text = line.text;
  }
  return text;
}

TEST(Lead, a_run_has_the_same_bits_in_any_number_of_processes) {
  const Settings settings = test::small_run();
  const std::uint64_t one = losses_of_one_process(settings);
  for (const int processes : {1, 2, 4, 8}) EXPECT_EQ(losses_of(processes, settings), one);
}

TEST(Lead, ops_on_the_cpu_and_reads_inside_a_step_keep_the_bits) {
  Settings settings = test::small_run();
  settings.fallback_op = "median";
  settings.item_every_n_steps = 1;
  settings.batch = 32;
  EXPECT_EQ(losses_of(4, settings), losses_of_one_process(settings));
}

TEST(Lead, the_others_follow_a_change_between_two_steps) {
  Settings settings = test::small_run();
  settings.max_epochs = 4;
  const auto play = [&](Engine& engine) {
    engine.post(StepRun{3, settings});
    engine.wait();
    Settings changed = settings;
    changed.batch = 32;
    changed.learning_rate = 0.01;
    engine.post(ChangeSettings{changed, Effect::recompile, {"batch", "learning_rate"}});
    engine.post(ResumeRun{});
    engine.wait();
  };
  std::uint64_t alone = 0;
  {
    settings.replicas = "separate";
    Engine engine;
    play(engine);
    alone = engine.ended_runs().at(0).losses;
  }
  lead(2, [&](Engine& engine) {
    play(engine);
    EXPECT_EQ(engine.ended_runs().at(0).losses, alone);
    EXPECT_EQ(engine.ended_runs().at(0).view.changed, "batch, learning_rate");
  });
}

TEST(Lead, a_second_run_begins_where_the_first_was_stopped) {
  const Settings settings = test::small_run();
  lead(2, [&](Engine& engine) {
    engine.post(StepRun{1, settings});
    engine.wait();
    run_to_end(engine, settings);
    run_to_end(engine, settings);
    const auto runs = engine.ended_runs();
    ASSERT_EQ(runs.size(), 3u);
    EXPECT_EQ(runs[1].losses, runs[2].losses);
  });
}

TEST(Lead, a_run_goes_on_from_a_checkpoint) {
  const Settings settings = test::small_run();
  ProgramCache cache;
  Metrics metrics;
  WorkerPool workers(1);
  Stepper steps(settings, cache, workers, metrics);
  for (int call = 0; call < 3; ++call) steps.advance();
  const auto state = std::make_shared<const TrainerState>(steps.trainer()->state());
  const auto resumed_in = [&](Engine& engine) {
    StartRun start{settings};
    start.from = state;
    engine.post(start);
    engine.wait();
    return engine.ended_runs().at(0).losses;
  };
  std::vector<std::uint64_t> losses;
  for (const int processes : {1, 4}) {
    lead(processes, [&](Engine& engine) { losses.push_back(resumed_in(engine)); });
  }
  EXPECT_EQ(losses[0], losses[1]);
}

TEST(Lead, processes_that_cannot_own_equal_parts_say_how_many_can) {
  Settings settings = test::small_run();
  const auto refusal = [&](int processes) {
    std::string text;
    lead(processes, [&](Engine& engine) {
      run_to_end(engine, settings);
      text = last_error(engine);
      settings.numbers = false;  // is one process's alone
      run_to_end(engine, settings);
      EXPECT_EQ(engine.latest()->run.state, RunState::finished);
      settings.numbers = true;
    });
    return text;
  };
  EXPECT_EQ(refusal(3),
            "3 processes cannot own equal parts of 8 cores: start as many as 1, 2, 4, 8, or change "
            "devices or slice");
  settings.devices = "1";
  EXPECT_NE(refusal(2).find("of 1 core: start as many as 1, or"), std::string::npos);
}

TEST(Lead, what_a_process_could_not_begin_is_said_in_its_words) {
  test::together(2, [](Peers& peers) {
    if (peers.rank() > 0) {
      EXPECT_EQ(peers.broadcast(0, "").substr(0, 6), "begin\n");
      EXPECT_EQ(peers.broadcast(0, ""), "begun\n");
      texts_of_all(peers, "cannot read rows.csv: no such file");
      EXPECT_EQ(peers.broadcast(0, ""), "leave\n");
      return;
    }
    {
      Engine engine({}, &peers);
      run_to_end(engine, test::small_run());
      EXPECT_EQ(last_error(engine),
                "process 1 of 2 could not begin: cannot read rows.csv: no such file");
    }
    leave(&peers);
  });
}

}  // namespace
}  // namespace tpulab::lead_test

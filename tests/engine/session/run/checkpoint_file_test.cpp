#include "engine/session/run/checkpoint_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "engine/base/error.h"
#include "engine/base/workers.h"
#include "engine/formats/safetensors.h"
#include "engine/session/run/stepper.h"
#include "engine/session/settings/settings_file.h"
#include "tests/engine/session/run_to_end.h"

namespace tpulab::checkpoint_file_test {
namespace {

// A run of its own, as a process of its own would have it.
struct Process {
  explicit Process(const Settings& settings) : steps(settings, cache, workers, metrics) {}

  // The bits of the losses of so many optimizer steps, and of test accuracies between them.
  std::vector<std::uint64_t> advance(int wanted) {
    std::vector<std::uint64_t> bits;
    for (int done = 0; done < wanted;) {
      const StepReport report = steps.advance();
      if (report.loss) bits.push_back(std::bit_cast<std::uint32_t>(*report.loss));
      if (report.test_accuracy) bits.push_back(std::bit_cast<std::uint64_t>(*report.test_accuracy));
      if (!report.optimizer_step) continue;
      newest = report.timeline.duration();
      ++done;
    }
    return bits;
  }

  ProgramCache cache;
  Metrics metrics;
  WorkerPool workers{1};
  Stepper steps;
  Picoseconds newest{};
};

// Epochs have three steps; runs stop inside of one and at the end of one.
Settings settings_of(std::initializer_list<Assignment> assignments) {
  Settings settings = test::small_run();
  settings.max_epochs = 20;
  change_all(settings, std::vector<Assignment>(assignments));
  return settings;
}

void expect_same_bits(const Settings& settings, int before, int after) {
  Process straight(settings);
  std::vector<std::uint64_t> expected = straight.advance(before);
  const std::string file = checkpoint_text(settings, straight.steps.trainer()->state());
  expected = straight.advance(after);

  const Checkpoint kept = checkpoint_of(file, "a.safetensors");
  EXPECT_EQ(text_of_settings(kept.settings), text_of_settings(settings));
  check_can_resume(kept.settings, *kept.state);
  Process resumed(kept.settings);
  resumed.steps.restore(*kept.state);
  EXPECT_EQ(resumed.steps.step(), before);
  EXPECT_EQ(resumed.advance(after), expected);
  EXPECT_EQ(resumed.steps.step(), straight.steps.step());
  EXPECT_EQ(resumed.steps.epoch(), straight.steps.epoch());
  EXPECT_EQ(resumed.newest, straight.newest) << "TPU time of a steady step";
}

TEST(CheckpointFile, goes_on_with_the_bits_of_a_run_that_never_stopped) {
  expect_same_bits(settings_of({}), 10, 10);
  expect_same_bits(settings_of({}), 6, 4);
  expect_same_bits(settings_of({{"optimizer", "sgd"}, {"seed", "3"}}), 7, 12);
  expect_same_bits(settings_of({{"precision", "bf16-true"}, {"devices", "1"}}), 3, 4);
}

TEST(CheckpointFile, goes_on_with_a_learning_rate_that_rises_and_batches_that_are_summed) {
  expect_same_bits(settings_of({{"warmup_steps", "8"}, {"accumulate_grad_batches", "2"}}), 4, 5);
}

TEST(CheckpointFile, refuses_what_does_not_fit_and_says_why) {
  const Settings settings = settings_of({});
  Process one(settings);
  one.advance(2);
  const TrainerState state = one.steps.trainer()->state();
  const auto refusal = [&](const Settings& with, const TrainerState& from) {
    try {
      check_can_resume(with, from);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("fits");
  };
  EXPECT_EQ(refusal(settings, state), "fits");
  EXPECT_NE(refusal(settings_of({{"hidden", "(32)"}}), state).find("f32[64,16]"),
            std::string::npos);
  EXPECT_NE(refusal(settings_of({{"optimizer", "sgd"}}), state).find("moment2"), std::string::npos);
  EXPECT_NE(refusal(settings_of({{"numbers", "off"}}), state).find("numbers on"),
            std::string::npos);
  TrainerState of_others = state;  // a file of that name that holds other rows by now
  of_others.data += 1;
  EXPECT_NE(refusal(settings, of_others).find("the rows of digits that train are others"),
            std::string::npos);
  const Checkpoint kept = checkpoint_of(checkpoint_text(settings, of_others), "k");
  EXPECT_EQ(kept.state->data, of_others.data);
  EXPECT_NE(refusal(settings_of({{"split", "shuffled"}}), state).find("that train are others"),
            std::string::npos);
  EXPECT_EQ(refusal(settings_of({{"seed", "7"}}), state), "fits");
  TrainerState far = state;
  far.place.rows_seen = 181;  // of 180 rows that each of 8 cores has
  EXPECT_NE(refusal(settings, far).find("row 181"), std::string::npos);
  far.place.rows_seen = -1;
  EXPECT_NE(refusal(settings, far), "fits");
}

// Rows that it was trained on would be among those that test it.
TEST(CheckpointFile, of_a_shuffled_split_goes_on_with_that_shuffle_alone) {
  const Settings settings = settings_of({{"split", "shuffled"}});
  Process one(settings);
  one.advance(2);
  const TrainerState state = one.steps.trainer()->state();
  EXPECT_NO_THROW(check_can_resume(settings, state));
  for (const auto& other : {settings_of({}), settings_of({{"split", "validation"}}),
                            settings_of({{"split", "shuffled"}, {"seed", "7"}})}) {
    EXPECT_THROW(check_can_resume(other, state), Error) << other.split;
  }
}

std::string refusal_of(const std::string& text) {
  try {
    checkpoint_of(text, "f");
  } catch (const Error& error) {
    return error.what();
  }
  return "read";
}

// A run that goes on from a few wrong bits would diverge much later, and nobody knew why.
TEST(CheckpointFile, tells_that_a_bit_of_its_numbers_or_settings_is_not_as_it_was_written) {
  const Settings with = settings_of({{"seed", "34"}});
  Process one(with);
  one.advance(2);
  const std::string whole = checkpoint_text(with, one.steps.trainer()->state());
  EXPECT_EQ(refusal_of(whole), "read");
  const std::size_t name = whole.find("seed = 34");  // of a setting
  for (const std::size_t at :
       {name, name + 8, whole.size() - 1, whole.size() - 4, whole.size() / 2}) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    EXPECT_EQ(refusal_of(damaged).find("f is damaged: its numbers or settings are not those"), 0U)
        << at << refusal_of(damaged);
  }
}

TEST(CheckpointFile, is_read_without_a_checksum_and_with_arrays_in_another_order) {
  const Settings with = settings_of({});
  Process one(with);
  one.advance(1);
  const std::string text = checkpoint_text(with, one.steps.trainer()->state());
  Safetensors stored = parse_safetensors(text, "f");
  std::ranges::reverse(stored.arrays);
  EXPECT_EQ(refusal_of(text_of(stored)), "read");
  stored.metadata["step"] = "2";
  EXPECT_NE(refusal_of(text_of(stored)), "read");
  stored.metadata.erase("checksum");
  EXPECT_EQ(refusal_of(text_of(stored)), "read");
}

TEST(CheckpointFile, refuses_safetensors_of_somebody_else) {
  const auto refusal = [](const Safetensors& stored) { return refusal_of(text_of(stored)); };
  EXPECT_EQ(refusal({}), "f is no checkpoint of tpulab: its metadata has no 'step'");
  Safetensors stored{{{"step", "1.5"}}, {}};
  EXPECT_EQ(refusal(stored), "f: its step is '1.5'; expected a whole number");
  stored.metadata = {{"step", "1"}, {"epoch", "0"}, {"rows_seen", "0"}, {"evaluations", "0"}};
  EXPECT_NE(refusal(stored).find("'settings'"), std::string::npos);
  stored.metadata["settings"] = "batch = 0\n";
  EXPECT_NE(refusal(stored).find("batch cannot be 0"), std::string::npos) << refusal(stored);
}

}  // namespace
}  // namespace tpulab::checkpoint_file_test

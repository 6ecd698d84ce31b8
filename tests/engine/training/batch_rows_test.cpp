// How rows of a batch come to the devices: as bytes, and texts in other lengths.
#include <gtest/gtest.h>

#include <memory>

#include "engine/runtime/counters.h"
#include "tests/engine/training/training_session.h"

namespace tpulab::batch_rows_test {
namespace {

using test::Session;

TrainerOptions small_options() {
  TrainerOptions options;
  options.model = perceptron({96});
  options.max_epochs = -1;
  return options;
}

// 8 x 8 pixels of 0 to 16, which f32 and bytes hold alike.
TEST(BatchRows, that_are_sent_as_bytes_train_to_the_same_bits) {
  TrainerOptions options = small_options();
  Session whole({.options = options});
  options.sent = DType::u8;
  Session bytes({.options = options});
  EXPECT_EQ(whole.train(8), bytes.train(8));
  const auto sent = [](const Session& session) {
    return counters_of(session.metrics.copy()).total("OutboundData");
  };
  // Of a device: eight steps, the sixth of 20 rows, and 45 in the sanity check and behind an epoch.
  // What bytes are divided by is sent once.
  constexpr double rows = 5 * 32 + 20 + 2 * 32 + 2 * 45;
  EXPECT_EQ(sent(whole) - sent(bytes), rows * 64 * 3 - 4);
}

// The licence in windows of 32 characters.
TEST(BatchRows, of_texts_in_other_lengths_are_other_programs_and_the_loss_falls) {
  TrainerOptions options;
  options.data = &text();
  options.model = *trained_model("gpt-tiny", {});
  options.batch = 8;
  options.max_epochs = -1;
  const auto trained = [&options](Shapes shapes) {
    options.habits.shapes = shapes;
    return std::make_unique<Session>(test::Bench{.devices = {0}, .options = options});
  };
  const auto fixed = trained(Shapes::fixed);
  fixed->train(30);
  const auto bucketed = trained(Shapes::bucketed);
  const std::vector<float> losses = bucketed->train(30);
  EXPECT_LT(losses.back(), 0.9f * losses.front());
  const auto graphs = [](const Session& session) { return session.causes("train step").size(); };
  EXPECT_EQ(graphs(*bucketed), graphs(*fixed) + 3);  // four lengths
  const std::string newest = bucketed->causes("train step").back();
  EXPECT_NE(newest.find("s64[8,"), std::string::npos) << newest;
}

// The answers of a sum are its last characters: a row that ends earlier asks for nothing.
TEST(BatchRows, of_which_a_part_is_asked_keep_their_length) {
  TrainerOptions options;
  options.data = &addition();
  options.model = *trained_model("gpt-tiny", {});
  options.batch = 8;
  options.max_epochs = -1;
  options.habits.shapes = Shapes::bucketed;
  Session session({.devices = {0}, .options = options});
  session.train(20);
  for (const std::string& cause : session.causes("train step")) {
    EXPECT_EQ(cause.find("s64[8,8] -> s64[8,"), std::string::npos) << cause;
  }
}

}  // namespace
}  // namespace tpulab::batch_rows_test

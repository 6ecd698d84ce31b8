#include <gtest/gtest.h>

#include "engine/training/trainer.h"
#include "tests/engine/training/training_session.h"

namespace tpulab::validation_test {
namespace {

using test::Session;

TEST(Validation, that_syncs_compiles_a_batch_at_a_time_and_measures_the_same) {
  TrainerOptions options;
  options.model = perceptron({96});
  options.max_epochs = 1;
  Session whole({.devices = {0}, .options = options});
  const double accuracy = whole.train_to_the_end().value();
  ASSERT_EQ(whole.causes("evaluation").size(), 1u);
  options.habits.sync_validation = true;
  Session batches({.devices = {0}, .options = options});
  EXPECT_EQ(batches.train_to_the_end().value(), accuracy);
  ASSERT_EQ(batches.causes("evaluation").size(), 2u);
  EXPECT_NE(batches.causes("evaluation").at(1).find("last batch"), std::string::npos);
}

}  // namespace
}  // namespace tpulab::validation_test

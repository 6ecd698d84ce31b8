// Fewer rows than devices: each row is one of several devices that share it.
#include <gtest/gtest.h>

#include "engine/session/settings/plan.h"
#include "engine/session/settings/settings.h"
#include "tests/engine/ops/check_op.h"

namespace tpulab::shared_rows_test {
namespace {

Settings long_rows() {
  Settings settings;
  for (const auto& [name, value] :
       {std::pair("slice", "v5p-32"), {"stack", "jax"}, {"model", "llama3-8b"}, {"batch", "1"}}) {
    change(settings, name, value);
  }
  return settings;
}

std::string refusal(Settings settings, const char* name, const char* value) {
  return test::error_of([&] { change(settings, name, value); });
}

TEST(SharedRows, are_written_as_a_part_of_a_row_for_each_device) {
  Settings settings = long_rows();
  EXPECT_EQ(change(settings, "batch", "1/8"),
            "batch 1/8: 1/8 x 16 = 2 global; the next step recompiles unless it is cached");
  EXPECT_EQ(forecast_request(settings).batch, 2);
  EXPECT_EQ(setting_named("batch").show(settings), "1/8");
  EXPECT_EQ(setting_named("batch.global").show(settings), "2");
  change(settings, "batch", "3");
  EXPECT_EQ(forecast_request(settings).batch, 48);
}

TEST(SharedRows, are_what_fewer_rows_than_devices_come_to) {
  Settings settings = long_rows();
  change(settings, "batch.global", "4");
  EXPECT_EQ(setting_named("batch").show(settings), "1/4");
  EXPECT_EQ(refusal(settings, "batch.global", "3"),
            "batch.global 3 cannot be shared evenly by 16 devices; use 16");
}

TEST(SharedRows, need_a_number_of_devices_that_they_divide) {
  EXPECT_EQ(refusal(long_rows(), "batch", "1/3"),
            "batch 1/3 shares each row among 3 devices, which the 16 of v5p-32 are no multiple of; "
            "choose a divisor");
  for (const char* wrong : {"1/0", "1/", "2/8", "1/x", "1/99999999999"}) {
    EXPECT_NE(refusal(long_rows(), "batch", wrong), "no error") << wrong;
  }
}

TEST(SharedRows, are_of_named_models_on_tpus) {
  EXPECT_EQ(refusal({}, "batch", "1/8"),
            "batch 1/8 shares rows among devices, as the mesh of a named model can; mlp reads "
            "whole ones, use batch 1 or more");
  Settings settings = long_rows();
  change(settings, "batch", "1/2");
  EXPECT_EQ(refusal(settings, "slice", "v100x8"),
            "batch 1/2 is for TPUs and v100x8 names GPUs; set batch 1 or more");
}

}  // namespace
}  // namespace tpulab::shared_rows_test

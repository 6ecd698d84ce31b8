#include "engine/session/settings/memory_check.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/machine/machine.h"
#include "engine/session/answers/estimate.h"

namespace tpulab {
namespace {

std::string refusal(const Settings& settings) {
  try {
    check_memory(settings);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// The changes behind "What would fit: ", as they are typed.
std::vector<std::vector<Assignment>> remedies_in(const std::string& refusal) {
  const std::string start = "What would fit: ";
  std::string list = refusal.substr(refusal.find(start) + start.size()) + ", or ";
  std::vector<std::vector<Assignment>> found;
  for (std::size_t at = list.find(", or "); at != std::string::npos; at = list.find(", or ")) {
    std::vector<Assignment>& changes = found.emplace_back();
    for (const std::string& one : split(list.substr(0, at), ';')) {
      const std::vector<std::string> words = split(std::string(trimmed(one)), ' ');
      EXPECT_EQ(words.size(), 2u) << one;
      changes.push_back({words[0], words[1]});
    }
    list.erase(0, at + 5);
  }
  return found;
}

void expect_remedies_that_work(const Settings& settings, const std::string& what) {
  const std::string told = refusal(settings);
  if (told.empty()) return;
  ASSERT_NE(told.find("RESOURCE_EXHAUSTED"), std::string::npos) << what << told;
  if (told.find("choose a smaller model") != std::string::npos) return;
  for (const std::vector<Assignment>& remedy : remedies_in(told)) {
    Settings changed = settings;
    change_all(changed, remedy);
    EXPECT_EQ(refusal(changed), "") << what << " by " << remedy[0].name << " of: " << told;
    if (is_named(changed)) estimate(changed);
  }
}

Settings large(const std::string& slice, std::vector<std::int64_t> hidden) {
  Settings settings;
  settings.numbers = false;
  settings.slice = slice;
  settings.hidden = std::move(hidden);
  return settings;
}

TEST(MemoryCheck, every_remedy_works_as_it_is_typed) {
  for (const Settings& settings :
       {large("v2-8", {16384, 16384, 16384}), large("v3-8", {16384, 16384, 16384, 16384, 16384}),
        large("v5e-8", {16384, 16384, 16384, 16384, 16384})}) {
    EXPECT_NE(refusal(settings), "") << settings.slice;
    expect_remedies_that_work(settings, settings.slice);
  }
}

TEST(MemoryCheck, every_remedy_of_a_named_model_works_as_it_is_typed) {
  int refused = 0;
  for (const char* model : {"resnet50", "bert-large", "llama3-8b", "llama3-70b", "lm-3b"}) {
    for (const char* slice : {"v2-8", "v3-8", "v5e-16", "v6e-16", "v5p-128"}) {
      for (const char* batch : {"1", "32", "512"}) {
        for (const char* stack : {"pytorch-xla", "jax"}) {
          Settings settings;
          change_all(settings,
                     std::vector<Assignment>{
                         {"model", model}, {"slice", slice}, {"batch", batch}, {"stack", stack}});
          refused += refusal(settings).empty() ? 0 : 1;
          expect_remedies_that_work(settings,
                                    fmt::format("{} {} {} {}", model, slice, batch, stack));
        }
      }
    }
  }
  EXPECT_GT(refused, 50);
}

// What a user of bert-large was told before was the batch of all devices.
TEST(MemoryCheck, a_batch_that_fits_is_the_largest_of_one_device) {
  Settings settings;
  change_all(settings, std::vector<Assignment>{{"model", "bert-large"}, {"batch", "32"}});
  const std::vector<std::vector<Assignment>> ways = remedies_in(refusal(settings));
  ASSERT_EQ(ways[0][0].name, "batch");
  change(settings, "batch", ways[0][0].value);
  EXPECT_EQ(refusal(settings), "");
  change(settings, "batch", std::to_string(settings.batch + 1));
  EXPECT_NE(refusal(settings), "");
}

TEST(MemoryCheck, buffers_that_are_taken_over_are_tried_first) {
  Settings settings;
  change_all(settings, std::vector<Assignment>{{"model", "llama3-8b"},
                                               {"slice", "v6e-16"},
                                               {"batch", "4"},
                                               {"stack", "jax"},
                                               {"precision", "bf16-mixed"},
                                               {"remat", "full"},
                                               {"donate", "off"}});
  ASSERT_EQ(remedies_in(refusal(settings))[0][0].name, "donate");
  change(settings, "donate", "on");
  EXPECT_EQ(refusal(settings), "");
}

// Of 1,126,410 parameters in f32 weights and two moments; what the update frees hides some of it.
TEST(MemoryCheck, a_step_that_donates_nothing_holds_old_and_new) {
  Settings settings;
  const Bytes with = step_memory(settings);
  settings.donate = false;
  const double more = static_cast<double>((step_memory(settings) - with).value);
  EXPECT_GT(more, 2.5 * 4 * 1'126'410);
  EXPECT_LE(more, 3.0 * 4 * 1'126'410);
}

TEST(MemoryCheck, rows_that_the_data_has_not_need_no_memory) {
  Settings settings;
  settings.batch = 180;
  const Bytes all = step_memory(settings);
  settings.batch = 16'000'000;
  EXPECT_EQ(step_memory(settings), all);
}

TEST(MemoryCheck, weights_with_adam_are_held_four_times_at_least) {
  // 1,126,410 parameters in f32: the weights, two moments, and their gradients for the all-reduce.
  EXPECT_GE(step_memory(Settings{}).value, 4 * 4 * 1'126'410);
}

}  // namespace
}  // namespace tpulab

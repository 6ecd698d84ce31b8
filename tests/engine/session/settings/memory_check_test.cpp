#include "engine/session/settings/memory_check.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/machine/machine.h"
#include "engine/session/answers/estimate.h"

namespace tpulab::memory_check_test {
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
  std::string list = refusal.substr(refusal.find(start) + start.size());
  list = split(list, '\n')[0] + ", or ";
  std::vector<std::vector<Assignment>> found;
  for (std::size_t at = list.find(", or "); at != std::string::npos; at = list.find(", or ")) {
    std::vector<Assignment>& changes = found.emplace_back();
    for (const std::string& one : split(list.substr(1, at - 2), ';')) {  // in marks
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
    for (const Assignment& one : remedy) change(changed, one.name, one.value);  // as typed
    EXPECT_EQ(refusal(changed), "") << what << " by " << remedy[0].name << " of: " << told;
    if (is_named(changed)) estimate(changed);
  }
}

// People type a model first and its slice later: it is asked when it runs, or is forecast.
TEST(MemoryCheck, of_a_network_of_ones_own_waits_for_its_slice) {
  Settings settings;
  change(settings, "slice", "v2-8");
  change(settings, "hidden", "16384 16384 16384 16384");  // 12 GiB
  const std::string told = refusal(settings);
  EXPECT_NE(told.find("\nWhat would fit: `slice v3-8`, or `precision bf16-true`\n"), told.npos);
  EXPECT_THROW(estimate(settings), DoesNotFit);
  change_all(settings, std::vector<Assignment>{{"precision", "bf16-true"}, {"numbers", "off"}});
  EXPECT_EQ(refusal(settings), "");
}

TEST(MemoryCheck, of_this_computer_stands_in_no_forecasts_way) {
  Settings settings;
  change(settings, "slice", "v5p-16");
  change(settings, "model", "\"dense 65536 | dense 65536 | dense 10\"");
  EXPECT_GT(estimate(settings).step.count(), 0);
}

// A thousand batches of 128 images are 75 GiB.
TEST(MemoryCheck, counts_the_batches_that_are_kept_ready) {
  Settings settings;
  for (const auto& [name, value] :
       {std::pair{"model", "resnet50"}, {"batch", "128"}, {"loader_prefetch", "1024"}}) {
    change(settings, name, value);
  }
  const std::string told = refusal(settings);
  EXPECT_NE(told.find("batches kept ready 73.5 GiB"), std::string::npos) << told;
  EXPECT_NE(told.find("What would fit: `loader_prefetch auto"), std::string::npos) << told;
  expect_remedies_that_work(settings, "prefetch: ");
}

Settings large(const std::string& slice, std::vector<std::int64_t> hidden) {
  Settings settings;
  settings.numbers = false;
  settings.slice = slice;
  settings.hidden = std::move(hidden);
  return settings;
}

Settings with(const std::vector<Assignment>& changes) {
  Settings settings;
  change_all(settings, changes);
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
    for (const char* slice : {"v2-8", "v5e-16", "v5p-128"}) {
      for (const char* batch : {"1", "512"}) {
        const char* stack = refused % 2 == 0 ? "pytorch-xla" : "jax";
        const Settings settings =
            with({{"model", model}, {"slice", slice}, {"batch", batch}, {"stack", stack}});
        refused += refusal(settings).empty() ? 0 : 1;
        expect_remedies_that_work(settings, fmt::format("{} {} {} {}", model, slice, batch, stack));
      }
    }
  }
  EXPECT_GT(refused, 15);
}

// A dearer slice of the same kind is tried before what changes what is learned.
TEST(MemoryCheck, the_next_larger_slice_of_the_generation_comes_before_coarser_weights) {
  const std::vector<Assignment> common{{"stack", "jax"}, {"precision", "bf16-mixed"}};
  Settings llama = with(common);
  change_all(llama,
             std::vector<Assignment>{
                 {"model", "llama3-70b"}, {"slice", "v6e-32"}, {"batch", "1"}, {"remat", "full"}});
  const std::string told = refusal(llama);
  EXPECT_NE(told.find("slice v6e-64`, or "), std::string::npos) << told;
  EXPECT_LT(told.find("slice v6e-64"), told.find("precision bf16-true")) << told;
  EXPECT_NE(told.find("\nbf16-true changes what is learned"), std::string::npos) << told;
  expect_remedies_that_work(llama, "llama3-70b on v6e-32");
  Settings gemma = with(common);
  change_all(gemma,
             std::vector<Assignment>{{"model", "gemma2-27b"}, {"slice", "v6e-8"}, {"batch", "8"}});
  EXPECT_NE(refusal(gemma).find("What would fit: `slice v6e-32; remat full; batch 1"),
            std::string::npos)
      << refusal(gemma);
  expect_remedies_that_work(gemma, "gemma2-27b on v6e-8");
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

TEST(MemoryCheck, all_devices_are_tried_before_a_larger_slice) {
  const Settings settings = with({{"stack", "jax"},
                                  {"model", "llama3-8b"},
                                  {"slice", "v6e-16"},
                                  {"batch", "3"},
                                  {"precision", "bf16-mixed"},
                                  {"remat", "full"},
                                  {"devices", "[3]"}});
  EXPECT_TRUE(refusal(settings).ends_with("What would fit: `devices auto`")) << refusal(settings);
  expect_remedies_that_work(settings, "one of 16 devices");
}

TEST(MemoryCheck, logits_of_long_rows_fit_in_pieces) {
  const Settings settings = with({{"stack", "jax"},
                                  {"model", "gemma3-1b"},
                                  {"slice", "v5p-128"},
                                  {"sequence", "131072"},
                                  {"batch", "1"},
                                  {"precision", "bf16-mixed"},
                                  {"remat", "full"}});
  EXPECT_NE(refusal(settings).find("What would fit: `loss_pieces "), std::string::npos);
  expect_remedies_that_work(settings, "131,072 tokens");
}

// Devices share a row, or its tokens, before a dearer slice or a smaller model is named.
TEST(MemoryCheck, rows_that_one_device_cannot_hold_are_shared) {
  const Settings tokens = with({{"stack", "jax"},
                                {"model", "llama3-8b"},
                                {"slice", "v6e-16"},
                                {"sequence", "131072"},
                                {"batch", "1"},
                                {"precision", "bf16-mixed"},
                                {"remat", "full"}});
  EXPECT_NE(refusal(tokens).find("batch 1/"), std::string::npos) << refusal(tokens);
  expect_remedies_that_work(tokens, "131,072 tokens on v6e-16");
  const Settings weights = with({{"stack", "jax"},
                                 {"model", "llama3-8b"},
                                 {"slice", "v5e-4"},
                                 {"batch", "1"},
                                 {"precision", "bf16-true"},
                                 {"remat", "full"}});
  EXPECT_NE(refusal(weights).find("batch 1/4"), std::string::npos) << refusal(weights);
  expect_remedies_that_work(weights, "llama3-8b on v5e-4");
}

TEST(MemoryCheck, rows_that_no_slice_holds_whole_are_shared_on_a_larger_one) {
  const Settings mixtral =
      with({{"model", "mixtral-8x22b"}, {"slice", "v4-32"}, {"sequence", "16384"}});
  EXPECT_TRUE(refusal(mixtral).ends_with("What would fit: `slice v4-256; remat full; batch 1/16`"))
      << refusal(mixtral);
  expect_remedies_that_work(mixtral, "mixtral-8x22b on v4-32");
  const Settings llama =
      with({{"model", "llama3-405b"}, {"slice", "v5p-128"}, {"sequence", "16384"}});
  EXPECT_NE(refusal(llama).find("What would fit: `slice v5p-256; remat full; batch 1/8`, or "),
            std::string::npos)
      << refusal(llama);
  expect_remedies_that_work(llama, "llama3-405b on v5p-128");
  const Settings long_rows = with(
      {{"stack", "jax"}, {"model", "llama3-405b"}, {"slice", "v5e-16"}, {"sequence", "16384"}});
  EXPECT_TRUE(
      refusal(long_rows).ends_with("What would fit: `slice v5p-256; remat full; batch 1/4`"))
      << refusal(long_rows);
  expect_remedies_that_work(long_rows, "llama3-405b on v5e-16");
}

// Microbatches divide the rows of every second batch.
TEST(MemoryCheck, the_largest_batch_of_a_pipeline_is_the_same_from_wherever_it_is_asked) {
  std::set<std::string> largest;
  for (const char* batch : {"100", "600", "1000"}) {
    Settings settings = with({{"model", "bert-large"},
                              {"slice", "v6e-8"},
                              {"stack", "jax"},
                              {"precision", "bf16-mixed"},
                              {"mesh", "pipeline=4/microbatches=8"},
                              {"batch", batch}});
    expect_remedies_that_work(settings, batch);
    const Assignment first = remedies_in(refusal(settings))[0][0];
    EXPECT_EQ(first.name, "batch");
    largest.insert(first.value);
    change(settings, "batch", std::to_string(std::stoll(first.value) + 2));
    EXPECT_NE(refusal(settings), "");
  }
  EXPECT_EQ(largest.size(), 1u);
}

// 1,281,167 rows leave a last batch that microbatches need not divide.
TEST(MemoryCheck, remedies_of_a_pipeline_mind_the_end_of_the_epoch) {
  for (const char* batch : {"200", "1000", "4000"}) {
    Settings settings = with({{"model", "vit-b16"},
                              {"slice", "v5e-256"},
                              {"precision", "bf16-true"},
                              {"mesh", "pipeline=4/microbatches=8"},
                              {"batch", batch}});
    EXPECT_NE(refusal(settings), "");
    expect_remedies_that_work(settings, batch);
  }
}

// 90 rows twice; 100 once, and 80, with the optimizer's state, at the end of each epoch.
TEST(MemoryCheck, a_full_batch_counts_with_the_state_that_a_short_one_has_left) {
  Settings settings;
  settings.batch = 90;
  const Bytes less = step_memory(settings);
  settings.batch = 100;
  EXPECT_GT(step_memory(settings), less);
}

TEST(MemoryCheck, sums_of_gradients_wait_beside_the_step) {
  for (const char* stack : {"pytorch-xla", "jax"}) {
    Settings settings = with({{"model", "bert-large"}, {"slice", "v4-8"}, {"stack", stack}});
    const Bytes one = step_memory(settings);
    settings.accumulate_grad_batches = 4;
    const auto more = static_cast<double>((step_memory(settings) - one).value);
    EXPECT_NEAR(more, 4.0 * 335'174'458, 1e6) << stack;
  }
}

// Two arrays of plain scores, 96 GiB, are more than a step that makes them again needs.
TEST(MemoryCheck, what_is_never_validated_needs_what_its_step_needs) {
  Settings settings = with({{"model", "mistral-7b"},
                            {"slice", "v5p-8"},
                            {"precision", "bf16-true"},
                            {"remat", "full"},
                            {"batch", "4"}});
  EXPECT_EQ(refusal(settings), "");
  EXPECT_EQ(estimate(settings).hbm_used, step_memory(settings));
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

// mixtral-8x7b on v5p leaves 296 GiB of each of four devices in a host that has 448 GB.
TEST(MemoryCheck, what_waits_on_the_host_has_to_fit_there) {
  const Settings settings = with({{"stack", "jax"},
                                  {"model", "mixtral-8x7b"},
                                  {"slice", "v5p-512"},
                                  {"batch", "8"},
                                  {"precision", "bf16-mixed"},
                                  {"remat", "minimal-offload"}});
  EXPECT_NE(refusal(settings).find("in its host's memory, of which 104.3 GiB"), std::string::npos)
      << refusal(settings);
  expect_remedies_that_work(settings, "offloaded");
}

// The batch that makes a long row possible is often typed behind it.
TEST(Settings, take_a_step_that_is_too_long_and_forecast_refuses_it) {
  Settings settings;
  change_all(settings, std::vector<Assignment>{{"stack", "jax"},
                                               {"slice", "v5p-512"},
                                               {"precision", "bf16-mixed"},
                                               {"remat", "full"},
                                               {"model", "llama3-70b"}});
  EXPECT_NO_THROW(change(settings, "sequence", "131072"));
  change(settings, "mesh", "fsdp=16/context=16");
  try {
    estimate(settings);
    ADD_FAILURE() << "nothing was refused";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("512 rows on 16 devices that share them"),
              std::string::npos)
        << error.what();
  }
  change(settings, "batch", "1/16");
  EXPECT_GT(estimate(settings).step, Picoseconds{});
}

// 16 GiB of logits are there twice, beside 16 GiB that layers keep.
TEST(MemoryCheck, tries_pieces_of_the_loss_together_with_what_layers_keep) {
  const Settings gemma = with({{"slice", "v6e-256"},
                               {"stack", "jax"},
                               {"precision", "bf16-mixed"},
                               {"model", "gemma3-27b"},
                               {"batch", "1"},
                               {"remat", "full"},
                               {"sequence", "32768"}});
  EXPECT_NE(refusal(gemma).find("What would fit: `remat offload; loss_pieces 16`, or "),
            std::string::npos)
      << refusal(gemma);
  expect_remedies_that_work(gemma, "gemma");
}

TEST(MemoryCheck, names_no_setting_that_changes_nothing_of_the_network) {
  Settings diffusion;
  change(diffusion, "slice", "v2-8");
  change(diffusion, "model", "stable-diffusion-2");
  change(diffusion, "batch", "64");
  const std::string told = refusal(diffusion);
  EXPECT_NE(told.find("What would fit: `mesh fsdp=8; batch 1"), std::string::npos) << told;
  EXPECT_EQ(told.find("remat"), std::string::npos) << told;
}

TEST(MemoryCheck, tries_no_smaller_slice_of_a_generation_whose_largest_holds_it_not) {
  const Settings llama = with({{"model", "llama3-8b"}, {"slice", "v5e-4"}, {"batch", "1"}});
  std::map<std::string, std::set<std::string>> tried;
  remedies(llama, 1, [&](const Settings& one) {
    const Slice slice = slice_named(one.slice);
    if (slice.devices() > 4) tried[std::string(slice.generation->name)].insert(slice.name);
    return false;
  });
  EXPECT_GT(tried.size(), 3U);
  for (const auto& [generation, slices] : tried) EXPECT_EQ(slices.size(), 1U) << generation;
}

}  // namespace
}  // namespace tpulab::memory_check_test

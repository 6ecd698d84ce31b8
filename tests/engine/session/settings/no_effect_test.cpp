#include "engine/session/settings/no_effect.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/session/answers/estimate.h"

namespace tpulab::no_effect_test {
namespace {

Settings settings_of(const std::string& model) {
  Settings settings;
  settings.max_epochs = 2;
  change(settings, "model", model);
  return settings;
}

// A value of each setting that is not the one it has.
const std::vector<Assignment> changes{{"sequence", "256"},
                                      {"image", "64"},
                                      {"mesh", "fsdp=8"},
                                      {"remat", "full"},
                                      {"loss_pieces", "4"},
                                      {"quant", "int8"},
                                      {"attention", "scores"},
                                      {"gpu.precision", "tf32"},
                                      {"hidden", "16"},
                                      {"data", "text"},
                                      {"split", "validation"},
                                      {"drop_last", "on"},
                                      {"class_weights", "on"},
                                      {"hard_examples", "on"},
                                      {"progress_bar_every", "3"},
                                      {"cpu_constant", "on"},
                                      {"shapes", "random"},
                                      {"loader_prefetch", "1"},
                                      {"donate", "off"},
                                      {"loader_workers", "1"},
                                      {"host_cpus", "1"},
                                      {"fallback_op", "mode"},
                                      {"data_rows", "100"},
                                      {"loader_row_us", "5000"},
                                      {"optimizer", "sgd"},
                                      {"learning_rate", "0.5"},
                                      {"momentum", "0.5"},
                                      {"warmup_steps", "8"},
                                      {"max_epochs", "3"},
                                      {"seed", "2"},
                                      {"replicas", "separate"},
                                      {"backend", "reference"},
                                      {"workers", "2"},
                                      {"limit_train_batches", "2"},
                                      {"limit_val_batches", "1"},
                                      {"overfit_batches", "2"},
                                      {"accumulate_grad_batches", "2"},
                                      {"gradient_clip_val", "1"},
                                      {"gradient_clip_algorithm", "value"},
                                      {"val_check_interval", "0.5"},
                                      {"check_val_every_n_epoch", "2"},
                                      {"num_sanity_val_steps", "0"},
                                      {"preempt", "host@10"},
                                      {"save_every_n_steps", "5"},
                                      {"cache_persistent", "filled"}};

TEST(NoEffect, is_said_of_settings_that_change_no_estimate) {
  int said = 0;
  for (const char* model : {"mlp", "cnn", "resnet50", "bert-base", "gemm-4096x4096x4096"}) {
    const Settings before = settings_of(model);
    const Estimate told = estimate(before);
    for (const Assignment& change_asked : changes) {
      Settings settings = before;
      try {
        change(settings, change_asked.name, change_asked.value);
      } catch (const Error&) {
        continue;
      }
      if (no_effect(settings, change_asked.name).empty()) continue;
      ++said;
      const Estimate then = estimate(settings);
      const std::string typed = model + (" " + change_asked.name);
      EXPECT_EQ(then.step, told.step) << typed;
      EXPECT_EQ(then.run->time, told.run->time) << typed;
      EXPECT_EQ(then.compile, told.compile) << typed;
      EXPECT_EQ(then.hbm_used, told.hbm_used) << typed;
    }
  }
  EXPECT_GT(said, 50);
}

// Dropout of bert's scores needs all of them; 196 patches and a token are padded where that is
// asked for. Before v4 scores cross HBM whatever is chosen.
TEST(NoEffect, is_said_of_attention_that_no_kernel_does) {
  const auto on_v4 = [](const char* model) {
    Settings settings = settings_of(model);
    change(settings, "slice", "v4-8");
    return settings;
  };
  const auto why = [&](const char* model) { return no_effect(on_v4(model), "attention"); };
  EXPECT_EQ(why("llama2-7b"), "");
  EXPECT_NE(no_effect(settings_of("llama2-7b"), "attention"), "");
  EXPECT_EQ(why("vit-b16"), "");
  for (const char* model : {"bert-base", "resnet50", "mlp"}) EXPECT_NE(why(model), "") << model;
}

TEST(NoEffect, tells_how_many_tokens_the_kernel_of_a_stack_leaves_out) {
  Settings llama = settings_of("llama2-7b");
  change_all(llama, std::vector<Assignment>{{"slice", "v5p-16"}, {"stack", "jax"}, {"batch", "1"}});
  const auto left_out = [&](std::int64_t tokens, const char* attention) {
    llama.sequence = tokens;
    llama.attention = attention;
    return tokens_not_fused(llama);
  };
  EXPECT_EQ(left_out(4000, "auto"), 4000);
  EXPECT_EQ(left_out(4000, "fused"), 0);
  EXPECT_EQ(left_out(3968, "auto"), 0);  // 31 blocks
  EXPECT_EQ(left_out(4097, "auto"), 0);  // padded
  llama.stack = "pytorch-xla";
  EXPECT_EQ(left_out(4000, "auto"), 0);  // all of them are
}

TEST(NoEffect, is_said_of_a_slow_part_that_nothing_uses) {
  Settings settings = settings_of("mlp");
  change_all(settings, std::vector<Assignment>{{"devices", "1"}, {"straggler", "core:3:2"}});
  EXPECT_EQ(no_effect(settings, "straggler"), "no effect on mlp, where nothing uses core 3");
  change(settings, "straggler", "core:0:2");
  EXPECT_EQ(no_effect(settings, "straggler"), "");
  Settings kernel = settings_of("gemm-1024x1024x1024");
  change(kernel, "straggler", "link:1:30");
  EXPECT_NE(no_effect(kernel, "straggler"), "");
  EXPECT_NE(no_effect(kernel, "batch"), "");
}

TEST(NoEffect, is_said_of_what_comes_behind_the_end_of_a_run) {
  Settings settings = settings_of("mlp");
  change_all(settings, std::vector<Assignment>{{"max_steps", "20"}, {"item_every_n_steps", "50"}});
  EXPECT_EQ(no_effect(settings, "item_every_n_steps"),
            "no effect on a run that ends behind step 20");
  change(settings, "item_every_n_steps", "20");
  EXPECT_EQ(no_effect(settings, "item_every_n_steps"), "");
  change(settings, "limit_val_batches", "0");
  EXPECT_NE(no_effect(settings, "val_check_interval"), "");
}

TEST(NoEffect, is_not_said_of_what_acts) {
  EXPECT_EQ(no_effect(settings_of("mlp"), "hidden"), "");
  EXPECT_EQ(no_effect(settings_of("mlp"), "drop_last"), "");
  EXPECT_EQ(no_effect(settings_of("resnet50"), "image"), "");
  EXPECT_EQ(no_effect(settings_of("resnet50"), "optimizer"), "");
  for (const char* name : {"max_epochs", "drop_last", "limit_train_batches", "limit_val_batches",
                           "overfit_batches", "accumulate_grad_batches", "val_check_interval",
                           "check_val_every_n_epoch", "num_sanity_val_steps"}) {
    EXPECT_EQ(no_effect(settings_of("resnet50"), name), "") << name;
  }
  EXPECT_EQ(no_effect(settings_of("bert-base"), "accumulate_grad_batches"), "");
  Settings counted = settings_of("bert-base");
  EXPECT_NE(no_effect(counted, "max_epochs"), "");
  change(counted, "limit_train_batches", "10");
  EXPECT_EQ(no_effect(counted, "max_epochs"), "");
  Settings settings = settings_of("mlp");
  EXPECT_NE(no_effect(settings, "momentum"), "");
  change(settings, "optimizer", "sgd");
  EXPECT_EQ(no_effect(settings, "momentum"), "");
  EXPECT_NE(no_effect(settings, "gpu.precision"), "");
  settings.slice = "v100x8";
  EXPECT_EQ(no_effect(settings, "gpu.precision"), "");
  change(settings, "model", "resnet50");
  for (const auto& [name, value] : std::vector<Assignment>{{"loader_workers", "4"},
                                                           {"loader_row_us", "9"},
                                                           {"host_cpus", "4"},
                                                           {"shapes", "random"},
                                                           {"loop_turns", "4"},
                                                           {"keep_every_n_steps", "2"},
                                                           {"input_dtype", "bf16"},
                                                           {"sync_validation", "on"},
                                                           {"cpu_constant", "on"},
                                                           {"optimizer", "adam"},
                                                           {"host", "colab-vm"},
                                                           {"stack", "jax"},
                                                           {"precision", "bf16-mixed"},
                                                           {"data_rows", "20"},
                                                           {"max_steps", "10"}}) {
    EXPECT_EQ(change(settings, name, value),
              fmt::format("{} {}: no effect on GPUs, whose figures know the network, its rows and "
                          "gpu.precision alone",
                          name, value));
  }
}

TEST(NoEffect, nothing_falls_back_in_a_step_that_is_traced_once) {
  Settings settings = settings_of("mlp");
  for (const char* name : {"class_weights", "hard_examples", "fallback_op", "cpu_constant"}) {
    EXPECT_EQ(no_effect(settings, name), "") << name;
  }
  change(settings, "stack", "jax");
  for (const char* name : {"class_weights", "hard_examples", "fallback_op", "cpu_constant"}) {
    EXPECT_TRUE(no_effect(settings, name).starts_with("no effect on jax, wh")) << name;
  }
  EXPECT_EQ(
      change(settings, "class_weights", "on"),
      "class_weights on: no effect on jax, whose compiled step counts classes itself: nothing "
      "falls back");
}

TEST(NoEffect, drop_last_says_how_many_rows_it_leaves_out) {
  Settings settings = settings_of("mlp");
  change(settings, "batch", "128");
  const std::string answer = change(settings, "drop_last", "on");
  EXPECT_NE(answer.find("leaves out 52 of 180 rows of each device"), std::string::npos) << answer;
}

TEST(NoEffect, a_sync_behind_batches_of_validation_acts_on_one_device_that_validates) {
  Settings settings = settings_of("mlp");
  EXPECT_NE(no_effect(settings, "sync_validation"), "");
  settings.devices = "1";
  EXPECT_EQ(no_effect(settings, "sync_validation"), "");
  change(settings, "limit_val_batches", "0");
  EXPECT_NE(no_effect(settings, "sync_validation"), "");
  change_all(settings, std::vector<Assignment>{{"limit_val_batches", "1.0"}, {"stack", "jax"}});
  EXPECT_NE(no_effect(settings, "sync_validation"), "");
  EXPECT_NE(no_effect(settings_of("bert-base"), "sync_validation"), "");
}

TEST(NoEffect, rows_of_tokens_have_no_numbers_to_send) {
  for (const char* model : {"bert-base", "gpt-tiny", "gemm-8x8x8"}) {
    EXPECT_EQ(no_effect(settings_of(model), "input_dtype"),
              fmt::format("no effect on {}, which reads no rows of numbers", model));
  }
  for (const char* model : {"mlp", "resnet8", "resnet50"}) {
    EXPECT_EQ(no_effect(settings_of(model), "input_dtype"), "");
  }
}

TEST(NoEffect, of_remat_where_no_layers_repeat_and_of_a_mesh_of_kernels) {
  EXPECT_EQ(no_effect(settings_of("resnet50"), "remat"),
            "no effect on resnet50, which has no equal layers one behind the other");
  EXPECT_EQ(no_effect(settings_of("gemm-8x8x8"), "remat"),
            "no effect on gemm-8x8x8, a kernel that is not trained");
  EXPECT_EQ(no_effect(settings_of("gemm-8x8x8"), "mesh"),
            "no effect on gemm-8x8x8, which each device runs alone");
  EXPECT_EQ(no_effect(settings_of("vit-b16"), "remat"), "");
  EXPECT_EQ(no_effect(settings_of("gnmt"), "remat"), "");
  EXPECT_EQ(no_effect(settings_of("resnet50"), "mesh"), "");
}

TEST(NoEffect, stands_in_place_of_what_a_value_comes_to) {
  const Settings settings = settings_of("resnet50");
  EXPECT_EQ(meaning_of(setting_named("seed"), settings),
            "no effect on resnet50, of which only the time is known");
  EXPECT_EQ(meaning_of(setting_named("batch"), settings), "32 x 8 = 256 global");
}

TEST(NoEffect, is_told_in_a_sentence) {
  Settings settings;
  EXPECT_EQ(change(settings, "mesh", "fsdp=8"),
            "mesh fsdp=8: no effect on mlp, which is trained as it is");
  EXPECT_EQ(change(settings, "numbers", "off"), "numbers off: acts from the next run");
  EXPECT_EQ(change(settings, "backend", "reference"),
            "backend reference: no effect with numbers off");
  change(settings, "model", "resnet8");
  EXPECT_EQ(change(settings, "hidden", "16"),
            "hidden (16): no effect on resnet8, whose layers are its own");
  EXPECT_EQ(change(settings, "momentum", "0.5"),
            "momentum 0.5: no effect on adam, which has its own");
}

TEST(NoEffect, a_host_that_is_taken_back_behind_the_last_step) {
  Settings settings;
  change_all(settings, std::vector<Assignment>{{"model", "resnet50"}, {"preempt", "host@600"}});
  EXPECT_EQ(no_effect(settings, "preempt"), "no effect on a run that ends behind step 500");
  change(settings, "max_epochs", "-1");
  EXPECT_EQ(no_effect(settings, "preempt"), "");
  change_all(settings, std::vector<Assignment>{{"max_steps", "500"}, {"preempt", "host@40"}});
  EXPECT_EQ(no_effect(settings, "preempt"), "");
}

}  // namespace
}  // namespace tpulab::no_effect_test

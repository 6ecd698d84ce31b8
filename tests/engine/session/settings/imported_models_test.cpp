#include "engine/session/settings/imported_models.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/workers.h"
#include "engine/session/answers/estimate.h"
#include "engine/session/settings/no_effect.h"
#include "engine/session/settings/plan.h"
#include "engine/session/settings/setting_meanings.h"
#include "tests/temporary_folder.h"

namespace tpulab::imported_models_test {
namespace {

const std::string folder = TPULAB_SOURCE_DIR "/tests/engine/formats/stablehlo/";

Settings settings_of(const std::string& model) {
  Settings settings;
  settings.stack = "jax";
  change(settings, "model", model);
  return settings;
}

TEST(ImportedModels, a_file_is_estimated_as_a_named_network_is) {
  const Settings settings = settings_of(folder + "mlp_step.mlir");
  const Estimate told = estimate(settings);
  EXPECT_GT(told.step.count(), 0);
  EXPECT_GT(told.samples_per_second, 0);
  EXPECT_EQ(told.batch, "32 x 8 = 256 global");
  EXPECT_EQ(told.band_source,
            "fewer than four measured steps of imported programs: the widest band of the others");
}

// 2 MiB of state come and go at 0.8 of the 32 GB/s that a v6e has for each way.
TEST(ImportedModels, what_lies_in_the_host_s_memory_crosses_its_link) {
  Settings settings = settings_of(folder + "state_on_host.mlir");
  change(settings, "slice", "v6e-1");
  const Estimate told = estimate(settings);
  Picoseconds link{};
  for (const PhaseTime& one : told.terms) {
    if (one.name == "offload") link += one.time;
  }
  EXPECT_GT(link, Picoseconds{});
  for (const PhaseTime& one : told.hidden) {
    if (one.name == "offloaded arrays") link += one.time;
  }
  EXPECT_NEAR(in_seconds(link), 2 * 2 * 1048576 / (0.8 * 32e9), 5e-6);
}

// What it says to type is typed.
TEST(ImportedModels, a_step_of_jax_names_the_stack_that_traces_it_once) {
  for (const char* file : {"mlp_step.mlir", "../hlo/small_step.hlo"}) {
    Settings settings;  // of pytorch-xla
    change(settings, "slice", "v4-8");
    change(settings, "model", folder + file);
    const Picoseconds traced = estimate(settings).step;
    const std::string text = model_meaning(settings);
    const std::size_t remedy = text.find("`stack jax`");
    ASSERT_NE(remedy, std::string::npos) << text;
    change(settings, "stack", text.substr(remedy + 7, 3));
    EXPECT_LT(estimate(settings).step, traced / 2);
    EXPECT_EQ(model_meaning(settings).find("stack jax"), std::string::npos);
  }
}

TEST(ImportedModels, a_host_has_so_much_memory_for_each_device) {
  const test::TemporaryFolder temporary;
  const std::string file = temporary.write("large.mlir", R"(
func.func @main(%m: tensor<1048576x1048576xf32> {mhlo.memory_kind = "pinned_host"},
    %x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.add %x, %x : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
})");
  try {
    estimate(settings_of(file));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("leaves 4.0 TiB in its host's memory"),
              std::string::npos)
        << error.what();
  }
}

// Two groups of four devices, each with its half of 12 rows.
TEST(ImportedModels, rows_that_devices_share_are_counted_once) {
  const test::TemporaryFolder temporary;
  const std::string file =
      temporary.write("shared.mlir", R"(module @m attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]>
  func.func @main(
      %w: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>,
                               tf.aliasing_output = 0 : i32},
      %x: tensor<12x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>})
      -> tensor<512x512xf32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
        : (tensor<12x512xf32>, tensor<512x512xf32>) -> tensor<12x512xf32>
    %1 = stablehlo.dot_general %x, %0, contracting_dims = [0] x [0]
        : (tensor<12x512xf32>, tensor<12x512xf32>) -> tensor<512x512xf32>
    %2 = stablehlo.add %w, %1 : tensor<512x512xf32>
    return %2 : tensor<512x512xf32>
  }
})");
  const Estimate told = estimate(settings_of(file));
  EXPECT_EQ(told.batch, "6 x 2 = 12 global");
  EXPECT_NEAR(told.samples_per_second * in_seconds(told.step), 12, 0.5);
}

TEST(ImportedModels, what_its_text_says_no_setting_changes) {
  Settings settings = settings_of(folder + "mlp_step.mlir");
  const Estimate before = estimate(settings);
  for (const Assignment& asked : {Assignment{"batch", "64"}, Assignment{"precision", "bf16-true"},
                                  Assignment{"matmul.precision", "highest"},
                                  Assignment{"optimizer", "sgd"}, Assignment{"remat", "full"}}) {
    EXPECT_FALSE(no_effect(settings, asked.name).empty()) << asked.name;
    change(settings, asked.name, asked.value);
    EXPECT_EQ(estimate(settings).step, before.step) << asked.name;
  }
  change(settings, "stack", "pytorch-xla");
  EXPECT_NE(estimate(settings).step, before.step);
}

TEST(ImportedModels, products_of_int8_and_fp8_are_set_beside_their_own_peak_too) {
  const test::TemporaryFolder temporary;
  const auto peak_with = [&](const std::string& element, const char* slice) {
    const std::string type = "tensor<256x256x" + element + ">";
    const std::string program = temporary.write(
        "p.mlir", "func.func @main(%x: " + type + ") -> tensor<256x256xf32> {\n" +
                      "  %y = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (" +
                      type + ", " + type + ") -> tensor<256x256xf32>\n" +
                      "  return %y : tensor<256x256xf32>\n}\n");
    Settings settings = settings_of(program);
    change(settings, "slice", slice);
    return peak_meaning(settings);
  };
  EXPECT_EQ(peak_with("i8", "v6e-1"), "bf16 peak (that of int8 is 2 times as high)");
  EXPECT_EQ(peak_with("i8", "v4-8"), "bf16 peak");  // no faster there
  EXPECT_EQ(peak_with("f8E4M3FN", "v7-8"), "bf16 peak (that of fp8 is 2 times as high)");
  EXPECT_EQ(peak_with("f8E4M3FN", "v6e-1"), "bf16 peak");  // XLA converts there
  EXPECT_EQ(peak_with("bf16", "v6e-1"), "bf16 peak");
}

TEST(ImportedModels, what_an_optimizer_keeps_is_told_from_weights_where_the_text_does) {
  constexpr std::int64_t weights = 8 * 16 * 4;  // and a momentum and a counter
  const std::vector<MemoryPart> told = estimate(settings_of(folder + "momentum_step.mlir")).memory;
  EXPECT_EQ(told[0].bytes.value, weights);
  EXPECT_EQ(told[1].name, "optimizer state");
  EXPECT_EQ(told[1].bytes.value, weights + 4);
  Settings compiled = settings_of(folder + "mlp_step.mlir");
  change(compiled, "slice", "v4-8");
  change(compiled, "model", folder + "../hlo/small_step.hlo");
  EXPECT_EQ(estimate(compiled).memory[0].name, "weights and optimizer state");
  EXPECT_EQ(estimate(compiled).memory[1].name, "activations and gradients");
}

TEST(ImportedModels, an_open_batch_is_what_batch_says) {
  Settings settings = settings_of(folder + "open_batch.mlir");
  EXPECT_EQ(no_effect(settings, "batch"), "");
  EXPECT_FALSE(no_effect(settings, "precision").empty());
  change(settings, "batch", "4096");
  const Estimate many = estimate(settings);
  EXPECT_EQ(many.batch, "4096 x 8 = 32768 global");
  change(settings, "batch", "32");
  const Estimate few = estimate(settings);
  EXPECT_EQ(few.batch, "32 x 8 = 256 global");
  EXPECT_GT(many.step, few.step);
  EXPECT_GT(many.samples_per_second, 2 * few.samples_per_second);
}

TEST(ImportedModels, what_devices_exchange_takes_its_time_and_needs_as_many) {
  Settings settings = settings_of(folder + "shard_map.mlir");
  EXPECT_GT(estimate(settings).step.count(), 0);
  change(settings, "slice", "v3-8");
  EXPECT_THROW(change(settings, "devices", "1"), Error);
}

TEST(ImportedModels, copies_that_exchange_nothing_are_told_from_a_divided_step) {
  Settings settings = settings_of(folder + "mlp_step.mlir");
  EXPECT_EQ(division_text(settings, "data=8"),
            "8 copies of the step that exchange nothing, no gradients either");
  change(settings, "devices", "1");
  EXPECT_EQ(division_text(settings, "data=1"), "whole on one device");
  EXPECT_EQ(division_text(settings_of(folder + "shard_map.mlir"), "data=8"),
            "divided as its text says");
}

// Its header says num_partitions=4.
TEST(ImportedModels, a_program_for_four_devices_is_priced_on_four_alone) {
  const std::string compiled = folder + "../hlo/small_step.hlo";
  Settings settings;
  const auto refusal = [&](const std::string& name, const std::string& value) -> std::string {
    try {
      change(settings, name, value);
    } catch (const Error& error) {
      const std::string what = error.what();
      return what.substr(what.find(" was made"));
    }
    return "taken";
  };
  EXPECT_EQ(refusal("slice", "v5e-8"), "taken");
  EXPECT_EQ(refusal("model", compiled),
            " was made for 4 devices, and 8 of v5e-8 would run it; `slice v5e-4` has as many");
  EXPECT_EQ(refusal("slice", "v5e-4"), "taken");
  EXPECT_EQ(refusal("model", compiled), "taken");
  EXPECT_EQ(estimate(settings).batch, "32 x 4 = 128 global");
  EXPECT_EQ(refusal("devices", "1"),
            " was made for 4 devices, and 1 of v5e-4 would run it; type `devices auto`");
  EXPECT_EQ(refusal("slice", "v3-8"),
            " was made for 4 devices, and 8 of v3-8 would run it; `slice v4-8` has as many");
}

TEST(ImportedModels, a_file_that_cannot_be_read_leaves_the_model_before) {
  const test::TemporaryFolder temporary;
  const std::string broken = temporary.write("broken.mlir", "module @m {\n");
  Settings settings = settings_of("resnet50");
  try {
    change(settings, "model", broken);
    FAIL() << "it is no program";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("broken.mlir line 2"), std::string::npos);
  }
  EXPECT_EQ(settings.model, "resnet50");
  EXPECT_THROW(change(settings, "model", "nowhere.mlir"), Error);
  try {
    change(settings, "model", temporary.write("config.json", "hello").string());
    FAIL() << "it is no JSON";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("a config.json is JSON"), std::string::npos);
  }
}

TEST(ImportedModels, a_file_is_read_again_when_it_is_named_again) {
  const test::TemporaryFolder temporary;
  const std::string file = temporary.write("step.mlir", read_file(folder + "mlp_step.mlir"));
  settings_of(file);
  const std::int64_t before = model_file(file)->operations;
  temporary.write("step.mlir", read_file(folder + "convolutions.mlir"));
  EXPECT_EQ(model_file(file)->operations, before);
  settings_of(file);
  EXPECT_NE(model_file(file)->operations, before);
}

const std::string configs = TPULAB_SOURCE_DIR "/tests/engine/formats/huggingface/";

// The same sizes by name and by file.
TEST(ImportedModels, a_configuration_is_timed_as_the_network_of_its_sizes) {
  const auto told = [](const std::string& model) {
    Settings settings = settings_of(model);
    for (const auto& [name, value] :
         {Assignment{"slice", "v5e-8"}, Assignment{"batch", "8"}, Assignment{"sequence", "128"}}) {
      change(settings, name, value);
    }
    return estimate(settings);
  };
  const Estimate by_file = told(configs + "bert-base-uncased.json");
  const Estimate by_name = told("bert-base");
  EXPECT_EQ(by_file.step, by_name.step);
  EXPECT_EQ(by_file.band_source, by_name.band_source);
}

TEST(ImportedModels, settings_act_on_a_configuration_as_on_a_named_network) {
  Settings settings = settings_of(configs + "gpt2.json");
  for (const Assignment& asked :
       {Assignment{"slice", "v6e-8"}, Assignment{"batch", "8"},
        Assignment{"precision", "bf16-mixed"}, Assignment{"sequence", "512"},
        Assignment{"remat", "full"}, Assignment{"mesh", "data=8"}, Assignment{"quant", "int8"}}) {
    EXPECT_EQ(no_effect(settings, asked.name), "") << asked.name;
    const Settings before = settings;
    change(settings, asked.name, asked.value);
    if (asked.name != "slice" && asked.name != "batch") {
      EXPECT_NE(estimate(settings).step, estimate(before).step) << asked.name;
    }
  }
}

TEST(ImportedModels, content_decides_what_a_file_is) {
  const test::TemporaryFolder temporary;
  const std::string network =
      temporary.write("a folder/step.txt", read_file(configs + "gpt2.json"));
  const std::string program = temporary.write("config.json", read_file(folder + "mlp_step.mlir"));
  EXPECT_FALSE(names_program(network));
  EXPECT_TRUE(names_program(program));
  EXPECT_EQ(configured_network(network)->parameters, 124'439'808);
  EXPECT_EQ(configured_network(program), nullptr);
  EXPECT_GT(estimate(settings_of(program)).step.count(), 0);
  EXPECT_TRUE(is_named(settings_of(network)));
}

TEST(ImportedModels, a_configuration_is_set_beside_gpus) {
  Settings settings = settings_of(configs + "bert-large-uncased.json");
  change(settings, "slice", "a100x8");
  EXPECT_GT(estimate(settings).step.count(), 0);
}

TEST(ImportedModels, names_of_files_end_as_their_texts_do) {
  EXPECT_TRUE(names_file("step.mlir"));
  EXPECT_TRUE(names_file("a folder/step.txt"));
  EXPECT_FALSE(names_file("resnet50"));
  EXPECT_FALSE(names_file(".mlir"));
}

// A change of the file meanwhile is no change of the model that was named.
TEST(ImportedModels, numbers_are_computed_of_the_text_that_was_read) {
  const test::TemporaryFolder temporary;
  const std::string file = (temporary / "mlp.mlir").string();
  const std::string executed = folder + "executed/mlp";
  temporary.write("mlp.safetensors", read_file(executed + ".safetensors"));
  temporary.write("mlp.mlir", read_file(executed + ".mlir"));
  const Settings settings = settings_of(file);
  temporary.write("mlp.mlir", "no program any more");
  WorkerPool workers(1);
  EXPECT_TRUE(std::isfinite(executed_losses(settings.model, workers)()));
}

constexpr const char* summed =
    "func.func @main(%arg0: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> (tensor<4xf32>, "
    "tensor<f32>) {\n"
    "  %0 = stablehlo.add %arg0, %arg0 : tensor<4xf32>\n"
    "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : "
    "(tensor<4xf32>, tensor<f32>) -> tensor<f32>\n"
    "  return %0, %1 : tensor<4xf32>, tensor<f32>\n}\n";

TEST(ImportedModels, that_run_computes_a_file_is_said_where_it_does) {
  const test::TemporaryFolder temporary;
  const auto meaning = [&](std::string text, const std::string& from, const std::string& to) {
    if (!from.empty()) text.replace(text.find(from), from.size(), to);
    const Settings settings = settings_of(temporary.write("step.mlir", text).string());
    return model_meaning(settings);
  };
  temporary.write("step.safetensors", "values");
  const std::string own = "stablehlo.add %arg0, %arg0 : tensor<4xf32>";
  EXPECT_NE(meaning(summed, "", "").find("; `run` computes it from "), std::string::npos);
  const std::string erf =
      meaning(summed, own, "chlo.erf_inv %arg0 : tensor<4xf32> -> tensor<4xf32>");
  EXPECT_EQ(erf.find("`run` computes it"), std::string::npos) << erf;
  EXPECT_NE(erf.find("step.safetensors is of no use: "), std::string::npos) << erf;
  EXPECT_NE(erf.find("line 2: chlo.erf_inv: erf_inv is priced, without numbers"), std::string::npos)
      << erf;
  const std::string forward = meaning(
      "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
      "  %0 = stablehlo.negate %a : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n",
      "", "");
  EXPECT_EQ(forward.find("`run` computes it"), std::string::npos) << forward;
  EXPECT_NE(forward.find("none of its results is a loss"), std::string::npos) << forward;
}

TEST(ImportedModels, of_a_divided_step_it_is_said_what_each_device_has) {
  Settings settings;
  change(settings, "slice", "v5e-4");
  change(settings, "model", folder + "../hlo/small_step.hlo");
  const std::string told = model_meaning(settings);
  EXPECT_NE(told.find("; made for 4 devices, each of which has "), std::string::npos) << told;
  EXPECT_NE(told.find(" in products and convolutions a step and "), std::string::npos) << told;
  EXPECT_NE(told.find(" of arguments that come back changed"), std::string::npos) << told;
}

TEST(ImportedModels, other_forms_of_a_step_are_named) {
  const test::TemporaryFolder temporary;
  const auto refusal = [&](const std::string& text) -> std::string {
    try {
      read_model_file(temporary.write("step.mlir", text).string());
    } catch (const Error& error) {
      return error.what();
    }
    return "read";
  };
  EXPECT_NE(refusal("ML\xefR\rStableHLO_v1.15.0")
                .find("is MLIR bytecode, which is not read here; "
                      "write the text: exported.mlir_module()"),
            std::string::npos);
  for (const char* jaxpr : {"{ lambda ; a:f32[4,4]. let b:f32[4,4] = sin a in (b,) }\n",
                            "let f = { lambda ; a:f32[4]. let in (a,) } in\n{ lambda ; }\n"}) {
    EXPECT_NE(refusal(jaxpr).find("is a jaxpr, which JAX has before it lowers a step; write"),
              std::string::npos)
        << refusal(jaxpr);
  }
}

TEST(ImportedModels, a_folder_stands_for_the_configuration_in_it) {
  const test::TemporaryFolder temporary;
  const auto config =
      temporary.write("hub/gpt2/config.json", read_file(configs + "gpt2.json")).string();
  EXPECT_EQ(settings_of((temporary / "hub/gpt2").string()).model, config);
  EXPECT_EQ(settings_of((temporary / "hub/gpt2/").string()).model, config);
  try {
    settings_of((temporary / "hub").string());
    FAIL() << "it holds no configuration";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("is a folder that holds no config.json"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace tpulab::imported_models_test

#include "engine/session/settings/settings.h"

#include <gtest/gtest.h>

#include <set>

#include "engine/base/error.h"
#include "engine/machine/machine.h"

namespace tpulab::settings_test {
namespace {

// The refusal's text; empty if the value was taken.
std::string refusal(Settings& settings, std::string_view name, std::string_view value) {
  const Settings before = settings;
  try {
    change(settings, name, value);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(settings, before) << "a refused value must change nothing";
    return error.what();
  }
}

std::string refusal(std::string_view name, std::string_view value) {
  Settings settings;
  return refusal(settings, name, value);
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

TEST(Settings, habits_have_the_names_of_a_script_too) {
  Settings settings;
  EXPECT_EQ(change(settings, "script.item_every", "3"),
            "item_every_n_steps 3: the next step recompiles unless it is cached");
  EXPECT_EQ(refusal(settings, "script.prog_bar", "on"), "");
  EXPECT_EQ(refusal(settings, "script.prog_bar_every", "7"), "");
  EXPECT_EQ(settings.item_every_n_steps, 3);
  EXPECT_TRUE(settings.progress_bar);
  EXPECT_EQ(settings.progress_bar_every, 7);
  EXPECT_EQ(find_setting("script.batch"), nullptr);
}

TEST(Settings, a_batch_reply_shows_the_product_and_the_recompile) {
  Settings settings;
  EXPECT_EQ(change(settings, "batch", "64"),
            "batch 64: 64 x 8 = 512 global; the next step recompiles unless it is cached");
  EXPECT_EQ(settings.batch, 64);
}

TEST(Settings, a_value_that_is_there_already_announces_no_effect) {
  Settings settings;
  EXPECT_EQ(change(settings, "batch", "32"), "batch is already 32");
}

TEST(Settings, a_batch_above_a_devices_rows_says_how_many_there_are) {
  Settings settings;
  // ceil(1437 / 8) = 180
  EXPECT_EQ(change(settings, "batch", "512"),
            "batch 512: 512 x 8 = 4096 global, but an epoch has only 180 rows per device; the "
            "next step recompiles unless it is cached");
}

TEST(Settings, a_held_out_split_leaves_fewer_rows_per_device) {
  Settings settings;
  change(settings, "split", "validation");
  // ceil(0.85 x 1437 / 8) = ceil(1221 / 8) = 153
  EXPECT_TRUE(has(change(settings, "batch", "180"), "only 153 rows per device"));
}

TEST(Settings, the_global_batch_is_shared_by_the_devices) {
  Settings settings;
  EXPECT_EQ(change(settings, "batch.global", "512"),
            "batch.global 512: 64 x 8 = 512 global; the next step recompiles unless it is cached");
  EXPECT_EQ(settings.batch, 64);
  EXPECT_EQ(refusal(settings, "batch.global", "100"),
            "batch.global 100 cannot be shared evenly by 8 devices; use 96 or 104");
  EXPECT_EQ(refusal(settings, "batch.global", "3"),
            "batch.global 3 cannot be shared evenly by 8 devices; use 8");
}

TEST(Settings, devices_are_announced_by_index_and_place) {
  Settings settings;
  EXPECT_EQ(change(settings, "devices", "[1]"),
            "devices [1]: the next run uses core 1 (the 2nd of 8)");
  EXPECT_EQ(change(settings, "devices", "1"), "devices 1: the next run uses core 0 (the 1st of 8)");
  EXPECT_EQ(change(settings, "devices", "8"), "devices 8: the next run uses all 8 cores of v3-8");
}

TEST(Settings, devices_take_what_lightning_takes) {
  const std::vector<int> all{0, 1, 2, 3, 4, 5, 6, 7};
  const std::vector<std::pair<std::string_view, std::vector<int>>> taken{
      {"auto", all}, {"\"auto\"", all}, {"8", all},      {"'8'", all},
      {"1", {0}},    {"\"1\"", {0}},    {"[0]", {0}},    {"[7]", {7}},
      {"(3,)", {3}}, {"1,", {1}},       {"\"0,\"", {0}}, {" [ 2 ] ", {2}}};
  for (const auto& [typed, wanted] : taken) {
    Settings settings;
    EXPECT_EQ(refusal(settings, "devices", typed), "") << typed;
    EXPECT_EQ(chosen_devices(settings), wanted) << typed;
  }
}

TEST(Settings, devices_refuse_other_counts_in_lightnings_words) {
  const std::vector<std::pair<std::string_view, std::string_view>> refused{
      {"4", "4"},        {"-1", "-1"},
      {"'-1'", "-1"},    {"16", "16"},
      {"[8]", "[8]"},    {"[1,2]", "[1, 2]"},
      {"[-1]", "[-1]"},  {"(1, 2)", "(1, 2)"},
      {"0,1", "[0, 1]"}, {"99999999999999999999", "99999999999999999999"}};
  for (const auto& [typed, got] : refused) {
    const std::string text = refusal("devices", typed);
    const std::string wanted =
        "`devices` can only be 'auto', 1, 8 or [<0-7>] for TPUs. Got " + std::string(got) + ";";
    EXPECT_TRUE(text.starts_with(wanted)) << typed << ": " << text;
    EXPECT_TRUE(has(text, "`devices 8` for all cores")) << text;
  }
}

TEST(Settings, devices_of_one_chip_are_said_once) {
  Settings settings;
  change(settings, "slice", "v6e-1");
  EXPECT_EQ(refusal(settings, "devices", "2"),
            "`devices` can only be 'auto', 1 or [0] for TPUs. Got 2; "
            "type `devices 1` for the only chip");
}

TEST(Settings, no_devices_at_all_are_not_a_valid_input) {
  EXPECT_TRUE(
      refusal("devices", "0")
          .starts_with("`Trainer(devices=0)` value is not a valid input using tpu accelerator."));
  EXPECT_TRUE(refusal("devices", "'0'").starts_with("`Trainer(devices='0')` value is not"));
  EXPECT_TRUE(refusal("devices", "[]").starts_with("`Trainer(devices=[])` value is not"));
}

TEST(Settings, devices_of_another_type_are_refused_by_type) {
  const std::string start =
      "Device IDs (GPU/TPU) must be an int, a string, a sequence of ints, but you passed ";
  EXPECT_TRUE(refusal("devices", "None").starts_with(start + "None;"));
  EXPECT_TRUE(refusal("devices", "True").starts_with(start + "True.;"));
  EXPECT_TRUE(refusal("devices", "1.5").starts_with(start + "1.5.;"));
  EXPECT_TRUE(refusal("devices", "[True]").starts_with(start + "a sequence of bool.;"));
  EXPECT_TRUE(refusal("devices", "['1']").starts_with(start + "a sequence of str.;"));
}

TEST(Settings, devices_that_are_no_number_cannot_be_parsed) {
  EXPECT_TRUE(
      refusal("devices", "foo").starts_with("Could not parse the selected TPU devices: 'foo'; "));
  EXPECT_TRUE(
      refusal("devices", "[1").starts_with("Could not parse the selected TPU devices: '[1'; "));
}

TEST(Settings, devices_of_several_hosts_are_counted_per_host) {
  Settings settings;
  change(settings, "slice", "v3-32");
  EXPECT_EQ(chosen_devices(settings).size(), 32U);
  EXPECT_EQ(change(settings, "devices", "8"),
            "devices 8: the next run uses all 32 cores of v3-32 (8 on each host)");
  EXPECT_EQ(chosen_devices(settings).size(), 32U);
  const std::string text = refusal(settings, "devices", "32");
  EXPECT_TRUE(has(text, "[<0-7>] for TPUs. Got 32;")) << text;
  EXPECT_TRUE(has(text, "8 on each of 4 hosts, 32 in all")) << text;
}

TEST(Settings, a_slice_is_checked_against_the_devices) {
  Settings settings;
  change(settings, "devices", "[7]");
  const std::string text = refusal(settings, "slice", "v4-8");  // four devices, one per chip
  EXPECT_TRUE(
      text.starts_with("slice v4-8 does not fit devices [7]: `devices` can only be 'auto', "
                       "1, 4 or [<0-3>] for TPUs. Got [7]; type `devices 4` for all chips"))
      << text;
  change(settings, "devices", "auto");
  EXPECT_EQ(change(settings, "slice", "v4-8"),
            "slice v4-8: the next run uses 4 chips on 1 host, 32.0 GiB of HBM each");
  EXPECT_TRUE(has(refusal(settings, "slice", "v3-9"), "unknown slice 'v3-9'"));
}

TEST(Settings, a_new_slice_and_its_devices_can_come_in_any_order) {
  Settings settings;
  const std::vector<Assignment> both{{"devices", "4"}, {"slice", "v4-8"}};
  EXPECT_NO_THROW(change_all(settings, both));
  EXPECT_EQ(settings.devices, "4");
}

TEST(Settings, several_values_are_taken_together_or_not_at_all) {
  Settings settings;
  const std::vector<Assignment> wrong{{"batch", "64"}, {"max_steps", "0"}};
  EXPECT_THROW(change_all(settings, wrong), Error);
  EXPECT_EQ(settings, Settings());
  // One device with the strategy for one fits only when both change.
  const std::vector<Assignment> fine{{"strategy", "single_xla"}, {"devices", "1"}};
  EXPECT_EQ(change_all(settings, fine).replies.size(), 2U);
}

TEST(Settings, changes_name_what_a_running_run_takes_over) {
  Settings settings;
  const std::vector<Assignment> mixed{
      {"learning_rate", "0.01"}, {"seed", "2"}, {"batch", "64"}, {"max_steps", "-1"}};
  const Changes changes = change_all(settings, mixed);
  EXPECT_EQ(changes.live, (std::vector<std::string>{"learning_rate", "batch"}));
  EXPECT_EQ(changes.effect, Effect::recompile);
  Settings running;
  running.max_steps = 50;
  take_settings(running, settings, changes.live);
  EXPECT_EQ(running.batch, 64);
  EXPECT_DOUBLE_EQ(running.learning_rate, 0.01);
  EXPECT_EQ(running.seed, 1);
  EXPECT_EQ(running.max_steps, 50);
}

TEST(Settings, accelerators_are_refused_in_lightnings_words) {
  EXPECT_EQ(refusal("accelerator", "tpu"), "");
  EXPECT_TRUE(refusal("accelerator", "TPU")
                  .starts_with("You selected an invalid accelerator name: `accelerator='TPU'`. "
                               "Available names are: auto, "
                               "cpu, cuda, mps, tpu."));
  EXPECT_TRUE(has(refusal("accelerator", "xla"), "`accelerator='xla'`"));
  EXPECT_TRUE(refusal("accelerator", "cuda")
                  .starts_with("`CUDAAccelerator` can not run on your system since the accelerator "
                               "is not available. The "
                               "following accelerator(s) is available and can be passed into "
                               "`accelerator` argument of "
                               "`Trainer`: ['cpu', 'tpu']."));
  EXPECT_TRUE(has(refusal("accelerator", "cpu"), "use accelerator tpu"));
}

TEST(Settings, strategies_are_lower_cased_and_refused_in_lightnings_words) {
  Settings settings;
  change(settings, "strategy", "XLA");
  EXPECT_EQ(settings.strategy, "xla");
  EXPECT_TRUE(refusal("strategy", "ddp")
                  .starts_with("The `XLAAccelerator` can only be used with a "
                               "`SingleDeviceXLAStrategy` or `XLAStrategy`, "
                               "found DDPStrategy."));
  EXPECT_TRUE(refusal("strategy", "foo")
                  .starts_with("You selected an invalid strategy name: `strategy='foo'`. It must "
                               "be either a string or an "
                               "instance of "));
  EXPECT_TRUE(refusal(settings, "devices", "1")
                  .starts_with("The `XLAStrategy` does not support running on a single device with "
                               "the PjRt runtime."));
  EXPECT_TRUE(has(refusal("strategy", "single_xla"), "trains on one device"));
}

TEST(Settings, precisions_are_refused_in_lightnings_words) {
  for (const auto& [typed, named] :
       std::vector<std::pair<std::string_view, std::string>>{{"16-mixed", "16-mixed"},
                                                             {"16", "16-mixed"},
                                                             {"bf16", "bf16-mixed"},
                                                             {"bf16-mixed", "bf16-mixed"},
                                                             {"64", "64-true"},
                                                             {"64-true", "64-true"}}) {
    EXPECT_TRUE(refusal("precision", typed)
                    .starts_with("`precision='" + named +
                                 "')` is not supported in XLA. `precision` must be one of: "
                                 "('32-true', '16-true', 'bf16-true'). Use "))
        << typed;
  }
  EXPECT_TRUE(has(refusal("precision", "16"), "which needs no loss scale (16-true stays f32)"));
  EXPECT_TRUE(refusal("precision", "fp8")
                  .starts_with("Precision 'fp8' is invalid. Allowed precision values: ("));
}

TEST(Settings, the_effective_precision_says_why_it_differs) {
  Settings settings;
  EXPECT_EQ(effective_precision(settings), "f32");
  EXPECT_EQ(change(settings, "precision", "'bf16-true'"),
            "precision bf16-true: the next run uses bf16");
  const std::string reply = change(settings, "precision", "16-true");
  EXPECT_TRUE(reply.starts_with("precision 16-true: the next run uses f32 (")) << reply;
  EXPECT_TRUE(has(reply, "no torch_xla release reads XLA_USE_F16")) << reply;
  change(settings, "precision", "32");
  EXPECT_EQ(settings.precision, "32-true");
}

TEST(Settings, a_number_out_of_range_is_told_the_range) {
  EXPECT_EQ(refusal("batch", "0"),
            "batch cannot be 0; it takes a whole number from 1 to 16,777,216, or 1/N of a row");
  EXPECT_EQ(refusal("max_epochs", "0"),
            "max_epochs cannot be 0; it takes auto, a whole number from 1 to 1,000,000, or -1 for "
            "no limit; Lightning's 0, which trains nothing, is no run here");
  for (const auto& [name, value] : std::vector<std::pair<std::string_view, std::string_view>>{
           {"batch", "16777217"},
           {"batch", "-5"},
           {"batch", "3.5"},
           {"batch", "many"},
           {"batch", ""},
           {"batch", "99999999999999999999"},
           {"learning_rate", "0"},
           {"learning_rate", "nan"},
           {"learning_rate", "inf"},
           {"learning_rate", "11"},
           {"momentum", "1"},
           {"momentum", "-0.1"},
           {"seed", "-1"},
           {"hidden", "()"},
           {"hidden", "0"},
           {"hidden", "16385"},
           {"hidden", "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17"},
           {"workers", "257"},
           {"pace", "1/0"},
           {"pace", "fast"},
           {"drop_last", "maybe"},
           {"optimizer", "Adam"},
           {"log_every_n_steps", "-1"},
           {"warmup_steps", "-1"}}) {
    const std::string text = refusal(name, value);
    EXPECT_TRUE(has(text, setting_named(name).values)) << name << " " << value << ": " << text;
  }
}

TEST(Settings, a_misspelt_choice_is_told_the_nearest) {
  const std::string told = "optimizer cannot be adm (did you mean adam?); it takes auto, adam,";
  EXPECT_TRUE(refusal("optimizer", "adm").starts_with(told));
}

TEST(Settings, hidden_sizes_are_read_in_any_brackets) {
  for (const std::string_view typed : {"(256,128)", "[256, 128]", "256 128", "256,128"}) {
    Settings settings;
    change(settings, "hidden", typed);
    EXPECT_EQ(settings.hidden, (std::vector<std::int64_t>{256, 128})) << typed;
  }
  Settings settings;
  // 65 x 256 + 257 x 128 + 129 x 10 = 16,640 + 32,896 + 1,290
  EXPECT_EQ(change(settings, "hidden", "256 128"),
            "hidden (256,128): the next run uses mlp 64-256-128-10, 50,826 parameters");
}

TEST(Settings, an_unknown_setting_is_told_the_nearest) {
  EXPECT_EQ(refusal("bach", "3"), "unknown setting 'bach'; did you mean batch?");
  EXPECT_EQ(refusal("qqqqqq", "3"), "unknown setting 'qqqqqq'; `show all` lists them");
}

TEST(Settings, every_shown_value_reads_back_as_itself) {
  Settings settings;
  settings.learning_rate = 0.1 + 0.2;
  for (const SettingRow& row : setting_rows()) {
    Settings again;
    EXPECT_TRUE(row.parse(again, row.show(settings))) << row.name;
    EXPECT_EQ(row.show(again), row.show(settings)) << row.name;
  }
}

TEST(Settings, every_offered_value_is_taken) {
  for (const SettingRow& row : setting_rows()) {
    if (!row.choices) continue;
    for (const std::string& value : row.choices(Settings())) {
      Settings settings;
      EXPECT_NO_THROW(EXPECT_TRUE(row.parse(settings, value)) << row.name << " " << value);
    }
  }
}

TEST(Settings, rows_have_their_own_names_and_words) {
  std::set<std::string_view> names;
  for (const SettingRow& row : setting_rows()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.values.empty()) << row.name;
    EXPECT_TRUE(row.help.ends_with(".")) << row.name;
    EXPECT_EQ(find_setting(row.name), &row);
  }
}

TEST(Settings, a_batch_beyond_the_data_says_what_runs) {
  Settings settings;
  const std::string reply = change(settings, "batch", "2000000");
  EXPECT_TRUE(has(reply, "but an epoch has only 180 rows per device")) << reply;
}

TEST(Settings, a_model_takes_the_first_data_that_it_can_read) {
  Settings settings;
  EXPECT_TRUE(has(change(settings, "model", "lenet"), "trained on digits"));
  EXPECT_TRUE(has(change(settings, "model", "gpt-tiny"), "trained on addition"));
  EXPECT_TRUE(has(change(settings, "data", "text"), "29 classes"));
  EXPECT_TRUE(has(refusal(settings, "model", "tcn"),
                  "the model reads a sequence of numbers, and a row of text is a sequence of "
                  "tokens; the model reads data digits"));
}

TEST(Settings, a_model_may_be_a_line_of_layers) {
  Settings settings;
  const std::string line = "conv 16 3x3 relu | maxpool 2 | dense 10";
  // 3 x 3 x 1 x 16 + 16 and 4 x 4 x 16 x 10 + 10.
  EXPECT_TRUE(has(change(settings, "model", '"' + line + '"'), "2,730 parameters"));
  EXPECT_EQ(settings.model, line);
}

TEST(Settings, dropping_every_batch_is_refused) {
  Settings settings;
  change(settings, "batch", "181");
  EXPECT_TRUE(has(refusal(settings, "drop_last", "on"), "use a batch of at most 180"));
  change(settings, "batch", "180");
  EXPECT_EQ(refusal(settings, "drop_last", "on"), "");
}

}  // namespace
}  // namespace tpulab::settings_test

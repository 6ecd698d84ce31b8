// What can be set: one value struct, one row per setting. Pure: needs no engine, so that the prompt
// can check a value before it posts it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/portion.h"

namespace tpulab {

// Field defaults are the default experiment.
struct Settings {
  std::string model = "mlp";   // a network that is trained here, or one of which the time is known
  std::string data = "auto";   // auto: the first set that the model can read
  std::int64_t sequence = 0;   // tokens of a row, 0: the model's own
  std::int64_t image = 0;      // pixels of a side, 0: the model's own
  std::string mesh = "auto";   // auto, or parts as "data=4/fsdp=2"
  std::string remat = "none";  // one of remat_names
  std::int64_t loss_pieces = 1;    // of a device's tokens, whose logits are made one by one
  std::string quant = "none";      // none, int8
  std::string attention = "auto";  // auto, scores, fused
  std::string slice = "v3-8";
  std::string host = "tpu-vm";
  std::string stack = "pytorch-xla";
  std::string straggler = "none";     // none, host:INDEX:FACTOR, core or link
  std::string accelerator = "auto";   // auto, tpu; anything else is refused in Lightning's words
  std::string devices = "auto";       // auto, 1, all, [i]
  std::string strategy = "auto";      // auto, xla, xla_debug, single_xla
  std::string precision = "32-true";  // 32-true, bf16-true, 16-true; bf16-mixed beside Lightning
  std::string matmul_precision = "default";      // default, high, highest
  std::int64_t batch = 32;                       // rows per core
  std::int64_t devices_a_row = 1;                // that share each row, where batch is 1/N
  std::vector<std::int64_t> hidden{1024, 1024};  // of an mlp
  std::string optimizer = "auto";                // auto, sgd, adam, adamw, lamb
  double learning_rate = 1e-3;
  double momentum = 0.9;     // sgd only
  double weight_decay = -1;  // -1: auto, 0.01 of adamw and lamb, else none
  std::int64_t warmup_steps = 0;
  std::int64_t max_epochs = 0;  // 0: auto, see epochs_of(); -1: no limit
  std::int64_t max_steps = -1;  // -1: no limit
  // Of Lightning's loop, under its names.
  Portion limit_train_batches;
  Portion limit_val_batches;
  Portion overfit_batches{.count = -1, .share = 0};
  std::int64_t accumulate_grad_batches = 1;
  double gradient_clip_val = 0;  // 0: never
  std::string gradient_clip_algorithm = "norm";
  Portion val_check_interval;
  std::int64_t check_val_every_n_epoch = 1;  // 0: None, val_check_interval counts across epochs
  std::int64_t num_sanity_val_steps = 2;     // -1: all
  std::int64_t seed = 1;
  std::string split = "rows";  // rows, shuffled, validation
  std::int64_t log_every_n_steps = 50;
  std::int64_t item_every_n_steps = 0;   // loss.item() inside training_step; 0: never
  bool progress_bar = false;             // on: two item() per refresh, as Lightning's bar does
  std::int64_t progress_bar_every = 1;   // batches between two refreshes of the bar
  bool cpu_constant = false;             // on: a tensor made on the CPU in each step
  std::int64_t loader_workers = -1;      // processes that load for one device; -1: auto
  double loader_row_us = 0;              // of one of them for a row; 0: auto
  std::int64_t loader_prefetch = 0;      // batches of a device kept ready; 0: as the stack does
  std::int64_t host_cpus = 0;            // of each host; 0: auto
  std::int64_t data_rows = 0;            // that are trained on, 0: all
  std::string input_dtype = "auto";      // f32, bf16: rows of numbers as they leave the host
  std::string fallback_op = "none";      // of each batch's losses, on the CPU: median
  std::string shapes = "fixed";          // fixed, random, bucketed: rows that batches keep
  std::int64_t loop_turns = 0;           // at most, of a Python loop over each batch's losses
  std::int64_t save_every_n_steps = 0;   // steps between two checkpoints; 0: one behind each epoch
  std::string preempt = "none";          // host@STEP, host:INDEX@STEP: the slice is lost there
  std::string cache_persistent = "off";  // off, on, filled: programs on disk
  std::int64_t keep_every_n_steps = 0;   // a batch's losses outlive the step; 0: never
  bool sync_validation = false;          // on: each batch of validation ends in a sync
  bool class_weights = false;            // on: aten::bincount feeds the loss
  bool hard_examples = false;            // on: aten::nonzero picks the rows of the loss
  bool drop_last = false;
  bool donate = true;  // off: new weights and optimizer state get HBM of their own
  bool numbers = true;
  std::string replicas = "auto";        // auto, separate
  std::string gpu_precision = "mixed";  // of GPUs: mixed, tf32, fp32
  std::string backend = "library";      // library, reference
  std::int64_t workers = 0;             // threads for the numbers, 0: one per CPU
  std::string pace = "max";             // max, watch, real, 1/N
  std::string format = "table";         // of compare and sweep: table, csv
  bool operator==(const Settings&) const = default;
};

enum class Effect : std::uint8_t { at_once, next_step, recompile, new_run };
std::string_view words_of(Effect effect);  // "the next step recompiles unless it is cached"

struct SettingRow {
  std::string_view name;    // "batch", "matmul.precision"
  std::string_view values;  // "a whole number from 1 to 1,048,576"; refusals quote it
  std::string_view help;    // one sentence
  Effect effect;
  // Values worth offering for completion; null: none.
  std::vector<std::string> (*choices)(const Settings& settings);
  // False if the value is not among `values`; throws Error where there is more to say. Leaves
  // `settings` as it was then.
  bool (*parse)(Settings& settings, std::string_view value);
  std::string (*show)(const Settings& settings);
  void (*copy)(Settings& to, const Settings& from);  // this field alone
  // What the value comes to: "64 x 8 = 512 global"; null: nothing to add.
  std::string (*meaning)(const Settings& settings);
};

std::span<const SettingRow> setting_rows();
// Null if there is none of that name.
const SettingRow* find_setting(std::string_view name);
// What a word that is no setting means: the one that PyTorch's users call so (learning_rate for
// lr), else the name most like it, also of `others`; empty if none is.
std::string setting_meant_by(std::string_view word, std::vector<std::string> others = {});
// Throws Error with the nearest name.
const SettingRow& setting_named(std::string_view name);

// Parses a value by itself. Throws Error and leaves `settings` alone.
void parse_value(Settings& settings, std::string_view name, std::string_view value);
// Parses and checks a value against all others (devices against slice, a batch against HBM,
// Lightning's refusals). Throws Error and leaves `settings` alone, or returns the reply to show:
// "batch 64: 64 x 8 = 512 global; the next step recompiles unless it is cached".
std::string change(Settings& settings, std::string_view name, std::string_view value);

struct Assignment {
  std::string name;
  std::string value;
};
struct Changes {
  std::vector<std::string> replies;  // one per assignment
  std::vector<std::string> live;     // changed, and not only from the next run on
  Effect effect = Effect::at_once;   // the widest of the live ones
};
// As change() for several settings at once: all of them or, with an Error, none.
Changes change_all(Settings& settings, std::span<const Assignment> assignments);
// As they would be, whether they go together or not.
Settings unchecked(Settings settings, std::span<const Assignment> assignments);
// What makes `from` into `to`, setting by setting.
std::vector<Assignment> changes_between(const Settings& from, const Settings& to);
// True for batch.global, which follows from batch and the devices.
bool is_derived(const SettingRow& row);
// A setting, or what follows from it: batch and batch.global.
bool say_the_same(const SettingRow& one, const SettingRow& other);
// Copies the named settings into a run's own set.
void take_settings(Settings& into, const Settings& from, std::span<const std::string> names);

// Throws Impossible if values that are fine alone do not go together.
void check_settings(const Settings& settings);
// The same, memory aside. Throws Error.
void check_rules(const Settings& settings);
// None where a value is refused or the settings would not go together, memory aside.
std::optional<Settings> with_changes(Settings settings, std::span<const Assignment> changes);

// True for a model whose numbers are not computed here: it is forecast, or run time-only.
bool is_named(const Settings& settings);

// Machines of the user's own, slices.d/NAME.toml of these folders, from then on slices like others
// (engine/machine/own_generations.h). Answers why some were left out.
std::vector<std::string> read_own_machines(std::span<const std::filesystem::path> folders);

// Zero-based indices of the devices that work, in Lightning's reading of `devices`.
std::vector<int> chosen_devices(const Settings& settings);
// The effective storage dtype in words, with the reason where it differs from the setting.
std::string effective_precision(const Settings& settings);
// "mesh data=8, remat none"; of a program, whether its devices exchange anything.
std::string division_text(const Settings& settings, std::string_view mesh);

}  // namespace tpulab

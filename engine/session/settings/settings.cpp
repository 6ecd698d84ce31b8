#include "engine/session/settings/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/forecast/known_steps.h"
#include "engine/machine/machine.h"
#include "engine/machine/own_generations.h"
#include "engine/machine/straggler.h"
#include "engine/session/settings/gpu_settings.h"
#include "engine/session/settings/imported_models.h"
#include "engine/session/settings/lightning_rules.h"
#include "engine/session/settings/memory_check.h"
#include "engine/session/settings/model_with_data.h"
#include "engine/session/settings/no_effect.h"
#include "engine/session/settings/own_machines.h"
#include "engine/session/settings/plan.h"
#include "engine/session/settings/preemption.h"
#include "engine/session/settings/setting_values.h"

namespace tpulab {

namespace {

constexpr std::size_t longest_value = 4096;  // a network of many layers is one

// Words of loaders, optimizers and loops, and of other trainers: a refusal names ours.
struct OtherWord {
  std::string_view typed;
  std::string_view setting;
};
constexpr std::array<OtherWord, 19> other_words{{
    {"batch_size", "batch"},
    {"bs", "batch"},
    {"train_batch_size", "batch"},
    {"per_device_train_batch_size", "batch"},
    {"global_batch_size", "batch.global"},
    {"lr", "learning_rate"},
    {"epochs", "max_epochs"},
    {"num_epochs", "max_epochs"},
    {"num_train_epochs", "max_epochs"},
    {"steps", "max_steps"},
    {"fast_dev_run", "max_steps"},
    {"num_workers", "loader_workers"},
    {"prefetch_factor", "loader_prefetch"},
    {"dtype", "precision"},
    {"hidden_size", "hidden"},
    {"num_devices", "devices"},
    {"grad_accum", "accumulate_grad_batches"},
    {"gradient_accumulation_steps", "accumulate_grad_batches"},
    {"accumulate", "accumulate_grad_batches"},
}};

// What a script does, under a name that says so.
struct ScriptName {
  std::string_view typed;
  std::string_view setting;
};
constexpr std::array<ScriptName, 25> script_names{{
    {"script.item_every", "item_every_n_steps"},
    {"script.log_every", "log_every_n_steps"},
    {"script.prog_bar", "progress_bar"},
    {"script.prog_bar_every", "progress_bar_every"},
    {"script.cpu_constant", "cpu_constant"},
    {"script.constant", "cpu_constant"},
    {"script.shapes", "shapes"},
    {"script.loader", "loader_workers"},
    {"script.loader_workers", "loader_workers"},
    {"script.loader_prefetch", "loader_prefetch"},
    {"script.op", "fallback_op"},
    {"script.loop", "loop_turns"},
    {"script.outputs", "keep_every_n_steps"},
    {"script.scalar", "warmup_steps"},
    {"script.sync_validation", "sync_validation"},
    {"memory.donate", "donate"},
    {"cache.persistent", "cache_persistent"},
    {"script.save_every", "save_every_n_steps"},
    {"data.rows", "data_rows"},
    {"input.dtype", "input_dtype"},
    {"host.cores", "host_cpus"},
    {"script.accumulate", "accumulate_grad_batches"},
    {"script.drop_last", "drop_last"},
    {"script.class_weights", "class_weights"},
    {"script.hard_examples", "hard_examples"},
}};

[[noreturn]] void refuse(const SettingRow& row, std::string_view value, const Settings& settings) {
  std::string hint;
  if (row.choices) {
    std::vector<std::string> names = row.choices(settings);
    // Numbers that are spelt alike are no more alike than others: the range says which there are.
    std::erase_if(names, [](const std::string& name) { return real_number(name).has_value(); });
    const std::string near = nearest_name(value, names);
    if (!near.empty()) hint = fmt::format(" (did you mean {}?)", near);
  }
  throw Error(fmt::format("{} cannot be {}{}; it takes {}", row.name,
                          value.empty() ? "empty" : value, hint, row.values));
}

std::string reply_to(const SettingRow& row, const Settings& settings) {
  const std::string value = row.show(settings);
  const std::string meaning = meaning_of(row, settings);
  const std::string start = fmt::format("{} {}: ", row.name, value);
  if (!no_effect(settings, row.name).empty()) return start + meaning;
  if (row.effect == Effect::new_run && !meaning.empty()) {
    return start + "the next run uses " + meaning;
  }
  const std::string fact = meaning.empty() ? std::string() : meaning + "; ";
  return fmt::format("{}{}{}", start, fact, words_of(row.effect));
}

// The slice comes first because devices are read against it, the stack because of its precisions;
// the derived batch comes last.
int turn_of(std::string_view name) {
  if (name == "slice" || name == "stack") return 0;
  return name == "batch.global" ? 2 : 1;
}

void check_slice_fits_devices(const Settings& settings) {
  try {
    lightning_devices(settings.devices, slice_named(settings.slice));
  } catch (const Error& error) {
    throw Error(
        fmt::format("slice {} does not fit devices {}: {}; set devices auto first, or both at once",
                    settings.slice, settings.devices, error.what()));
  }
}

void check_straggler_fits_slice(const Settings& settings) {
  try {
    stragglers_named(settings.straggler, slice_named(settings.slice));
  } catch (const Error& error) {
    throw Error(fmt::format("slice {} does not fit straggler {}: {}; set straggler none first",
                            settings.slice, settings.straggler, error.what()));
  }
}

void check_preemption_fits_slice(const Settings& settings) {
  try {
    check_preempted_host(preemption_named(settings.preempt), settings);
  } catch (const Error& error) {
    throw Error(fmt::format("slice {} does not fit preempt {}: {}; set preempt none first",
                            settings.slice, settings.preempt, error.what()));
  }
}

void check_mixed_precision(const Settings& settings) {
  const bool mixed = settings.precision == "bf16-mixed";
  if (mixed && settings.stack == "pytorch-xla") lightning_precision(settings.precision);
}

void check_val_interval(const Settings& settings) {
  const Portion& interval = settings.val_check_interval;
  if (settings.check_val_every_n_epoch != 0 || interval.count >= 0) return;
  throw Impossible(fmt::format(
      "`val_check_interval` should be an integer when `check_val_every_n_epoch=None`, found {}; "
      "set both at once: set val_check_interval=100 check_val_every_n_epoch=None",
      setting_named("val_check_interval").show(settings)));
}

void check_shapes(const Settings& settings) {
  if (settings.shapes == "fixed" || settings.accumulate_grad_batches == 1) return;
  throw Impossible(fmt::format(
      "accumulate_grad_batches {} sums batches of one shape here, and shapes {} changes it from "
      "step to step; set shapes fixed or accumulate_grad_batches 1",
      settings.accumulate_grad_batches, settings.shapes));
}

void check_input_dtype(const Settings& settings) {
  if (settings.input_dtype != "u8" || bytes_hold_rows(settings)) return;
  throw Impossible(fmt::format(
      "input_dtype u8 sends the bytes of images, and numbers of {} are none: a byte would round "
      "them to whole numbers from 0 to 255; use input_dtype bf16, which halves what f32 sends",
      is_named(settings) ? settings.model : std::string(dataset_of(settings).name)));
}

void check_drop_last(const Settings& settings) {
  if (!drops_every_batch(settings)) return;
  const std::int64_t rows = rows_per_device(settings);
  throw Error(fmt::format(
      "drop_last with batch {} would drop every batch: an epoch has {} per device; use a "
      "batch of at most {} or drop_last off",
      show_batch(settings), count_with(rows, "row"), rows));
}

// How many rows it picks depends on values.
void check_hard_examples(const Settings& settings) {
  if (!settings.hard_examples || !no_effect(settings, "hard_examples").empty()) return;
  if (!settings.numbers) {
    throw Impossible("hard_examples on needs numbers on: how many rows it picks depends on values");
  }
  if (chosen_devices(settings).size() == 1) return;
  throw Impossible(
      "hard_examples on needs devices 1: each device would pick another number of rows and so run "
      "another program, and on a real TPU their all-reduce would hang; use devices 1 or "
      "hard_examples off");
}

}  // namespace

void check_rules(const Settings& settings) {
  if (on_gpus(settings)) {
    check_gpu_settings(settings);
    return;
  }
  check_slice_fits_devices(settings);
  check_straggler_fits_slice(settings);
  check_preemption_fits_slice(settings);
  check_strategy_fits(settings);
  check_mixed_precision(settings);
  check_val_interval(settings);
  check_shapes(settings);
  check_input_dtype(settings);
  if (is_named(settings)) {
    known_step(forecast_request(settings), machine_for(settings));
    return;
  }
  if (settings.devices_a_row > 1) {
    throw Impossible(
        fmt::format("batch {} shares rows among devices, as the mesh of a named model "
                    "can; {} reads whole ones, use batch 1 or more",
                    show_batch(settings), settings.model));
  }
  if (parameter_count(settings) == 0) {  // traces the model on a row of the data
    throw Impossible(fmt::format(
        "{} has no weights to train; add a layer that has some, as dense 10", settings.model));
  }
  check_drop_last(settings);
  check_hard_examples(settings);
}

std::string_view words_of(Effect effect) {
  switch (effect) {
    case Effect::at_once:
      return "acts at once";
    case Effect::next_step:
      return "acts from the next step";
    case Effect::recompile:
      return "the next step recompiles unless it is cached";
    case Effect::new_run:
      break;
  }
  return "acts from the next run";
}

const SettingRow* find_setting(std::string_view name) {
  const ScriptName* const habit = find_row(script_names, name, &ScriptName::typed);
  return find_row(setting_rows(), habit == nullptr ? name : habit->setting, &SettingRow::name);
}

std::string setting_meant_by(std::string_view word, std::vector<std::string> others) {
  const OtherWord* const other = find_row(other_words, word, &OtherWord::typed);
  if (other != nullptr) return std::string(other->setting);
  for (const SettingRow& row : setting_rows()) others.emplace_back(row.name);
  return nearest_name(word, others);
}

const SettingRow& setting_named(std::string_view name) {
  if (const SettingRow* row = find_setting(name)) return *row;
  if (const std::string why = constant_of_machines(name); !why.empty()) throw Error(why);
  const std::string near = setting_meant_by(name);
  throw Error(
      fmt::format("unknown setting '{}'; {}", name,
                  near.empty() ? "`show all` lists them" : fmt::format("did you mean {}?", near)));
}

void parse_value(Settings& settings, std::string_view name, std::string_view text) {
  const SettingRow& row = setting_named(name);
  std::string_view value = trimmed(text);
  if (row.name != "devices") value = without_quotes(value);
  if (value.size() > longest_value) {
    throw Error(fmt::format("{} cannot be a text of {} bytes; it takes {}", row.name, value.size(),
                            row.values));
  }
  if (value.empty() || !row.parse(settings, value)) refuse(row, value, settings);
}

std::string change(Settings& settings, std::string_view name, std::string_view value) {
  const Assignment assignment{std::string(name), std::string(value)};
  return change_all(settings, {&assignment, 1}).replies.front();
}

Settings unchecked(Settings settings, std::span<const Assignment> assignments) {
  for (int turn = 0; turn <= 2; ++turn) {
    for (const Assignment& assignment : assignments) {
      if (turn_of(assignment.name) != turn) continue;
      parse_value(settings, assignment.name, assignment.value);
    }
  }
  return settings;
}

Changes change_all(Settings& settings, std::span<const Assignment> assignments) {
  const std::uint64_t contents = known_contents(settings.model);
  Settings changed = unchecked(settings, assignments);
  check_together(settings, changed, assignments);
  Changes result;
  for (const Assignment& assignment : assignments) {
    const SettingRow& row = setting_named(assignment.name);
    Settings alone = settings;
    row.copy(alone, changed);
    const bool read_anew = row.name == "model" && known_contents(changed.model) != contents;
    if (alone == settings && !read_anew) {
      result.replies.push_back(fmt::format("{} is already {}", row.name, row.show(changed)));
      continue;
    }
    result.replies.push_back(reply_to(row, changed));
    if (row.effect == Effect::new_run) continue;
    result.live.emplace_back(row.name);
    result.effect = std::max(result.effect, row.effect);
  }
  settings = std::move(changed);
  return result;
}

std::vector<Assignment> changes_between(const Settings& from, const Settings& to) {
  std::vector<Assignment> changes;
  for (const SettingRow& row : setting_rows()) {
    const std::string value = row.show(to);
    if (!is_derived(row) && value != row.show(from)) {
      changes.push_back({std::string(row.name), value});
    }
  }
  return changes;
}

std::optional<Settings> with_changes(Settings settings, std::span<const Assignment> changes) {
  try {
    for (const Assignment& one : changes) parse_value(settings, one.name, one.value);
    check_rules(settings);
  } catch (const Error&) {
    return std::nullopt;
  }
  return settings;
}

bool is_derived(const SettingRow& row) { return row.name == "batch.global"; }

bool say_the_same(const SettingRow& one, const SettingRow& other) {
  const auto kept = [](const SettingRow& row) { return is_derived(row) ? "batch" : row.name; };
  return kept(one) == kept(other);
}

void take_settings(Settings& into, const Settings& from, std::span<const std::string> names) {
  for (const std::string& name : names) setting_named(name).copy(into, from);
}

void check_settings(const Settings& settings) {
  or_impossible([&] {
    try {
      check_rules(settings);
    } catch (const TooManyOperations&) {
      // Told where it is to run.
    }
  });
}

// A network that is known by its rows of usual data trains on other data.
bool is_named(const Settings& settings) {
  if (names_file(settings.model) || !trained_model(settings.model, settings.hidden)) return true;
  return settings.data == "auto" && names_workload(settings.model);
}

std::vector<std::string> read_own_machines(std::span<const std::filesystem::path> folders) {
  return read_own_generations(folders);
}

std::string effective_precision(const Settings& settings) {
  if (on_gpus(settings)) return settings.gpu_precision + " precision";
  if (names_program(settings.model)) return "types as its text says";
  if (settings.precision == "bf16-true") return "bf16";
  if (settings.precision == "bf16-mixed") return "bf16 products and activations, f32 weights";
  std::string text = "f32";
  if (settings.matmul_precision == "high") text += ", products in 3 bf16 passes";
  if (settings.matmul_precision == "highest") text += ", products in 6 bf16 passes";
  if (settings.precision == "16-true") {
    text += " (16-true changes nothing: no torch_xla release reads XLA_USE_F16, which it sets)";
  }
  return text;
}

std::string division_text(const Settings& settings, std::string_view mesh) {
  if (!names_program(settings.model)) return fmt::format("mesh {}, remat {}", mesh, settings.remat);
  const std::size_t devices = chosen_devices(settings).size();
  if (devices == 1) return "whole on one device";
  if (model_file(settings.model)->exchanging > 1) return "divided as its text says";
  return fmt::format("{} copies of the step that exchange nothing, no gradients either", devices);
}

}  // namespace tpulab

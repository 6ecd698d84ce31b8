#include "engine/session/settings/script_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/text.h"
#include "engine/machine/loader.h"
#include "engine/ops/ops.h"
#include "engine/session/settings/gpu_settings.h"
#include "engine/session/settings/plan.h"
#include "engine/session/settings/preemption.h"
#include "engine/session/settings/setting_values.h"
#include "engine/training/sampler.h"

namespace tpulab {

namespace {

constexpr std::array<std::string_view, 3> shapes{"fixed", "random", "bucketed"};

constexpr std::array<std::string_view, 3> persistences{"off", "on", "filled"};

constexpr std::array<std::string_view, 4> input_dtypes{"auto", "f32", "bf16", "u8"};

constexpr std::string_view as_usual = "auto";
constexpr std::string_view every_row = "all";

// A word that stands for `Unset`, or a number.
template <auto Field, std::int64_t Unset, std::int64_t Low, std::int64_t High, const auto& Word>
bool parse_or(Settings& settings, std::string_view value) {
  const auto number = value == Word ? std::optional(Unset) : whole_number(value);
  if (!number || (value != Word && (*number < Low || *number > High))) return false;
  settings.*Field = *number;
  return true;
}

template <auto Field, std::int64_t Unset, const auto& Word>
std::string show_or(const Settings& settings) {
  return settings.*Field == Unset ? std::string(Word) : value_text(settings.*Field);
}

bool parse_row_time(Settings& settings, std::string_view value) {
  const auto number = value == "auto" ? std::optional(0.0) : real_number(value);
  if (!number || (value != "auto" && (*number < 0.1 || *number > 1e8))) return false;
  settings.loader_row_us = *number;
  return true;
}

std::string show_row_time(const Settings& settings) {
  return settings.loader_row_us == 0 ? "auto" : value_text(settings.loader_row_us);
}

std::string workers_meaning(const Settings& settings) {
  const Machine machine = machine_for(settings);
  const double at_work = loaders_at_work(machine, 1);
  if (at_work < static_cast<double>(settings.loader_workers)) {
    return fmt::format("{:.3g} of them at a time: the host's {:.0f} CPUs load for {} devices",
                       at_work, host_cpus(machine), devices_of_host(machine));
  }
  return settings.loader_workers == 0 ? "the training process to load" : "";
}

std::string row_meaning(const Settings& settings) {
  const double seconds = row_seconds(machine_for(settings));
  return fmt::format("{} rows a second from each loader", text_of_count(1 / seconds));
}

std::vector<std::string> offered_ops(const Settings&) {
  std::vector<std::string> names{"none"};
  for (const std::string_view op : host_statistics()) {
    names.emplace_back(op.substr(op.rfind(':') + 1));
  }
  return names;
}

bool parse_op(Settings& settings, std::string_view value) {
  if (value.starts_with("aten::")) value.remove_prefix(6);
  const std::vector<std::string> names = offered_ops(settings);
  if (std::ranges::find(names, value) == names.end()) return false;
  settings.fallback_op = std::string(value);
  return true;
}

std::string left_out_meaning(const Settings& settings) {
  const auto rows = rows_of_an_epoch(settings);
  if (!rows || !settings.drop_last || on_gpus(settings)) return {};
  const std::int64_t each = rows_of_core(*rows, std::ssize(chosen_devices(settings)));
  return fmt::format("leaves out {} of {} rows of each device in an epoch", each % settings.batch,
                     each);
}

std::string rows_meaning(const Settings& settings) {
  const auto rows = rows_of_an_epoch(settings);
  if (!rows) return {};
  if (on_gpus(settings)) return count_with(*rows, "row");
  const auto world = static_cast<std::int64_t>(chosen_devices(settings).size());
  if (world == 1) return count_with(*rows, "row");
  return fmt::format("{}, {} on each of {} devices", count_with(*rows, "row"),
                     text_with_commas(rows_of_core(*rows, world)), world);
}

std::string prefetch_meaning(const Settings& settings) {
  const Machine machine = machine_for(settings);
  if (!sends_ahead(machine)) return {};
  return fmt::format("{} on each device", batches_ahead(machine));
}

std::string cpus_meaning(const Settings& settings) {
  return count_with(std::llround(host_cpus(machine_for(settings))), "CPU");
}

std::string read_preemption(std::string_view value, const Settings& settings) {
  check_preempted_host(preemption_named(value), settings);
  return std::string(value);
}

std::vector<std::string> offered_preemptions(const Settings&) {
  return {"none", "host@20", "host:0@100"};
}

std::string preemption_meaning(const Settings& settings) {
  const Preemption preemption = preemption_named(settings.preempt);
  if (preemption.step == 0) return {};
  const std::int64_t every = settings.save_every_n_steps;
  return fmt::format(
      "host {} until step {}, when the slice is lost; it goes on from the checkpoint behind {}",
      preemption.host, preemption.step,
      every > 0 ? fmt::format("every {} steps", every) : std::string("the newest epoch"));
}

std::string persistence_meaning(const Settings& settings) {
  if (settings.cache_persistent == "off") return {};
  const StackRow& stack = stack_named(settings.stack);
  const std::string least = stack.least_kept_compile_seconds > 0
                                ? fmt::format(" that compile for {:g} s or more",
                                              double{stack.least_kept_compile_seconds})
                                : std::string();
  // pytorch/xla #9094.
  const std::string_view elsewhere =
      stack.traces_each_step() ? "; read back here, as PyTorch/XLA up to 2.9 cannot on a TPU" : "";
  return fmt::format("programs on disk{}, {}{}", least,
                     settings.cache_persistent == "on"
                         ? "which it fills for processes after it (`reset`, `preempt`)"
                         : "all of which a process before it has left there",
                     elsewhere);
}

constexpr std::array<SettingRow, 23> habits{{
    whole_row<&Settings::log_every_n_steps, 0, 1'000'000>(
        {"log_every_n_steps", "a whole number from 0 to 1,000,000, 0 for never",
         "Steps between two logged losses; each is an item() that the host waits for.",
         Effect::next_step}),
    whole_row<&Settings::item_every_n_steps, 0, 1'000'000>(
        {"item_every_n_steps", "a whole number from 0 to 1,000,000, 0 for never",
         "Steps between two calls of loss.item(): a cut inside the step; behind a compiled one.",
         Effect::recompile}),
    switch_row<&Settings::progress_bar>(
        {"progress_bar", "on or off",
         "Reads the loss twice where it is refreshed, as a bar with prog_bar=True does.",
         Effect::next_step}),
    whole_row<&Settings::progress_bar_every, 1, 1'000'000>(
        {"progress_bar_every", "a whole number from 1 to 1,000,000",
         "Batches between two refreshes of progress_bar: TQDMProgressBar(refresh_rate=N).",
         Effect::next_step}),
    switch_row<&Settings::cpu_constant>(
        {"cpu_constant", "on or off",
         "Makes a tensor on the CPU in every step and sends it, as torch.ones(n).to(device) does.",
         Effect::recompile}),
    SettingRow{"loader_workers", "auto or a whole number from 0 to 1,024",
               "DataLoader's num_workers for each device: 0 loads in the training process (of "
               "JAX one for all devices of a host); auto is that where it is trained, half of the "
               "host's CPUs elsewhere.",
               Effect::new_run,
               [](const Settings&) {
                 return std::vector<std::string>{"auto", "0", "4", "16"};
               },
               parse_or<&Settings::loader_workers, -1, 0, 1024, as_usual>,
               show_or<&Settings::loader_workers, -1, as_usual>,
               copy_field<&Settings::loader_workers>, workers_meaning},
    SettingRow{"loader_row_us", "auto or a number from 0.1 to 100,000,000",
               "Microseconds in which one of them makes a row (reads, decodes, augments it).",
               Effect::new_run,
               [](const Settings&) {
                 return std::vector<std::string>{"auto", "100", "8000"};
               },
               parse_row_time, show_row_time, copy_field<&Settings::loader_row_us>, row_meaning},
    SettingRow{"loader_prefetch", "auto or a whole number from 1 to 1,024",
               "Batches kept ready on a device (device_prefetch_size); auto: as the stack does.",
               Effect::new_run,
               [](const Settings&) {
                 return std::vector<std::string>{"auto", "2", "16"};
               },
               parse_or<&Settings::loader_prefetch, 0, 1, 1024, as_usual>,
               show_or<&Settings::loader_prefetch, 0, as_usual>,
               copy_field<&Settings::loader_prefetch>, prefetch_meaning},
    SettingRow{
        "host_cpus", "auto or a whole number from 1 to 4,096",
        "CPUs of each host, which its loaders and the processes that trace share.", Effect::new_run,
        [](const Settings&) {
          return std::vector<std::string>{"auto", "2", "96"};
        },
        parse_or<&Settings::host_cpus, 0, 1, 4096, as_usual>,
        show_or<&Settings::host_cpus, 0, as_usual>, copy_field<&Settings::host_cpus>, cpus_meaning},
    SettingRow{"data_rows", "all or a whole number from 1 to 1,000,000,000",
               "Rows that are trained on, the first so many.", Effect::new_run,
               [](const Settings&) {
                 return std::vector<std::string>{"all", "20"};
               },
               parse_or<&Settings::data_rows, 0, 1, 1'000'000'000, every_row>,
               show_or<&Settings::data_rows, 0, every_row>, copy_field<&Settings::data_rows>,
               rows_meaning},
    choice_row<&Settings::input_dtype, input_dtypes>(
        {"input_dtype", "auto, f32, bf16 or u8",
         "Numbers of a row as they leave the host; auto: PyTorch sends them as weights are stored, "
         "other stacks as products read them. u8: an image's bytes, divided on the device.",
         Effect::new_run}),
    SettingRow{"fallback_op",
               "none, median, nanmedian, mode, histc, bucketize, searchsorted, aminmax, equal, "
               "huber_loss, logcumsumexp, cummin or hypot",
               "An op of each batch's losses that no release lowers: it runs on the CPU.",
               Effect::recompile, offered_ops, parse_op, show_field<&Settings::fallback_op>,
               copy_field<&Settings::fallback_op>, nullptr},
    switch_row<&Settings::donate>(
        {"donate", "on or off",
         "New weights and optimizer state take over the HBM of the old ones: JAX's donate_argnums, "
         "which PyTorch/XLA does by itself.",
         Effect::new_run}),
    choice_row<&Settings::shapes, shapes>(
        {"shapes", "fixed, random or bucketed",
         "Rows of a batch, of texts their length: all; one of up to 32 numbers from half up, as a "
         "collate_fn that drops rows or pads to the longest text; or filled up to one of 4.",
         Effect::recompile}),
    whole_row<&Settings::loop_turns, 0, 64>(
        {"loop_turns", "a whole number from 0 to 64, 0 for no loop",
         "Turns of a Python loop over each batch's losses, from 1 to so many in another step: each "
         "number of them is another graph.",
         Effect::recompile}),
    whole_row<&Settings::save_every_n_steps, 0, 1'000'000>(
        {"save_every_n_steps", "a whole number from 0 to 1,000,000, 0 for once an epoch",
         "Steps between two checkpoints, which the host reads: ModelCheckpoint's "
         "every_n_train_steps. Those behind epochs cost no time here.",
         Effect::next_step}),
    read_row<&Settings::preempt, read_preemption>(
        {"preempt", "none, host@STEP or host:INDEX@STEP",
         "Behind that step the host is taken back and the slice with it: new processes go on from "
         "the newest checkpoint, with no program in memory. The wait for a slice is not counted. "
         "metrics adds up all processes; the counters of torch_xla live in one.",
         Effect::new_run, preemption_meaning},
        offered_preemptions),
    choice_row<&Settings::cache_persistent, persistences>(
        {"cache_persistent", "off, on or filled",
         "Keeps compiled programs on disk for the next process: xr.initialize_cache(path), "
         "jax_compilation_cache_dir. filled: an earlier process did, too.",
         Effect::new_run, persistence_meaning}),
    whole_row<&Settings::keep_every_n_steps, 0, 1'000'000>(
        {"keep_every_n_steps", "a whole number from 0 to 1,000,000, 0 for never",
         "Steps between two whose losses of each row the script keeps: one result more, which is "
         "another graph.",
         Effect::recompile}),
    switch_row<&Settings::sync_validation>({"sync_validation", "on or off",
                                            "Ends each batch of validation with torch_xla.sync(): "
                                            "on one device, where no loader cuts, "
                                            "all of them are one graph without it.",
                                            Effect::next_step}),
    switch_row<&Settings::class_weights>(
        {"class_weights", "on or off",
         "Weighs the loss by class counts from aten::bincount, which falls back to the CPU.",
         Effect::recompile}),
    switch_row<&Settings::hard_examples>(
        {"hard_examples", "on or off",
         "Trains on rows that aten::nonzero picks, which falls back to the CPU.",
         Effect::recompile}),
    switch_row<&Settings::drop_last>(
        {"drop_last", "on or off",
         "Leaves out the last, shorter batch of an epoch and its compile.", Effect::next_step,
         left_out_meaning}),
}};

}  // namespace

std::span<const SettingRow> script_rows() { return habits; }

}  // namespace tpulab

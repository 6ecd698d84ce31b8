#include "engine/session/settings/no_effect.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "engine/base/error.h"
#include "engine/forecast/mesh.h"
#include "engine/forecast/single_kernel.h"
#include "engine/machine/straggler.h"
#include "engine/session/settings/gpu_settings.h"
#include "engine/session/settings/imported_models.h"
#include "engine/session/settings/plan.h"
#include "engine/session/settings/preemption.h"
#include "engine/training/networks/networks.h"

namespace tpulab {

namespace {

bool among(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

// Of what falls back to the CPU, or comes from it, in a step that is traced anew.
std::string in_compiled_step(const Settings& settings, std::string_view name) {
  if (!among(name, {"cpu_constant", "fallback_op", "class_weights", "hard_examples"}) ||
      stack_named(settings.stack).traces_each_step()) {
    return {};
  }
  std::string_view why = "where it is a constant of the compiled step";
  if (name == "fallback_op") why = "whose compiled step has no op that falls back";
  if (name == "class_weights")
    why = "whose compiled step counts classes itself: nothing falls back";
  if (name == "hard_examples") why = "whose compiled step has as many rows each time";
  return fmt::format("no effect on {}, {}", settings.stack, why);
}

// A slow part that nobody waits for.
std::string of_straggler(const Settings& settings) {
  if (settings.straggler == "none" || on_gpus(settings)) return {};
  const Machine machine = machine_for(settings);
  if (machine.stragglers.empty()) return {};
  const Straggler& part = machine.stragglers.front();
  const bool exchanges = !names_kernel(settings.model) || part.kind != StragglerKind::link;
  if (part.factor <= 1 || (slowest_part(machine) != nullptr && exchanges)) return {};
  return fmt::format("no effect on {}, where nothing uses {}", settings.model,
                     name_of(part, machine.slice));
}

// What comes once in so many steps that a run ends before it.
std::string behind_its_end(const Settings& settings, std::string_view name) {
  const std::int64_t last = last_step(settings);
  const bool comes = (name == "preempt" && preemption_named(settings.preempt).step > last) ||
                     (name == "item_every_n_steps" && settings.item_every_n_steps > last) ||
                     (name == "keep_every_n_steps" && settings.keep_every_n_steps > last);
  return last > 0 && comes ? fmt::format("no effect on a run that ends behind step {}", last) : "";
}

// Of Lightning's loop, on any network.
std::string on_loop(const Settings& settings, std::string_view name) {
  if (name == "num_sanity_val_steps" && !stack_named(settings.stack).traces_each_step()) {
    return fmt::format("no effect on {}, which has no sanity check", settings.stack);
  }
  if (std::string none = behind_its_end(settings, name); !none.empty()) return none;
  if (name == "straggler") return of_straggler(settings);
  if (name == "progress_bar_every" && !settings.progress_bar) {
    return "no effect while progress_bar is off";
  }
  if (std::string none = in_compiled_step(settings, name); !none.empty()) return none;
  if (among(name, {"sync_validation", "val_check_interval", "check_val_every_n_epoch",
                   "num_sanity_val_steps"}) &&
      settings.limit_val_batches.nothing()) {
    return "no effect while limit_val_batches is 0: nothing is validated";
  }
  const bool traces = stack_named(settings.stack).traces_each_step();
  if (name == "sync_validation" &&
      Habits().cuts_validation(traces, std::ssize(chosen_devices(settings)))) {
    return "no effect where each batch is a graph of its own anyway";
  }
  if (name == "cache_persistent" && !stack_named(settings.stack).can_keep_programs()) {
    return fmt::format("no effect on {}, which keeps TPU programs in memory alone", settings.stack);
  }
  if (name == "save_every_n_steps" && names_kernel(settings.model)) {
    return fmt::format("no effect on {}, a kernel without weights to save", settings.model);
  }
  if (name == "loader_prefetch" && chosen_devices(settings).size() == 1 &&
      stack_named(settings.stack).traces_each_step() && settings.loader_workers <= 0 &&
      !is_named(settings)) {
    return "no effect on one device, whose rows are loaded in the step";
  }
  if (among(name, {"limit_train_batches", "limit_val_batches"}) &&
      !settings.overfit_batches.nothing()) {
    return "no effect while overfit_batches is set, which overrides it";
  }
  return {};
}

// Epochs of data whose length nobody knows do not end, and are not validated.
std::string on_endless_data(const Settings& settings, std::string_view name) {
  if (among(name, {"limit_val_batches", "val_check_interval", "check_val_every_n_epoch",
                   "num_sanity_val_steps", "sync_validation"})) {
    return fmt::format("no effect on {}, which has no data here to validate it", settings.model);
  }
  const bool of_epochs =
      (name == "max_epochs" && settings.max_epochs > 0) || name == "drop_last" ||
      (among(name, {"limit_train_batches", "overfit_batches"}) && settings.max_epochs <= 0);
  if (!of_epochs || has_epochs(settings)) return {};
  return fmt::format(
      "no effect on {}, whose data has no length here: a run takes max_steps, else {} steps, or "
      "epochs of as many batches as limit_train_batches counts",
      settings.model, usual_steps);
}

// A policy finds something that the backward pass could make again.
bool makes_again(const std::string& model) {
  return step_work(workload_of(model), {.batch = 1, .remat = Remat::full}).made_again > 0;
}

// What drops a part of its scores has none; before v4 scores cross HBM either way. Of sizes that
// the network refuses nothing is said: the refusal tells.
bool has_attention_to_fuse(const Settings& settings) {
  const auto draws = static_cast<int>(stack_named(settings.stack).random_operations);
  const auto traced_ops = [&](std::int64_t block) {
    const WorkOptions options{.batch = 1,
                              .sequence = settings.sequence,
                              .image = settings.image,
                              .fused_attention = block,
                              .random_operations = draws};
    return step_work(workload_of(settings.model), options).traced_ops;
  };
  try {
    const Generation& generation = *slice_named(settings.slice).generation;
    const bool refused = settings.attention == "fused";
    if (!refused && row_blocks_of(generation) == RowBlocks::in_hbm) return false;
    return traced_ops(0) != traced_ops(1);
  } catch (const Error&) {
    return true;
  }
}

// Of a row of text; 0 of other rows.
std::int64_t tokens_of_device(const Settings& settings) {
  const Example row = workload_of(settings.model).network.row;
  if (!is_integer(row.dtype)) return 0;
  const std::int64_t tokens = settings.sequence > 0 ? settings.sequence : row.row.at(-1);
  return tokens / std::max(1, mesh_named(settings.mesh).context);
}

std::string on_kernel(const std::string& model, std::string_view name) {
  if (among(name, {"loader_workers", "loader_row_us", "loader_prefetch"})) {
    return fmt::format("no effect on {}, a kernel that reads no rows", model);
  }
  if (among(name, {"optimizer", "donate", "remat"})) {
    return fmt::format("no effect on {}, a kernel that is not trained", model);
  }
  if (among(name, {"mesh", "batch", "batch.global"})) {
    return fmt::format("no effect on {}, which each device runs alone", model);
  }
  if (name == "attention")
    return fmt::format("no effect on {}, which is what its name says", model);
  if (name == "quant" && !has_weights(model)) {
    return fmt::format("no effect on {}, a kernel without weights", model);
  }
  return {};
}

// Whether there is one decides what state an optimizer keeps.
std::string momentum_on_named(const Settings& settings) {
  if (!has_batches(settings)) {
    return fmt::format("no effect on {}, whose optimizer is not set here", settings.model);
  }
  if (optimizer_of(settings) == OptimizerKind::sgd) {
    return settings.momentum == 0 ? ""
                                  : "no effect on time but for 0, with which sgd keeps no state";
  }
  return fmt::format("no effect on {}, which has its own", name_of(optimizer_of(settings)));
}

std::string on_named(const Settings& settings, std::string_view name) {
  // Other data may be trained.
  if (name == "data" && !names_file(settings.model) && trained_model(settings.model, {})) return {};
  if (name == "seed" && changes_each_step(settings) && has_batches(settings)) return {};
  if (among(name,
            {"hidden", "data", "split", "class_weights", "hard_examples", "seed", "learning_rate",
             "warmup_steps", "weight_decay", "replicas", "backend", "workers"})) {
    return fmt::format("no effect on {}, of which only the time is known", settings.model);
  }
  if (among(name, {"gradient_clip_val", "gradient_clip_algorithm"})) {
    return fmt::format("not counted on {}: its time is that of steps that clip nothing",
                       settings.model);
  }
  if (name == "momentum") return momentum_on_named(settings);
  if (std::string none = on_loop(settings, name); !none.empty()) return none;
  if (published_data(settings) == nullptr) {
    if (std::string none = on_endless_data(settings, name); !none.empty()) return none;
  }
  if (name == "accumulate_grad_batches" && !has_batches(settings)) {
    return fmt::format("no effect on {}, whose gradients are not known", settings.model);
  }
  if (among(name, {"shapes", "data_rows", "fallback_op", "loop_turns", "keep_every_n_steps"}) &&
      !has_batches(settings)) {
    return fmt::format("no effect on {}, whose shapes are its own", settings.model);
  }
  if (among(name, {"batch", "batch.global"}) && has_open_batch(settings.model)) return {};
  if (names_program(settings.model) &&
      among(name,
            {"donate", "batch", "batch.global", "sequence", "image", "mesh", "remat", "loss_pieces",
             "quant", "attention", "precision", "matmul.precision", "optimizer"})) {
    return fmt::format("no effect on {}, which is what its text says", settings.model);
  }
  if (name == "loss_pieces" && !makes_logits_in_pieces(settings)) {
    return fmt::format("no effect on {}, whose logits are made at once", settings.model);
  }
  if (name == "matmul.precision" && settings.precision.starts_with("bf16")) {
    return fmt::format("no effect on products in {}, whose operands are bf16", settings.precision);
  }
  const bool traces = stack_named(settings.stack).traces_each_step();
  if (names_kernel(settings.model)) {
    return on_kernel(settings.model, name == "host_cpus" && !traces ? "loader_workers" : name);
  }
  if (name == "remat" && !makes_again(settings.model)) {
    return fmt::format("no effect on {}, which has no equal layers one behind the other",
                       settings.model);
  }
  if (name == "attention" && !has_attention_to_fuse(settings)) {
    return fmt::format("no effect on {}, which has no attention that one kernel would do here",
                       settings.model);
  }
  return {};
}

std::string on_trained(const Settings& settings, std::string_view name) {
  if (among(name, {"sequence", "image", "mesh", "remat", "loss_pieces", "quant", "attention"})) {
    return fmt::format("no effect on {}, which is trained as it is", settings.model);
  }
  if (name == "class_weights" && model_of(settings).objective.losses != nullptr) {
    return fmt::format("no effect on {}, whose rows have no one class", settings.model);
  }
  if (name == "hidden" && settings.model != "mlp") {
    return fmt::format("no effect on {}, whose layers are its own", settings.model);
  }
  if (name == "momentum" && optimizer_of(settings) != OptimizerKind::sgd) {
    return fmt::format("no effect on {}, which has its own", name_of(optimizer_of(settings)));
  }
  if (name == "gradient_clip_algorithm" && settings.gradient_clip_val == 0) {
    return "no effect while gradient_clip_val is 0";
  }
  if (!settings.numbers && among(name, {"backend", "workers", "replicas"})) {
    return "no effect with numbers off";
  }
  return on_loop(settings, name);
}

}  // namespace

std::string no_effect(const Settings& settings, std::string_view name) {
  if (name == "gpu.precision" && !on_gpus(settings)) {
    return fmt::format("no effect on {}, which has TPUs", settings.slice);
  }
  // What a GPU's figure is made of, what is refused there in words of its own, and the screen's.
  if (on_gpus(settings) &&
      !among(name, {"slice", "model", "data", "hidden", "batch", "batch.global", "sequence",
                    "image", "gpu.precision", "devices", "mesh", "remat", "quant", "straggler",
                    "numbers", "pace", "format"})) {
    return "no effect on GPUs, whose figures know the network, its rows and gpu.precision alone";
  }
  if (name == "input_dtype" && !reads_numbers(settings)) {
    return fmt::format("no effect on {}, which reads no rows of numbers", settings.model);
  }
  return is_named(settings) ? on_named(settings, name) : on_trained(settings, name);
}

std::int64_t tokens_not_fused(const Settings& settings) {
  if (!is_named(settings) || !has_batches(settings)) return 0;
  if (settings.attention != "auto" || stack_named(settings.stack).fused_attention == 0) return 0;
  const std::int64_t tokens = tokens_of_device(settings);
  const Tracing by_stack{.fused_attention = lane_count};
  if (tokens == 0 || by_stack.fuses(tokens, tokens)) return 0;
  return has_attention_to_fuse(settings) ? tokens : 0;
}

std::string meaning_of(const SettingRow& row, const Settings& settings) {
  std::string none = no_effect(settings, row.name);
  if (!none.empty() || row.meaning == nullptr) return none;
  return row.meaning(settings);
}

}  // namespace tpulab

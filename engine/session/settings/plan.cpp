#include "engine/session/settings/plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/forecast/mesh.h"
#include "engine/forecast/single_kernel.h"
#include "engine/machine/straggler.h"
#include "engine/ops/tile_product.h"
#include "engine/session/settings/gpu_settings.h"
#include "engine/session/settings/imported_models.h"
#include "engine/session/settings/own_data_files.h"
#include "engine/session/settings/preemption.h"
#include "engine/training/sampler.h"

namespace tpulab {

namespace {

LoopOptions loop_options(const Settings& settings) {
  const bool overfits = !settings.overfit_batches.nothing();
  return {.train_batches = overfits ? settings.overfit_batches : settings.limit_train_batches,
          .val_batches = overfits ? settings.overfit_batches : settings.limit_val_batches,
          .in_order = overfits,
          .check_interval = settings.val_check_interval,
          .check_epochs = settings.check_val_every_n_epoch,
          .sanity_batches = settings.num_sanity_val_steps,
          .accumulate = settings.accumulate_grad_batches,
          .clip_at = settings.gradient_clip_val,
          .clip = settings.gradient_clip_algorithm == "value" ? Clip::value : Clip::norm,
          .save_every = settings.save_every_n_steps,
          .preemption = preemption_named(settings.preempt)};
}

LoopRows rows_of(const Settings& settings) {
  const auto training = rows_of_an_epoch(settings);
  if (!training) return {};
  const PublishedData* data = is_named(settings) ? published_data(settings) : nullptr;
  const std::int64_t world = std::ssize(chosen_devices(settings));
  const auto filled = [world](std::int64_t rows) { return rows_of_core(rows, world) * world; };
  return {filled(*training), data != nullptr ? filled(data->validation_rows) : 0};
}

// Empty: as the stack does.
std::optional<DType> sent_by_hand(const Settings& settings) {
  if (settings.input_dtype == "auto") return std::nullopt;
  if (settings.input_dtype == "u8") return DType::u8;
  return settings.input_dtype == "bf16" ? DType::bf16 : DType::f32;
}

// What is no training step of batches has none that act on them.
Habits habits_of(const Settings& settings) {
  const bool batches = has_batches(settings);
  const bool falls_back = batches && settings.fallback_op != "none";
  return {.log_every_n_steps = settings.log_every_n_steps,
          .item_every_n_steps = settings.item_every_n_steps,
          .progress_bar = settings.progress_bar,
          .progress_bar_every = settings.progress_bar_every,
          .cpu_constant = settings.cpu_constant,
          .fallback_op = falls_back ? "aten::" + settings.fallback_op : std::string(),
          .shapes = batches ? shapes_named(settings.shapes) : Shapes::fixed,
          .loop_turns = batches ? settings.loop_turns : 0,
          .keep_every_n_steps = batches ? settings.keep_every_n_steps : 0,
          .sync_validation = settings.sync_validation,
          .seed = static_cast<std::uint64_t>(settings.seed)};
}

// A step that is one call of a kernel, or another's program, sums no batches.
LoopPlan timed_plan(const Settings& settings) {
  LoopPlan plan{.max_epochs = epochs_of(settings),
                .max_steps = last_step(settings),
                .drop_last = settings.drop_last,
                .options = loop_options(settings)};
  if (!has_batches(settings)) plan.options.accumulate = 1;
  return plan;
}

// The end of an epoch ends a sum too.
std::string summed_text(const Settings& settings, std::int64_t batch) {
  const std::int64_t summed = settings.accumulate_grad_batches;
  if (summed == 1) return {};
  const std::int64_t all = rows_of(settings).training;
  const std::int64_t filled = settings.drop_last ? all / batch : (all + batch - 1) / batch;
  const std::int64_t batches = loop_options(settings).train_batches.of(filled);
  if (batches >= summed && summed * batch <= all) {
    return fmt::format(", {} summed = {} a step", summed, summed * batch);
  }
  if (batches == 1) return ", summed with none: an epoch has one batch";
  return fmt::format(", {} of {} summed = {} a step, as an epoch has no more",
                     std::min(batches, summed), summed,
                     std::min(all, std::min(batches, summed) * batch));
}

}  // namespace

std::int64_t epochs_of(const Settings& settings) {
  constexpr std::int64_t usual_epochs = 20;
  if (settings.max_epochs != 0) return settings.max_epochs;
  return is_named(settings) || settings.max_steps >= 0 ? -1 : usual_epochs;
}

std::int64_t last_step(const Settings& settings) {
  if (settings.max_steps >= 0 || !is_named(settings)) return settings.max_steps;
  const bool asked = settings.max_epochs == -1 || (settings.max_epochs > 0 && has_epochs(settings));
  return asked ? -1 : usual_steps;
}

bool has_batches(const Settings& settings) {
  return !names_kernel(settings.model) && !names_program(settings.model);
}

bool makes_logits_in_pieces(const Settings& settings) {
  return has_batches(settings) && workload_of(settings.model).network.pieces;
}

bool changes_each_step(const Settings& settings) {
  return settings.shapes != "fixed" || settings.loop_turns > 0;
}

const PublishedData* published_data(const Settings& settings) {
  if (!has_batches(settings)) return nullptr;
  return workload_of(settings.model).network.data;
}

std::optional<std::int64_t> rows_of_an_epoch(const Settings& settings) {
  if (!is_named(settings)) {
    return training_rows(dataset_of(settings), split_named(settings.split), settings.data_rows);
  }
  const PublishedData* data = published_data(settings);
  const std::int64_t most = has_batches(settings) ? settings.data_rows : 0;
  if (data == nullptr) return most > 0 ? std::optional(most) : std::nullopt;
  return most > 0 ? std::min(most, data->training_rows) : data->training_rows;
}

bool has_epochs(const Settings& settings) {
  if (!is_named(settings) || rows_of_an_epoch(settings)) return true;
  return loop_options(settings).train_batches.count >= 0;
}

Machine machine_for(const Settings& settings) {
  refuse_to_run_on_gpus(settings);
  Slice slice = slice_named(settings.slice);
  std::vector<Straggler> stragglers = stragglers_named(settings.straggler, slice);
  return {.slice = std::move(slice),
          .host = &host_named(settings.host),
          .stack = &stack_named(settings.stack),
          .devices = chosen_devices(settings),
          .stragglers = std::move(stragglers),
          .loader = {.workers = static_cast<int>(settings.loader_workers),
                     .row_seconds = settings.loader_row_us * 1e-6,
                     .ahead = static_cast<int>(settings.loader_prefetch),
                     .cpus = static_cast<int>(settings.host_cpus)}};
}

TrainerOptions trainer_options(const Settings& settings) {
  TrainerOptions options;
  options.batch = settings.batch;
  options.model = model_of(settings);
  options.data = &dataset_of(settings);
  options.optimizer = {.kind = optimizer_of(settings),
                       .learning_rate = settings.learning_rate,
                       .momentum = settings.momentum,
                       .warmup_steps = settings.warmup_steps,
                       .weight_decay = settings.weight_decay};
  options.max_epochs = epochs_of(settings);
  options.max_steps = settings.max_steps;
  options.loop = loop_options(settings);
  options.seed = static_cast<std::uint64_t>(settings.seed);
  options.split = split_named(settings.split);
  options.habits = habits_of(settings);
  options.rows = settings.data_rows;
  options.class_weights = settings.class_weights;
  options.hard_examples = settings.hard_examples;
  options.drop_last = settings.drop_last;
  // Lightning's 16-true sets a variable that no release reads: the storage stays f32.
  options.storage = settings.precision == "bf16-true" ? DType::bf16 : DType::f32;
  options.compute = settings.precision.starts_with("bf16") ? DType::bf16 : DType::f32;
  options.sent = sent_by_hand(settings);
  options.precision = matmul_named(settings.matmul_precision);
  return options;
}

Model model_of(const Settings& settings) {
  if (auto model = trained_model(settings.model, settings.hidden)) return *std::move(model);
  throw Error(fmt::format("{} is not trained here", settings.model));
}

const Dataset& dataset_of(const Settings& settings) {
  if (names_data_file(settings.data)) return data_file(settings.data);
  if (settings.data != "auto") return dataset_named(settings.data);
  const Input input = model_of(settings).input;
  for (const std::string_view name : dataset_names()) {
    const Dataset& data = dataset_named(name);
    if (std::ranges::find(data.views, input, &Dataset::View::input) != data.views.end()) {
      return data;
    }
  }
  return digits();
}

std::string model_title(const Settings& settings) {
  const Model model = model_of(settings);
  return model.name(dataset_of(settings).example(model.input));
}

std::int64_t parameter_count(const Settings& settings) {
  const Model model = model_of(settings);
  const Example example = dataset_of(settings).example(model.input);
  return parameter_count(parameters_of(model, example, DType::f32));
}

bool reads_numbers(const Settings& settings) {
  if (!has_batches(settings)) return false;
  if (is_named(settings)) return !is_integer(workload_of(settings.model).network.row.dtype);
  return !is_integer(dataset_of(settings).example(model_of(settings).input).dtype);
}

bool bytes_hold_rows(const Settings& settings) {
  if (!reads_numbers(settings)) return true;
  if (is_named(settings)) return workload_of(settings.model).network.row.row.rank() == 3;
  return dataset_of(settings).byte_scale > 0;
}

ExecuteOptions execute_options(const Settings& settings) {
  return {.reference = settings.backend == "reference",
          .separate_replicas = settings.replicas == "separate",
          .numbers = settings.numbers,
          .donates = settings.donate};
}

std::string products_text(const Settings& settings) {
  if (!settings.numbers) return {};
  return settings.backend == "reference" ? "loops of tpulab" : product_library();
}

OptimizerKind optimizer_of(const Settings& settings) {
  if (settings.optimizer != "auto") return optimizer_named(settings.optimizer);
  if (!is_named(settings) || !has_batches(settings)) {
    return OptimizerKind::adam;
  }
  return usual_optimizer(workload_of(settings.model));
}

std::string show_batch(const Settings& settings) {
  if (settings.devices_a_row == 1) return std::to_string(settings.batch);
  return fmt::format("1/{}", settings.devices_a_row);
}

std::string batch_text(const Settings& settings) {
  const auto world = static_cast<std::int64_t>(chosen_devices(settings).size());
  if (names_program(settings.model)) return file_batch_text(settings.model, world, settings.batch);
  if (names_kernel(settings.model)) {
    return world == 1 ? "1 call on one device" : fmt::format("1 call on each of {} devices", world);
  }
  const std::int64_t rows = global_batch(settings);
  return fmt::format("{} x {} = {} global{}", show_batch(settings), world, rows,
                     has_batches(settings) ? summed_text(settings, rows) : "");
}

std::int64_t global_batch(const Settings& settings) {
  const auto world = static_cast<std::int64_t>(chosen_devices(settings).size());
  if (world % settings.devices_a_row != 0) {
    throw DoesNotDivide(
        fmt::format("batch 1/{} shares each row among {} devices, which the {} of "
                    "{} are no multiple of",
                    settings.devices_a_row, settings.devices_a_row, world, settings.slice),
        "choose a divisor");
  }
  return settings.batch * world / settings.devices_a_row;
}

// Of a full step; an epoch may have fewer.
std::int64_t rows_of_a_step(const Settings& settings) {
  const std::int64_t epoch = rows_of(settings).training;
  const std::int64_t rows = global_batch(settings);
  return epoch > 0 && !settings.drop_last ? std::min(rows, epoch) : rows;
}

ForecastRequest forecast_request(const Settings& settings) {
  const auto configured = configured_network(settings.model);
  const OptimizerKind optimizer = optimizer_of(settings);
  const bool pieces = is_named(settings) && makes_logits_in_pieces(settings);
  return {
      .model = settings.model,
      .network = configured ? std::optional(configured->network) : std::nullopt,
      .given = names_program(settings.model) ? given_step(settings.model, settings.batch) : nullptr,
      .slice = settings.slice,
      .host = settings.host,
      .stack = settings.stack,
      // 16-true stores f32, see trainer_options().
      .precision = settings.precision == "16-true" ? "32-true" : settings.precision,
      .matmul = settings.matmul_precision,
      .sent = sent_by_hand(settings),
      .batch = rows_of_a_step(settings),
      .sequence = settings.sequence,
      .image = settings.image,
      .mesh = mesh_named(settings.mesh),
      .remat = remat_named(settings.remat),
      .loss_pieces = pieces ? settings.loss_pieces : 1,
      .quant = settings.quant,
      .attention = settings.attention,
      .donate = settings.donate,
      .sums_batches = has_batches(settings) && settings.accumulate_grad_batches > 1,
      .optimizer = optimizer == OptimizerKind::sgd && settings.momentum == 0
                       ? OptimizerKind::sgd_alone
                       : optimizer};
}

TimedOptions timed_options(const Settings& settings) {
  return {.request = forecast_request(settings),
          .rows = rows_of(settings),
          .plan = timed_plan(settings),
          .habits = habits_of(settings)};
}

}  // namespace tpulab

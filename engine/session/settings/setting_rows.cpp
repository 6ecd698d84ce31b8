// The table of settings, in the order that help lists them.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/forecast/mesh.h"
#include "engine/forecast/single_kernel.h"
#include "engine/machine/machine.h"
#include "engine/machine/straggler.h"
#include "engine/session/settings/gpu_settings.h"
#include "engine/session/settings/imported_models.h"
#include "engine/session/settings/lightning_rules.h"
#include "engine/session/settings/loop_rows.h"
#include "engine/session/settings/own_data_files.h"
#include "engine/session/settings/plan.h"
#include "engine/session/settings/python_literal.h"
#include "engine/session/settings/script_rows.h"
#include "engine/session/settings/setting_choices.h"
#include "engine/session/settings/setting_meanings.h"
#include "engine/session/settings/setting_values.h"
#include "engine/session/settings/settings.h"
#include "engine/training/dataset.h"
#include "engine/training/networks/networks.h"
#include "engine/training/workload.h"

namespace tpulab {

namespace {

constexpr std::int64_t largest_batch = 16'777'216;
constexpr std::int64_t largest_layer = 16'384;
constexpr std::size_t most_layers = 16;

constexpr std::array<std::string_view, 5> optimizers{"auto", "adam", "adamw", "lamb", "sgd"};
constexpr std::array<std::string_view, 3> splits{"rows", "shuffled", "validation"};
constexpr std::array<std::string_view, 2> replica_ways{"auto", "separate"};
constexpr std::array<std::string_view, 2> formats{"table", "csv"};
constexpr std::array<std::string_view, 2> backends{"library", "reference"};

// --- reading

std::string named_model(std::string_view value) {
  try {
    const Workload workload = workload_named(value);
    // As it is called where it is trained: "resnet50" of "ResNet-50".
    const std::string name = workload.network.model.name(workload.network.row);
    return names_workload(name) ? name : workload.model;
  } catch (const Error&) {
    if (std::string config = read_config_in_folder(value); !config.empty()) return config;
    std::vector<std::string> names = trained_names();
    for (const std::string& other : workload_names()) {
      if (std::ranges::find(names, other) == names.end()) names.push_back(other);
    }
    const std::string nearest = nearest_name(value, names);
    if (!nearest.empty()) {
      throw Error(fmt::format("unknown model '{}'; did you mean {}? `help models` lists all", value,
                              nearest));
    }
    throw Error(
        fmt::format("unknown model '{}'; `help models` lists all, or write kernels as gemm-MxKxN "
                    "and lines of layers as \"dense 32 relu | dense 10\"",
                    value));
  }
}

std::string read_model(std::string_view value, const Settings&) {
  if (value == "digits") return "mlp";
  if (names_file(value)) {
    read_model_file(std::string(value));
    return std::string(value);
  }
  if (trained_model(value, {1})) return std::string(value);
  if (!names_kernel(value)) return named_model(value);
  kernel_step(value, {});
  return std::string(value);
}
std::string read_data(std::string_view value, const Settings&) {
  if (names_data_file(value)) {
    read_data_file(std::string(value));
    return std::string(value);
  }
  return value == "auto" ? "auto" : std::string(dataset_named(value).name);
}
std::string read_mesh(std::string_view value, const Settings&) {
  return text_of(mesh_named(value));
}
std::string read_slice(std::string_view value, const Settings&) {
  return reads_as_gpus(value) ? gpus_named(value).name : slice_named(value).name;
}
std::string read_host(std::string_view value, const Settings&) {
  return std::string(host_named(value).name);
}
std::string read_stack(std::string_view value, const Settings&) {
  return std::string(stack_named(value).name);
}
std::string read_devices(std::string_view value, const Settings& settings) {
  if (on_gpus(settings)) return std::string(value);  // check_gpu_settings() judges it
  return lightning_devices(value, slice_named(settings.slice));
}
std::string read_accelerator(std::string_view value, const Settings&) {
  return lightning_accelerator(value);
}
std::string read_strategy(std::string_view value, const Settings&) {
  return lightning_strategy(value);
}
// Mixed precision is Lightning's to refuse on TPUs; other stacks have it.
std::string read_precision(std::string_view value, const Settings& settings) {
  const bool mixed = value == "bf16-mixed" || value == "bf16";
  if (mixed && (settings.stack != "pytorch-xla" || on_gpus(settings))) return "bf16-mixed";
  return lightning_precision(value, settings.stack == "pytorch-xla");
}

bool parse_learning_rate(Settings& settings, std::string_view value) {
  const auto number = real_number(value);
  if (!number || *number <= 0 || *number > 10) return false;
  settings.learning_rate = *number;
  return true;
}

bool parse_momentum(Settings& settings, std::string_view value) {
  const auto number = real_number(value);
  if (!number || *number < 0 || *number >= 1) return false;
  settings.momentum = *number;
  return true;
}

// The whole numbers of "(1024,1024)", "[512, 256]", "128", "512, 256" and "256 256".
std::vector<std::optional<std::int64_t>> layer_sizes(std::string_view value) {
  std::vector<std::optional<std::int64_t>> sizes;
  const bool bracketed = value.starts_with('(') || value.starts_with('[');
  const auto literal = parse_python(bracketed ? std::string(value) : fmt::format("[{}]", value));
  if (literal) {
    if (!literal->sequence()) return {literal->integer};
    for (const PythonLiteral& item : literal->items) sizes.push_back(item.integer);
  } else {
    for (const std::string& word : split(value, ' ')) {
      if (!word.empty()) sizes.push_back(whole_number(word));
    }
  }
  return sizes;
}

bool parse_hidden(Settings& settings, std::string_view value) {
  std::vector<std::int64_t> sizes;
  for (const auto& size : layer_sizes(value)) {
    if (!size || *size < 1 || *size > largest_layer) return false;
    sizes.push_back(*size);
  }
  if (sizes.empty() || sizes.size() > most_layers) return false;
  settings.hidden = std::move(sizes);
  return true;
}

// Fewer rows than devices as MaxText writes them: each row is one of several devices.
bool parse_batch(Settings& settings, std::string_view value) {
  const bool shared = value.starts_with("1/");
  const auto number = whole_number(shared ? value.substr(2) : value);
  if (!number || *number < 1 || *number > largest_batch) return false;
  settings.batch = shared ? 1 : *number;
  settings.devices_a_row = shared ? *number : 1;
  return true;
}

void copy_batch(Settings& to, const Settings& from) {
  to.batch = from.batch;
  to.devices_a_row = from.devices_a_row;
}

bool parse_global_batch(Settings& settings, std::string_view value) {
  const auto number = whole_number(value);
  const std::int64_t world = world_of(settings);
  if (!number || *number < 1 || *number > largest_batch) return false;
  settings.devices_a_row = 1;
  if (is_named(settings) && *number < world && world % *number == 0) {
    settings.batch = 1;
    settings.devices_a_row = world / *number;
    return true;
  }
  if (*number % world != 0) {
    const std::int64_t below = *number / world * world;
    throw Impossible(fmt::format("batch.global {} cannot be shared evenly by {} devices; use {}{}",
                                 *number, world, below > 0 ? fmt::format("{} or ", below) : "",
                                 below + world));
  }
  settings.batch = *number / world;
  return true;
}

bool parse_epochs(Settings& settings, std::string_view value) {
  const auto number = value == "auto" ? std::optional<std::int64_t>(0) : whole_number(value);
  const bool right = number && *number >= -1 && *number <= 1'000'000;
  if (!right || (*number == 0 && value != "auto")) return false;
  settings.max_epochs = *number;
  return true;
}

bool parse_pace(Settings& settings, std::string_view value) {
  const bool word = value == "max" || value == "watch" || value == "real";
  if (!word) {
    if (!value.starts_with("1/")) return false;
    const auto slower = whole_number(value.substr(2));
    if (!slower || *slower < 1 || *slower > 1'000'000) return false;
  }
  settings.pace = std::string(value);
  return true;
}

bool parse_straggler(Settings& settings, std::string_view value) {
  if (!on_gpus(settings)) stragglers_named(value, slice_named(settings.slice));
  settings.straggler = std::string(value);
  return true;
}

constexpr std::array<SettingRow, 36> rows{{
    read_row<&Settings::model, read_model>(
        {"model",
         "the name of a network or kernel (see `help models`), or layers as "
         "\"conv 16 3x3 relu | maxpool 2 | dense 10\", or a file: StableHLO text, "
         "or a config.json of Hugging Face",
         "What runs: trained for real, or a named network, kernel or file in time only.",
         Effect::new_run, model_meaning},
        offered_models),
    read_row<&Settings::data, read_data>(
        {"data",
         "auto, digits, spirals, addition, text, scenes, numerals, solids or figures, or a file: "
         "CSV, ROWS.npy,LABELS.npy, IDX as train-images-idx3-ubyte, CIFAR's .bin, or .txt, "
         "packed by gzip or not",
         "What a network is trained on; auto is the first that it can read.", Effect::new_run,
         data_meaning},
        offered_data),
    whole_row<&Settings::sequence, 0, 1'048'576>(
        {"sequence", "a whole number from 0 to 1,048,576, 0 for the model's own",
         "Tokens of a row of a named language model.", Effect::recompile}),
    whole_row<&Settings::image, 0, 4096>(
        {"image", "a whole number from 0 to 4,096, 0 for the model's own",
         "Pixels of a side of a named image model.", Effect::recompile}),
    read_row<&Settings::mesh, read_mesh>(
        {"mesh",
         "auto, or parts of slices, data, fsdp, tensor, expert, context, pipeline, microbatches as "
         "fsdp=8/tensor=4",
         "How devices share a named model: replicas, sharded weights, divided layers.",
         Effect::new_run},
        offered_meshes),
    choice_row<&Settings::remat, remat_names>(
        {"remat", remat_choices,
         "What a named model's backward pass computes again instead of keeping it.",
         Effect::new_run}),
    whole_row<&Settings::loss_pieces, 1, 1024>({"loss_pieces", "a whole number from 1 to 1,024",
                                                "Pieces of a device's tokens whose logits and loss "
                                                "are made one by one, of named decoders and GNMT.",
                                                Effect::recompile}),
    choice_row<&Settings::quant, quant_names>({"quant", "none or int8",
                                               "Products of a named model on int8, from v5e on.",
                                               Effect::new_run}),
    choice_row<&Settings::attention, attention_names>(
        {"attention", "auto, scores or fused",
         "Attention of a named model: its scores cross HBM, or one kernel keeps them in VMEM; "
         "auto is as the stack has it.",
         Effect::new_run}),
    read_row<&Settings::slice, read_slice>(
        {"slice", "the name of a slice, such as v3-8 (see `help slices`), or of GPUs (`help gpus`)",
         "The emulated machine: which TPU generation and how much of a pod.", Effect::new_run,
         slice_meaning},
        offered_slices),
    read_row<&Settings::host, read_host>(
        {"host", "tpu-vm, pod-host, kaggle-vm, colab-vm or colab-node-2021",
         "The computer that loads, traces and compiles; they differ in links and CPUs.",
         Effect::new_run, host_meaning},
        offered_hosts),
    read_row<&Settings::stack, read_stack>(
        {"stack", "pytorch-xla, jax, jax-ordinary, tensorflow or tensorflow-ordinary",
         "The framework's costs: tracing, dispatch and compilation on the host.", Effect::new_run,
         stack_meaning},
        offered_stacks),
    SettingRow{
        "straggler",
        "none, host:INDEX:FACTOR, link:CHIP:FACTOR or core:INDEX:FACTOR (artificial), FACTOR "
        "from 1 to 100",
        "A part that is slower than its like; all others wait for it in the all-reduce. host: the "
        "host of that number, from 0, works FACTOR times as long; core: a device computes so long, "
        "numbered as on the screen; link: what the links of that chip carry takes so long.",
        Effect::new_run,
        [](const Settings&) {
          return std::vector<std::string>{"none", "host:0:1.4", "core:1:1.4", "link:0:4"};
        },
        parse_straggler, show_field<&Settings::straggler>, copy_field<&Settings::straggler>,
        nullptr},
    read_row<&Settings::accelerator, read_accelerator>(
        {"accelerator", "auto or tpu", "Trainer's accelerator argument.", Effect::new_run},
        offered_accelerators),
    read_row<&Settings::devices, read_devices>(
        {"devices", "auto, 1, the number of all devices, or one zero-based index as [1]",
         "Which devices of the slice train; [1] is the 2nd.", Effect::new_run, devices_meaning},
        offered_devices),
    read_row<&Settings::strategy, read_strategy>(
        {"strategy", "auto, xla, xla_debug or single_xla",
         "Trainer's strategy argument; auto takes what fits the devices, xla_debug runs as xla.",
         Effect::new_run},
        offered_strategies),
    read_row<&Settings::precision, read_precision>(
        {"precision", "32-true, bf16-true or 16-true; bf16-mixed on stacks but pytorch-xla",
         "Storage of weights, gradients and optimizer state, and of the all-reduce.",
         Effect::new_run, effective_precision},
        offered_precisions),
    choice_row<&Settings::matmul_precision, matmul_names>(
        {"matmul.precision", "default, high or highest",
         "How many bf16 passes the matrix unit spends on one f32 product.", Effect::recompile,
         matmul_meaning}),
    choice_row<&Settings::gpu_precision, gpu_precision_names>(
        {"gpu.precision", "mixed, tf32 or fp32",
         "Precision of GPUs that a slice is compared with; V100 has no tf32.", Effect::at_once}),
    SettingRow{"batch", "a whole number from 1 to 16,777,216, or 1/N of a row",
               "Rows per device in one step.", Effect::recompile, nullptr, parse_batch, show_batch,
               copy_batch, batch_meaning},
    SettingRow{"batch.global",
               "a multiple of the number of devices to 16,777,216, or a divisor for a named model",
               "Rows of all devices in one batch; sets batch.", Effect::recompile, nullptr,
               parse_global_batch, show_global_batch, copy_batch, batch_meaning},
    SettingRow{"hidden", "1 to 16 sizes from 1 to 16,384, such as (1024,1024)",
               "Sizes of the hidden layers of an mlp.", Effect::new_run, nullptr, parse_hidden,
               show_field<&Settings::hidden>, copy_field<&Settings::hidden>, hidden_meaning},
    choice_row<&Settings::optimizer, optimizers>({"optimizer", "auto, adam, adamw, lamb or sgd",
                                                  "How gradients change the weights; auto is adam "
                                                  "where it is trained, the usual one elsewhere.",
                                                  Effect::new_run}),
    SettingRow{"learning_rate", "a number above 0, up to 10", "Step size of the optimizer.",
               Effect::next_step, nullptr, parse_learning_rate,
               show_field<&Settings::learning_rate>, copy_field<&Settings::learning_rate>,
               constant_rate},
    SettingRow{"momentum", "a number from 0, below 1", "Momentum of sgd; others ignore it.",
               Effect::next_step, nullptr, parse_momentum, show_field<&Settings::momentum>,
               copy_field<&Settings::momentum>, constant_momentum},
    whole_row<&Settings::warmup_steps, 0, 1'000'000>(
        {"warmup_steps", "a whole number from 0 to 1,000,000",
         "Steps over which the learning rate rises from 0 to its value.", Effect::next_step}),
    SettingRow{"max_epochs",
               "auto, a whole number from 1 to 1,000,000, or -1 for no limit; Lightning's 0, "
               "which trains nothing, is no run here",
               "Passes over the training rows before the run ends; auto is 20 where it is trained, "
               "or as many as max_steps takes.",
               Effect::next_step, [](const Settings&) { return std::vector<std::string>{"auto"}; },
               parse_epochs, show_epochs, copy_field<&Settings::max_epochs>, epochs_meaning},
    whole_row<&Settings::max_steps, 1, 1'000'000'000, true>(
        {"max_steps",
         "a whole number from 1 to 1,000,000,000, or -1 for no limit; Lightning's 0, "
         "which trains nothing, is no run here",
         "Steps before the run ends.", Effect::next_step}),
    whole_row<&Settings::seed, 0, 4'294'967'295>(
        {"seed", "a whole number from 0 to 4,294,967,295",
         "Seed of the first weights and of the order of rows.", Effect::new_run}),
    choice_row<&Settings::split, splits>(
        {"split", "rows, shuffled or validation",
         "Training and test rows: row order (test writers unseen), shuffled, or 15 % held out.",
         Effect::new_run}),
    switch_row<&Settings::numbers>(
        {"numbers", "on or off",
         "Off: a time-only run, traced and simulated without computing a number.",
         Effect::new_run}),
    choice_row<&Settings::replicas, replica_ways>(
        {"replicas", "auto or separate",
         "Compute equal replicas as one product, or every device's for itself, really summed.",
         Effect::new_run}),
    choice_row<&Settings::backend, backends>(
        {"backend", "library or reference",
         "Products by a library (this names it), or by loops with equal bits on every x86-64.",
         Effect::new_run, backend_meaning}),
    whole_row<&Settings::workers, 0, 256>(
        {"workers", "a whole number from 0 to 256, 0 for one per CPU",
         "Threads of this computer for the numbers; changes no bit of them.", Effect::new_run,
         numbers_for_workers}),
    SettingRow{"pace", "max, watch, real or 1/N with N from 1 to 1,000,000",
               "Slows the run down to be watched; real is the TPU's speed, 1/N a fraction of it.",
               Effect::at_once,
               [](const Settings&) {
                 return std::vector<std::string>{"max", "watch", "real", "1/10", "1/100", "1/1000"};
               },
               parse_pace, show_field<&Settings::pace>, copy_field<&Settings::pace>, nullptr},
    choice_row<&Settings::format, formats>(
        {"format", "table or csv", "How compare and sweep answer.", Effect::at_once}),
}};

}  // namespace

// Those of the loop stand behind the limits of the run, those of the script behind its data.
std::span<const SettingRow> setting_rows() {
  static const std::vector<SettingRow> all = [] {
    std::vector<SettingRow> together(rows.begin(), rows.end());
    const auto limits = std::ranges::find(together, "max_steps", &SettingRow::name);
    together.insert(limits + 1, loop_rows().begin(), loop_rows().end());
    const auto data = std::ranges::find(together, "split", &SettingRow::name);
    together.insert(data + 1, script_rows().begin(), script_rows().end());
    return together;
  }();
  return all;
}

}  // namespace tpulab
